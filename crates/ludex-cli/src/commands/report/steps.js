for (const match of document.querySelectorAll(".steps")) {
  const frames = match.querySelectorAll(".frame");
  const at = match.querySelector(".at");
  let timer = null;
  const show = n => {
    n = Math.max(0, Math.min(frames.length - 1, n));
    frames.forEach((frame, i) => { frame.style.display = i === n ? "" : "none"; });
    at.value = n;
    match.querySelector("output").textContent = n;
    return n;
  };
  const stop = () => { clearInterval(timer); timer = null; };
  const step = by => { stop(); show(+at.value + by); };
  match.querySelector(".back").onclick = () => step(-1);
  match.querySelector(".on").onclick = () => step(1);
  match.querySelector(".run").onclick = () => {
    if (timer) return stop();
    if (+at.value === frames.length - 1) show(0);
    timer = setInterval(() => { if (show(+at.value + 1) === frames.length - 1) stop(); }, 700);
  };
  at.oninput = () => { stop(); show(+at.value); };
  match.onkeydown = e => {
    if (e.target === at) return;
    if (e.key === "ArrowLeft") step(-1);
    if (e.key === "ArrowRight") step(1);
  };
}
