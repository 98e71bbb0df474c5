#!/bin/sh
# Prints how the tool is called, then calls it.
usage() {
  # [caveman: lines 4-16]
}

cat > config.ini <<'END'
[server]
host = localhost
[caveman: lines 22-31]
END

[ $# -gt 0 ] || usage
exec tool "$@"
[caveman: 23 of 35 lines of shell elided; caveman_retrieve("ccr_c5f609bc77a07df1784e5133c1ef86cf")]
