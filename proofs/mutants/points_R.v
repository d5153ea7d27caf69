(** R(points(2, 3)) = 5/16

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [5], [2])); (* (2, 3) *)
  (2, (None, [6], [3])); (* (2, 2) *)
  (3, (None, [7], [4])); (* (2, 1) *)
  (4, (Some Bob, [], [])); (* (2, 0) *)
  (5, (None, [11], [6])); (* (1, 3) *)
  (6, (None, [10], [7])); (* (1, 2) *)
  (7, (None, [9], [8])); (* (1, 1) *)
  (8, (Some Bob, [], [])); (* (1, 0) *)
  (9, (Some Alice, [], [])); (* (0, 1) *)
  (10, (Some Alice, [], [])); (* (0, 2) *)
  (11, (Some Alice, [], [])) (* (0, 3) *)
]%positive.

(** * The listing: 11 positions *)

Definition data_0 := "K@QQA90d`TbLRGJDRBPAl@@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (both (number 5) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (5 # 16).
Proof. by_values 16%positive listing 5%N. Qed.
