(** R(ultimatum(2)) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [5], [2])); (* 0 *)
  (2, (None, [3], [4])); (* -2 *)
  (3, (None, [1], [4])); (* -1 *)
  (4, (Some Bob, [], [])); (* L *)
  (5, (None, [7], [6])); (* 2 *)
  (6, (None, [7], [1])); (* 1 *)
  (7, (Some Alice, [], [])) (* W *)
]%positive.

(** * The listing: 7 positions *)

Definition data_0 := "G@adNN[DQcXIG@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (both (number 4) (number 3))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (1 # 2).
Proof. by_values 8%positive listing 4%N. Qed.
