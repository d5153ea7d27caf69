// The grammar colours what the REPL colours, in every file of the repository.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const ROOT = new URL("../../../", import.meta.url).pathname;
const BID = process.env.BID ?? `${ROOT}target/debug/bid`;

// What a scope is to a reader, by the words of `bid tokens`; what is coloured otherwise is a name.
const CLASSES = [
  ["comment.", "comment"],
  ["string.", "string"],
  ["invalid.", "malformed"],
  ["constant.numeric.", "number"],
  ["keyword.control.", "keyword"],
  ["keyword.operator.word.", "keyword"],
  ["variable.language.player.", "keyword"],
  ["constant.language.boolean.", "keyword"],
  ["support.constant.", "constant"],
  ["keyword.operator.", "symbol"],
  ["punctuation.separator.", "symbol"],
  ["punctuation.section.", "bracket"],
  ["entity.name.function.", "name"],
  ["variable.other.", "name"],
];

async function grammar() {
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const path = new URL("../syntaxes/bid.tmLanguage.json", import.meta.url).pathname;
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf8"), path),
  });
  return registry.loadGrammar("source.bid");
}

/** The class of each character of a text. */
function painted(grammar, text) {
  const classes = new Array(text.length).fill(null);
  let [state, at] = [INITIAL, 0];
  for (const line of text.split("\n")) {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    for (const { startIndex, endIndex, scopes } of found.tokens) {
      const known = CLASSES.find(([prefix]) => scopes.some((scope) => scope.startsWith(prefix)));
      classes.fill(known?.[1] ?? null, at + startIndex, at + Math.min(endIndex, line.length));
    }
    at += line.length + 1;
  }
  return classes;
}

/** The tokens of files, as the REPL classes them: places in bytes. */
function told(files) {
  const texts = new Map();
  let tokens;
  const said = execFileSync(BID, ["tokens", ...files], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
  for (const line of said.trimEnd().split("\n")) {
    if (line.startsWith("FILE ")) texts.set(line.slice(5), (tokens = []));
    else {
      const [start, end, name] = line.split(" ");
      tokens.push({ start: Number(start), end: Number(end), name });
    }
  }
  return texts;
}

test("the grammar colours what the REPL colours", async () => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.bid"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  const rules = await grammar();
  const wrong = [];
  let [compared, keywords] = [0, 0];
  for (const [file, tokens] of told(files)) {
    const bytes = readFileSync(ROOT + file);
    const text = bytes.toString("utf8");
    const classes = painted(rules, text);
    for (const { start, end, name } of tokens.filter((token) => token.name !== "malformed")) {
      const from = bytes.subarray(0, start).toString("utf8").length;
      const part = bytes.subarray(start, end).toString("utf8").replace(/\r$/, "");
      const found = [...new Set(classes.slice(from, from + part.length))];
      compared += 1;
      keywords += name === "keyword" ? 1 : 0;
      if (found.length !== 1 || found[0] !== name) {
        const line = text.slice(0, from).split("\n").length;
        wrong.push(`${file}:${line}: ${part} is ${name} in the REPL and ${found.join(", ")} here`);
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(files.length > 50 && keywords > 1000, `${files.length} files, ${keywords} keywords`);
  console.log(`${compared} tokens of ${files.length} files`);
});
