// What the tests of the page share: a browser, a server, what is on the page.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..");
export const program = process.env.BID ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "bid");

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
export async function serve(test, cwd, args = []) {
  const child = spawn(program, ["serve", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, BID_PATH: "" } });
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
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

// The whole text that is edited, whether it is in sight or not.
export function textOf(page) {
  return page.evaluate(() => document.querySelector(".cm-content").cmView?.view?.state.doc.toString() ?? document.querySelector(".cm-content").cmTile?.view?.state.doc.toString());
}

// Waits until nothing runs.
export async function idle(page, timeout = 60_000) {
  await page.waitForFunction(() => !document.querySelector(".answer.running, .answer.waiting"), null, { timeout });
}

export { spawn, join };
