// Matches by mouse and by keys.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cellsFound, folder, idle, launch, serve, type } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function match(t, text) {
  const cwd = await folder(t);
  const server = await serve(t, cwd);
  const context = await browser.newContext({ viewport: { width: 1100, height: 1000 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  t.after(() => assert.deepEqual(errors, []));
  await page.goto(server.address);
  await type(page, `use "classics.bid"\n${text}\n`);
  await cellsFound(page, 2);
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForSelector(".match .ask");
  return page;
}

const settled = async (page) => {
  await idle(page);
  await page.waitForSelector(".match:not(.thinking)");
};

// What is asked now.
async function asked(page) {
  if (await page.locator(".match form.bid").count()) return "bid";
  if (await page.getByRole("button", { name: "Use the advantage" }).count()) return "tie";
  if (await page.getByRole("button", { name: /^Let/ }).count()) return "mover";
  if (await page.locator(".match .place .open, .match .offers button").count()) return "move";
  return "over";
}

// Plays as the hints say to the end.
async function follow(page, most = 60) {
  const seen = [];
  for (let turn = 0; turn < most; turn++) {
    const question = await asked(page);
    seen.push(question);
    if (question === "over") return seen;
    await page.getByRole("button", { name: "Hint" }).click();
    const hint = await page.locator(".match .hint").textContent();
    if (question === "bid") {
      const bid = /bid (\d+)/.exec(hint)[1];
      await page.getByRole("spinbutton", { name: "Your bid" }).fill(bid);
      await page.getByRole("button", { name: "Bid", exact: true }).click();
    } else if (question === "tie") await page.getByRole("button", { name: /use/.test(hint) ? "Use the advantage" : "Keep it" }).click();
    else if (question === "mover" && /let/.test(hint)) await page.getByRole("button", { name: /^Let/ }).click();
    else await page.locator(".match .advised").first().click();
    await settled(page);
  }
  throw new Error(`no end: ${seen}`);
}

test("tic-tac-toe to its end: with 4* of 8 chips optimal play wins", async (t) => {
  const page = await match(t, "play(tictactoe, 4*, 4)");
  const seen = await follow(page);
  assert.ok(seen.includes("bid") && seen.includes("mover"), String(seen));
  assert.equal(await page.locator(".match .over").textContent(), "You have won.");
  const line = await page.locator(".match g.cell.deciding").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
  assert.equal(line.length, 3, "the line that has won is marked");
  assert.ok(line.every((cell) => /: Alice; it has decided the match$/.test(cell)), String(line));
  assert.ok((await page.locator(".history li").count()) >= 3);
  assert.match(await page.locator(".history").textContent(), /you bid \d+\*?, Bob bids \d+/);
  assert.doesNotMatch(await page.locator(".history").textContent(), /You have won/, "the end stands beside the board");
});

test("whoever has won the bid may let the other one move", async (t) => {
  const page = await match(t, "play(tictactoe, 16*, 0)");
  await page.getByRole("spinbutton").fill("1");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await page.locator(".match .ask").textContent(), /You have won the bid: click a cell to move, or/);
  await page.getByRole("button", { name: "Let Bob move" }).click();
  await settled(page);
  assert.equal(await page.locator(".match g.cell.B").count(), 1);
  assert.equal(await page.locator(".match g.cell.A").count(), 0);
  assert.equal(await asked(page), "bid");
});

test("a lost match says who has won, and by which chain", async (t) => {
  const page = await match(t, "play(hex(2, 2), 0, 9*)");
  for (let turn = 0; turn < 8 && (await asked(page)) !== "over"; turn++) {
    const question = await asked(page);
    if (question === "bid") await page.getByRole("button", { name: "Bid", exact: true }).click();
    else if (question === "tie") await page.getByRole("button", { name: "Keep it" }).click();
    else await page.locator(".match .place .open").first().click();
    await settled(page);
  }
  assert.equal(await page.locator(".match .over.bob").textContent(), "Bob has won.");
  const chain = await page.locator(".match g.cell.deciding").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
  assert.equal(chain.length, 2);
  assert.ok(chain.every((cell) => /: Bob;/.test(cell)), String(chain));
});

test("a bid that is too large is told with the sentence of the terminal", async (t) => {
  const page = await match(t, "play(tictactoe, 4*, 4)");
  for (const [bid, said] of [["9", "you have 4: bid a number from 0 to 4"], ["-1", "a bid is a number from 0 to 4"]]) {
    await page.getByRole("spinbutton", { name: "Your bid" }).fill(bid);
    await page.getByRole("button", { name: "Bid", exact: true }).click();
    assert.equal(await page.locator(".match [role=alert]").textContent(), said);
    assert.equal(await asked(page), "bid");
  }
});

test("a move is taken back, and the match goes the same way again", async (t) => {
  const page = await match(t, "play(tictactoe, 8*, 8)");
  const chips = () => page.locator(".match .players").textContent();
  const before = await chips();
  await page.getByRole("slider").fill("3");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await settled(page);
  const first = [await chips(), await page.locator(".match .side").textContent()];
  await page.getByRole("button", { name: "Undo" }).click();
  await settled(page);
  assert.equal(await chips(), before);
  await page.getByRole("spinbutton").fill("3");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.deepEqual([await chips(), await page.locator(".match .side").textContent()], first);
});

test("by keys alone: bid, go to a cell, move there", async (t) => {
  const page = await match(t, "play(tictactoe, 16*, 0)");
  await page.getByRole("spinbutton").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await asked(page), "mover");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /row 1, column 1: empty/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /row 2, column 2: empty/);
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.locator(".match g.cell.A").getAttribute("aria-label"), "row 2, column 2: Alice");
});

test("Connect Four: a click anywhere in a column lets a piece fall", async (t) => {
  const page = await match(t, "play(connect(3, 4, 4), 20*, 0)");
  await page.getByRole("spinbutton").fill("1");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await settled(page);
  await page.locator(".match g.cell").nth(2).click();
  await settled(page);
  assert.equal(await page.locator(".match g.cell.A").getAttribute("aria-label"), "row 4, column 3: Alice");
});

test("Hex on 7 × 7 is played on hexagons", async (t) => {
  const page = await match(t, "play(hex(7, 7), 50*, 50)");
  assert.equal(await page.locator(".match g.cell").count(), 49);
  assert.equal((await page.locator(".match polygon").first().getAttribute("points")).split(" ").length, 6);
  await page.getByRole("spinbutton").fill("50");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await settled(page);
  assert.equal(await asked(page), "move");
  await page.locator(".match g.cell").nth(24).click();
  await settled(page);
  assert.equal(await page.locator(".match g.cell.A").getAttribute("aria-label"), "row 4, column 4: Alice");
});

test("a graph without a board: the vertices are clicked", async (t) => {
  const page = await match(t, "play(tug(2), 9*, 0)");
  const seen = [];
  for (let turn = 0; turn < 12 && (await asked(page)) !== "over"; turn++) {
    const question = await asked(page);
    seen.push(question);
    if (question === "bid") {
      await page.getByRole("spinbutton").fill("1");
      await page.keyboard.press("Enter");
    } else if (question === "tie") await page.getByRole("button", { name: "Use the advantage" }).click();
    else await page.locator(".match .star .node.open").last().click({ position: { x: 5, y: 5 } });
    await settled(page);
  }
  assert.ok(seen.includes("mover"), String(seen));
  assert.equal(await page.locator(".match svg.star, .match .here").count() > 0, true);
});

test("a board of Hex shows whose sides are whose", async (t) => {
  const page = await match(t, "play(hex(3, 4), 8*, 8)");
  assert.equal(await page.locator(".match .goals").textContent(), "Alice joins left and right. Bob joins top and bottom. ");
  // Three rows with two edges of each cell on the left; the corners' shared edges go to the top and the bottom.
  const count = (player) => page.locator(`.match svg.board line.side.${player}`).count();
  assert.deepEqual([await count("alice"), await count("bob")], [10, 16]);
  const other = await match(t, "play(tictactoe, 8*, 8)");
  assert.equal(await other.locator(".match .goals, .match line.side").count(), 0);
});

test("a move that waits for long work can be taken back, and the match stands where it stood", async (t) => {
  const page = await match(t, "play(tictactoe, 8*, 8)");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  // These loops take hours and no memory, so that no limit ends them while the test goes on.
  const loop = (name) => `show len([${name} for ${name} in 1..1000000 for j in 1..1000000 if ${name} * j < 0])`;
  await page.keyboard.insertText(`${loop("a")}\n${loop("b")}\n`);
  for (const [at, name] of ["a", "b"].entries()) {
    await page.locator(".cm-line", { hasText: loop(name) }).click();
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction((count) => document.querySelectorAll(".answer.running").length === count, at + 1);
  }
  const bid = async () => {
    await page.getByRole("spinbutton", { name: "Your bid" }).fill("3");
    await page.getByRole("button", { name: "Bid", exact: true }).click();
  };
  await bid();
  await page.getByText("Queued", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await asked(page), "bid");
  assert.equal(await page.locator(".history li").count(), 0);
  await page.getByRole("button", { name: "Hint" }).focus();
  await page.keyboard.press("Control+.");
  await idle(page);
  await bid();
  await settled(page);
  assert.match(await page.locator(".history").textContent(), /you bid 3, Bob bids/);
});
