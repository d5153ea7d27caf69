// Worksheets to begin with.

import allPay from "../examples/all_pay.bid";
import arun from "../examples/arun.bid";
import develinPayne from "../examples/develin_payne.bid";
import goodfellow from "../examples/goodfellow.bid";
import hex from "../examples/hex.bid";
import larssonPatelRai from "../examples/larsson_patel_rai.bid";
import menzWangXie from "../examples/menz_wang_xie.bid";
import tictactoe from "../examples/tictactoe.bid";
import tutorial from "../examples/tutorial.bid";

export type Example = { name: string; about: string; text: string };

export const TUTORIAL = tutorial;

export const EXAMPLES: Example[] = [
  { name: "Tic-tac-toe", about: "values, the tree of optimal moves, a match", text: tictactoe },
  { name: "Hex", about: "which cell decides, a match on 7 × 7", text: hex },
  { name: "All-pay bidding", about: "mixed bids", text: allPay },
  { name: "Develin & Payne", about: "chips, the partial order of games", text: develinPayne },
  { name: "Goodfellow", about: "Connect two and three", text: goodfellow },
  { name: "Menz, Wang & Xie", about: "all-pay, a race", text: menzWangXie },
  { name: "Larsson, Patel & Rai", about: "games with scores", text: larssonPatelRai },
  { name: "Arun", about: "real bids and random turns", text: arun },
];
