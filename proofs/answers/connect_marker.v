(** f(connect(3, 1, 3), 4) using { ties: marker, winner: moves }…

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 2) (fun col =>
      if height board col <? 1 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 27 positions *)

Definition data_0 := "[@@@@D@@`@@@@@H@@@@@h@@@@@B@@@@@b@@@@@J@@@@@j@@@@@P@@C@XX@@@@@R@@@@@Z@@@@@D@@C@Xd@@@@@F@@@@@f@@@@@T@RB@RV@@@@@A@@C@Xa@@@@@I@@@@@i@@@@@Q@RB@RY@@@@@E@RB@Re@@@@@UIIIII".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 1 3) (both (times 5 (number 3)) (times 5 (number 3)))))
  [data_0].

(** * The theorem *)

Lemma checked :
  all_hold (outcomes_ok (G := connect) (Rules marker must_move) 4) listing = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem threshold_connect_4_Alice :
  threshold connect (Rules marker must_move) (empty_grid 1 3) 4 Alice 4.
Proof. by_outcomes checked. Qed.

Theorem threshold_connect_4_Bob :
  threshold connect (Rules marker must_move) (empty_grid 1 3) 4 Bob 5.
Proof. by_outcomes checked. Qed.
