log() {
  printf '%s\n' "$*" >&2
}

backup() {
  local dir="$1"
  tar czf "$dir.tgz" "$dir" || return 1
  log "saved $dir"
}

if [[ -d data ]]; then
  backup data
fi
