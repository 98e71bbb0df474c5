#!/usr/bin/env bash
set -euo pipefail

# Places an order.
place() {
  # [caveman: lines 6-24]
}

place 1 2 3
[caveman: 19 of 27 lines of shell elided; caveman_retrieve("ccr_4fb21195589d4ceb3601547efe690e49")]
