(** f(tug(2), 5) = 3*

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [4; 2], [4; 2])); (* 0 *)
  (2, (None, [1; 3], [1; 3])); (* 1 *)
  (3, (Some Alice, [], [])); (* 2 *)
  (4, (None, [5; 1], [5; 1])); (* -1 *)
  (5, (Some Bob, [], [])) (* -2 *)
]%positive.

(** * The listing: 5 positions *)

Definition data_0 := "E@Qe<41F5YA`nmZA".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (counted 2 (both (number 3) (number 4)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_5 :
  f_is graph 1%positive 5 (Star 3).
Proof. by_thresholds 5%N listing 7%N. Qed.
