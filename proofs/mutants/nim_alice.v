(** nim([2])(1*, 1) = alice

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition nim : game := stuck loses {|
  position := list nat;
  moves me heaps :=
    for_each (range 0 0) (fun h =>
    for_each (range 1 (item 0 [2] h)) (fun s =>
      if s <=? item 0 heaps h then
        [replace heaps h (item 0 heaps h - s)]
      else []));
  winner heaps :=
    None
|}
  (fun heaps => false).

(** * The listing: 5 positions *)

Definition data_0 := "E@<kN6KT".

Definition listing := items bits_of_text
  (counted 12 (both (either (times 1 (natural 2)) a_cell) (counted 1 (both (number 2) (number 2)))))
  [data_0].

(** * The theorem *)

Lemma checked :
  thresholds_check (G := nim) 2 listing (inl [2]) 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_nim :
  forces (with_chips nim develin_payne) Alice (State (G := nim) (inl [2]) 1 1 Alice).
Proof. by_chips checked. Qed.
