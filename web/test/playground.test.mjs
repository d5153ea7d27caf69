// The playground: the page as static files, its engine as wasm.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { assertStopped, here, hostFiles, idle, join, launch, runBeside, stopLongWork, textOf, type } from "./browser.mjs";

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
  const names = readdirSync(join(here, "..", "examples")).length;
  for (let at = 1; at < names; at++) {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(".card").nth(at).click();
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
  await other.waitForFunction(() => document.querySelectorAll(".cm-runs .run").length > 0);
  assert.equal(await textOf(other), "show R(A ∧ B^2)\n");
  await other.getByRole("button", { name: "Library" }).click();
  await other.getByRole("button", { name: "develin_payne.bid" }).click();
  await other.waitForFunction(() => document.querySelectorAll(".cm-runs .run").length > 5);
});
