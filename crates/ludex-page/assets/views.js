// How each finding is shown.

import { ask } from "./api.js";
import { words } from "./choice.js";
import { counted, drawing, h, number } from "./dom.js";
import { graph, ofDot } from "./graph.js";
import { finalFacts, latchTable } from "./locks.js";
import { list, picture, table } from "./parts.js";
import { searchTree } from "./tree.js";

const sets = found => found.length ? found.map(s => `{${s.join(",")}}`).join(" ") : "none";

/** The order of a group, which may have hundreds of digits. */
const large = order => order.length > 12 ? `${order[0]}.${order[1]}e${order.length - 1}` : order;

/** The facts of a relation with some arguments as places: as a grid. */
function grid(facts, relation, places) {
  const rows = facts.map(f => words(f).split(" ")).filter(f => f[0] === relation).map(f => f.slice(1));
  const contents = args => args.filter((_, i) => !places.includes(i + 1)).join(" ");
  const order = i => [...new Set(rows.map(r => r[i - 1]))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const [x, y] = places.length > 1 ? [order(places[0]), order(places[1])] : [places.length ? order(places[0]) : [""], [""]];
  const at = (a, b) => rows.filter(r => (!places.length || r[places[0] - 1] === a) && (places.length < 2 || r[places[1] - 1] === b)).map(contents);
  return h("div", { class: "wide" }, h("table", { class: "factgrid" }, h("thead", {}, h("tr", {}, h("th", {}), x.map(a => h("th", { scope: "col" }, a)))),
    h("tbody", {}, y.map(b => h("tr", {}, h("th", { scope: "row" }, b), x.map(a => h("td", {}, at(a, b).map(c => h("span", { class: "value" }, c)))))))));
}

export function boards({ game, path, signal }, question, { answer }) {
  const shown = h("div");
  let facts = null;
  const choose = async (relation, places) => {
    facts ??= await ask("view", { game, moves: path }, { signal });
    shown.replaceChildren(h("h3", {}, `${relation} seen by ${places.length ? `arguments ${places.join(", ")}` : "no argument"}`), grid(facts.facts, relation, places));
  };
  const all = answer.relations.flatMap(r => [...r.maximal.map(p => [r.relation, p, "on the lattice: the same in every state"]), ...r.partial.map(p => [r.relation, p, "at most one fact for each place"])]);
  const known = answer.views.map(v => h("li", {}, h("button", { type: "button", onclick: () => choose(v.relation, v.places) }, `${v.relation} at ${v.places.join(", ")}`),
    ` ${v.kind}, ${number(v.size)} places. `, h("span", { class: "faint" }, v.proof)));
  const pictured = h("div", { class: "board small" });
  ask("view", { game, moves: path }, { signal }).then(sight => pictured.replaceChildren(drawing(sight.svg) ?? "no board")).catch(() => {});
  const [first] = [...answer.views.map(v => [v.relation, v.places]), ...all];
  if (first) choose(first[0], first[1]).catch(() => {});
  return [pictured, h("h3", {}, "Boards, best first"), h("ul", { class: "plain" }, known.length ? known : h("li", {}, "none yet")),
    table(["relation", "arguments", "maximal", "partial", "verified"], answer.relations.map(r => [r.relation, r.arity, sets(r.maximal), sets(r.partial), `${r.calls} ${r.calls === 1 ? "projection" : "projections"}`])),
    h("h3", {}, "Other views of the same facts"), h("div", { class: "chips" }, all.slice(0, 40).map(([relation, places, why]) => h("button", { type: "button", class: "chip", title: why, onclick: () => choose(relation, places) }, `${relation} {${places.join(",")}}`))), shown];
}

/** What stands on each board; pieces of which the same is told are one line. */
export function pieces(context, question, { answer }) {
  const line = (text, names) => [names.join(", "), text];
  const rows = board => [...Map.groupBy(board.pieces, p => p.text)].map(([text, alike]) => line(text, alike.map(p => p.name)));
  return [...answer.boards.flatMap(b => [h("h3", {}, `${b.relations.join(", ")} at ${b.places.join(", ")}: ${number(b.size)} places`), table(["pieces", "what they do"], rows(b))]),
    h("p", { class: "faint" }, answer.boards.length ? `Seen, not proved: ${number(answer.moves)} moves in ${number(answer.states)} states of random matches.` : "No pieces.")];
}

export function symmetries({ game, path, signal }, question, { answer, pictures }) {
  const net = answer.net?.generators ? answer.net : null;
  const head = h("p", { class: "figure" }, answer.rules ? `${large(answer.rules.order)} in the rules` : "", net ? `, ${large(net.order)} in the ground game (${large(net.order_fixed_roles)} with every role fixed)` : "");
  const moved = h("div", { class: "pair" });
  const apply = async generator => {
    const sight = await ask("view", { game, moves: path }, { signal });
    const facts = sight.facts.map(f => generator.map.facts[f] ?? f);
    const image = await ask("draw", { game, facts }, { signal });
    moved.replaceChildren(h("div", {}, h("h3", {}, "the position"), picture(sight.svg)), h("div", {}, h("h3", {}, "its image"), picture(image.svg)));
  };
  const each = (net?.generators ?? []).map((g, i) => h("figure", {}, pictures[i]?.svg ? picture(pictures[i].svg) : "", h("figcaption", {}, h("span", { title: pictures[i]?.name ?? g.text }, pictures[i]?.name ?? g.text ?? ""),
    h("button", { type: "button", onclick: () => apply(g).catch(() => {}) }, "Move the position"))));
  return [head, moved, h("div", { class: "pictures" }, each), answer.rules ? list(answer.rules.generators.map(g => g.text)) : ""];
}

export { factors } from "./factors.js";

export function latches(context, question, known) {
  return question === "final" ? finalFacts(context, known) : latchTable(known);
}

export function proofs({ game, signal }, question, { answer }) {
  const row = fact => h("li", { class: `proof ${fact.status}` }, h("span", { class: "tag" }, fact.status), " ", h("span", {}, fact.text),
    fact.bound ? h("span", { class: "faint" }, ` within ${fact.bound} steps`) : "", fact.k ? h("span", { class: "faint" }, ` induction of ${fact.k}`) : "",
    fact.lemmas?.length ? h("details", {}, h("summary", {}, `${fact.lemmas.length} ${fact.lemmas.length === 1 ? "lemma" : "lemmas"}`), list(fact.lemmas, 60)) : "",
    fact.moves ? h("p", {}, h("a", { href: `#/play/${encodeURIComponent(game)}?seats=you,you,you,you,you,you&moves=${encodeURIComponent(JSON.stringify(fact.moves))}` }, "play the counter-example on the board")) : "");
  const input = h("input", { type: "text", class: "wideinput", placeholder: "(not (and (true (cell ?x ?y x)) (true (cell ?x ?y o))))", "aria-label": "A property to decide" });
  const decided = h("div", { class: "decided", role: "status" });
  const form = h("form", { class: "ask", onsubmit: async e => {
    e.preventDefault();
    decided.replaceChildren("deciding …");
    try {
      const known = await ask("ask", { game, question: "property", property: input.value }, { signal });
      decided.replaceChildren(h("ul", { class: "plain" }, known.answer.facts.map(row)));
    } catch (error) {
      if (error.name !== "AbortError") decided.replaceChildren(h("p", { class: "trouble" }, error.message));
    }
  } }, input, h("button", { type: "submit" }, "Decide"));
  const kinds = [...new Set(answer.facts.map(f => f.kind))];
  return [h("h3", {}, "Ask whether something always holds"), form, decided, h("p", { class: "figure" }, `${answer.facts.filter(f => f.status === "proved").length} theorems`),
    kinds.map(kind => { const of = answer.facts.filter(f => f.kind === kind); return h("details", { open: of.length < 30 }, h("summary", {}, `${kind.replaceAll("-", " ")} (${of.length})`), h("ul", { class: "plain" }, of.slice(0, 200).map(row))); })];
}

export function domains(context, question, { answer }) {
  if (question === "domains") {
    return [table(["", "name", "domain", "by graph", "reduced", "reachable"], answer.domains.map(d => [d.kind, `${d.name}/${d.arity}`, h("span", { class: "mono" }, d.domain), number(d.graph), number(d.reduced), number(d.reachable)]))];
  }
  return [h("h3", {}, "Domain graph"), graph(answer.vertices.map(v => ({ id: v, label: v })), answer.edges, "Domain graph")];
}

export function net(context, question, { answer, text }) {
  if (question === "net") {
    return [h("dl", { class: "figures" }, ["bases", "inputs", "views", "gates", "depth", "recursive_components", "ground_rules"].filter(k => answer[k] !== undefined).map(k => [h("dt", {}, k.replaceAll("_", " ")), h("dd", {}, number(answer[k]))]))];
  }
  if (question === "pace") {
    return [h("p", { class: "figure" }, `${number(answer.transitions_per_second)} transitions a second in random matches, ${number(answer.lanes)} side by side`)];
  }
  if (question === "rule-graph") {
    return [h("h3", {}, "Rule graph"), graph(answer.vertices.map(v => ({ id: v.id, label: v.name || v.label })), answer.edges, "Rule graph")];
  }
  if (!text) return [h("p", { class: "faint" }, `${number(answer.gates)} gates: only nets of up to ${number(answer.most)} are drawn.`)];
  const { vertices, edges } = ofDot(text);
  return [h("h3", {}, "Propositional net"), graph(vertices, edges, "Propositional net")];
}

export function frame({ game, signal }, question, { answer }) {
  const original = h("pre", {}, "…");
  ask("text", { game }, { signal }).then(({ text }) => {
    const clauses = text.split(/\n(?=\s*\n|\(|[a-z])/).filter(c => /\bnext\b/.test(c.split(/[:<]/)[0] + c.slice(0, 60)));
    original.textContent = clauses.join("\n").trim() || text;
  }).catch(() => {});
  return [h("p", { class: "figure" }, `${answer.fnext.length} rules for what becomes false, ${answer.next.length} for what becomes true, ${number(answer.joint_moves)} kinds of joint moves`),
    h("div", { class: "pair" }, h("div", {}, h("h3", {}, "As written"), original), h("div", {}, h("h3", {}, "What becomes false"), h("pre", {}, [...answer.fnext, ...answer.auxiliary].join("\n") || "none"), h("h3", {}, "What becomes true"), h("pre", {}, answer.next.join("\n") || "none")))];
}

export function solved({ game, path }, question, { answer }) {
  const values = Object.entries(answer.values).map(([role, v]) => {
    const [low, high] = answer.bounds?.[role] ?? [];
    return h("div", { class: "valuebox" }, h("strong", {}, v ?? `${low ?? "?"} to ${high ?? "?"}`), h("span", {}, role));
  });
  const line = answer.line ?? [];
  const href = `#/play/${encodeURIComponent(game)}?seats=you,you,you,you,you,you&moves=${encodeURIComponent(JSON.stringify([...path, ...line]))}`;
  return [h("p", { class: "faint" }, path.length ? `After ${counted(path.length, "move")} of your match.` : "From the beginning."), h("div", { class: "values" }, values),
    h("p", {}, `${answer.method ?? ""}; ${answer.concept ?? ""}; ${number(answer.states)} states`),
    line.length ? h("p", {}, h("a", { href }, `Show the line of ${counted(line.length, "move")} on the board`)) : "", line.length ? list(line.map((j, i) => `${i + 1}. ${j.join(" | ")}`), 60) : ""];
}

export function tree({ game, path, signal }) {
  return searchTree(game, path, signal);
}
