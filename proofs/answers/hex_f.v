(** f(hex(2, 3), 5) = 4

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition hex : game := {|
  position := grid;
  moves me board :=
    for_each (cells board) (fun c =>
      if is_empty (at_cell board c) then
        [put board me c]
      else []);
  winner board :=
    if connected board Alice left_side right_side then Some Alice
    else if connected board Bob top_side bottom_side then Some Bob
    else None
|}.

(** * The listing: 691 positions *)

Definition data_0 := "`E@@MB@nI@2j@hiBbBPXU@1\AT2EP=VPUHjPT@BlJHHPD`B@EAj@AXUD0\QPaHBAAb@T`\QAab@U`@0fB`iJHR@IWA4[ETIbRPa`@Q`\EAIbPT`BPjJ`7j`RQdBBEAj@7jBREaj@@h=@0REPJU@m[Q4@BeHHFPi[A5`@eIBFDIhPWbbAUb@TbBX7JhQPbH4ebXDeh@]iBFEIjPUjbQUB@1^@dIBXdJ`9m`DIBRB48VPSHDIbP^IbIDChDWbRB5`@QbBdWJXR0`H1ebdDMhP\hBYeJfTLhRTiJIUC@TIAX]IH5Q`VUbP]FbETj2PmHP]f`EQj2DmhPUfbEUj1Tm@DlFPXb@IYBd^IXJ0`LACAf@IHQd0KQRad@M8R4PhIDBRSH<PadKERkTLeX0ebaDShD\hRXeJiTRhFTiZH5D@QIAd]IX4Y`YPbNCICZTYhYDbNRHkR1h2D3hDUfRF5h1T3@TdCP9Y`EgAVBlJ@db[PJKCmhL4RhUA`TE`P1MBeeIVTfXI1j@TJjQi\L5b1TKiVE`RU@BUA@TE@D0ZP`iAadHD:aPBYBI^Id2ePjUbiBSAFPfX`WbaBSDFBLAR@IJA^hdHIdKePkTRedBIAZ@WjAViFJMQZH4D@AeFD6aPRWBiUIfFLhK10`IQB:PIlJe4HIQCjRMLZR`HRBb<HHcKaLkDc8LL220LaYPb8LI22dLIYPchLM214LiY@b:HHkJ1hJC3bDUYRV4hFS3BTPNPa7@UF@T2YPieaE\FVXYXi0JC@KAVQ@RA7HEVcTY@RIeIeNfVPYZacieRkL@mDZEAHUD@T4MPYeaEUFVFlj@dbjQJ[Lmh142hUE`TU@PUA@UD@A0^D`IR`dHA:adhHDRdP<RBeKITkdTEIPjd`HQPJ\KiHREF@IZ@^iaHCdKMPk4PeIJCEFBLAn5DdIBSADPiQ`]Ha4aDZURB]HIFRiJI5X@]hAVeFZLdXBUiIFSIDDiQP^Ha1aDfURR\HIIRcJIMYP\H".
Definition data_1 := "MEFdUZX20`IQefdLMPP]CaUYdT5PZMfAUYFVLiF34BQPRDagQd\FQZYdiHCndLDYBc`cLBK3HiLc41LSYFTiYH3DDQ7PdUFYTYdYLbj1H[L3h1L3PT\CQYYdEeQVblJ@cbZLJG3lXL3RfUAXTE@QU@T@9PA^CUX@TH7PaVCUZ@TIAPI\FeXYTJeQiNfE0YV`eYI2JL@Kd2lPG3ReUZ@VJlRB0R`UP@TP7PaUCUV@TReQiMfETYVXcYi1JK@KIVQAPEE@E1MTd5PUF@eQYTfcYQTfE9XVflJC02`UQ@TT5PYMfE5XVVljB`jJ@jb@hBBH@Xo@0DCP2L@=2PTABIFH^Y`2eAjUFjJQUbbP`TCAEbHT86PQaJR@RMA<6DTIbRPdHHE86TPiHRED@eV@6eARGFhUYbfPhCC1DJUYhfDhKS0dHIEj2TLiRBHRK`<0@cCCLkLd80PRaFUFZJa80D2JSLeXHeh2TRiFBhnI0jlPjZBmFKajlDKiTceZIHHm`0CCRnLHm20TaAWFFJLQR0aIaUfdJIQZPeiaRSDD]TPVeaQeEfIIjldLiQcefIh8f`22BKJKlTXU@IE5dTNVZ1XieRkBHiJ``j@b@RJB<hHd3bPKKR8lH12bTJKR]lLUYJ2@nLCl2LTYb2PdIHB:hHl2bdJKR[lLMYPUfaISRD1MQd5DYTVd9XYDeeQNVfiLCQT5DYMVeU@YTceYibJ`h`[bBkIjL`hd2bRGKKhll012ReUFPVblb@bbjIJ[llh122dUEPTU@QEAT@dTA8YU`AT`\VAZYehjPChBI`BacJDKkRL`Be2JTGkTUeZ@UJATIDPI0ee`JQTJTYihREEP7T`UVEV@ER5ThMVeV@URATBUVIfRi1J5TAEPA1MEdeUQFPaQMEfcUYFPaU@UFATRTVIiRc1JMUZEPIU@ETATQDPQ0QEaeUEFPQRYEicUfjJM`jd@JCjlLTYbbhZJ2FkJK`2h1J3TEEPQQMEecUUFPY1X".
Definition data_2 := "F@eeJkBhhJ`jb@jBBhBH@".

Definition listing := items bits_of_text
  (counted 12 (both (a_grid 2 3) (counted 1 (both (number 3) (number 4)))))
  [data_0; data_1; data_2].

(** * The theorem *)

Theorem f_hex_5 :
  f_is hex (empty_grid 2 3) 5 (Chip 4).
Proof. by_thresholds 5%N listing 8%N. Qed.
