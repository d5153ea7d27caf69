(** * What a generated answer imports

    A file of [proofs/answers] states the rules of a game, a listing, and a
    theorem about the game.  The tactics below turn the listing into the theorem;
    each computes once, in the virtual machine.  The format is described in
    proofs/README.md. *)

From Coq Require Export List Bool Arith NArith QArith Uint63.
From Proofs Require Export Games Play Chips Money Decide Listings Certificates Strategies CertifiedStrategies
  Boards Graphs Data.
Export ListNotations.
Global Open Scope nat_scope.
Global Open Scope text_scope.

(** [critical G v (p # q)], from the numerator [x] over the denominator [D]. *)
Ltac by_values D listing x :=
  match goal with
  | |- critical ?G ?v _ =>
      apply (critical_compat G v (Z.of_N x # D));
      [ reflexivity
      | apply (@values_sound G _ D listing v x); vm_cast_no_check (eq_refl true) ]
  end.

(** [f_is G v k x], by Theorem 3.7 of Develin & Payne; [h] is [x] in half chips. *)
Ltac by_thresholds k listing h :=
  match goal with
  | |- f_is ?G ?v _ _ =>
      apply (@thresholds_sound G _ k listing v h); vm_cast_no_check (eq_refl true)
  end.

(** [threshold G r v k h f], by trying all bids.  The list is checked once, in
    a lemma of its own, for both players as holders of the status. *)
Ltac by_outcomes checked :=
  apply (outcomes_sound _ _ _ _ _ _ checked); vm_cast_no_check (eq_refl true).

(** [winning develin_payne Alice s (alices_threshold_strategy k listing)]. *)
Ltac by_strategy checked :=
  apply (enough_for_alice_wins _ _ checked); vm_cast_no_check (eq_refl true).
