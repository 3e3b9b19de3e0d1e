// A match: a tree of positions, each with the joint move that led to it. The server keeps none of it.

import { ask } from "./api.js";

class Node {
  constructor(parent, joint) {
    this.parent = parent;
    this.joint = joint;
    this.children = [];
    this.sight = null;
  }

  get path() {
    return this.parent ? [...this.parent.path, this.joint] : [];
  }

  get depth() {
    return this.parent ? this.parent.depth + 1 : 0;
  }
}

export class Match {
  constructor(game) {
    this.game = game;
    this.root = new Node(null, null);
    this.now = this.root;
  }

  /** All that is seen in a position; `draft` hears of its board where the rest takes a while. */
  async see(node = this.now, signal, draft) {
    node.sight ??= await ask("view", { game: this.game, moves: node.path }, { signal, on: (event, sight) => event === "draft" && draft?.(sight) });
    return node.sight;
  }

  /** Makes a joint move, or goes to where it was made before. */
  go(joint) {
    const same = node => node.joint.every((text, i) => text === joint[i]);
    let next = this.now.children.find(same);
    if (!next) {
      next = new Node(this.now, joint);
      this.now.children.push(next);
    }
    this.now = next;
    this.keep();
    return next;
  }

  /** The moves from the beginning to here and on along the last line that was played. */
  line() {
    const line = [];
    for (let node = this.now; node.parent; node = node.parent) line.unshift(node);
    for (let node = this.now; node.children.length; ) line.push(node = node.children.at(-1));
    return line;
  }

  /** The match is still there when the page is loaded anew. */
  keep() {
    try { sessionStorage.setItem(`ludex-match:${this.game}`, JSON.stringify(this.now.path)); } catch { /* no room */ }
  }

  recall() {
    try {
      for (const joint of JSON.parse(sessionStorage.getItem(`ludex-match:${this.game}`)) ?? []) this.go(joint);
    } catch { /* damaged: then from the beginning */ }
  }

  follow(moves) {
    this.now = this.root;
    for (const joint of moves) this.go(joint);
  }
}
