// The extension: starts `bid lsp` for documents of the language, and shows what its commands answer.

import { commands, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const settings = workspace.getConfiguration("bid");
  const server = { command: settings.get("path", "bid"), args: ["lsp"] };
  const options = {
    documentSelector: [{ language: "bid" }],
    initializationOptions: {
      evaluate: settings.get("evaluate", true),
      limitMilliseconds: settings.get("limitMilliseconds", 1000),
    },
  };
  client = new LanguageClient("bid", "bid", server, options);
  try {
    await client.start();
  } catch {
    window.showErrorMessage(
      `bid: "${server.command} lsp" does not start. Install bid, or set bid.path to where it is, then run "bid: Restart the language server".`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  // One that has never started has nothing to stop.
  if (running?.isRunning()) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

export async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("bid.restart", restart),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("bid")) restart();
    }),
  );
  await start();
}

export const deactivate = stop;
