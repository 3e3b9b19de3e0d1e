// The client: starts `ludex lsp`, and runs the commands of its lenses: a picture beside the text, a match in a terminal.
const { execFile } = require("child_process");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function program() {
  return vscode.workspace.getConfiguration("ludex").get("path") || "ludex";
}

/** The file of a lens, or else the one that is open. */
function fileOf(uri) {
  return uri ? vscode.Uri.parse(uri).fsPath : vscode.window.activeTextEditor?.document.fileName;
}

/** Shows the board of the first state. */
function draw(uri) {
  const file = fileOf(uri);
  if (!file) return;
  execFile(program(), ["draw", file], { maxBuffer: 1 << 26 }, (error, picture, told) => {
    if (error) return vscode.window.showErrorMessage(told.trim() || error.message);
    const column = vscode.ViewColumn.Beside;
    vscode.window.createWebviewPanel("ludex.draw", "ludex draw", column, {}).webview.html = picture;
  });
}

function play(uri) {
  const file = fileOf(uri);
  if (!file) return;
  vscode.window.createTerminal({ name: "ludex play", shellPath: program(), shellArgs: ["play", file] }).show();
}

/** Says what to do where the program is missing; resolves to whether it is there. */
function isThere() {
  const told = `\`${program()}\` cannot be run: install Ludex, put it on the path or set "ludex.path".`;
  return new Promise((resolve) =>
    execFile(program(), ["--version"], (error) => {
      if (error) vscode.window.showErrorMessage(told);
      resolve(!error);
    }));
}

exports.activate = async (context) => {
  const server = { command: program(), args: ["lsp"], transport: TransportKind.stdio };
  const selector = [{ language: "gdl-kif" }, { language: "gdl-infix" }];
  client = new LanguageClient("ludex", "Ludex", server, { documentSelector: selector });
  for (const [name, run] of Object.entries({ draw, play })) {
    context.subscriptions.push(vscode.commands.registerCommand(`ludex.${name}`, run));
  }
  if (await isThere()) await client.start();
};

exports.deactivate = () => client?.isRunning() && client.stop();
