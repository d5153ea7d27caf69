// What the tests of the page share: a browser, a server, what is on the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..");
export const program = resolve(process.env.BID ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "bid"));

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

export function launch() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  return chromium.launch({ executablePath, args: FLAGS, headless: true });
}

// A scratch folder that is gone at the end.
export async function folder(test) {
  const path = await mkdtemp(join(tmpdir(), "bid-web-"));
  test.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

// A server with its address, and a way to end it.
export async function serve(test, cwd, args = [], user = {}) {
  const child = spawn(program, ["serve", ...args], { ...user, cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, BID_PATH: "" } });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  const errors = [];
  child.stderr.on("data", (data) => errors.push(String(data)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), ended.then(() => ({ value: null }))]);
  const stop = async (signal = "SIGINT") => {
    child.kill(signal);
    return ended;
  };
  test.after(() => stop("SIGKILL"));
  return { address: first.value, stop, ended, errors, origin: first.value && new URL(first.value).origin };
}

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

// Serves the files of a folder, as any host of files does; gives the address.
export async function hostFiles(test, path) {
  const host = createServer(async (request, answer) => {
    const name = new URL(request.url, "http://x").pathname;
    try {
      const bytes = await readFile(join(path, name === "/" ? "index.html" : name));
      answer.writeHead(200, { "content-type": KINDS[extname(name)] ?? "text/html" }).end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  test.after(() => host.close());
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${host.address().port}`;
}

// Puts the cursor into a program and types it in the place of what is there.
export async function type(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

// The whole text that is edited, whether it is in sight or not.
export function textOf(page) {
  return page.evaluate(() => document.querySelector(".cm-content").cmView?.view?.state.doc.toString() ?? document.querySelector(".cm-content").cmTile?.view?.state.doc.toString());
}

// Waits until so many cells of a text are known, each of which has a mark to run it. The gutter has one mark more, hidden, for its width.
export async function cellsFound(page, least) {
  await page.waitForFunction((least) => document.querySelectorAll(".cm-runs .cm-gutterElement:not([style*=hidden]) .run").length >= least, least);
}

// Waits until nothing runs.
export async function idle(page, timeout = 60_000) {
  await page.waitForFunction(() => !document.querySelector(".answer.running, .answer.waiting"), null, { timeout });
}

// Long work in a worksheet, `text`, is stopped while something is typed below it; gives how long that took, in milliseconds.
export async function stopLongWork(page, text) {
  await type(page, `use "classics.bid"\n${text}\n`);
  await cellsFound(page, 2);
  await page.locator(".cm-line").nth(1).click();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".answer.running progress", { timeout: 30_000 });
  await page.keyboard.press("Control+End");
  await page.keyboard.type("show 1 + oops");
  await page.waitForSelector(".cm-lintRange-error", { timeout: 20_000 });
  return page.evaluate(async () => {
    const begun = performance.now();
    document.querySelector(".answer .working button").click();
    while (document.querySelector(".answer.running, .answer.waiting")) await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - begun;
  });
}

// Whether a stop was quick enough: 0.3 s, and as much again for a machine with other work.
export function assertStopped(t, took) {
  t.diagnostic(`stopped in ${took.toFixed(0)} ms`);
  assert.ok(took < 600, `stopped in ${took} ms`);
}

// Runs a cell while a long one runs, then all cells; the answer comes beside the long work, and the rest waits until that is stopped.
export async function runBeside(page, long) {
  await type(page, `use "classics.bid"\nshow ${long}\nshow 6 * 7\nshow moves(E)\n`);
  await cellsFound(page, 4);
  const cell = (text) => page.locator(".cm-line", { hasText: text });
  await cell(long).click();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".answer.running progress", { timeout: 30_000 });
  await cell("6 * 7").click();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".answer.done", { timeout: 20_000 });
  assert.match(await page.locator(".answer.done").textContent(), /42/);
  assert.equal(await page.locator(".answer.running").count(), 1, "the long work goes on");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByText("Queued behind 1 more").waitFor();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator(".answer.waiting").count(), 2, "what is run with others waits for them");
  await page.getByRole("button", { name: "Cancel" }).last().click();
  assert.equal(await page.locator(".answer.waiting").count(), 1);
  await page.locator(".answer.running .working button").click();
  await idle(page);
  assert.match(await page.locator(".answer.done").textContent(), /42/);
}

export { spawn, join };
