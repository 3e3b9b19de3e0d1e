// Plays on by the page's own controls until the match is over, or so many clicks are made, or seconds have gone.
const [seed, most, seconds = 600] = args;
const last = performance.now() + 1000 * seconds;
let state = seed;
const random = n => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const page = () => document.querySelector(".part.play");
const over = () => document.querySelector(".status[data-over]");
const frame = () => new Promise(done => setTimeout(done, 4));
const press = element => {
  element.scrollIntoView({ block: "center" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true, button: 0, pointerId: 1, isPrimary: true };
  const hit = document.elementFromPoint(at.clientX, at.clientY);
  if (!hit || (hit !== element && !element.contains(hit))) return false;
  hit.dispatchEvent(new PointerEvent("pointerdown", at));
  hit.dispatchEvent(new PointerEvent("pointerup", at));
  if (element.localName === "button") hit.dispatchEvent(new MouseEvent("click", at));
  return true;
};
const shown = selector => [...document.querySelectorAll(selector)];
let clicks = 0, onBoard = 0, fromList = 0;
while (!over() && clicks < most && performance.now() < last) {
  const before = page().dataset.beat;
  const which = document.querySelector(".menu")?.textContent.startsWith("Which?");
  const targets = shown(".hit.target");
  const open = shown(".hit.open");
  const choices = shown(".menu .choice");
  const pick = which ? choices : targets.length ? targets : [...open, ...choices];
  const list = shown(".moves button");
  const from = pick.length ? pick : list;
  if (!from.length) {
    if (document.querySelector(".trouble")) return { over: false, clicks, onBoard, fromList, why: document.querySelector(".trouble").textContent };
    await frame();
    clicks += 0.01;
    continue;
  }
  const element = from[random(from.length)];
  const done = press(element) || (element.click?.(), element.localName === "button");
  clicks += 1;
  if (element.classList.contains("hit")) onBoard += 1; else if (!pick.length) fromList += 1;
  const end = performance.now() + 20000;
  while (done && page().dataset.beat === before && performance.now() < end) await frame();
  if (done && page().dataset.beat === before) return { over: false, clicks, onBoard, fromList, why: "a click changed nothing" };
  if (!done) await frame();
}
return { over: Boolean(over()), clicks: Math.round(clicks), onBoard, fromList, status: document.querySelector(".status").textContent, why: over() ? "" : "too long" };
