// The page: an address after # -> a part of the page. A part gives a function that ends it.

import { h, troubles } from "./dom.js";
import { home } from "./home.js";
import { play } from "./play.js";
import { look } from "./look.js";
import { write } from "./write.js";
import { watch } from "./watch.js";

const main = document.getElementById("main");
let leave = null;

/** `#/play/chess?seats=you` -> part, game and options. */
export function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [part = "", ...rest] = path.split("/");
  return { part: part || "home", game: decodeURIComponent(rest.join("/")), options: new URLSearchParams(query) };
}

const parts = { home, play, look, write, watch };

async function show() {
  if (location.hash === "#main") return;
  leave?.();
  leave = null;
  const { part, game, options } = address();
  for (const link of document.querySelectorAll("header [data-part]")) {
    const here = link.dataset.part === part || (link.dataset.part === "home" && ["play", "look"].includes(part));
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.title = game ? `${title(game)} · Ludex` : "Ludex";
  const host = h("div", { class: `part ${part}` });
  main.replaceChildren(host);
  try {
    leave = (parts[part] ?? home)(host, game, options) ?? null;
  } catch (error) {
    host.append(troubles(error));
  }
}

export function title(game) {
  return game.split("~")[0];
}

const theme = document.getElementById("theme");
function paint(choice) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}
paint(localStorage.getItem("ludex-theme"));
theme.addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  localStorage.setItem("ludex-theme", next);
  paint(next);
});

addEventListener("hashchange", show);
show();
