// The links of the site to the playground, which docs/playground.py writes under the examples.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { root } from "./browser.mjs";

// The programs in the links of a page, and where these lead.
function links(path, content = readFileSync(`${root}/docs/${path}`, "utf8")) {
  const book = { sections: [{ Chapter: { name: path, content, path, sub_items: [] } }] };
  const ran = spawnSync("python3", [`${root}/docs/playground.py`], { input: JSON.stringify([{}, book]), encoding: "utf8" });
  assert.equal(ran.stderr, "");
  const written = JSON.parse(ran.stdout).sections[0].Chapter.content;
  return [...written.matchAll(/\]\((\S+)#p=([\w-]+)\)/g)].map(([, folder, code]) => [folder, inflateRawSync(Buffer.from(code, "base64url")).toString()]);
}

test("programs, dialogues and the functions' examples have links", () => {
  const page = "```bid\nshow R(E)\n```\n\n```text\nbid> R(A ∧ B)\n1/2\nbid> R(E)\n1/2\n```\n\n```sh\nbid eval E\n```\n\n```text\nbid> :help\n```\n";
  assert.deepEqual(links("papers/a.md", page), [["../playground/index.html", "show R(E)\n"], ["../playground/index.html", "R(A ∧ B)\nR(E)\n"]]);
  const functions = "### `o(G)`\n\n    R(E) == 1/2 = true\n\n    o(graph {\n     start x\n    }, 0) = 3\n\n    size(E)\n    positions  3\n    \n    moves      2\n\n    use \"a.bid\"\n    R(E) = 1/2\n";
  assert.deepEqual(links("functions.md", functions).map(([, program]) => program), ["R(E) == 1/2\n", "o(graph {\n start x\n}, 0)\n", "size(E)\n", 'use "a.bid"\nR(E)\n']);
});

test("the pages have links", () => {
  for (const [path, least] of [["tutorial.md", 9], ["cookbook.md", 10], ["functions.md", 80]]) assert.ok(links(path).length >= least, path);
});
