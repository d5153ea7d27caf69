(** f(tug(5), 13) = 9

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [7; 2], [7; 2])); (* 0 *)
  (2, (None, [1; 3], [1; 3])); (* 1 *)
  (3, (None, [2; 4], [2; 4])); (* 2 *)
  (4, (None, [3; 5], [3; 5])); (* 3 *)
  (5, (None, [4; 6], [4; 6])); (* 4 *)
  (6, (Some Alice, [], [])); (* 5 *)
  (7, (None, [8; 1], [8; 1])); (* -1 *)
  (8, (None, [9; 7], [9; 7])); (* -2 *)
  (9, (None, [10; 8], [10; 8])); (* -3 *)
  (10, (None, [11; 9], [11; 9])); (* -4 *)
  (11, (Some Bob, [], [])) (* -5 *)
]%positive.

(** * The listing: 11 positions *)

Definition data_0 := "K@a]lS4K8G[EmSJK16Hc\UlLUGJ4dRZE9`^oQG2E6CZblAF=f\WmM67bVaJQ48a8TZLLgedBKia@OEF8FTEhc3b9idQBGV@@NTY3h]2PXjkeek:QQkYGig2W8m;gMIiMfVKCbUI[GjW@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 4) (counted 4 (both (number 6) (number 5)))))
  [data_0].

(** * The theorem *)

Theorem f_graph_13 :
  f_is graph 1%positive 13 (Chip 9).
Proof. by_thresholds 13%N listing 18%N. Qed.
