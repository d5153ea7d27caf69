(** ultimatum(2)(2, 2* ) = bob

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

Definition bobs_data_0 := "G@YBg9RKedFciF19BC`ffVKI^@".

Definition bobs_listing := items bits_of_text
  (counted 12 (both (a_vertex 3) (counted 3 (both (number 3) (number 4)))))
  [bobs_data_0].

(** * The theorem *)

Lemma bobs_checked :
  thresholds_check (G := (conjugate graph)) 4 bobs_listing 1%positive 5 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_graph :
  forces (with_chips graph develin_payne) Bob (State (G := graph) 1%positive 2 2 Bob).
Proof. by_chips bobs_checked. Qed.
