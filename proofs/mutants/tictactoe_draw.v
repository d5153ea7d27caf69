(** (tictactoe at 'ABA/BAB/B.B')(1*, 1) = draw

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition tictactoe : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 3 positions *)

Definition data_0 := "C@YfbYfjYff".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 0 (both (number 0) (number 0)))))
  [data_0].

Definition bobs_data_0 := "C@Yfb_fiZdYZB".

Definition bobs_listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 1) (number 2)))))
  [bobs_data_0].

(** * The theorem *)

Lemma checked :
  thresholds_check (G := tictactoe) 2 listing [[Some Alice; Some Bob; Some Alice]; [Some Bob; Some Alice; Some Bob]; [Some Bob; None; Some Bob]] 6 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma bobs_checked :
  thresholds_check (G := (conjugate tictactoe)) 2 bobs_listing [[Some Alice; Some Bob; Some Alice]; [Some Bob; Some Alice; Some Bob]; [Some Bob; None; Some Bob]] 3 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem outcome_tictactoe :
  avoids (with_chips tictactoe develin_payne) Bob (State (G := tictactoe) [[Some Alice; Some Bob; Some Alice]; [Some Bob; Some Alice; Some Bob]; [Some Bob; None; Some Bob]] 1 1 Alice) /\ avoids (with_chips tictactoe develin_payne) Alice (State (G := tictactoe) [[Some Alice; Some Bob; Some Alice]; [Some Bob; Some Alice; Some Bob]; [Some Bob; None; Some Bob]] 1 1 Alice).
Proof. split; [ by_chips checked | by_chips bobs_checked ]. Qed.
