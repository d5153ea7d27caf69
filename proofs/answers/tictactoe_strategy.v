(** A strategy for Alice in Tic-Tac-Toe with three chips of five, as a function
    from histories to bids and choices.  It wins against every opponent; one
    play is run below. *)

From Proofs Require Import Answers.
From Answers Require Import tictactoe_f5.

Lemma checked : all_hold (stairs_ok (G := tictactoe) 5) listing = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Definition alice : strategy (G := tictactoe) := alices_threshold_strategy (G := tictactoe) 5 listing.

Definition start : chips tictactoe := State (G := tictactoe) (empty_grid 3 3) 3 2 Bob.

Theorem alice_wins : winning develin_payne Alice start alice.
Proof. by_strategy checked. Qed.

(** An opponent who bids one chip more at every turn, and moves anywhere. *)
Definition bob : strategy (G := tictactoe) := {|
  bid hs := length hs;
  verdict hs _ _ := 0;
  mover hs _ _ _ := 1;
  move hs _ _ _ _ := 2 + length hs
|}.

Definition both_play (p : player) : strategy := match p with Alice => alice | Bob => bob end.

Definition a_play := map (fun s => (place s, alices s, bobs s, holder s)) (rev (play develin_payne both_play start 9)).

Example alice_has_won : winner tictactoe (place (after_turns develin_payne both_play start 9)) = Some Alice.
Proof. vm_cast_no_check (eq_refl (Some Alice)). Qed.
