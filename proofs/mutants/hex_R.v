(** R(hex(1, 2)) = 3/4

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition hex : game := {|
  position := grid;
  moves me board :=
    for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    if connected board Alice left_side right_side then Some Alice
    else if connected board Bob top_side bottom_side then Some Bob
    else None
|}.

(** * The listing: 8 positions *)

Definition data_0 := "H@0DIBaTFITIi@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 1 2) (both (number 3) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_hex :
  critical hex (empty_grid 1 2) (3 # 4).
Proof. by_values 4%positive listing 3%N. Qed.
