(** * Winning and not losing

    A play is a sequence of turns.  Here a turn is left abstract: an [arena]
    says what the states of a play are, who has won in a state, whether the
    play is over, and which sets of states a player [secures] by one turn:
    he can act so that the next state lies in the set, whatever the other does.
    Bidding with chips and bidding with real money are two arenas.

    [forces] is inductive, for a win must come after finitely many turns;
    [avoids] is coinductive, for a draw may go on for ever.  These are "has a
    winning strategy" and "has a strategy to prevent the other from winning"
    of Develin & Payne, section 3. *)

From Coq Require Import Arith Lia.
From Proofs Require Import Games.

Record arena := Arena {
  state : Type;
  won : state -> option player;
  finished : state -> bool;
  secures : player -> state -> (state -> Prop) -> Prop
}.

(** Player [p] can win: he has won, or he secures a set of states in each of
    which he can win. *)
Inductive forces (A : arena) (p : player) (s : state A) : Prop :=
| forces_won : won A s = Some p -> forces A p s
| forces_turn (T : state A -> Prop) :
    finished A s = false -> secures A p s T ->
    (forall t, T t -> forces A p t) -> forces A p s.

(** Player [p] can keep the other from winning: the play has ended without a
    win of the other, or [p] secures a set of states in each of which he can
    still keep the other from winning. *)
CoInductive avoids (A : arena) (p : player) (s : state A) : Prop :=
| avoids_over : finished A s = true -> won A s <> Some (other p) -> avoids A p s
| avoids_turn (T : state A -> Prop) :
    finished A s = false -> secures A p s T ->
    (forall t, T t -> avoids A p t) -> avoids A p s.

(** ** Nobody forces what the other avoids

    It is enough that two sets which the two players secure at the same time
    have a state in common, and that a play which is won is over. *)

Definition proper (A : arena) : Prop :=
  (forall s p, won A s = Some p -> finished A s = true) /\
  (forall p s T U, finished A s = false ->
    secures A p s T -> secures A (other p) s U -> exists t, T t /\ U t).

Theorem forces_avoids (A : arena) (p : player) (s : state A) :
  proper A -> forces A p s -> ~ avoids A (other p) s.
Proof.
  intros [W M]; induction 1 as [s Hw | s T Ho Hs _ IH]; intros [Hf Hn | U Hf Hu Hav].
  - rewrite other_other in Hn; auto.
  - rewrite (W _ _ Hw) in Hf; discriminate.
  - rewrite Ho in Hf; discriminate.
  - destruct (M _ _ _ _ Ho Hs Hu) as (t & HT & HU); exact (IH t HT (Hav t HU)).
Qed.

(** In particular the two players cannot both win. *)
Lemma won_not_lost p (o : option player) : o = Some p -> o <> Some (other p).
Proof. intros ->; destruct p; discriminate. Qed.

Lemma forces_is_avoids (A : arena) (p : player) (s : state A) :
  proper A -> forces A p s -> avoids A p s.
Proof.
  intros [W M] H; revert s H; cofix IH; intros s [Hw | T Ho Hs H].
  - exact (avoids_over A p s (W _ _ Hw) (won_not_lost p _ Hw)).
  - apply (avoids_turn A p s T Ho Hs); intros t Ht; apply IH; auto.
Qed.

Corollary forces_both (A : arena) (p : player) (s : state A) :
  proper A -> forces A p s -> ~ forces A (other p) s.
Proof.
  intros P H K; apply (forces_avoids A p s P H), forces_is_avoids; auto.
Qed.

(** ** Principles of proof

    To force a win it is enough that a natural number falls with every turn;
    to avoid a loss, that a set of states can be kept. *)

Lemma forces_by_rank (A : arena) (p : player) (I : nat -> state A -> Prop) :
  (forall n s, I n s -> won A s = Some p \/
     (finished A s = false /\ secures A p s (fun t => exists m, m < n /\ I m t))) ->
  forall n s, I n s -> forces A p s.
Proof.
  intros H n; induction n as [n IH] using lt_wf_ind; intros s Hs.
  destruct (H n s Hs) as [Hw | [Ho Hsec]].
  - now apply forces_won.
  - apply (forces_turn A p s _ Ho Hsec); intros t (m & Hm & Ht); eauto.
Qed.

Lemma avoids_by_invariant (A : arena) (p : player) (I : state A -> Prop) :
  (forall s, I s -> (finished A s = true /\ won A s <> Some (other p)) \/
     (finished A s = false /\ secures A p s I)) ->
  forall s, I s -> avoids A p s.
Proof.
  intro H; cofix IH; intros s Hs.
  destruct (H s Hs) as [[Ho Hw] | [Ho Hsec]].
  - now apply avoids_over.
  - exact (avoids_turn A p s I Ho Hsec IH).
Qed.
