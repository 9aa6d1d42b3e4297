/** Of the relay: what the target tells about processes, and signals to them. */
export const PROCESS_SCRIPT = `
hf_cwd() {
  [ -e /proc/self/stat ] || { printf '?\\n'; return 0; }
  hf_w=$(cd -P "/proc/$1/cwd" 2>/dev/null && pwd -P 2>/dev/null && printf x)
  case $hf_w in /*) printf '%s' "\${hf_w%x}"; return 0;; esac
  readlink "/proc/$1/cwd" 2>/dev/null && return 0
  hf_l=
  { read -r hf_l <"/proc/$1/stat"; } 2>/dev/null
  case \${hf_l##*) } in ''|Z*|X*) ;; *) printf 'deleted\\n';; esac
}

# A line a process: pid, parent, session, start, state, name. A builtin reads a file byte by byte, so that sed does it where it is.
hf_row() {
  hf_l=
  { read -r hf_l <"/proc/$1/stat"; } 2>/dev/null
  [ -n "$hf_l" ] || return 0
  hf_n=\${hf_l#*(}
  hf_n=\${hf_n%)*}
  hf_p=$1
  set -- \${hf_l##*) }
  printf '%s %s %s %s %s %s\\n' "$hf_p" "$2" "$4" "\${20}" "$1" "$hf_n"
}

hf_table() {
  if [ "$hf_sed" = 1 ]; then
    sed -n -e ':a' -e '/^[0-9]* (.*) . [0-9-]* /!{' -e '$!{' -e 'N' -e 'ba' -e '}' -e '}' \
      -e 's/^\\([0-9]*\\) (\\(.*\\)) \\(.\\) \\([0-9-]*\\) [0-9-]* \\([0-9-]*\\) \\([0-9-]* \\)\\{15\\}\\([0-9]*\\) .*/\\1 \\4 \\5 \\7 \\3 \\2/p' \
      /proc/[0-9]*/stat 2>/dev/null
    return 0
  fi
  for hf_f in /proc/[0-9]*/stat; do
    hf_w=\${hf_f#/proc/}
    hf_row "\${hf_w%/stat}"
  done
}

hf_marked() {
  if command -v grep >/dev/null 2>&1; then
    grep -ls "$1" /proc/[0-9]*/environ 2>/dev/null
    return 0
  fi
  for hf_f in /proc/[0-9]*/environ; do
    case $(cat "$hf_f" 2>/dev/null) in *"$1"*) printf '%s\\n' "$hf_f";; esac
  done 2>/dev/null
}

hf_end() {
  for hf_f in $(hf_marked "$1"); do
    hf_p=\${hf_f#/proc/}
    kill -s KILL "\${hf_p%/environ}" 2>/dev/null
  done
}

hf_kill() {
  hf_sig=$1
  shift
  while [ $# -gt 1 ]; do
    hf_l=
    { read -r hf_l <"/proc/$1/stat"; } 2>/dev/null
    hf_p=$1 hf_t=$2
    shift 2
    hf_rest=$*
    set -- \${hf_l##*) }
    [ "\${20:-}" = "$hf_t" ] && kill "-$hf_sig" "$hf_p" 2>/dev/null
    set -- $hf_rest
  done
}

hf_look() {
  hf_y= hf_st=
  { read -r hf_y <"/proc/$1/syscall"; } 2>/dev/null
  { read -r hf_st <"/proc/$1/stat"; } 2>/dev/null
  hf_st=\${hf_st##*) }
  printf '%s|%s' "\${hf_st%% *}" "$hf_y"
}
`
