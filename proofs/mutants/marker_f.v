(** f(connect(2, 1, 2), 2) using { ties: marker, winner: moves }…

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 1) (fun col =>
      if height board col <? 1 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 2)
|}.

(** * The listing: 9 positions *)

Definition data_0 := "I@@L@B@H@@J@@aBZ@@AJXB@TUU".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 1 2) (both (times 3 (number 2)) (times 3 (number 2)))))
  [data_0].

(** * The theorem *)

Lemma checked :
  all_hold (outcomes_ok (G := connect) (Rules marker must_move) 2) listing = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem threshold_connect_2_Alice :
  threshold connect (Rules marker must_move) (empty_grid 1 2) 2 Alice 2.
Proof. by_outcomes checked. Qed.

Theorem threshold_connect_2_Bob :
  threshold connect (Rules marker must_move) (empty_grid 1 2) 2 Bob 3.
Proof. by_outcomes checked. Qed.
