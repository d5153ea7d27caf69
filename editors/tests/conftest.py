"""Where the program is."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BID = os.environ.get("BID", str(ROOT / "target" / "debug" / "bid"))
