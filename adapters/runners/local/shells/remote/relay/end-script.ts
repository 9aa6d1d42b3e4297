/** Of the relay: how a shell that nobody asks for ends, and its directory with it (spec shells.md §9.1). */
export const END_SCRIPT = `
# Something besides the shell carries the marker: another time applies.
hf_expired() {
  [ "$hf_quiet" -ge "$2" ] && return 0
  hf_n=0
  for hf_f in $(hf_marked "$3"); do
    hf_n=$((hf_n + 1))
  done
  [ "$hf_n" -le 1 ]
}

hf_watchdog() {
  command -v sleep >/dev/null 2>&1 || return 0
  {
    trap '' HUP
    hf_last= hf_quiet=0
    while sleep 30 && [ -d "$D" ]; do
      hf_now=
      read -r hf_now <"$D/contact"
      if [ "$hf_now" = "$hf_last" ]; then hf_quiet=$((hf_quiet + 1)); else hf_quiet=0; fi
      hf_last=$hf_now
      if [ "$hf_quiet" -ge "$1" ] && hf_expired "$@"; then
        hf_end "$3"
        hf_remove
      fi
    done
  } </dev/null >/dev/null 2>&1 &
  printf '%s\n' "$!" >"$D/watchdog"
}

# The watchdog may call it: it is ended last.
hf_remove() {
  [ -d "$D" ] || return 0
  for hf_f in "$D"/g*/*/[oe]d.p; do
    hf_release "\${hf_f%.p}"
  done
  for G in "$D"/g*; do
    hf_quit
  done
  hf_p=
  [ -e "$D/watchdog" ] && read -r hf_p <"$D/watchdog"
  rm -rf "$D" 2>/dev/null || rm -rf "$D"
  [ -n "$hf_p" ] && kill "$hf_p" 2>/dev/null
  :
}
`
