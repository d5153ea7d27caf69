(** f(c3f, [11, 75]) = k          11   75 f(c3f, k)  8*   55*

    Written by bid; the format is described in proofs/README.md. *)

From Proofs Require Import Answers.

(** * The rules *)

Definition connect : game := {|
  position := grid;
  moves me board :=
    if full board then []
    else for_each (range 0 2) (fun col =>
      if height board col <? 3 then
        [fall board me col]
      else []);
  winner board :=
    whoever (fun me => line board me 3)
|}.

(** * The listing: 166 positions *)

Definition data_11_0 := "fBDHH]d@A]iDhhYeDEEAjJJT4kRajb@CMidXhWeDSEAfJJL4SRaib@QYiDHjHTT2JabJCEEEJJWmPQEQbRRIRTYdh\UcDUEIJglHQEAB6:HP12IIJ6UiP1NIAbVBIP5nJIjFJTmRRijaPQ;dDjZLT4ThhU2BUMDIZ7cHUkddiZhR5FfQbVIMR5Xfj1JUSQbV1JR5FVYjfjTm@P`aeJRLlkR`i]LRLMDZZEcTScafFJMm@ThiMlRMMUZZA`BSK@DYZEcLScQf60L34XeiE@jLm@TdiMl2LMUYZA`BCK@DHIkc@IMaDhigdDMEEZZIiTSQ`e^ORl4RRaeVLBed\Rhd^UB5TDZiedTKeiVJCmTTZiC3RKeaR2UMTRUhd\2Be4RVhfjPK]XeZij4RC@ARV:HP3NIIZVIIU3PafURJ5LDJYgdPMcaRVIMT3ThdU2B5LDXYWbDKkdDZYEcTKcaV60L52XieE@Jml@TheMlRmLUZYA`BKK@DIIibHI=XDiiEcLMeQZJj44aYefjJMM@EiiA`HKmXdYiC3LKUYVZ@L2RQeeNLklTUYiAhHKM@EIiA0HI9jFIiHR2nDQZV1HS3FVYZV@hR3FVUZV@JR3B`QRVIMR3Xff1JMCQVVYH32FVYVV@L22FfYVFkll@PeeE`bll@TddE`bdd@@".

Definition listing_11 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 5)))))
  [data_11_0].

Definition data_75_0 := "fBDHH=[DHhK`DhhYadhhHPUQab^ERajb@CM9cDC=JdDSEAfJJL4SNJLUDHJK`DHjHTT2BITTYhhhPQ9JlPQEQbR2GQbJcDekPcDUEIJg\EIjHP0VoHP12=HQ1nBiP1N9HP4R4HP5nBIQ5PajU2QijaPQ;dcPUcabfBEmRnBUMDIZ7WDiZe\diZhR5FfLR4J9LR5Xfj1JUSQbV1TQj60TYjfjTm@@BLlTHRLlkPBLmcIRLMDZZESdZZL44PiiE@ThiMLUjiiRSK@`BSK@`HSkXbLScQf60dYfFkLm@@jLm@`bLmai2LMUYZA@TXXA@DHIkWDHiIZDhig\dhihPSK9hTSQ`e^_QbeV2QaeVLQhdd;Qhd^ERhfbPKmdcTKeiVJCmTTZiCSVZiLTRnBMTRUhd\2UhdV2UhfjPK]XjTKUeVZ@@ARVZEAZ6IGIZVIGiZFJ4lRNJ5LDJYg\DjYLT2J9LT3ThdU2Uhfa@K;2aDKkdcPKkXbTKcaV60diVFKml@@Jml@`BmlaiRmLUZYA@TXYA@DIIiPDIiGSDiiESdiiLRSQefNLYefjJMM@hHMM@`HKmXbLK]X2LKUYVZ@`QVJjl4aIklTUYiA@EYiA@EIiA@FIIWaFIiHR2n\HR3JfHS3FfJS3B@hR3FfjR3B@JR3B@LR2J9LR3Xff1JMCQVVYBYV60TYVV@`QV60dYVFkll@@jll@`bll@`bdl@`bdd@@".

Definition listing_75 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 8)))))
  [data_75_0].

(** * The theorem *)

Theorem f_connect_11 :
  f_is connect [[None; Some Alice; None]; [None; Some Bob; None]; [None; Some Bob; None]] 11 (Star 8).
Proof. by_thresholds 11%N listing_11 17%N. Qed.

Theorem f_connect_75 :
  f_is connect [[None; Some Alice; None]; [None; Some Bob; None]; [None; Some Bob; None]] 75 (Star 55).
Proof. by_thresholds 75%N listing_75 111%N. Qed.
