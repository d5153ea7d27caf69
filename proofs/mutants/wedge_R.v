(** R(A ∧ (A^2 ∧ B^3)) = 9/32

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [8; 2], [8; 2])); (* (A ∧ (A^2 ∧ B^3)) *)
  (2, (None, [5; 3], [5; 3])); (* (A^2 ∧ B^3) *)
  (3, (None, [4], [7])); (* B^3 *)
  (4, (None, [6], [7])); (* B^2 *)
  (5, (None, [8], [6])); (* A^2 *)
  (6, (None, [8; 7], [8; 7])); (* (A ∧ B) *)
  (7, (Some Bob, [], [])); (* B *)
  (8, (Some Alice, [], [])) (* A *)
]%positive.

(** * The listing: 8 positions *)

Definition data_0 := "H@QRbdC7DfERFTGHH@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (both (number 6) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (9 # 32).
Proof. by_values 32%positive listing 9%N. Qed.
