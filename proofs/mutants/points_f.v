(** f(points(2, 2), 6) = 3*

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [4], [2])); (* (2, 2) *)
  (2, (None, [5], [3])); (* (2, 1) *)
  (3, (Some Bob, [], [])); (* (2, 0) *)
  (4, (None, [8], [5])); (* (1, 2) *)
  (5, (None, [7], [6])); (* (1, 1) *)
  (6, (Some Bob, [], [])); (* (1, 0) *)
  (7, (Some Alice, [], [])); (* (0, 1) *)
  (8, (Some Alice, [], [])) (* (0, 2) *)
]%positive.

(** * The listing: 8 positions *)

Definition data_0 := "H@1Oi;`:T;LW@L@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (counted 1 (both (number 2) (number 4)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_6 :
  f_is graph 1%positive 6 (Star 3).
Proof. by_thresholds 6%N listing 7%N. Qed.
