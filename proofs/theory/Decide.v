(** * Deciding a turn

    With finitely many moves and bids, whether a player secures a set of states
    by one turn can be computed: try all his bids against all bids of the
    other, all uses of the tie status and all moves.  The functions are written
    with [if], for then the virtual machine stops at the first answer. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Play Chips.
Import ListNotations.

Section Lists.
  Context {X : Type} (f : X -> bool).

  Fixpoint every (l : list X) : bool :=
    match l with [] => true | x :: l => if f x then every l else false end.

  Fixpoint some (l : list X) : bool :=
    match l with [] => false | x :: l => if f x then true else some l end.

  Lemma every_spec l : every l = true <-> forall x, In x l -> f x = true.
  Proof.
    induction l as [|x l IH]; simpl; [easy|].
    destruct (f x) eqn:E; split; intro H.
    - intros y [<-|I]; [exact E|]; now apply IH.
    - apply IH; auto.
    - discriminate.
    - rewrite <- E; auto.
  Qed.

  Lemma some_spec l : some l = true <-> exists x, In x l /\ f x = true.
  Proof.
    induction l as [|x l IH]; simpl; [split; [easy | now intros (? & [] & _)]|].
    destruct (f x) eqn:E; split; intro H; auto.
    - exists x; auto.
    - apply IH in H; destruct H as (y & ? & ?); eauto.
    - apply IH; destruct H as (y & [<-|I] & Hy); [congruence | eauto].
  Qed.
End Lists.

(** The numbers 0, ..., n. *)
Definition upto (n : nat) : list nat := seq 0 (S n).

Lemma upto_spec n x : In x (upto n) <-> x <= n.
Proof. unfold upto; rewrite in_seq; lia. Qed.

Definition steers_b {X} (p q : player) (l : list X) (P : X -> bool) : bool :=
  if same p q then some P l else every P l.

Definition after_b (G : game) (c : convention) (p w : player) (v : position G) (P : position G -> bool) : bool :=
  steers_b p w (movers G c w v) (fun q => steers_b p q (moves G q v) P).

Section Turn.
  Context {G : game} (r : rules) (p : player) (s : chips G) (T : chips G -> bool).

  Definition verdict_good (x y : nat) (wh : player * player) : bool :=
    let (w, h) := wh in
    after_b G (mover_rule r) p w (place s) (fun v => T (settle w (if same w p then x else y) h v s)).

  Definition lands_b (x y : nat) : bool :=
    steers_b p (holder s) (verdicts (tie_rule r) (holder s) p x y) (verdict_good x y).

  Definition bid_good (x : nat) : bool := every (lands_b x) (upto (purse (other p) s)).

  Definition bids_b : bool := some bid_good (upto (purse p s)).
End Turn.

Lemma steers_b_spec {X} p q (l : list X) (P : X -> bool) (Q : X -> Prop) :
  (forall x, P x = true <-> Q x) -> steers_b p q l P = true <-> steers p q l Q.
Proof.
  intro H; unfold steers_b, steers; destruct (same p q).
  - rewrite some_spec; split; intros (x & I & K); exists x; split; auto; now apply H.
  - rewrite every_spec; split; intros K x I; apply H; auto.
Qed.

Lemma after_b_spec G c p w v P (Q : position G -> Prop) :
  (forall x, P x = true <-> Q x) -> after_b G c p w v P = true <-> after G c p w v Q.
Proof. intro H; apply steers_b_spec; intro q; now apply steers_b_spec. Qed.

Lemma lands_b_spec {G} r p (s : chips G) T x y :
  lands_b r p s T x y = true <-> lands r p s x y (fun t => T t = true).
Proof.
  apply steers_b_spec; intros [w h]; unfold verdict_good; now apply after_b_spec.
Qed.

Theorem bids_b_spec {G} r p (s : chips G) T :
  bids_b r p s T = true <-> bids r p s (fun t => T t = true).
Proof.
  unfold bids_b, bids, bid_good; rewrite some_spec; split.
  - intros (x & I & H); exists x; rewrite upto_spec in I; split; [exact I|].
    intros y Hy; apply lands_b_spec; rewrite every_spec in H; apply H; now apply upto_spec.
  - intros (x & I & H); exists x; rewrite upto_spec, every_spec; split; [exact I|].
    intros y Hy; apply lands_b_spec, H; now apply upto_spec.
Qed.
