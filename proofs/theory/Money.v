(** * Bidding with real money

    The two players share one unit of money, and bids may be any fraction of
    it (Develin & Payne, sections 1 and 3.3, after Lazarus, Loeb, Propp,
    Stromquist and Ullman).  Shares and bids are rational numbers here.  A coin
    decides ties, so a bid counts as good only if, the bids being equal, it
    does both for winning and for losing the bid. *)

From Coq Require Import List QArith Lia Lqa.
From Proofs Require Import Games Play.
Local Open Scope Q_scope.

Record money (G : game) := Holds { spot : position G; share : Q }.
Arguments Holds {G}. Arguments spot {G}. Arguments share {G}.

(** [share] is Alice's share; Bob has the rest. *)
Definition funds {G} (p : player) (s : money G) : Q :=
  match p with Alice => share s | Bob => 1 - share s end.

Definition pays {G} (w : player) (x : Q) (v : position G) (s : money G) : money G :=
  match w with
  | Alice => Holds v (share s - x)
  | Bob => Holds v (share s + x)
  end.

(** Player [p] has a bid [x] that is good against every bid [y] of the other. *)
Definition offers {G} (p : player) (s : money G) (T : money G -> Prop) : Prop :=
  exists x, 0 <= x <= funds p s /\
  forall y, 0 <= y <= funds (other p) s ->
    (y <= x -> after G chooses p p (spot s) (fun v => T (pays p x v s))) /\
    (x <= y -> after G chooses p (other p) (spot s) (fun v => T (pays (other p) y v s))).

Definition with_money (G : game) : arena :=
  Arena (money G) (fun s => winner G (spot s)) (fun s => over G (spot s)) offers.

(** The critical threshold R(G) for the position [v]: with a larger share
    Alice wins, with a smaller one Bob keeps her from winning. *)
Definition critical (G : game) (v : position G) (r : Q) : Prop :=
  0 <= r <= 1 /\
  forall a, 0 <= a <= 1 ->
    (r < a -> forces (with_money G) Alice (Holds v a)) /\
    (a < r -> avoids (with_money G) Bob (Holds v a)).

(** ** Nobody forces what the other avoids; critical thresholds are unique *)

Lemma offers_mono {G} p (s : money G) (T U : money G -> Prop) :
  (forall t, T t -> U t) -> offers p s T -> offers p s U.
Proof.
  intros H (x & Hx & B); exists x; split; [exact Hx|]; intros y Hy; destruct (B y Hy) as [B1 B2].
  split; intro L; [generalize (B1 L) | generalize (B2 L)]; apply after_mono; auto.
Qed.

Theorem with_money_proper G : proper (with_money G).
Proof.
  split; simpl.
  - unfold over; intros s p H; now rewrite H.
  - intros p s T U _ (x & Hx & H) (y & Hy & K); rewrite other_other in K.
    destruct (H y Hy) as [H1 H2], (K x Hx) as [K1 K2].
    destruct (Qlt_le_dec x y) as [L|L].
    + destruct (after_meet _ _ _ _ _ _ _ (H2 ltac:(lra)) (K1 ltac:(lra))) as (v & ? & ?); eauto.
    + destruct (after_meet _ _ _ _ _ _ _ (H1 L) (K2 L)) as (v & ? & ?); eauto.
Qed.

Theorem critical_unique G v r q : critical G v r -> critical G v q -> r == q.
Proof.
  assert (L : forall r q, critical G v r -> critical G v q -> ~ r < q).
  { intros x y [Bx Hx] [By Hy] L.
    pose (m := (x + y) * (1#2)).
    assert (0 <= m <= 1 /\ x < m /\ m < y) as (Bm & A & B) by (unfold m; lra).
    destruct (Hx m Bm) as [F _], (Hy m Bm) as [_ N].
    exact (forces_avoids _ Alice _ (with_money_proper G) (F A) (N B)). }
  intros Hr Hq; pose proof (L r q Hr Hq); pose proof (L q r Hq Hr); lra.
Qed.

(** ** One turn

    If by winning the bid [p] comes to a position that needs at most [lo], and
    by losing it to one that needs at most [hi], then half the sum of the two
    is enough now, and what he has beyond it he keeps (Develin & Payne,
    section 3.3): he bids half the difference. *)
Lemma money_turn G p (s : money G) (need : position G -> Q) lo hi extra :
  0 <= share s <= 1 -> 0 <= lo <= hi -> 0 <= extra ->
  after G chooses p p (spot s) (fun v => need v <= lo) ->
  after G chooses p (other p) (spot s) (fun v => need v <= hi) ->
  (lo + hi) * (1#2) + extra <= funds p s ->
  offers p s (fun t => next G (spot s) (spot t) /\ 0 <= share t <= 1 /\
    need (spot t) + extra <= funds p t).
Proof.
  intros Hs Hlo He Hwin Hlose Hf.
  exists ((hi - lo) * (1#2)); split; [lra|].
  intros y Hy; split; intro L; (eapply after_mono; [|eassumption]);
    intros v Hn Hv; destruct p; simpl in *; (split; [exact Hn | lra]).
Qed.

(** The critical threshold may be written in any way as a fraction. *)
Lemma critical_compat G v r q : r == q -> critical G v r -> critical G v q.
Proof.
  intros E [B H]; split; [lra|]; intros a Ha; destruct (H a Ha) as [F N].
  split; intro L; [apply F | apply N]; lra.
Qed.
