const field = document.querySelector(".search");
field.oninput = () => {
  const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll(".card")) {
    const words = card.dataset.words.toLowerCase();
    card.hidden = !wanted.every(word => words.includes(word));
  }
};
