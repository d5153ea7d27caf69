(** * Bidding with chips

    Both players hold chips; one of them holds the tie status.  At every turn
    both bid at the same time, each at most what he has; the higher bidder wins
    the bid, pays his bid to the other and decides who moves (Develin & Payne,
    sections 2.2 and 2.3).  When the bids are equal the tie rule decides:

    - [advantage]: the holder of the tie-breaking advantage either wins the bid
      and hands the advantage over, or lets the other win and keeps it
      (Develin & Payne, section 2.3);
    - [marker]: the holder of the marker wins the bid and hands it over
      (Larsson, Patel & Rai);
    - [make_it_take_it]: whoever won the last bid wins;
    - [losers_ball]: whoever lost the last bid wins;
    - [fixed]: the same player wins all ties, whom the status names. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Play.
Import ListNotations.

Inductive ties := advantage | marker | make_it_take_it | losers_ball | fixed.

Record rules := Rules { tie_rule : ties; mover_rule : convention }.

(** The rules of Develin & Payne. *)
Definition develin_payne : rules := Rules advantage chooses.

Record chips (G : game) := State {
  place : position G;
  alices : nat;
  bobs : nat;
  holder : player
}.
Arguments State {G}. Arguments place {G}. Arguments alices {G}.
Arguments bobs {G}. Arguments holder {G}.

Definition purse {G} (p : player) (s : chips G) : nat :=
  match p with Alice => alices s | Bob => bobs s end.

(** [h] holds the status; after [w] has won by a higher bid, this player does. *)
Definition passes (r : ties) (w h : player) : player :=
  match r with make_it_take_it => w | losers_ball => other w | _ => h end.

(** When [p] bids [x], the other [y], and [h] holds the status, the holder
    picks one of these: who wins the bid, and who holds the status next. *)
Definition verdicts (r : ties) (h p : player) (x y : nat) : list (player * player) :=
  if y <? x then [(p, passes r p h)]
  else if x <? y then [(other p, passes r (other p) h)]
  else match r with
       | advantage => [(h, other h); (other h, h)]
       | marker | losers_ball => [(h, other h)]
       | make_it_take_it | fixed => [(h, h)]
       end.

(** The state after [w] has paid [x], the status has gone to [h], and the
    position is [v]. *)
Definition settle {G} (w : player) (x : nat) (h : player) (v : position G) (s : chips G) : chips G :=
  match w with
  | Alice => State v (alices s - x) (bobs s + x) h
  | Bob => State v (alices s + x) (bobs s - x) h
  end.

(** Player [p] has bid [x] and the other [y]; everything else is decided in
    the open.  [p] can see to it that the next state lies in [T]. *)
Definition lands {G} (r : rules) (p : player) (s : chips G) (x y : nat)
    (T : chips G -> Prop) : Prop :=
  steers p (holder s) (verdicts (tie_rule r) (holder s) p x y)
    (fun '(w, h) =>
       after G (mover_rule r) p w (place s)
         (fun v => T (settle w (if same w p then x else y) h v s))).

(** Player [p] has a bid that is good against every bid of the other. *)
Definition bids {G} (r : rules) (p : player) (s : chips G) (T : chips G -> Prop) : Prop :=
  exists x, x <= purse p s /\ forall y, y <= purse (other p) s -> lands r p s x y T.

Definition with_chips (G : game) (r : rules) : arena :=
  Arena (chips G) (fun s => winner G (place s)) (fun s => over G (place s)) (bids r).

(** ** Thresholds

    With [k] chips in all, [f] is the threshold of the position [v] when [h]
    holds the status: with at least [f] chips Alice wins, with fewer Bob keeps
    her from winning.  If she never wins, f is k + 1 (Develin & Payne,
    section 3.4). *)
Definition threshold (G : game) (r : rules) (v : position G) (k : nat) (h : player) (f : nat) : Prop :=
  f <= k + 1 /\
  forall a b, a + b = k ->
    (f <= a -> forces (with_chips G r) Alice (State v a b h)) /\
    (a < f -> avoids (with_chips G r) Bob (State v a b h)).

(** Under the rules of Develin & Payne the two thresholds are one number
    f(G, k) among 0 < 0* < 1 < 1* < ...: as many chips, with the advantage
    where there is a star.  [Chip a] is a, [Star a] is a*. *)
Inductive count := Chip (a : nat) | Star (a : nat).

(** Counted in half chips, a is 2a and a* is 2a + 1. *)
Definition halves (x : count) : nat :=
  match x with Chip a => 2 * a | Star a => 2 * a + 1 end.

Definition half_chips {G} (p : player) (s : chips G) : nat :=
  2 * purse p s + (if same (holder s) p then 1 else 0).

(** The critical threshold f(G, k) for the position [v], in half chips. *)
Definition critical_halves (G : game) (v : position G) (k H : nat) : Prop :=
  H <= 2 * (k + 1) /\
  forall s : chips G, place s = v -> alices s + bobs s = k ->
    (H <= half_chips Alice s -> forces (with_chips G develin_payne) Alice s) /\
    (half_chips Alice s < H -> avoids (with_chips G develin_payne) Bob s).

Definition f_is (G : game) (v : position G) (k : nat) (x : count) : Prop :=
  critical_halves G v k (halves x).

(** ** Nobody forces what the other avoids; thresholds are unique *)

Lemma verdicts_sym r h p x y : verdicts r h (other p) y x = verdicts r h p x y.
Proof.
  unfold verdicts; rewrite other_other.
  destruct (Nat.ltb_spec y x), (Nat.ltb_spec x y); auto; lia.
Qed.

Lemma lands_meet {G} r p (s : chips G) x y T U :
  lands r p s x y T -> lands r (other p) s y x U -> exists t, T t /\ U t.
Proof.
  unfold lands; rewrite verdicts_sym; intros H K.
  destruct (steers_meet _ _ _ _ _ H K) as ([w h] & _ & H1 & K1).
  destruct (after_meet _ _ _ _ _ _ _ H1 K1) as (v & H2 & K2).
  exists (settle w (if same w p then x else y) h v s); split; [exact H2|].
  now destruct w, p.
Qed.

Lemma bids_mono {G} r p (s : chips G) (T U : chips G -> Prop) :
  (forall t, T t -> U t) -> bids r p s T -> bids r p s U.
Proof.
  intros H (x & Hx & B); exists x; split; [exact Hx|]; intros y Hy; specialize (B y Hy); revert B.
  unfold lands; apply steers_mono; intros [w h] _; apply after_mono; auto.
Qed.

Theorem with_chips_proper G r : proper (with_chips G r).
Proof.
  split; simpl.
  - unfold over; intros s p H; now rewrite H.
  - intros p s T U _ (x & Hx & H) (y & Hy & K).
    rewrite other_other in K; exact (lands_meet r p s x y T U (H y Hy) (K x Hx)).
Qed.

Theorem threshold_unique G r v k h f g :
  threshold G r v k h f -> threshold G r v k h g -> f = g.
Proof.
  assert (L : forall f g, threshold G r v k h f -> threshold G r v k h g -> ~ f < g).
  { intros x y [Bx Hx] [By Hy] L.
    destruct (Hx x (k - x) ltac:(lia)) as [F _], (Hy x (k - x) ltac:(lia)) as [_ N].
    exact (forces_avoids _ Alice _ (with_chips_proper G r) (F ltac:(lia)) (N L)). }
  intros Hf Hg; pose proof (L f g Hf Hg); pose proof (L g f Hg Hf); lia.
Qed.

Lemma critical_halves_threshold G v k H :
  critical_halves G v k H ->
  threshold G develin_payne v k Alice (H / 2) /\
  threshold G develin_payne v k Bob ((H + 1) / 2).
Proof.
  intros [B C].
  assert (E : H = 2 * (H / 2) + H mod 2) by (apply Nat.div_mod; lia).
  assert (E' : H + 1 = 2 * ((H + 1) / 2) + (H + 1) mod 2) by (apply Nat.div_mod; lia).
  pose proof (Nat.mod_upper_bound H 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound (H + 1) 2 ltac:(lia)).
  split; (split; [lia|]); intros a b Hk.
  - destruct (C (State v a b Alice) eq_refl Hk) as [F N].
    unfold half_chips in *; simpl in *; split; intro; [apply F | apply N]; lia.
  - destruct (C (State v a b Bob) eq_refl Hk) as [F N].
    unfold half_chips in *; simpl in *; split; intro; [apply F | apply N]; lia.
Qed.

Theorem critical_halves_unique G v k H K :
  critical_halves G v k H -> critical_halves G v k K -> H = K.
Proof.
  intros CH CK.
  destruct (critical_halves_threshold _ _ _ _ CH) as [A B].
  destruct (critical_halves_threshold _ _ _ _ CK) as [A' B'].
  pose proof (threshold_unique _ _ _ _ _ _ _ A A').
  pose proof (threshold_unique _ _ _ _ _ _ _ B B').
  pose proof (Nat.div_mod H 2 ltac:(lia)); pose proof (Nat.div_mod K 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound H 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound K 2 ltac:(lia)).
  pose proof (Nat.div_mod (H + 1) 2 ltac:(lia)); pose proof (Nat.div_mod (K + 1) 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound (H + 1) 2 ltac:(lia)).
  pose proof (Nat.mod_upper_bound (K + 1) 2 ltac:(lia)).
  lia.
Qed.

(** The critical threshold f(G, k) of Develin & Payne is one number. *)
Theorem f_unique G v k x y : f_is G v k x -> f_is G v k y -> x = y.
Proof.
  intros Hx Hy; pose proof (critical_halves_unique _ _ _ _ _ Hx Hy) as E.
  destruct x, y; simpl in E; f_equal; lia.
Qed.
