"""Tests of the inbox and of `healthsync watch`. The senders are independent modules in `Tests/Support/Peers/senders`."""

import sys

from support.harness import PEERS

sys.path.insert(0, str(PEERS))
