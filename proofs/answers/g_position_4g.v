(** f(c4g, [13, 29]) = k          13   29 f(c4g, k)  8*   18*

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

(** * The listing: 92 positions *)

Definition data_13_0 := "\ADHI[d@IMgDhiWeDMEEZZUiTSQ`e^QRl4jRaeVNBed<Rhd^YB5TDZiUeTKeiVJCmTTZic3RKeaR2eMTRUhd\5Be4jVhfjPK]\eZij4RC@ARV>HP3nJIZVUIU3PafUUJ5LDJYWePMcaRVUMT3ThdU5B5LDXYgbDKkjDZYecTKcaV68L52XieE@Jml@TheMnRmLUZYA`BKK@DIIIcHI=\DiiecLMeQZJj441YefjJMM@EiiA`HKm\dYic3LKUYVZ@L2RQeeNNklTUYiAhHKM@EIiA0HI92FIiHR2NEQZV9HS3FWYZV@hR3FWUZV@JR3B`QRVUMR3Xff1JMCQVV]H32FWYVV@L22FgYVFkll@PeeE`bll@TddE`bdd@@".

Definition listing_13 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 5)))))
  [data_13_0].

Definition data_29_0 := "\ADHI[IARZfR`f^mdhihPSkVJ5TDXiWIIVZ5RaeV^DJIYLaR:UShfbPKmZI5RYje2PKEeV:8Yie2PI9jMTRUhd\mEJiU[aZjBm41kTKUeVZ@P`deaDhYWKIZV5RjfaBMkZiT3Phd]mDjYLT2jVC5LEJYU[aZFBll3bDKkZI42JORmLFZYcgiVFKml@`RKK@J42FoRmLUZYA@EVV@PdddZDIigGQZZ9Qff2HMEUZ:8YefjJMM@JRSC@bl42cLK]<L3RUfeF@FYih2RGOklTUYiAPQVZ@TddF@FIIWmQRJbdl3bHMk<HS3Fo24l@`JM[<jR3B`b4l@0HIkZMR3Xff1JMCQVV=PfeM^eYYA`QV68Yfe1JKK@h22B`bll@hHIK@JRRB@".

Definition listing_29 := items bits_of_text
  (counted 12 (both (a_grid 3 3) (counted 1 (both (number 3) (number 6)))))
  [data_29_0].

(** * The theorem *)

Theorem f_connect_13 :
  f_is connect [[None; Some Alice; None]; [None; Some Bob; None]; [Some Alice; Some Bob; None]] 13 (Star 8).
Proof. by_thresholds 13%N listing_13 17%N. Qed.

Theorem f_connect_29 :
  f_is connect [[None; Some Alice; None]; [None; Some Bob; None]; [Some Alice; Some Bob; None]] 29 (Star 18).
Proof. by_thresholds 29%N listing_29 37%N. Qed.
