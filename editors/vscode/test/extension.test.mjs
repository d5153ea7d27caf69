// The extension, built, in a stand-in for VS Code that has every name and does nothing: it loads, registers its command, starts
// `bid lsp`, which is greeted, and says when that goes away. What the editor does with the answers is VS Code's; what the server answers, editors/tests asks.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

const require = createRequire(import.meta.url);

/** Something that can be called, constructed, extended, and has every property. */
function anything() {
  const known = new Map();
  const it = new Proxy(class {}, {
    get(target, name) {
      if (name === "prototype") return target.prototype;
      if (typeof name === "symbol" || name === "then") return undefined;
      if (!known.has(name)) known.set(name, anything());
      return known.get(name);
    },
    set: (_, name, value) => Boolean(known.set(name, value)),
    apply: () => anything(),
    construct: (target, args, made) => (made === it ? anything() : Reflect.construct(target, args, made)),
  });
  return it;
}

test("the extension starts the server and says what can be done with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bid-"));
  const [program, said] = [join(folder, "bid"), join(folder, "said")];
  writeFileSync(program, `#!/bin/sh\necho "$@" > ${said}\ndd bs=1 count=60 >> ${said} 2> /dev/null\n`);
  chmodSync(program, 0o755);

  const [registered, complaints] = [[], []];
  const vscode = anything();
  vscode.version = "1.91.0";
  vscode.env.language = "en";
  vscode.window.showErrorMessage = async (message) => void complaints.push(message);
  vscode.commands.registerCommand = (name) => (registered.push(name), { dispose() {} });
  vscode.workspace.workspaceFolders = undefined;
  vscode.workspace.textDocuments = [];
  vscode.workspace.getConfiguration = () => ({ get: (name, standard) => (name === "path" ? program : standard) });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  const extension = require("../dist/extension.js");
  Module._load = load;

  // The program goes away after the greeting, which the user is told.
  const subscriptions = [];
  await extension.activate({ subscriptions });
  let text = "";
  for (let tries = 0; tries < 100 && !text.includes("jsonrpc"); tries += 1) {
    await setTimeout(50);
    text = readFileSync(said, "utf8");
  }
  assert.match(text, /^lsp\nContent-Length: \d+\r\n\r\n\{"jsonrpc":"2\.0"/);
  assert.deepEqual(registered, ["bid.restart"]);
  assert.equal(subscriptions.length, 2);
  assert.match(complaints.join("\n"), /^bid: ".*bid lsp" does not start/m);
  await extension.deactivate();
});
