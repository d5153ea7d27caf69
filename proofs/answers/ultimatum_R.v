(** R(ultimatum(7)) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [10], [2])); (* 0 *)
  (2, (None, [3], [9])); (* -7 *)
  (3, (None, [4], [9])); (* -6 *)
  (4, (None, [5], [9])); (* -5 *)
  (5, (None, [6], [9])); (* -4 *)
  (6, (None, [7], [9])); (* -3 *)
  (7, (None, [8], [9])); (* -2 *)
  (8, (None, [1], [9])); (* -1 *)
  (9, (Some Bob, [], [])); (* L *)
  (10, (None, [17], [11])); (* 7 *)
  (11, (None, [17], [12])); (* 6 *)
  (12, (None, [17], [13])); (* 5 *)
  (13, (None, [17], [14])); (* 4 *)
  (14, (None, [17], [15])); (* 3 *)
  (15, (None, [17], [16])); (* 2 *)
  (16, (None, [17], [1])); (* 1 *)
  (17, (Some Alice, [], [])) (* W *)
]%positive.

(** * The listing: 17 positions *)

Definition data_0 := "Q@A@Ib?eC?aD>]E<YF8UG0QH`MI@Bj@DKADLBDMDDNHDOPDP`DQ@@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 5) (both (number 9) (number 4))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (1 # 2).
Proof. by_values 256%positive listing 128%N. Qed.
