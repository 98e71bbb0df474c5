#!/usr/bin/env bash
set -euo pipefail

# Places an order.
place() {
  local total=0
  for item in "$@"; do
    total=$((total + item))
  done
  for item in "$@"; do
    total=$((total + item))
  done
  for item in "$@"; do
    total=$((total + item))
  done
  for item in "$@"; do
    total=$((total + item))
  done
  for item in "$@"; do
    total=$((total + item))
  done
  echo "placed ${total} }"
  echo "done placing"
  return 0
}

place 1 2 3
