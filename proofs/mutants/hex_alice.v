(** hex(2, 1)(1*, 1) = alice

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

Definition data_0 := "H@PC7YP6JKPaH@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 2 1) (counted 1 (both (number 2) (number 2)))))
  [data_0].

(** * The theorem *)

Lemma checked :
  thresholds_check (G := hex) 2 listing (empty_grid 2 1) 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_hex :
  forces (with_chips hex develin_payne) Alice (State (G := hex) (empty_grid 2 1) 1 1 Alice).
Proof. by_chips checked. Qed.
