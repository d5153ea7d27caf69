(** R(tug(20)) = 1/2

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition graph : game := graph_game [
  (1, (None, [22; 2], [22; 2])); (* 0 *)
  (2, (None, [1; 3], [1; 3])); (* 1 *)
  (3, (None, [2; 4], [2; 4])); (* 2 *)
  (4, (None, [3; 5], [3; 5])); (* 3 *)
  (5, (None, [4; 6], [4; 6])); (* 4 *)
  (6, (None, [5; 7], [5; 7])); (* 5 *)
  (7, (None, [6; 8], [6; 8])); (* 6 *)
  (8, (None, [7; 9], [7; 9])); (* 7 *)
  (9, (None, [8; 10], [8; 10])); (* 8 *)
  (10, (None, [9; 11], [9; 11])); (* 9 *)
  (11, (None, [10; 12], [10; 12])); (* 10 *)
  (12, (None, [11; 13], [11; 13])); (* 11 *)
  (13, (None, [12; 14], [12; 14])); (* 12 *)
  (14, (None, [13; 15], [13; 15])); (* 13 *)
  (15, (None, [14; 16], [14; 16])); (* 14 *)
  (16, (None, [15; 17], [15; 17])); (* 15 *)
  (17, (None, [16; 18], [16; 18])); (* 16 *)
  (18, (None, [17; 19], [17; 19])); (* 17 *)
  (19, (None, [18; 20], [18; 20])); (* 18 *)
  (20, (None, [19; 21], [19; 21])); (* 19 *)
  (21, (Some Alice, [], [])); (* 20 *)
  (22, (None, [23; 1], [23; 1])); (* -1 *)
  (23, (None, [24; 22], [24; 22])); (* -2 *)
  (24, (None, [25; 23], [25; 23])); (* -3 *)
  (25, (None, [26; 24], [26; 24])); (* -4 *)
  (26, (None, [27; 25], [27; 25])); (* -5 *)
  (27, (None, [28; 26], [28; 26])); (* -6 *)
  (28, (None, [29; 27], [29; 27])); (* -7 *)
  (29, (None, [30; 28], [30; 28])); (* -8 *)
  (30, (None, [31; 29], [31; 29])); (* -9 *)
  (31, (None, [32; 30], [32; 30])); (* -10 *)
  (32, (None, [33; 31], [33; 31])); (* -11 *)
  (33, (None, [34; 32], [34; 32])); (* -12 *)
  (34, (None, [35; 33], [35; 33])); (* -13 *)
  (35, (None, [36; 34], [36; 34])); (* -14 *)
  (36, (None, [37; 35], [37; 35])); (* -15 *)
  (37, (None, [38; 36], [38; 36])); (* -16 *)
  (38, (None, [39; 37], [39; 37])); (* -17 *)
  (39, (None, [40; 38], [40; 38])); (* -18 *)
  (40, (None, [41; 39], [41; 39])); (* -19 *)
  (41, (Some Bob, [], [])) (* -20 *)
]%positive.

(** * The listing: 41 positions *)

Definition data_0 := "i@ATTBSSCRRDQQEPPFOOGNNHMMILLJKKKJJLIIMHHNGGOFFPEEQDDRCCSBBTAAU@@VUUWVVXWWYXXZYY[ZZ\[[]\\^]]_^^`__a``baacbbdcceddfeegffhggih@".

Definition listing := items bits_of_text
  (counted 12 (both (a_vertex 6) (both (number 6) (number 6))))
  [data_0].

(** * The theorem *)

Theorem R_graph :
  critical graph 1%positive (1 # 2).
Proof. by_values 40%positive listing 20%N. Qed.
