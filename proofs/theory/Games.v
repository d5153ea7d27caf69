(** * Games

    A game of two players, Alice and Bob, is a directed graph with coloured
    edges (Develin & Payne, section 2.1): a type of positions, the moves of
    each player from each position, and the positions where somebody has won.
    Play ends where somebody has won, or where nobody can move: that is a draw.

    Nothing is assumed about the graph.  It may be infinite, it may contain
    cycles, and the two players may have different moves. *)

From Coq Require Import List Bool Lia.
Import ListNotations.

Inductive player := Alice | Bob.

Definition other (p : player) : player :=
  match p with Alice => Bob | Bob => Alice end.

Definition same (p q : player) : bool :=
  match p, q with Alice, Alice | Bob, Bob => true | _, _ => false end.

Record game := Game {
  position : Type;
  moves : player -> position -> list position;
  winner : position -> option player
}.

Definition can_move (G : game) (p : player) (v : position G) : bool :=
  match moves G p v with [] => false | _ :: _ => true end.

Definition over (G : game) (v : position G) : bool :=
  match winner G v with
  | Some _ => true
  | None => if can_move G Alice v then false else negb (can_move G Bob v)
  end.

(** ** Choices

    Player [q] picks a member of the list [l].  [steers p q l P] says that
    player [p] can see to it that the member picked satisfies [P]: some member
    does, if [p] picks it himself; every member does, if the other picks it. *)

Definition steers {X} (p q : player) (l : list X) (P : X -> Prop) : Prop :=
  if same p q then exists x, In x l /\ P x else forall x, In x l -> P x.

(** ** The move after the bid

    Whoever wins the bid decides who moves, among those who can move
    (Develin & Payne, section 2.2); under the convention [must_move] the winner
    of the bid moves himself if he can. *)

Inductive convention := chooses | must_move.

Definition movers (G : game) (c : convention) (w : player) (v : position G) : list player :=
  match c with
  | chooses => filter (fun q => can_move G q v) [Alice; Bob]
  | must_move => if can_move G w v then [w] else [other w]
  end.

(** [after c p w v P]: player [w] has won the bid at [v], and [p] can see to
    it that the next position satisfies [P]. *)

Definition after (G : game) (c : convention) (p w : player) (v : position G)
    (P : position G -> Prop) : Prop :=
  steers p w (movers G c w v) (fun q => steers p q (moves G q v) P).

(** ** Elementary facts *)

Lemma same_refl p : same p p = true.
Proof. now destruct p. Qed.

Lemma same_other p : same p (other p) = false.
Proof. now destruct p. Qed.

Lemma other_same p : same (other p) p = false.
Proof. now destruct p. Qed.

Lemma other_other p : other (other p) = p.
Proof. now destruct p. Qed.

Lemma same_eq p q : same p q = true -> p = q.
Proof. now destruct p, q. Qed.

Lemma player_cases p q : q = p \/ q = other p.
Proof. destruct p, q; auto. Qed.

Lemma steers_mono {X} p q (l : list X) (P Q : X -> Prop) :
  (forall x, In x l -> P x -> Q x) -> steers p q l P -> steers p q l Q.
Proof.
  unfold steers; destruct (same p q); [|auto].
  intros H (x & I & HP); eauto.
Qed.

(** What both players can see to, happens to both of them at once. *)
Lemma steers_meet {X} p q (l : list X) (P Q : X -> Prop) :
  steers p q l P -> steers (other p) q l Q -> exists x, In x l /\ P x /\ Q x.
Proof.
  unfold steers; destruct p, q; simpl; intros H K.
  all: first [destruct H as (x & I & H) | destruct K as (x & I & K)]; eauto.
Qed.

(** [next G v w]: somebody can move from [v] to [w]. *)
Definition next (G : game) (v w : position G) : Prop :=
  In w (moves G Alice v) \/ In w (moves G Bob v).

Lemma after_mono G c p w v (P Q : position G -> Prop) :
  (forall x, next G v x -> P x -> Q x) -> after G c p w v P -> after G c p w v Q.
Proof.
  intro H; unfold after; apply steers_mono; intros q _.
  apply steers_mono; intros x I; apply H; unfold next; destruct q; auto.
Qed.

Lemma after_meet G c p w v (P Q : position G -> Prop) :
  after G c p w v P -> after G c (other p) w v Q -> exists x, P x /\ Q x.
Proof.
  unfold after; intros H K.
  destruct (steers_meet _ _ _ _ _ H K) as (q & _ & H1 & K1).
  destruct (steers_meet _ _ _ _ _ H1 K1) as (x & _ & HP & HQ); eauto.
Qed.

(** [stays G P]: no move leaves the set [P] of positions, so that it is enough
    to know the game there. *)
Definition stays (G : game) (P : position G -> Prop) : Prop :=
  forall v w, P v -> over G v = false -> next G v w -> P w.

(** ** Positions with one move for each player *)

Section OneMoveEach.
  Variables (G : game) (v x y : position G).
  Hypotheses (HA : moves G Alice v = [x]) (HB : moves G Bob v = [y]).

  (** Whoever wins the bid can move himself. *)
  Lemma after_win p (P : position G -> Prop) :
    P (match p with Alice => x | Bob => y end) -> after G chooses p p v P.
  Proof.
    intro H; unfold after, steers, movers; simpl; unfold can_move.
    rewrite same_refl, HA, HB; exists p; split; [destruct p; simpl; auto|].
    rewrite same_refl; destruct p; rewrite ?HA, ?HB; eexists; simpl; eauto.
  Qed.

  (** Who has lost it is safe if both moves are good for him. *)
  Lemma after_loss p (P : position G -> Prop) :
    P x -> P y -> after G chooses p (other p) v P.
  Proof.
    intros Hx Hy; unfold after, steers; rewrite same_other; intros q _.
    destruct (same p q); destruct q; rewrite ?HA, ?HB; simpl.
    1,2: eexists; eauto.
    all: intros z [<-|[]]; assumption.
  Qed.
End OneMoveEach.
