// Pages that `bid export` writes, opened from the disk.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { folder, here, join, launch, program } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// The page of a program, in a browser that reaches nothing but its file.
async function exported(t, text, { args = [], status = 0, ...options } = {}) {
  const cwd = await folder(t);
  writeFileSync(join(cwd, "a.bid"), text);
  const ran = spawnSync(program, ["export", "a.bid", "-o", "a.html", ...args], { cwd, encoding: "utf8", env: { ...process.env, BID_PATH: "" } });
  assert.equal(ran.status, status, ran.stderr);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  const [errors, requests] = [[], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => request.url().startsWith("data:") || requests.push(request.url()));
  await page.goto(`file://${join(cwd, "a.html")}`);
  t.after(() => assert.deepEqual({ errors, requests }, { errors: [], requests: [`file://${join(cwd, "a.html")}`] }, "no error, and nothing is loaded"));
  return { page, cwd, stderr: ran.stderr };
}

const SHEET = `// # A sheet
//
// With \`code\`, *stress* and a [link](https://example.org/).

use "classics.bid"

let n = 3 // a definition has no answer
show f(tictactoe, 0..199)
moves(tictactoe)
show R(A ∧ (A^2 ∧ B^3))
plot(f(E, 0..20))
check R(E) == 1/2
check 1 == 2
show 1/0
show R(tictacto)
play(tictactoe, 8*, 8)
let broken = 1 +
`;

test("text, values, tables, pictures and mistakes are there", async (t) => {
  const { page, stderr } = await exported(t, SHEET, { status: 2 });
  assert.equal(await page.title(), "A sheet");
  assert.equal(await page.locator(".prose h1").textContent(), "A sheet");
  assert.deepEqual(await page.locator(".prose p code").allTextContents(), ["code"]);
  assert.equal(await page.locator(".prose a").getAttribute("href"), "https://example.org/");
  assert.match(await page.locator(".value.short").first().textContent(), /R\(A ∧ \(A\^2 ∧ B\^3\)\)\s*9\s*32/);
  assert.equal(await page.locator(".picture svg").count(), 1);
  assert.equal(await page.locator(".held").textContent(), "✓ holds");
  const findings = await page.locator(".finding").allTextContents();
  assert.equal(findings.length, 4);
  for (const [at, said] of [/the check failed E0703/, /division by zero E0704/, /nothing here is called tictacto E0201/, /E0101/].entries()) assert.match(findings[at], said);
  for (const code of ["E0703", "E0704", "E0201", "E0101"]) assert.equal(stderr.split(code).length, 2, `${code} is told once`);
  assert.match(await page.locator(".answer .match").textContent(), /A match against the optimal player/);
  assert.equal(await page.locator("pre.code .t-keyword").first().textContent(), "use");
  assert.equal(await page.locator(".answer.failed").count(), 4);
});

test("long tables are sorted, pictures moved, the program taken away", async (t) => {
  const { page, cwd } = await exported(t, SHEET, { status: 2 });
  const rows = page.locator(".grid.window tbody tr:not(.filler)");
  assert.ok((await rows.count()) < 150, "rows out of sight are left out");
  await page.getByRole("button", { name: "k", exact: true }).click();
  await page.getByRole("button", { name: "k", exact: true }).click();
  assert.match(await rows.first().textContent(), /^199/);
  const width = () => page.locator(".picture svg").evaluate((svg) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.getByRole("button", { name: "Larger" }).click();
  assert.ok((await width()) > before);
  const taken = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  assert.equal(readFileSync(await (await taken).path(), "utf8"), readFileSync(join(cwd, "a.bid"), "utf8"));
});

test("it can be read at 400 pixels, light and dark, and without JavaScript", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await exported(t, SHEET, { status: 2, viewport: { width: 400, height: 800 }, colorScheme });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 1, "nothing is too wide");
    const seen = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".prose p")).color]);
    assert.deepEqual(seen, colorScheme === "light" ? ["rgb(255, 255, 255)", "rgb(27, 31, 36)"] : ["rgb(21, 24, 29)", "rgb(228, 231, 235)"]);
    assert.ok((await page.locator(".edges.more-right, .edges.more-below").count()) > 0, "tables show that there is more");
  }
  const { page } = await exported(t, SHEET, { status: 2, viewport: { width: 400, height: 800 }, javaScriptEnabled: false });
  const box = await page.locator("figure svg").boundingBox();
  assert.ok(box.width <= 400 && box.height > 50, JSON.stringify(box));
  assert.match(await page.locator(".prose").first().textContent(), /A sheet/);
  const right = await page.locator("main > *").evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)));
  assert.ok(right <= 401, "every part fits");
});

test("a link leads to a playground of one's choosing", async (t) => {
  const text = "// Träger ∧ 🎲 </script><script>alert(1)</script>\nshow R(A ∧ B^2)\n";
  const { page } = await exported(t, text, { args: ["--playground", "https://example.org/bid/"] });
  const link = page.getByRole("link", { name: "Open in the playground" });
  await page.waitForFunction(() => document.querySelector("a.button").hash !== "");
  const [, code] = /^https:\/\/example\.org\/bid\/#p=([\w-]+)$/.exec(await link.getAttribute("href"));
  assert.equal(inflateRawSync(Buffer.from(code, "base64url")).toString(), text);
  assert.match(await page.locator(".prose").textContent(), /<\/script><script>alert\(1\)/);
});

test("every example is exported with what bid run prints", async (t) => {
  for (const name of ["all_pay.bid", "tutorial.bid"]) {
    const text = readFileSync(join(here, "..", "examples", name), "utf8").replace(/^play\(.*$/gm, "");
    const { page, cwd } = await exported(t, text);
    assert.equal(await page.locator(".answer.failed").count(), 0);
    const json = execFileSync(program, ["run", "a.bid", "--format", "json"], { cwd, encoding: "utf8" });
    assert.equal(await page.locator(".value").count(), json.trim().split("\n").length);
  }
});
