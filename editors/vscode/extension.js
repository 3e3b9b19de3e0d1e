// The client: starts `ludex lsp` and runs the commands of its lenses in a terminal.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function program() {
  return vscode.workspace.getConfiguration("ludex").get("path") || "ludex";
}

/** Runs a command of the program on a file, in a terminal. */
function inTerminal(command) {
  return (uri) => {
    const file = uri ? vscode.Uri.parse(uri).fsPath : vscode.window.activeTextEditor?.document.fileName;
    if (!file) return;
    const terminal = vscode.window.createTerminal({ name: `ludex ${command}`, shellPath: program(), shellArgs: [command, file] });
    terminal.show();
  };
}

exports.activate = (context) => {
  const server = { command: program(), args: ["lsp"], transport: TransportKind.stdio };
  const selector = [{ language: "gdl-kif" }, { language: "gdl-infix" }];
  client = new LanguageClient("ludex", "Ludex", server, { documentSelector: selector });
  for (const command of ["draw", "play"]) {
    context.subscriptions.push(vscode.commands.registerCommand(`ludex.${command}`, inTerminal(command)));
  }
  return client.start();
};

exports.deactivate = () => client?.stop();
