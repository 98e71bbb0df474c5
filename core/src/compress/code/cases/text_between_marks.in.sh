#!/bin/sh
# Prints how the tool is called, then calls it.
usage() {
  cat <<EOF
Usage: tool [options] FILE

open() {
  not a function
}

  -a  all
  -b  brief
  -c  colour
  -d  depth
EOF
  exit 2
}

cat > config.ini <<'END'
[server]
host = localhost
port = 8080
workers = 4
timeout = 30
[log]
level = info
file = tool.log
rotate = daily
keep = 7
format = json
colour = never
END

[ $# -gt 0 ] || usage
exec tool "$@"
