#!/usr/bin/env bash
set -euo pipefail

# Places an order.
place() {
  # [caveman: 19 lines elided: 6-24]
}

place 1 2 3
[caveman: 19 of 27 lines elided; caveman_retrieve("ccr_4fb21195589d4ceb3601547efe690e49")]
