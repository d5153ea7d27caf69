(** The thresholds of connect(3,1,3) with 4 chips under marker, must_move; all bids are tried.

    Written by proofs/tools/listing.py. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves p b := map (drop b p) (open_columns b);
  winner b := whoever (fun p => line b p 3)
|}.

(** * The listing: 27 positions *)

Definition data_0 := "j@@@@@i@@@@@h@@@@@f@@@@@b@@@@@e@@@@@d@@@@@a@@@@@`@@@@@Z@@@@@J@@@@@Y@@@@@X@@@@@I@@@@@H@@@@@V@@@@@R@@@@@F@@@@@B@@@@@UIIIIIT@RB@RQ@RB@RP@@C@XE@RB@RD@@C@XA@@C@X@@@D@@".

Definition listing := items 27
  (both (a_grid 1 3) (both (times 5 (number 3)) (times 5 (number 3))))
  (bits_of_texts [data_0]).

(** * The theorem *)

Lemma checked : all_hold (outcomes_ok (G := connect) (Rules marker must_move) 4) listing = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem threshold_connect_Alice :
  threshold connect (Rules marker must_move) (empty_grid 1 3) 4 Alice 4.
Proof. by_outcomes checked. Qed.

Theorem threshold_connect_Bob :
  threshold connect (Rules marker must_move) (empty_grid 1 3) 4 Bob 5.
Proof. by_outcomes checked. Qed.
