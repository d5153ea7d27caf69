(** R(ttt('.AB/.B./A..')) = 9/16

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

(** * The listing: 231 positions *)

Definition data_0 := "gCdHAIIQBYRbd0dDIeIIZ@SR4PHdhILIQSaPjD0dTIDBiZHDReDHdJiPHUSaPjf@aTM@bIR@SSdPHfHIPLQRaXbF04DMDbIZBDS4THfJALMUBaXjd@1TIEbiZBDS5@HdHQfHQ2XRbFabDMcIiRDJReLHdjYPHUc`XbDa2DICbIZDJS4LHfJQhLU2`XjfA1TMBBIRaIRdRfdhEhHQKaPbVA`Ti@EiRIDR5RHdjEPHUj@XbT`2DiDbIZAJS4RHfhU@LUJPYjTB1Tm@biRE@SdJ@dHU@H1BRRbE2dDKaIIVJSRm@fdZaPH5R`PjeB1DK`iIVHDSlDHfXiPL5BXZjEB1TKAbiVJDRlHSdXYLI5bPQjeA1DKBeIVFDSmHTfZYPH1JLQbU2dTk@EiVIDRmJ@fXEhL1JaXjU`2TkDbiVE@SlJ@dXU@HSBLQfDbbLIAEYRJJ24@TdiaPHSSPQffB1LI`iYRHD3dDHfIiPLSCXZfFB1LMAbYZJD2dHRdIYhHScHQffa2LIBeYRFD34HTfiYPHSJHQfTbbLm@EYZID24J@fIEhLSJaXfV`2LmDbYZE@3dJ@dIU@H3BLQfEbbLKAEYVJJ3l@ffYaPL3R`XfeBaLKbDYVFJ3lHTfYYPH3JHQfUb2Lk@eYVID3lJ@dYU@JQBLUbDbjLIDPIRBjRdTTeIi@JSR@TbF`jDMDRIZBjR4THeiI@JSC@TjD0lTIDRiZHdReDHeJiPJUSaTjf@iTM@RIRDiRdLTeIY@JQcPUbfajLMCPYZD`ReHTeJYPJU3`TjFAiLIBPIRAiRdRTeIe@JQKPUbVBiDmBPYZA`ReBTeJePJUKaTjV@iTiBPIRE`2dB@eXAfJ1BQUfEBhDKAUIVJj2lT@eYI@J5BXVjEBiTKARiVJdRlHReXYhJ32@TjEajTKCRYVD`RlBReXehJ3JATjU`jTkDRiVE`RlJ@eYE@J3B@TfD@@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 3 3) (both (number 5) (number 2))))
  [data_0].

(** * The theorem *)

Theorem R_tictactoe :
  critical tictactoe [[None; Some Alice; Some Bob]; [None; Some Bob; None]; [Some Alice; None; None]] (9 # 16).
Proof. by_values 16%positive listing 9%N. Qed.
