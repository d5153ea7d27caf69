// The playground: the page as static files, its engine as wasm.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { assertStopped, cellsFound, folder, here, hostFiles, idle, join, launch, program, runBeside, stopLongWork, textOf, type } from "./browser.mjs";

const dist = join(here, "..", "dist");
let browser, origin;
const cleanups = [];
before(async () => {
  browser = await launch();
  origin = await hostFiles({ after: (act) => cleanups.push(act) }, dist);
});
after(async () => {
  await browser.close();
  for (const clean of cleanups) await clean();
});

async function open(t, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const errors = [];
  const foreign = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => request.url().startsWith(origin) || request.url().startsWith("blob:") || foreign.push(request.url()));
  t.after(() => assert.deepEqual({ errors, foreign }, { errors: [], foreign: [] }));
  await page.goto(`${origin}/${hash}`);
  return page;
}

test("the engine is at most 1.65 MB, compressed", (t) => {
  // Hosts that compress beforehand take quality 11, which is slow to find out; with 10 it is not much more.
  const size = brotliCompressSync(readFileSync(join(dist, "bid.wasm")), { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }).length;
  t.diagnostic(`bid.wasm: ${size} bytes by brotli, quality 10`);
  assert.ok(size <= 1_650_000, String(size));
});

test("the first answer comes soon, and all examples have answers", async (t) => {
  const begun = Date.now();
  const page = await open(t);
  await page.getByRole("button", { name: /Tic-tac-toe/ }).click();
  await page.waitForSelector(".answer math");
  t.diagnostic(`first answer ${Date.now() - begun} ms after the page was asked for`);
  assert.match(await page.locator(".answer").first().textContent(), /133\s*256/);
  await idle(page);
  // The tutorial, and every example but the one that was begun.
  for (let at = 0; at < readdirSync(join(here, "..", "examples")).length - 1; at++) {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(at === 0 ? ".door >> nth=0" : `.card >> nth=${at}`).click();
    await page.waitForSelector(".answer");
    await idle(page);
    assert.equal(await page.locator(".answer.failed").count(), 0, `example ${at}`);
  }
});

test("a sweep is stopped at once, and the engine goes on", async (t) => {
  const page = await open(t);
  assertStopped(t, await stopLongWork(page, "show R(connect(4, 5, 5))"));
  await type(page, "show 6 * 7\n");
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForSelector(".answer.done");
  assert.match(await page.locator(".answer").textContent(), /42/);
});

test("a cell runs beside a sweep, and a row of cells waits for it", async (t) => {
  await runBeside(await open(t), "R(connect(4, 6, 5))");
});

test("a match is played without a server", async (t) => {
  const page = await open(t);
  await type(page, 'use "classics.bid"\nplay(tictactoe, 4*, 4)\n');
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("spinbutton", { name: "Your bid" }).fill("4");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await idle(page);
  await page.locator(".match g.cell.open").nth(4).click();
  await idle(page);
  assert.equal(await page.locator(".match g.cell.A").getAttribute("aria-label"), "row 2, column 2: Alice");
});

test("a program travels in a link, and the library is there", async (t) => {
  const page = await open(t);
  await type(page, "show R(A ∧ B^2)\n");
  await page.getByRole("button", { name: "Link" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  const other = await open(t, new URL(link).hash);
  await cellsFound(other, 1);
  assert.equal(await textOf(other), "show R(A ∧ B^2)\n");
  await other.waitForSelector(".answer.done math");
  await other.getByRole("button", { name: "Library" }).click();
  await other.getByRole("button", { name: "develin_payne.bid" }).click();
  await cellsFound(other, 5);
});

test("an exported page that stands beside the playground's files runs there", async (t) => {
  const path = await folder(t);
  for (const name of readdirSync(dist)) symlinkSync(join(dist, name), join(path, name));
  const text = "// # Exported\nlet n = 6\nshow n * 7\n";
  writeFileSync(join(path, "a.bid"), text);
  execFileSync(program, ["export", "a.bid", "-o", "answers.html"], { cwd: path });
  const address = await hostFiles(t, path);
  const page = await browser.newPage();
  t.after(() => page.close());
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${address}/answers.html`);
  assert.match(await page.locator(".value").textContent(), /42/);
  await page.getByRole("button", { name: "Edit and run" }).click();
  await page.waitForSelector(".cm-content");
  await page.waitForSelector(".answer.done");
  assert.equal(await textOf(page), text);
  await page.locator(".cm-line", { hasText: "let n" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("0");
  await page.waitForSelector(".answer.stale");
  await page.keyboard.press("Control+Shift+Enter");
  await page.locator(".answer.done", { hasText: "420" }).waitFor();
  assert.deepEqual(errors, []);
});
