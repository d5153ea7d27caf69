(** R(tug(20)) = 1/2.

    Written by proofs/tools/listing.py. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (Some Bob, [], []));
  (2, (None, [3], [1]));
  (3, (None, [4], [2]));
  (4, (None, [5], [3]));
  (5, (None, [6], [4]));
  (6, (None, [7], [5]));
  (7, (None, [8], [6]));
  (8, (None, [9], [7]));
  (9, (None, [10], [8]));
  (10, (None, [11], [9]));
  (11, (None, [12], [10]));
  (12, (None, [13], [11]));
  (13, (None, [14], [12]));
  (14, (None, [15], [13]));
  (15, (None, [16], [14]));
  (16, (None, [17], [15]));
  (17, (None, [18], [16]));
  (18, (None, [19], [17]));
  (19, (None, [20], [18]));
  (20, (None, [21], [19]));
  (21, (None, [22], [20]));
  (22, (None, [23], [21]));
  (23, (None, [24], [22]));
  (24, (None, [25], [23]));
  (25, (None, [26], [24]));
  (26, (None, [27], [25]));
  (27, (None, [28], [26]));
  (28, (None, [29], [27]));
  (29, (None, [30], [28]));
  (30, (None, [31], [29]));
  (31, (None, [32], [30]));
  (32, (None, [33], [31]));
  (33, (None, [34], [32]));
  (34, (None, [35], [33]));
  (35, (None, [36], [34]));
  (36, (None, [37], [35]));
  (37, (None, [38], [36]));
  (38, (None, [39], [37]));
  (39, (None, [40], [38]));
  (40, (None, [41], [39]));
  (41, (Some Alice, [], []))]%positive.

(** * The listing: 41 positions *)

Definition data_0 := "Ah@BggCffDeeEddFccGbbHaaI``J__K^^L]]M\\N[[OZZPYYQXXRWWSVVTUUi@@hAAgBBfCCeDDdEEcFFbGGaHH`II_JJ^KK]LL\MM[NNZOOYPPXQQWRRVSSUTT".

Definition listing := items 41
  (both (a_vertex 6) (both (number 6) (number 6)))
  (bits_of_texts [data_0]).

(** * The theorem *)

Theorem R_graph : critical graph 21%positive (1 # 2).
Proof. by_values 40%positive listing 20%N. Qed.
