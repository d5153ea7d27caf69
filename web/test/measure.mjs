// The figures of docs/browser.md, on a quiet machine: `BID=target/release/bid node test/measure.mjs`, and `node test/measure.mjs dist` for the
// playground. Medians of several runs.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { cellsFound, here, hostFiles, idle, join, launch, serve, stopLongWork, type } from "./browser.mjs";

const cleanups = [];
const folder = await mkdtemp(join(tmpdir(), "bid-measure-"));
const isStatic = process.argv[2] === "dist";
const later = { after: (act) => cleanups.push(act) };
const server = isStatic ? { address: await hostFiles(later, join(here, "..", "dist")) } : await serve(later, folder);
const browser = await launch();
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const say = (what, times, unit = "ms") => console.log(`${what}: ${median(times).toFixed(0)} ${unit} (${times.map((time) => time.toFixed(0)).join(", ")})`);

// From a key to the underline, in a file of 1,000 lines.
{
  const lines = ['use "classics.bid"', ...Array.from({ length: 999 }, (_, n) => (n % 4 === 3 ? `// line ${n}` : `let x${n} = f(tictactoe, ${n}) using { ties: marker } // comment ${n}`))];
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(server.address);
  await type(page, lines.join("\n"));
  await page.keyboard.press("Control+Home");
  await cellsFound(page, 20);
  const times = [];
  for (let run = 0; run < 9; run++) {
    await page.locator(".cm-line").nth(4 + run).click();
    await page.keyboard.press("Home");
    await page.waitForTimeout(500);
    times.push(
      await page.evaluate(async () => {
        const before = document.querySelectorAll(".cm-lintRange-error").length;
        const begun = performance.now();
        document.execCommand("insertText", false, "(");
        while (document.querySelectorAll(".cm-lintRange-error").length === before) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.now() - begun;
      }),
    );
    await page.keyboard.press("Control+z");
    await page.waitForFunction(() => document.querySelectorAll(".cm-lintRange-error").length === 0);
  }
  say("key to underline, 1,000 lines", times);
  await page.close();
}

// A table of 10,000 cells: from the answer's arrival to the frame that shows it.
{
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.addInitScript(() => {
    const tell = (isValue) => isValue && (window.arrived = performance.now());
    window.EventSource = class extends EventSource {
      constructor(address) {
        super(address);
        this.addEventListener("message", (event) => tell(event.data.includes('"event":"value"')));
      }
    };
    window.Worker = class extends Worker {
      constructor(address, options) {
        super(address, options);
        this.addEventListener("message", (event) => tell(event.data.event === "value"));
      }
    };
  });
  await page.goto(server.address);
  const times = [];
  for (let run = 0; run < 5; run++) {
    await type(page, `show [[${run}${", 1/7".repeat(9)}]]\nshow f(E, 0..9999)\n`);
    await page.locator(".cm-line", { hasText: "f(E" }).click();
    await page.evaluate(() => {
      window.drawn = new Promise((resolve) => {
        const look = () => (document.querySelector(".grid.window tbody tr:nth-child(20)") ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))) : setTimeout(look, 1));
        look();
      });
    });
    await page.keyboard.press("Control+Enter");
    times.push(await page.evaluate(async () => (await window.drawn) - window.arrived));
    await idle(page);
  }
  say("table of 10,000 cells drawn", times);
  await page.close();
}

// The tree of tic-tac-toe, moved to and fro: the longest frame.
{
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(server.address);
  await type(page, 'use "classics.bid"\nshow tree(tictactoe)\n');
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForSelector(".picture svg");
  await idle(page);
  const box = await page.locator(".picture").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.evaluate(() => {
    window.frames = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await page.mouse.down();
  for (let step = 0; step < 120; step++) await page.mouse.move(box.x + 300 + 100 * Math.sin(step / 8), box.y + 200 + 60 * Math.cos(step / 8));
  await page.mouse.up();
  const frames = (await page.evaluate(() => window.frames)).slice(2).sort((a, b) => a - b);
  console.log(`tree of tic-tac-toe moved: ${frames.length} frames, median ${frames[frames.length >> 1].toFixed(1)} ms, longest ${frames.at(-1).toFixed(1)} ms`);
  await page.close();
}

// A sweep is stopped: from the click until nothing runs.
{
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  await page.goto(server.address);
  const times = [];
  for (let run = 0; run < 5; run++) times.push(await stopLongWork(page, `show R(connect(4, 5, ${isStatic ? 5 : 6}))`));
  say("a sweep stopped", times);
  await page.close();
}

// The first answer, from asking for the page on: each time in a new browser's profile.
{
  const times = [];
  for (let run = 0; run < 5; run++) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(server.address);
    await page.getByRole("button", { name: /Tic-tac-toe/ }).click();
    await page.waitForSelector(".answer math");
    times.push(performance.now() - begun);
    await context.close();
  }
  say("first answer", times);
}

for (const name of await readdir(join(here, "..", isStatic ? "dist" : "page"))) {
  const bytes = await readFile(join(here, "..", isStatic ? "dist" : "page", name));
  console.log(`${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} by gzip`);
}
await browser.close();
for (const clean of cleanups) await clean();
await rm(folder, { recursive: true, force: true });
process.exit();
