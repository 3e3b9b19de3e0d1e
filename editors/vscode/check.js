// Tokenises every bundled game with the TextMate grammars, as VS Code does: `npm install vscode-textmate vscode-oniguruma`,
// then `node check.js`. Every kind of token must be found, comments and keywords in full.
const fs = require("fs");
const path = require("path");
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");
const onig = require("vscode-oniguruma");

const games = path.join(__dirname, "../../games");
const wanted = [
  "comment.line.gdl",
  "keyword.other.gdl",
  "keyword.control.gdl",
  "entity.name.function.gdl",
  "variable.parameter.gdl",
  "constant.numeric.gdl",
];

async function main() {
  await onig.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const { contributes } = JSON.parse(fs.readFileSync(path.join(__dirname, "package.json")));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
      createOnigString: (text) => new onig.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const found = contributes.grammars.find((grammar) => grammar.scopeName === scope);
      const file = found && path.join(__dirname, found.path);
      return file ? parseRawGrammar(fs.readFileSync(file, "utf8"), file) : null;
    },
  });
  for (const [scope, ending] of [["source.gdl.kif", ".kif"], ["source.gdl.infix", ".gdl"]]) {
    const grammar = await registry.loadGrammar(scope);
    const seen = new Set();
    const files = fs.readdirSync(games).filter((file) => file.endsWith(ending));
    for (const file of files) {
      let state = INITIAL;
      for (const line of fs.readFileSync(path.join(games, file), "utf8").split("\n")) {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        tokens.forEach((token) => seen.add(token.scopes[token.scopes.length - 1]));
        const comment = /^[;%]/.test(line);
        if (comment && !tokens.every((token) => token.scopes.includes("comment.line.gdl"))) {
          throw new Error(`${file}: not a comment: ${line}`);
        }
      }
    }
    const missing = wanted.filter((kind) => !seen.has(kind));
    if (missing.length) throw new Error(`${scope}: no token is ${missing.join(", ")}`);
    console.log(`${scope}: ${files.length} games, ${seen.size} kinds of tokens`);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
