// The worksheet of `bid serve` in a real browser.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertStopped, cellsFound, folder, here, idle, join, launch, program, runBeside, serve, stopLongWork, textOf, type } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// A page on a server in a scratch folder with these files.
async function open(t, files = {}, args = []) {
  const cwd = await folder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const server = await serve(t, cwd, args);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const errors = [];
  const foreign = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.origin && protocol !== "blob:" && protocol !== "data:") foreign.push(request.url());
  });
  t.after(() => assert.deepEqual({ errors, foreign }, { errors: [], foreign: [] }, "no error in the page, no other host"));
  await page.goto(server.address);
  return { cwd, server, page, context };
}

const answers = (page) => page.locator(".answer");

async function runAll(page) {
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForSelector(".answer");
  await idle(page);
}

test("the token leaves the address, and a wrong one is turned away", async (t) => {
  const { page, server, context } = await open(t);
  assert.equal(page.url(), `${server.origin}/`);
  const stranger = await browser.newContext();
  t.after(() => stranger.close());
  const other = await stranger.newPage();
  const answer = await other.goto(`${server.origin}/?token=${"0".repeat(32)}`);
  assert.equal(answer.status(), 403);
  assert.match(await other.textContent("body"), /Access refused/);
  assert.equal((await other.goto(`${server.origin}/api/files`)).status(), 403);
  assert.equal((await context.request.get(`${server.origin}/api/files`, { headers: { origin: "http://evil.example" } })).status(), 403);
});

// The text of every answer as `bid run` prints it; matches are left out, which need somebody to play.
for (const name of readdirSync(join(here, "..", "examples"))) {
  test(`the example ${name} says what bid run says`, async (t) => {
    const text = readFileSync(join(here, "..", "examples", name), "utf8");
    const silent = text.replace(/^play\(.*$/gm, "");
    const { page, cwd } = await open(t, { "example.bid": silent }, ["example.bid"]);
    await cellsFound(page, 2);
    await page.evaluate(() => {
      window.copied = [];
      navigator.clipboard.writeText = async (text) => void window.copied.push(text);
    });
    await page.setViewportSize({ width: 1200, height: 12_000 });
    await runAll(page);
    assert.equal(await page.locator(".answer.failed").count(), 0);
    const menus = page.locator(".answer .menu > button");
    for (let at = 0; at < (await menus.count()); at++) {
      await menus.nth(at).click();
      await page.getByRole("button", { name: "Copy as text" }).locator("visible=true").click();
    }
    const copied = await page.evaluate(() => window.copied);
    const printed = execFileSync(program, ["run", "example.bid"], { cwd, encoding: "utf8" });
    assert.ok(copied.length >= 2);
    assert.equal(`${copied.join("\n")}\n`, printed);
  });
}

test("an example is begun with a click", async (t) => {
  const { page } = await open(t);
  await page.getByRole("button", { name: /All-pay/ }).click();
  await page.waitForSelector(".answer.done math");
  await idle(page);
  assert.equal(await page.locator(".answer.failed").count(), 0);
  assert.match(await page.locator(".prose h1").first().textContent(), /All-pay bidding/);
});

test("mistakes are underlined as one types, and mended with a click", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nshow R(tictacto)\n');
  await page.waitForSelector(".cm-lintRange-error");
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "tictacto");
  await page.hover(".cm-lintRange-error");
  await page.locator(".cm-diagnosticAction", { hasText: "Write tictactoe" }).click();
  await page.waitForFunction(() => !document.querySelector(".cm-lintRange-error"));
  await runAll(page);
  assert.match(await answers(page).textContent(), /133\s*256/);
});

test("words are completed and explained, signs have names", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\n');
  await page.keyboard.type("show R(tict");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "tictactoe" }).first().waitFor();
  // A list that has just come up does not take keys that were meant for the text.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type("\nshow A \\wed");
  await page.locator(".cm-tooltip-autocomplete li[aria-selected]", { hasText: "∧" }).waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press("Tab");
  assert.equal(await textOf(page), 'use "classics.bid"\nshow R(tictactoe)\nshow A ∧');
  await page.hover(".t-function >> text=R");
  await page.locator(".cm-tooltip .help", { hasText: "R(G)" }).waitFor();
});

test("a changed definition marks what depends on it, and what is undone is fresh again", async (t) => {
  const { page } = await open(t);
  await type(page, "let n = 3\n\nshow n + 1\n\nshow 7\n");
  await cellsFound(page, 3);
  await runAll(page);
  assert.equal(await page.locator(".answer.done").count(), 2);
  await page.locator(".cm-line", { hasText: "let n" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("0");
  await page.waitForSelector(".answer.stale");
  assert.deepEqual([await page.locator(".answer.stale").count(), await page.locator(".answer.done").count()], [1, 1]);
  await page.getByRole("button", { name: "Update 1" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".answer.done").length === 2);
  assert.match(await answers(page).first().textContent(), /n \+ 1\s*31/);
  assert.equal(await page.getByRole("button", { name: /^Update/ }).count(), 0);
  await page.keyboard.press("Backspace");
  await page.waitForSelector(".answer.stale");
  await page.keyboard.type("0");
  await page.waitForFunction(() => document.querySelectorAll(".answer.done").length === 2);
  await page.keyboard.press("Backspace");
  await page.locator(".cm-line", { hasText: "show n" }).click();
  await page.keyboard.press("Shift+Enter");
  await idle(page);
  assert.match(await answers(page).first().textContent(), /n \+ 1\s*4/);
});

// What the page shows, in order: the lines of the text, and behind them what stands below them: `= 1/4` if it is fresh, `~ 1/4` if it is out of date.
function shown(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll(".cm-content > *")].flatMap((element) => {
      if (element.matches(".cm-line")) return element.textContent.trim() === "" ? [] : [element.textContent.trimEnd()];
      if (!element.matches(".answer")) return [];
      const mark = element.matches(".done") ? "=" : element.matches(".stale") ? "~" : element.className;
      return [`${mark} ${[...element.querySelectorAll(".value .body")].map((body) => body.querySelector("mfrac") ? [...body.querySelectorAll("mfrac > *")].map((part) => part.textContent).join("/") : body.textContent.trim()).join(" ")}`];
    }),
  );
}

// Waits until the page shows this, and no longer than what is typed takes to be read.
async function shows(page, ...expected) {
  let seen;
  for (let tries = 0; tries < 60; tries++) {
    seen = await shown(page);
    if (JSON.stringify(seen) === JSON.stringify(expected)) break;
    await page.waitForTimeout(50);
  }
  assert.deepEqual(seen, expected);
}

// Types a program and runs all of it.
async function begin(page, ...lines) {
  await type(page, lines.join("\n"));
  await cellsFound(page, lines.length);
  await runAll(page);
}

async function toEndOf(page, line) {
  await page.locator(".cm-line", { hasText: line }).first().click();
  await page.keyboard.press("End");
}

test("an answer stays with its statement while another one is incomplete, and comes back when that is mended", async (t) => {
  const { page } = await open(t);
  await begin(page, "R(A^2)", "R(A^3)", "R(A^4)");
  const all = ["R(A^2)", "= 1/4", "R(A^3)", "= 1/8", "R(A^4)", "= 1/16"];
  await shows(page, ...all);
  await toEndOf(page, "R(A^2)");
  await page.keyboard.press("Backspace");
  await shows(page, "R(A^2", "~ 1/4", "R(A^3)", "R(A^4)");
  await page.keyboard.type(")");
  await shows(page, ...all);
});

test("an answer stays with its statement while a definition is written anew", async (t) => {
  const { page } = await open(t);
  await begin(page, "let n = 3", "R(A^n)");
  await shows(page, "let n = 3", "R(A^n)", "= 1/8");
  await toEndOf(page, "let n");
  await page.keyboard.press("Backspace");
  await shows(page, "let n =", "R(A^n)");
  await page.keyboard.type("4");
  await shows(page, "let n = 4", "R(A^n)", "~ 1/8");
  await page.keyboard.press("Backspace");
  await shows(page, "let n =", "R(A^n)");
  await page.keyboard.type("3");
  await shows(page, "let n = 3", "R(A^n)", "= 1/8");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("4");
  await page.getByRole("button", { name: "Update 1" }).click();
  await shows(page, "let n = 4", "R(A^n)", "= 1/16");
  assert.equal(await page.getByRole("button", { name: /^Update/ }).count(), 0);
});

test("a statement that is continued does not take the answer of the next one", async (t) => {
  const { page } = await open(t);
  await begin(page, "1 + 1", "2 + 2");
  await shows(page, "1 + 1", "= 2", "2 + 2", "= 4");
  await toEndOf(page, "1 + 1");
  for (const sign of " + 5") {
    await page.keyboard.type(sign);
    await page.waitForTimeout(200);
  }
  await shows(page, "1 + 1 + 5", "~ 2", "2 + 2", "= 4");
  // Written before a statement, it belongs to that all the same, and a new statement before it does not take its answer.
  await page.locator(".cm-line", { hasText: "2 + 2" }).click();
  await page.keyboard.press("Home");
  for (const sign of "3 + ") {
    await page.keyboard.type(sign);
    await page.waitForTimeout(200);
  }
  await shows(page, "1 + 1 + 5", "~ 2", "3 + 2 + 2", "~ 4");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await shows(page, "1 + 1 + 5", "~ 2", "3", "2 + 2", "= 4");
  await runAll(page);
  await shows(page, "1 + 1 + 5", "= 7", "3", "= 3", "2 + 2", "= 4");
});

test("answers go with their text, and come back with it", async (t) => {
  const { page } = await open(t);
  await begin(page, "R(A^2)", "R(A^3)");
  const old = ["R(A^2)", "= 1/4", "R(A^3)", "= 1/8"];
  await shows(page, ...old);
  await type(page, "let a = 3\nR(A^a)");
  await shows(page, "let a = 3", "R(A^a)");
  await runAll(page);
  await shows(page, "let a = 3", "R(A^a)", "= 1/8");
  assert.equal(await page.getByRole("button", { name: /^Update/ }).count(), 0);
  await page.keyboard.press("Control+z");
  await shows(page, ...old);
  // A question that has become a definition shows no answer, and shows it again when it is a question.
  await page.locator(".cm-line", { hasText: "R(A^2)" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.type("let a = ");
  await shows(page, "let a = R(A^2)", "R(A^3)", "= 1/8");
  await page.keyboard.press("Control+Shift+Enter");
  await shows(page, "let a = R(A^2)", "R(A^3)", "= 1/8");
  assert.equal(await page.getByRole("button", { name: /^Update/ }).count(), 0);
  await page.keyboard.press("Control+z");
  await shows(page, ...old);
  // A line that is moved takes its answer along.
  await page.keyboard.press("Alt+ArrowDown");
  await shows(page, "R(A^3)", "= 1/8", "R(A^2)", "= 1/4");
});

test("a worksheet is saved as bid run reads it, and another writer is noticed", async (t) => {
  const { page, cwd } = await open(t, { "a.bid": "show 1\n" }, ["a.bid"]);
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  await type(page, "// About this.\n\nshow R(A ∧ (A^2 ∧ B^3))\n");
  await page.waitForFunction(() => document.title.startsWith("●"));
  await page.keyboard.press("Control+s");
  await page.getByText("Saved a.bid").waitFor();
  assert.equal(readFileSync(join(cwd, "a.bid"), "utf8"), "// About this.\n\nshow R(A ∧ (A^2 ∧ B^3))\n");
  assert.match(execFileSync(program, ["run", "a.bid"], { cwd, encoding: "utf8" }), /= 9\/32/);
  writeFileSync(join(cwd, "a.bid"), "show 2\n");
  await type(page, "show 3\n");
  await page.keyboard.press("Control+s");
  await page.getByText("has changed on the disk").waitFor();
  assert.equal(readFileSync(join(cwd, "a.bid"), "utf8"), "show 2\n");
  await page.getByRole("button", { name: "Overwrite it" }).click();
  await page.getByText("Saved a.bid").waitFor();
  assert.equal(readFileSync(join(cwd, "a.bid"), "utf8"), "show 3\n");
  assert.equal(spawnSync(program, ["fmt", "--check", "a.bid"], { cwd }).status, 0);
});

test("a misspelt field is mended with a click too, and two mistakes in one line each by their own", async (t) => {
  const { page } = await open(t);
  await type(page, "show R(A ∧ B) using { tie: alice }\nshow lenn([1]) + summ([2])\n");
  for (const [wrong, right] of [["tie", "ties"], ["lenn", "len"], ["summ", "sum"]]) {
    const mark = page.locator(".cm-lintRange-error", { hasText: new RegExp(`^${wrong}$`) });
    await mark.waitFor();
    await mark.hover();
    await page.locator(".cm-diagnosticAction", { hasText: `Write ${right}` }).click();
    await mark.waitFor({ state: "detached" });
    await page.mouse.move(600, 500);
  }
  assert.equal(await textOf(page), "show R(A ∧ B) using { ties: alice }\nshow len([1]) + sum([2])\n");
});

test("a folder that cannot be written says so, and the text stays", async (t) => {
  const cwd = await folder(t);
  writeFileSync(join(cwd, "a.bid"), "show 1\n");
  // Who may do everything may write there too.
  const isRoot = process.getuid?.() === 0;
  const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  if (isRoot && spawnSync(program, ["--version"], nobody).status !== 0) return t.skip("nobody but root can run the program here");
  chmodSync(cwd, 0o555);
  t.after(() => existsSync(cwd) && chmodSync(cwd, 0o755));
  const server = await serve(t, cwd, ["a.bid"], nobody);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(server.address);
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  await type(page, "show 2\n");
  await page.keyboard.press("Control+s");
  await page.getByText("cannot write a.bid").waitFor();
  assert.match(await page.locator('[data-name="save"]').textContent(), /permission denied/i);
  assert.equal(await textOf(page), "show 2\n");
  assert.equal(readFileSync(join(cwd, "a.bid"), "utf8"), "show 1\n");
});

test("unsaved text outlives the server, which is killed, and the page", async (t) => {
  const { page, cwd, server } = await open(t, { "a.bid": "show 1\n" }, ["a.bid"]);
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  await type(page, "show 1 + 41\n");
  await page.waitForTimeout(400);
  await server.stop("SIGKILL");
  await page.waitForSelector('[data-name="engine"]');
  assert.equal(await textOf(page), "show 1 + 41\n");
  const again = await serve(t, cwd, ["a.bid"]);
  assert.equal(again.origin, server.origin, "the same folder has the same address");
  await page.getByText("open the address that it has printed").waitFor({ timeout: 20_000 });
  await page.goto(again.address);
  await page.getByRole("button", { name: "Restore it" }).click();
  assert.equal(await textOf(page), "show 1 + 41\n");
  await runAll(page);
  assert.match(await answers(page).textContent(), /42/);
  assert.equal(readFileSync(join(cwd, "a.bid"), "utf8"), "show 1\n", "nothing was written unasked");
});

// Loads the page again, and types into it before the server has said which file it shows.
async function typeEarly(page, text) {
  let answer;
  const typed = new Promise((resolve) => (answer = resolve));
  await page.route("**/api/start", async (route) => {
    await typed;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await type(page, text);
  assert.equal(await textOf(page), text);
  const started = page.waitForResponse("**/api/start");
  answer();
  await started;
  await page.unroute("**/api/start");
  await page.waitForTimeout(200);
}

test("what is typed before the page has its file is not lost", async (t) => {
  const { page, server } = await open(t, { "a.bid": "show 1\n" });
  await typeEarly(page, "R(A^2)");
  assert.equal(await textOf(page), "R(A^2)");
  await runAll(page);
  assert.match(await answers(page).textContent(), /1\/?4/);
  // A file that is shown takes the sheet; the text is offered where there is none.
  await page.goto(`${server.origin}/#f=a.bid`);
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  await typeEarly(page, "R(A^3)");
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  assert.equal(await textOf(page), "show 1\n");
  await page.evaluate(() => history.replaceState(null, "", "/"));
  // A draft that nobody has looked at outlives other visits.
  for (let visit = 0; visit < 3; visit++) {
    await page.reload();
    await page.getByRole("button", { name: "Restore it" }).waitFor();
  }
  await page.getByRole("button", { name: "Restore it" }).click();
  assert.equal(await textOf(page), "R(A^3)");
});

test("a connection that breaks comes back, and answers come with it", async (t) => {
  const { page, context } = await open(t);
  await type(page, 'use "classics.bid"\nshow R(tictactoe)\n');
  await cellsFound(page, 2);
  await context.setOffline(true);
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForSelector(".answer.waiting, .answer.running");
  await page.waitForTimeout(1000);
  await context.setOffline(false);
  await page.waitForSelector(".answer.done math", { timeout: 30_000 });
});

test("long work shows how far it has come, other cells can be edited meanwhile, and it stops at once", async (t) => {
  const { page } = await open(t);
  assertStopped(t, await stopLongWork(page, "show R(connect(4, 6, 7))"));
  assert.equal(await answers(page).first().textContent(), "Stopped");
});

test("Shift-Enter in the last cell opens another one, and so does a button", async (t) => {
  const { page } = await open(t);
  await page.locator(".cm-content").click();
  await page.keyboard.type("R(E)");
  await page.keyboard.press("Shift+Enter");
  await page.locator(".answer.done").waitFor();
  await page.keyboard.type("R(A^2)");
  await page.keyboard.press("Shift+Enter");
  await page.waitForFunction(() => document.querySelectorAll(".answer.done").length === 2);
  assert.equal(await textOf(page), "R(E)\nR(A^2)\n");
  await page.keyboard.press("ArrowUp");
  await page.getByRole("button", { name: "+ Cell" }).click();
  await page.keyboard.type("R(B)");
  assert.equal(await textOf(page), "R(E)\nR(A^2)\nR(B)");
});

test("the address names the file, which a reload shows", async (t) => {
  const { page, server } = await open(t, { "a.bid": "R(E)\n", "b c.bid": "R(A)\n" }, ["a.bid"]);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("b c.bid").click();
  await page.waitForFunction(() => location.hash === "#f=b%20c.bid");
  await page.reload();
  await page.locator(".name").getByText("b c.bid").waitFor();
  assert.equal(await textOf(page), "R(A)\n");
  await page.evaluate(() => (location.hash = "#f=a.bid"));
  await page.locator(".name").getByText("a.bid").waitFor();
  assert.equal(await textOf(page), "R(E)\n");
  assert.ok(page.url().startsWith(server.origin));
});

test("a picture is fitted again when the window changes, unless it was moved", async (t) => {
  const { page } = await open(t, { "a.bid": "plot(f(E, 0..50))\n" }, ["a.bid"]);
  await runAll(page);
  const width = () => page.locator(".picture svg").evaluate((svg) => svg.getBoundingClientRect().width);
  const frame = () => page.locator(".picture").evaluate((div) => div.clientWidth);
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(300);
  const narrow = await width();
  assert.ok(narrow <= (await frame()) + 1, "it fits");
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.waitForTimeout(300);
  const wide = await width();
  assert.ok(wide > narrow * 1.2, `${narrow} then ${wide}`);
  await page.getByRole("button", { name: "Larger" }).click();
  const larger = await width();
  await page.setViewportSize({ width: 700, height: 800 });
  await page.waitForTimeout(300);
  assert.ok(Math.abs((await width()) - larger) < 1, "what was made larger stays");
});

test("a cell runs beside long work, and a row of cells waits for it", async (t) => {
  const { page } = await open(t);
  await runBeside(page, "R(connect(4, 6, 7))");
});

test("two tabs have engines of their own", async (t) => {
  const { page, context, server } = await open(t);
  const other = await context.newPage();
  await other.goto(server.address);
  await type(page, "let x = 1\nshow x\n");
  await type(other, "let x = 2\nshow x\n");
  await Promise.all([runAll(page), runAll(other)]);
  assert.match(await answers(page).textContent(), /1/);
  assert.match(await answers(other).textContent(), /2/);
});

test("ten tabs may be open: those out of sight that wait for nothing listen no longer", async (t) => {
  const { page, context, server } = await open(t);
  const see = (tab, isHidden) =>
    tab.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  const answer = async (tab, number) => {
    await type(tab, `show ${number} * 100\n`);
    await runAll(tab);
    assert.match(await answers(tab).textContent(), new RegExp(`${number}00`));
  };
  const tabs = [page];
  for (let number = 1; number < 10; number++) {
    await answer(tabs.at(-1), number);
    await see(tabs.at(-1), true);
    await tabs.at(-1).waitForTimeout(1200);
    tabs.push(await context.newPage());
    await tabs.at(-1).goto(server.origin);
  }
  // One that is looked at again, and one that is asked something out of sight.
  await see(tabs[0], false);
  await answer(tabs[0], 31);
  await answer(tabs[1], 32);
});

test("long tables are drawn in part, sorted whole, and keep their heads", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nshow f(tictactoe, 0..499)\n');
  await runAll(page);
  const rows = page.locator(".grid tbody tr:not(.filler)");
  assert.ok((await rows.count()) < 200, "rows out of sight are left out");
  assert.equal(await page.locator(".grid table").getAttribute("aria-rowcount"), "501");
  await page.getByRole("button", { name: "k", exact: true }).click();
  await page.getByRole("button", { name: "k", exact: true }).click();
  assert.match(await rows.first().textContent(), /^499/);
  await page.locator(".grid").evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await page.waitForFunction(() => [...document.querySelectorAll(".grid tbody tr:not(.filler)")].at(-1).textContent.startsWith("0"));
  const [head, frame] = await Promise.all([page.locator(".grid thead th").first().boundingBox(), page.locator(".grid").boundingBox()]);
  assert.ok(Math.abs(head.y - frame.y) < 3, "the head stays in sight");
});

test("a position shows its board and its worth, and a click writes it into a new cell", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nshow moves(tictactoe)\n');
  await runAll(page);
  await page.hover(".position >> nth=0");
  await page.waitForSelector(".tip svg.board");
  await page.waitForSelector(".tip .worth table");
  await page.locator(".position").first().click();
  assert.match(await textOf(page), /show f\(tictactoe at "\.\.\.\/\.A\.\/\.\.\.", 0\.\.8\)/);
  await page.keyboard.press("Shift+Enter");
  await idle(page);
  assert.equal(await page.locator(".answer.failed").count(), 0);
});

test("the card of a position goes with its answer", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nmoves(tictactoe)\n');
  await runAll(page);
  const position = page.locator(".answer .position").first();
  assert.equal(await position.evaluate((element) => getComputedStyle(element).textDecorationStyle), "solid", "no dots among those of the board");
  await position.hover();
  await page.waitForSelector(".tip");
  await type(page, "1 + 1");
  await page.waitForFunction(() => !document.querySelector(".tip"));
});

test("a warning that several cells give is shown once", async (t) => {
  const { page } = await open(t);
  const warnings = () => page.locator(".answer .finding.warning:visible").allTextContents();
  await type(page, "game g = graph { start 0; both 0 -> 1; both 3 -> 1; win alice: 1 }\nR(g)\nf(g, 0..3)\n");
  await runAll(page);
  await page.waitForFunction(() => document.querySelectorAll(".answer.done").length === 2);
  assert.equal((await warnings()).length, 1);
  assert.match(await page.locator(".answer").first().textContent(), /vertex 3 cannot be reached/);
  // Without the first cell the second says it.
  await toEndOf(page, "R(g)");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll(".answer").length === 1);
  await page.locator(".answer .finding.warning").waitFor();
});

test("a run that is stopped leaves the answer that was there, and says so", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nlet n = 2\n\nshow R(connect(4, n, 7))\n');
  await cellsFound(page, 3);
  await runAll(page);
  const before = await page.locator(".answer .outputs").textContent();
  assert.match(before, /R\(connect/);
  // The same cell is now long work.
  await page.locator(".cm-line", { hasText: "let n" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("6");
  await page.locator(".cm-line", { hasText: "show R" }).click();
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".answer.running.again progress", { timeout: 30_000 });
  assert.equal(await page.locator(".answer .outputs").textContent(), before, "what was there is shown while the cell runs");
  await page.locator(".answer .working button").click();
  await idle(page);
  assert.equal(await page.locator(".answer .outputs").textContent(), before);
  assert.equal(await page.locator(".answer .working").textContent(), "Stopped · Out of date");
});

test("positions show their worth in every answer: without `show`, in sentences, as values", async (t) => {
  const { page } = await open(t);
  const start = 'tictactoe at "AB./.A./..."';
  await type(page, `use "classics.bid"\nmoves(tictactoe)\nstrategy(${start}, 4*, 4)\n[${start}]\n`);
  await runAll(page);
  const answer = (at) => page.locator(".answer").nth(at);
  await answer(0).locator(".position").first().hover();
  await page.waitForSelector(".tip .worth table");
  assert.match(await page.locator(".tip code").first().textContent(), /^tictactoe at "/);
  assert.equal(await answer(1).locator(".position").first().textContent(), "AB./.A./..A");
  assert.match(await answer(1).locator("td").nth(2).textContent(), /^move place\(2, 2\) to AB/);
  await answer(2).locator(".position").hover();
  await page.waitForSelector(".tip svg.board");
  await page.waitForSelector(".tip .worth table");
  await page.mouse.move(900, 880);
  await answer(1).locator(".position").first().click();
  assert.match(await textOf(page), /show f\(\(tictactoe at "AB\.\/\.A\.\/\.\.\."\) at "AB\.\/\.A\.\/\.\.A", 0\.\.8\)/);
  await page.keyboard.press("Shift+Enter");
  await idle(page);
  assert.equal(await page.locator(".answer.failed").count(), 0);
});

test("a position is worth what it is under the rules of its answer", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nmoves(tictactoe) using { pay: poorman }\n');
  await runAll(page);
  await page.locator(".answer .position").first().hover();
  await page.locator(".tip .worth math").waitFor();
  const worth = await page.locator(".tip .worth").textContent();
  await page.locator(".answer .position").first().click();
  assert.match(await textOf(page), /show R\(tictactoe at "\.\.\.\/\.A\.\/\.\.\."\) using \{ pay: poorman \}/);
  await page.keyboard.press("Shift+Enter");
  await idle(page);
  assert.equal((await page.locator(".answer").nth(1).locator(".body").textContent()).trim(), worth.trim());
});

test("long work on a position is stopped when the pointer has left it", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\n[hex(5, 5)]\nshow 6 * 7\n');
  await runAll(page);
  await page.locator(".answer .position").hover();
  await page.waitForTimeout(1500);
  await page.mouse.move(900, 880);
  await page.waitForTimeout(300);
  await page.locator(".cm-line", { hasText: "6 * 7" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("0");
  await page.keyboard.press("Control+Enter");
  await page.locator(".answer.done", { hasText: "420" }).waitFor({ timeout: 5000 });
});

test("the library's cards have whole sentences, with code as code", async (t) => {
  const { page } = await open(t);
  await page.getByRole("button", { name: "Library" }).click();
  const card = (name) => page.locator("dialog .card", { hasText: name }).locator("span");
  assert.equal(await card("develin_payne.bid").textContent(), "Mike Develin and Sam Payne, Discrete bidding games, The Electronic Journal of Combinatorics 17 (2010), #R85.");
  assert.equal(await card("arun.bid").textContent(), "S. Arun, Computational results for bidding games (2021).");
  assert.equal(await card("budgets.bid").textContent(), "Thresholds against a budget of Bob's, for all budgets at once.");
  assert.deepEqual(await card("turns.bid").locator("code").allTextContents(), ["turn alice: x", "turn alice if …"]);
  for (const text of await page.locator("dialog .card span").allTextContents()) assert.match(text, /^\S.*\.$/, "a whole sentence");
});

test("a new page says what it is, and has three doors", async (t) => {
  const { page } = await open(t);
  assert.match(await page.locator("#welcome p").textContent(), /bid for the right/);
  assert.deepEqual(await page.locator(".door b").allTextContents(), ["Tutorial", "An example", "A blank sheet"]);
  await page.locator(".door", { hasText: "A blank sheet" }).click();
  assert.equal(await page.locator("#welcome").isVisible(), false);
  await page.keyboard.type("R(A)");
  await page.keyboard.press("Shift+Enter");
  await page.locator(".answer.done").waitFor();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".door", { hasText: "Tutorial" }).click();
  await page.locator(".prose h1", { hasText: "A first half hour" }).waitFor();
  await page.getByText("Another scratch worksheet was here").waitFor();
  await page.getByRole("button", { name: "Bring it back" }).click();
  assert.equal(await textOf(page), "R(A)\n");
});

test("completion tells how each function is called, and help has no marks of code", async (t) => {
  const { page } = await open(t);
  await type(page, "str");
  await page.keyboard.press("Control+ ");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "strategy" }).waitFor();
  assert.equal(await page.locator(".cm-tooltip-autocomplete li", { hasText: "strategy" }).locator(".cm-completionDetail").textContent(), "(G, a, b)");
  await type(page, "show R(E)\n");
  await page.waitForSelector(".t-function");
  await page.hover(".t-function >> text=R");
  const help = page.locator(".cm-tooltip .help");
  await help.waitFor();
  assert.doesNotMatch(await help.textContent(), /`/);
  assert.ok((await help.locator("p code").allTextContents()).includes("taxman(t)"));
  assert.match(await help.locator("pre").textContent(), /^R\(A ∧ .* = 9\/32\n/);
});

test("the outline has headings and definitions, and leads to them", async (t) => {
  const { page } = await open(t);
  const body = Array.from({ length: 60 }, (_, n) => `show ${n}`).join("\n");
  await type(page, `// # Title\n// Words.\n\nlet x = 1\n${body}\n\n// ── Part two ──\n\ngame late = graph { start 0; win alice: 0 }\n`);
  await cellsFound(page, 20);
  await page.getByRole("button", { name: "Outline" }).click();
  await page.locator("#outline li").nth(3).waitFor();
  assert.deepEqual(await page.locator("#outline li").allTextContents(), ["Title", "x", "Part two", "late"]);
  await page.locator("#outline button", { hasText: "late" }).click();
  await page.locator(".cm-line", { hasText: "game late" }).waitFor();
  assert.ok(await page.locator(".cm-line", { hasText: "game late" }).isVisible());
  await page.setViewportSize({ width: 400, height: 800 });
  await page.locator("#outline button", { hasText: "Title" }).click();
  assert.equal(await page.locator("#outline").isVisible(), false, "on a narrow page it gives way to what it leads to");
});

test("mistakes are marked in the gutter", async (t) => {
  const { page } = await open(t);
  await type(page, "show 1\nshow R(oops)\n");
  const mark = page.locator(".cm-lint-marker-error");
  await mark.waitFor();
  const [at, line] = [await mark.boundingBox(), await page.locator(".cm-line", { hasText: "oops" }).boundingBox()];
  assert.ok(Math.abs(at.y + at.height / 2 - (line.y + line.height / 2)) < 8, "beside its line");
  await mark.hover();
  await page.locator(".cm-tooltip .finding", { hasText: "nothing here is called oops" }).waitFor();
});

test("a table that goes on behind an edge shows it", async (t) => {
  const { page } = await open(t);
  await page.setViewportSize({ width: 400, height: 800 });
  await type(page, 'use "classics.bid"\nshow f(tictactoe, 0..11)\nshow moves(tictactoe)\nshow size(tictactoe)\n');
  await runAll(page);
  const edges = (at) => page.locator(".edges").nth(at);
  const has = async (at) => (await edges(at).getAttribute("class")).split(" ").slice(1).sort();
  await page.waitForFunction(() => document.querySelector(".edges.more-right"));
  assert.deepEqual(await has(0), ["more-right"]);
  assert.ok((await has(1)).includes("more-below"));
  assert.deepEqual(await has(2), [], "what is seen whole has none");
  assert.notEqual(await edges(0).evaluate((element) => getComputedStyle(element, "::before").backgroundImage), "none");
  await edges(0).locator(".grid").evaluate((grid) => grid.scrollTo(grid.scrollWidth, 0));
  await page.waitForFunction(() => document.querySelector(".edges.more-left:not(.more-right)"));
});

test("long work tells the time that is left", async (t) => {
  const { page } = await open(t);
  await type(page, 'use "classics.bid"\nshow simulate(tictactoe, games: 1000000, seed: 1)\n');
  await cellsFound(page, 2);
  await page.keyboard.press("Control+Shift+Enter");
  await page.locator(".answer .working", { hasText: /\d+ %, \d+ (s|min|h) left/ }).waitFor({ timeout: 60_000 });
  assert.match(await page.locator("#bar .work").textContent(), /\d+ %, \d+ (s|min|h) left/);
  await page.keyboard.press("Control+.");
  await idle(page);
});

test("links lead to a playground of one's choosing; without one the page says how others can see the program", async (t) => {
  const chosen = await open(t, {}, ["--playground", "https://example.org/bid/"]);
  await type(chosen.page, "R(E)\n");
  await chosen.page.getByRole("button", { name: "Link" }).click();
  assert.match(await chosen.page.getByRole("textbox", { name: "Link" }).inputValue(), /^https:\/\/example\.org\/bid\/#p=[\w-]+$/);
  const { page } = await open(t, { "a.bid": "R(E)\n" }, ["a.bid"]);
  await page.waitForFunction(() => document.title.startsWith("a.bid"));
  await page.getByRole("button", { name: "Link" }).click();
  assert.match(await page.locator("dialog .ways").textContent(), /bid export a\.bid -o a\.html/);
});

test("a program travels in a link", async (t) => {
  const { page, server, context } = await open(t);
  await type(page, "// Träger ∧ 🎲\nshow R(A ∧ B^2)\n");
  await page.getByRole("button", { name: "Link" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  assert.ok(link.startsWith(`${server.origin}/#p=`));
  const other = await context.newPage();
  await other.goto(link);
  await cellsFound(other, 1);
  assert.equal(await textOf(other), "// Träger ∧ 🎲\nshow R(A ∧ B^2)\n");
  await other.goto(`${server.origin}/#p=AAAA`);
  await other.getByText("This link cannot be read").waitFor();
});

test("everything has a name, is reached by keys, and fits a narrow page, light and dark", async (t) => {
  const { page } = await open(t);
  await page.setViewportSize({ width: 400, height: 800 });
  await page.getByRole("button", { name: /Tic-tac-toe/ }).click();
  await page.waitForSelector(".match .ask");
  await idle(page);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const [wide, seen] = await page.evaluate(() => [
      Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector(".cm-scroller").scrollWidth - document.querySelector(".cm-scroller").clientWidth),
      getComputedStyle(document.body).backgroundColor,
    ]);
    assert.ok(wide <= 1, `${wide} pixels too wide`);
    assert.equal(seen, colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 29)");
  }
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, [role=button], [tabindex='0'], progress")]
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")))
      .map((element) => element.outerHTML.slice(0, 200)),
  );
  assert.deepEqual(nameless, []);
  // Out of the text by Escape and Tab: to what stands in it, and on.
  await page.locator(".cm-line", { hasText: "R(tictactoe)" }).first().click();
  const before = await textOf(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.closest(".answer") !== null || document.activeElement.closest("#welcome, #bar") !== null));
  assert.equal(await textOf(page), before);
});
