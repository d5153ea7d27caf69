(** * What a generated answer imports

    A file of [proofs/answers] states the rules of a game, a listing, and a
    theorem about the game.  The tactics below turn the listing into the theorem;
    each computes once, in the virtual machine.  The format is described in
    proofs/README.md. *)

From Coq Require Export List Bool Arith NArith QArith Uint63 Lia.
From Proofs Require Export Games Play Chips Money Decide Listings Certificates Strategies CertifiedStrategies
  Boards Graphs Data Rules Conjugate Outcomes.
Export ListNotations.
Global Open Scope nat_scope.
Global Open Scope text_scope.
Global Open Scope rules_scope.

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

(** What a player forces or avoids in a state with given chips, from a check of
    the listing ([thresholds_check]) in a lemma of its own. *)
Ltac by_chips checked :=
  first
    [ apply (alice_forces _ _ _ _ checked) | apply (bob_avoids _ _ _ _ checked)
    | apply (bob_forces _ _ _ _ checked) | apply (alice_avoids _ _ _ _ checked) ];
  reflexivity.

(** The same by trying all bids ([outcomes_ok]). *)
Ltac by_all_bids checked :=
  first
    [ apply (alice_forces_all _ _ _ checked) | apply (bob_avoids_all _ _ _ checked)
    | apply (bob_forces_all _ _ _ checked) | apply (alice_avoids_all _ _ _ checked) ];
  vm_cast_no_check (eq_refl true).

(** [at_most k G v H w], [equally_good k G v H w] or the contrary of the first,
    from the two critical thresholds. *)
Ltac by_both first_f second_f :=
  first
    [ exact (at_most_by_f _ _ _ _ _ _ _ first_f second_f ltac:(simpl; lia))
    | exact (worse_by_f _ _ _ _ _ _ _ first_f second_f ltac:(simpl; lia))
    | exact (equally_good_by_f _ _ _ _ _ _ first_f second_f) ].

(** [winning develin_payne Alice s (alices_threshold_strategy k listing)]. *)
Ltac by_strategy checked :=
  apply (enough_for_alice_wins _ _ checked); vm_cast_no_check (eq_refl true).
