(** R(nim([1, 1])) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition nim : game := stuck loses {|
  position := list nat;
  moves me heaps :=
    for_each (range 0 1) (fun h =>
    for_each (range 1 (item 0 [1; 1] h)) (fun s =>
      if s <=? item 0 heaps h then
        [replace heaps h (item 0 heaps h - s)]
      else []));
  winner heaps :=
    None
|}
  (fun heaps => false).

(** * The listing: 6 positions *)

Definition data_0 := "F@nU2D5`J".

Definition listing := items bits_of_text
  (counted 12 (both (either (times 2 (natural 1)) a_cell) (both (number 2) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_nim :
  critical nim (inl [1; 1]) (1 # 2).
Proof. by_values 2%positive listing 1%N. Qed.
