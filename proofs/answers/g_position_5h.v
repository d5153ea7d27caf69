(** f(c5h, [13, 29]) = k          13  29 f(c5h, k)  6   13

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 2) (fun col =>
      if height board col <? 3 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 42 positions *)

Definition data_13_0 := "j@DIIIcHI=\DiiecLMeQZJj441YefjJMM@EiiA`HKm\dYic3LKUYVZ@L2RQeeNNklTUYiAhHKM@EIiA0HI92FIiHR2NEQZV9HS3FWYZV@hR3FWUZV@JR3B`QRVUMR3Xff1JMCQVV]H32FWYVV@L22FgYVFkll@PeeE`bll@TddE`bdd@@".

Definition listing_13 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 5)))))
  [data_13_0].

Definition data_29_0 := "j@DIIiFQR:9QdfV^diiLRSQefN^ViijRSC`b44@`HKm<H3RGO3lTeYiA`QVJjl413JKUUVZ@TdeF@EIiA`QR2U[ddbHI;lHR3JO24l1kLMK@hR3Foj4l@hHMK@LR2jVc4LfiYlR3PdeUOdYYcWYVV@XdeM^fYYl22B@jll@hHKK@JR2B`bdd@@".

Definition listing_29 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 6)))))
  [data_29_0].

(** * The theorem *)

Theorem f_connect_13 :
  f_is connect [[None; Some Alice; None]; [Some Alice; Some Bob; None]; [Some Alice; Some Bob; None]] 13 (Chip 6).
Proof. by_thresholds 13%N listing_13 12%N. Qed.

Theorem f_connect_29 :
  f_is connect [[None; Some Alice; None]; [Some Alice; Some Bob; None]; [Some Alice; Some Bob; None]] 29 (Chip 13).
Proof. by_thresholds 29%N listing_29 26%N. Qed.
