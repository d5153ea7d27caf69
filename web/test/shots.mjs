// Pictures of each kind of answer, light and dark, wide and narrow, into `web/shots`, to be looked at: `node test/shots.mjs`; and with `readme`
// the picture of the README.

import { mkdir, rm, mkdtemp } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { here, idle, join, launch, root, serve, type } from "./browser.mjs";

const KINDS = {
  values: "show 133/256\nshow [1/2, 3*, true]\nshow { ties: marker }\nshow (alice, -5/7)\nR(A ∧ (A^2 ∧ B^3))\nshow size(tictactoe)\ncheck 1 == 1\ncheck R(E) == 1/3\nshow 1/0",
  tables: "show f(tictactoe, 0..23)\nshow f(tictactoe, 0..99)\nshow moves(tictactoe)",
  strategy: "show strategy(tictactoe, 4*, 4)\nshow table(tug(2))\nshow bidding_matrix(subtraction(5, [1]), 4*, 5)",
  tree: "show tree(tictactoe)",
  hasse: "show hasse(games(birthday: 2))",
  plot: "show plot(f(tictactoe, 0..40), R(tictactoe), f(tug(2), 0..40), f(B^3, 0..40))\nshow heat(outcomes(tictactoe, 0..12, 0..12))",
  nash: "show nash(B^2, 5, 3) using { pay: all_pay, ties: richer }\nshow pivotal(hex(3, 3))",
  match: "play(tictactoe, 8*, 8)",
  hexmatch: "play(hex(5, 5), 50*, 50)",
  graphmatch: "play(tug(2), 9*, 0)",
};

const cleanups = [];
const folder = await mkdtemp(join(tmpdir(), "bid-shots-"));
cleanups.push(() => rm(folder, { recursive: true, force: true }));
const server = await serve({ after: (act) => cleanups.push(act) }, folder);
const browser = await launch();

async function shot(name, text, { width, height, dark, act }, path) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
  await page.goto(server.address);
  await type(page, text);
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForSelector(".answer");
  await page.waitForTimeout(300);
  await idle(page);
  await act?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path });
  await page.close();
}

async function firstBid(page) {
  await page.getByRole("spinbutton").fill("3");
  await page.getByRole("button", { name: "Bid", exact: true }).click();
  await idle(page);
  await page.getByRole("button", { name: "Hint" }).click();
}

if (process.argv[2] === "readme") {
  const text = readFileSync(join(here, "..", "examples", "tictactoe.bid"), "utf8").replace(/^show moves.*\n/m, "");
  const page = await browser.newPage({ viewport: { width: 1180, height: 1500 } });
  await page.goto(server.address);
  await page.getByRole("button", { name: /Tic-tac-toe/ }).click();
  await page.waitForSelector(".answer");
  await type(page, text);
  await page.keyboard.press("Control+Home");
  await page.locator(".cm-line", { hasText: "use" }).click();
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForTimeout(500);
  await idle(page);
  await page.evaluate(() => document.querySelector(".cm-scroller").scrollTo(0, 0));
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(root, "docs", "worksheet.png"), clip: { x: 0, y: 0, width: 1180, height: 1500 } });
} else {
  const out = join(here, "..", "shots");
  await mkdir(out, { recursive: true });
  const only = process.argv[2];
  for (const [name, program] of Object.entries(KINDS)) {
    if (only && only !== name) continue;
    const text = `use "classics.bid"\n${program}\n`;
    const act = name.endsWith("match") ? firstBid : undefined;
    for (const dark of [false, true])
      for (const width of [1280, 400]) {
        const path = join(out, `${name}-${dark ? "dark" : "light"}-${width}.png`);
        await shot(name, text, { width, height: width === 400 ? 860 : 900, dark, act }, path).catch((error) => console.error(name, dark, width, error.message));
      }
  }
}
await browser.close();
for (const clean of cleanups) await clean();
process.exit();
