#!/usr/bin/env bash
set -euo pipefail

HOST="${1:-localhost}"
for f in dist/*.js; do
  if [ ! -s "$f" ]; then
    echo "empty: $f" >&2
    exit 1
  fi
  scp "$f" "$HOST:/srv/shop/"
done

case "$HOST" in
  localhost) echo "local" ;;
  *) ssh "$HOST" 'systemctl restart shop' ;;
esac
