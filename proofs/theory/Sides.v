(** * The better and the worse side of a position

    Let every position have a value, small values being good for Alice.  Alice
    would move to the least value, [f_A], Bob to the greatest, [f_B].  Whoever
    wins the bid decides who moves, so Alice's winning leads to the smaller of
    the two numbers, [lo], and Bob's to the larger, [hi]; in zugzwang, when
    f_A > f_B, the winner of the bid makes the other move (Develin & Payne,
    sections 3.3 and 3.4).  If only one player can move, he does. *)

From Coq Require Import List Bool.
From Proofs Require Import Games.
Import ListNotations.

Section Sides.
  Context {D : Type} (le : D -> D -> bool).

  Fixpoint least (x : D) (l : list D) : D :=
    match l with
    | [] => x
    | y :: l => let m := least y l in if le x m then x else m
    end.

  Fixpoint greatest (x : D) (l : list D) : D :=
    match l with
    | [] => x
    | y :: l => let m := greatest y l in if le m x then x else m
    end.

  (** From the values that Alice and Bob can move to: [lo] and [hi]. *)
  Definition sides (alices bobs : list D) : option (D * D) :=
    match alices, bobs with
    | [], [] => None
    | x :: a, [] => let m := least x a in Some (m, m)
    | [], y :: b => let n := greatest y b in Some (n, n)
    | x :: a, y :: b =>
        let m := least x a in
        let n := greatest y b in
        if le m n then Some (m, n) else Some (n, m)
    end.

  Hypothesis total : forall x y, le x y = false -> le y x = true.
  Hypothesis trans : forall x y z, le x y = true -> le y z = true -> le x z = true.

  Lemma le_refl x : le x x = true.
  Proof. destruct (le x x) eqn:E; [|pose proof (total _ _ E)]; congruence. Qed.

  Lemma least_in x l : In (least x l) (x :: l).
  Proof.
    revert x; induction l as [|y l IH]; intro x; simpl; [auto|].
    destruct (le x _); [auto|]; right; exact (IH y).
  Qed.

  Lemma greatest_in x l : In (greatest x l) (x :: l).
  Proof.
    revert x; induction l as [|y l IH]; intro x; simpl; [auto|].
    destruct (le _ x); [auto|]; right; exact (IH y).
  Qed.

  Lemma least_le x l z : In z (x :: l) -> le (least x l) z = true.
  Proof.
    revert x z; induction l as [|y l IH]; intros x z; simpl.
    - intros [<-|[]]; apply le_refl.
    - destruct (le x (least y l)) eqn:E; (intros [<-|I]; [|pose proof (IH y z I)]); eauto using le_refl.
  Qed.

  Lemma greatest_ge x l z : In z (x :: l) -> le z (greatest x l) = true.
  Proof.
    revert x z; induction l as [|y l IH]; intros x z; simpl.
    - intros [<-|[]]; apply le_refl.
    - destruct (le (greatest y l) x) eqn:E; (intros [<-|I]; [|pose proof (IH y z I)]); eauto using le_refl.
  Qed.

  Context (G : game) (value : position G -> D) (v : position G).

  (** Alice, having won the bid, can reach a value of at most [lo], and
      whatever Bob does after winning it, at most [hi]; and conversely. *)
  Record two_sides (lo hi : D) : Prop := {
    sides_ordered : le lo hi = true;
    alice_wins_bid : after G chooses Alice Alice v (fun w => le (value w) lo = true);
    alice_loses_bid : after G chooses Alice Bob v (fun w => le (value w) hi = true);
    bob_wins_bid : after G chooses Bob Bob v (fun w => le hi (value w) = true);
    bob_loses_bid : after G chooses Bob Alice v (fun w => le lo (value w) = true)
  }.

  Lemma least_value x l :
    (exists w, In w (x :: l) /\ le (value w) (least (value x) (map value l)) = true) /\
    (forall w, In w (x :: l) -> le (least (value x) (map value l)) (value w) = true).
  Proof.
    split.
    - destruct (proj1 (in_map_iff value (x :: l) _) (least_in (value x) (map value l))) as (w & E & I).
      exists w; rewrite E; auto using le_refl.
    - intros w I; exact (least_le _ _ _ (in_map value (x :: l) w I)).
  Qed.

  Lemma greatest_value x l :
    (exists w, In w (x :: l) /\ le (greatest (value x) (map value l)) (value w) = true) /\
    (forall w, In w (x :: l) -> le (value w) (greatest (value x) (map value l)) = true).
  Proof.
    split.
    - destruct (proj1 (in_map_iff value (x :: l) _) (greatest_in (value x) (map value l))) as (w & E & I).
      exists w; rewrite E; auto using le_refl.
    - intros w I; exact (greatest_ge _ _ _ (in_map value (x :: l) w I)).
  Qed.

  Theorem sides_correct lo hi :
    sides (map value (moves G Alice v)) (map value (moves G Bob v)) = Some (lo, hi) ->
    two_sides lo hi.
  Proof.
    intro H; unfold sides in H.
    destruct (moves G Alice v) as [|x a] eqn:EA, (moves G Bob v) as [|y b] eqn:EB;
      simpl in H; try discriminate;
      try (destruct (least_value x a) as [[wa [Ia La]] Ma]);
      try (destruct (greatest_value y b) as [[wb [Ib Lb]] Mb]);
      try (destruct (le (least _ _) (greatest _ _)) eqn:E; [|pose proof (total _ _ E)]);
      injection H as <- <-;
      (split; [auto using le_refl| | | |]);
      unfold after, steers, movers, can_move; simpl; rewrite EA, EB; simpl;
      first
        [ (* One of the two can be chosen to move ... *)
          solve [ eexists; split; [left; reflexivity | rewrite ?EA, ?EB; simpl; eauto]
                | eexists; split; [right; left; reflexivity | rewrite ?EA, ?EB; simpl; eauto] ]
        | (* ... or both must be considered. *)
          intros q I; repeat destruct I as [<-|I]; try contradiction;
          rewrite ?EA, ?EB; simpl; eauto ].
  Qed.

  (** Where [sides] has no answer nobody can move. *)
  Lemma sides_none : sides (map value (moves G Alice v)) (map value (moves G Bob v)) = None ->
    moves G Alice v = [] /\ moves G Bob v = [].
  Proof.
    unfold sides; destruct (moves G Alice v), (moves G Bob v); simpl; try discriminate; auto.
    destruct (le _ _); discriminate.
  Qed.
End Sides.

Lemma over_none G v : winner G v = None -> moves G Alice v = [] -> moves G Bob v = [] -> over G v = true.
Proof. unfold over, can_move; now intros -> -> ->. Qed.

Lemma not_over G v : over G v = false -> winner G v = None.
Proof. unfold over; now destruct (winner G v). Qed.

Lemma over_some {D} (le : D -> D -> bool) G (value : position G -> D) v x :
  winner G v = None ->
  sides le (map value (moves G Alice v)) (map value (moves G Bob v)) = Some x -> over G v = false.
Proof.
  unfold over, can_move; intros -> H.
  destruct (moves G Alice v), (moves G Bob v); simpl in *; auto; discriminate.
Qed.
