(** f(hex(1, 3), 4) = 4*

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

(** * The listing: 20 positions *)

Definition data_0 := "T@@OAaP@TQLRHJR2@5JKAECeHZUfbUejB@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 1 3) (counted 1 (both (number 2) (number 4)))))
  [data_0].

(** * The theorem *)

Theorem f_hex_4 :
  f_is hex (empty_grid 1 3) 4 (Star 4).
Proof. by_thresholds 4%N listing 9%N. Qed.
