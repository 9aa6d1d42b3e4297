import { END_SCRIPT } from "./end-script.ts"
import { PROCESS_SCRIPT } from "./process-script.ts"

/**
 * The relay (spec shells.md §9.1): functions for the far `sh`, sent once a link. They need `sh mkfifo cat rm mkdir`; where
 * `tail` and `dd` exist a file is read from an offset and in pieces. `$D` is the shell's private directory, `$G` the
 * directory of its generation; a command has one directory below it, named by its token:
 *
 *     c text   t its FIFO   go read by the shell   i stdin   o e FIFOs   od ed their bytes   od.x ed.x no writer is left
 *
 * Every function may be called again after a lost link without doing anything twice.
 */
export const RELAY_SCRIPT = `${PROCESS_SCRIPT}${END_SCRIPT}
umask 077
hf_contacts=0
hf_pieces=0
hf_sed=0
command -v sed >/dev/null 2>&1 && hf_sed=1
command -v tail >/dev/null 2>&1 && command -v dd >/dev/null 2>&1 && hf_pieces=1

hf_directory() {
  for hf_base in "\${TMPDIR:-}" /tmp /dev/shm "\${HOME:-}"; do
    case $hf_base in ''|*[!A-Za-z0-9/._-]*|[!/]*) continue;; esac
    hf_d=$hf_base/.hf-$1
    if [ -d "$hf_d" ] && [ ! -h "$hf_d" ]; then
      rm -rf "$hf_d"/g*
    else
      mkdir "$hf_d" 2>/dev/null || continue
    fi
    if mkfifo "$hf_d/f" 2>/dev/null; then
      rm -f "$hf_d/f"
      printf '%s %s' "$hf_pieces" "$hf_d"
      return 0
    fi
    rm -rf "$hf_d"
  done
  return 1
}

hf_contact() {
  hf_contacts=$((hf_contacts + 1))
  printf '%s\\n' "$$.$hf_contacts" >"$D/contact"
}

# Numbers of processes mean nothing after the machine was started again, though files may have lasted.
hf_boot() {
  hf_b=
  { read -r hf_b </proc/sys/kernel/random/boot_id; } 2>/dev/null
  printf '%s\\n' "$hf_b"
}

hf_same() {
  [ -d "$D" ] || return 1
  hf_l=
  [ -e "$D/boot" ] && read -r hf_l <"$D/boot"
  [ "$hf_l" = "$(hf_boot)" ] && return 0
  rm -rf "$D"
  return 1
}

hf_generation() {
  mkdir "$G" 2>/dev/null || return 0
  mkdir "$G/s"
  mkfifo "$G/in" "$G/snap" "$G/out" "$G/err"
  { exec 3<>"$G/snap"; exec cat <"$G/snap" >>"$G/snap.d"; } </dev/null >/dev/null 2>&1 &
  printf '%s\\n' "$!" >"$G/snap.pid"
  hf_listen "$G/out"
  hf_listen "$G/err"
}

# What a shell says for itself is kept up to some megabytes, and thrown away behind that until the next command.
hf_listen() {
  {
    exec 3<>"$1"
    hf_keep "$1" 3>&-
    printf '%s\\n' "$!" >"$1.cat"
    wait "$!"
    : >"$1.full"
    cat <"$1" 3>&- &
    printf '%s\\n' "$!" >"$1.cat"
    wait "$!"
  } </dev/null >/dev/null 2>&1 &
  printf '%s\\n' "$!" >"$1.pid"
}

hf_keep() {
  {
    trap '' XFSZ
    ulimit -f 8192
    exec cat <"$1" >>"$1.d"
  } &
}

# What it said until now is nobody's.
hf_quieten() {
  printf '' >"$1.d"
  [ -e "$1.full" ] || return 0
  hf_deafen "$1"
  rm -f "$1.full"
  hf_listen "$1"
}

hf_deafen() {
  for hf_f in "$1.pid" "$1.cat"; do
    hf_p=
    [ -e "$hf_f" ] && read -r hf_p <"$hf_f"
    [ -n "$hf_p" ] && kill "$hf_p" 2>/dev/null
  done
}

# Nothing reads what its shell says any more.
hf_quit() {
  for hf_w in "$G"/*.pid; do
    hf_deafen "\${hf_w%.pid}"
  done
}

hf_send() {
  { printf '%s' "$1"; } 1<>"$G/in"
}

hf_reader() {
  {
    exec 3>&- 4>&-
    cat <&"$2" >>"$1" 5<&- 6<&- &
    printf '%s\n' "$!" >"$1.p"
    exec 5<&- 6<&-
    wait "$!"
    : >"$1.x"
  } &
}

# Both pipes are held open for reading and writing until the shell has them: it has them when it opens the text.
hf_serve() {
  {
    hf_reader "$1/od" 5
    if [ "$2" = split ]; then hf_reader "$1/ed" 6; fi
    exec 5<&- 6<&-
    { : >"$1/go"; cat "$1/c"; } >"$1/t"
    exec 3>&- 4>&-
    wait
  } >/dev/null 2>&1 &
}

hf_begin() {
  hf_c=$G/$1
  mkdir "$hf_c" 2>/dev/null || return 0
  printf '%s' "$4" >"$hf_c/c"
  [ $# -lt 5 ] || printf '%s' "$5" >"$hf_c/i"
  mkfifo "$hf_c/t" "$hf_c/o" "$hf_c/e"
  exec 3<>"$hf_c/o" 4<>"$hf_c/e" 5<"$hf_c/o" 6<"$hf_c/e"
  hf_serve "$hf_c" "$2"
  exec 3>&- 4>&- 5<&- 6<&-
  hf_quieten "$G/out"
  hf_quieten "$G/err"
  hf_send "$3"
}

hf_state() {
  hf_c=$G/$1
  hf_s=- hf_go=0 hf_o=0 hf_e=0 hf_x=- hf_a=0
  for hf_f in "$G/s/$1".*; do
    [ -e "$hf_f" ] && hf_s=\${hf_f##*.}
  done
  [ -e "$hf_c/go" ] && hf_go=1
  [ -e "$hf_c/od.x" ] && hf_o=1
  [ -e "$hf_c/ed.x" ] && hf_e=1
  [ -e "$G/dead" ] && read -r hf_x <"$G/dead"
  kill -0 "$2" 2>/dev/null && hf_a=1
  if [ -n "\${3:-}" ] && [ $hf_a = 1 ]; then
    hf_l=
    { read -r hf_l <"/proc/$2/stat"; } 2>/dev/null
    set -- "$1" "$2" "$3" \${hf_l##*) }
    [ -z "$hf_l" ] || [ "\${23:-}" = "$3" ] || hf_a=0
  fi
  printf '%s %s %s %s %s %s ' "$hf_s" "$hf_go" "$hf_o" "$hf_e" "$hf_x" "$hf_a"
  hf_children "$2"
}

hf_children() {
  hf_l=
  { read -r hf_l <"/proc/$1/task/$1/children"; } 2>/dev/null
  printf '%s' "$hf_l"
}

# Prints those of the named processes that hold one of the command's pipes.
hf_holders() {
  hf_c=$G/$1
  shift
  for hf_p in "$@"; do
    for hf_f in "/proc/$hf_p/fd"/*; do
      if [ "$hf_f" -ef "$hf_c/o" ] || [ "$hf_f" -ef "$hf_c/e" ]; then
        printf '%s ' "$hf_p"
        break
      fi
    done
  done
}

hf_read() {
  [ -s "$1" ] || return 0
  if [ "$hf_pieces" = 1 ]; then
    tail -c "+$(($2 + 1))" "$1" 2>/dev/null | dd bs=65536 count=16 2>/dev/null
  else
    hf_brake "$1"
    cat "$1"
    hf_release "$1"
  fi
}

# Whoever writes faster than we read waits, so that the target's disk is not filled; 0 when nothing is appended any more.
hf_brake() {
  hf_p=
  [ -e "$1.p" ] && read -r hf_p <"$1.p" && [ -n "$hf_p" ] || return 1
  kill -STOP "$hf_p" 2>/dev/null || return 1
  hf_i=0
  while [ $hf_i -lt 200 ]; do
    hf_l=
    { read -r hf_l <"/proc/$hf_p/stat"; } 2>/dev/null || return 1
    case \${hf_l##*) } in T*) return 0;; esac
    hf_i=$((hf_i + 1))
  done
  return 1
}

hf_release() {
  hf_p=
  [ -e "$1.p" ] && read -r hf_p <"$1.p" && kill -CONT "$hf_p" 2>/dev/null
}

hf_hold() {
  if [ "$hf_pieces" = 1 ] && hf_brake "$1"; then
    printf 1
  else
    hf_release "$1"
    printf 0
  fi
}

# Everything in the file has arrived: it begins anew, once for each number; what came before it is said beside it.
hf_shorten() {
  hf_n=
  [ -e "$1.s" ] && read -r hf_n hf_l <"$1.s"
  if [ "$hf_n" = "$2" ]; then
    printf 1
  elif hf_brake "$1"; then
    : >"$1"
    printf '%s\\n' "$2 $3 $4 $5" >"$1.s"
    printf 1
  else
    printf 0
  fi
  hf_release "$1"
}

# Somebody else reads on: whoever was braked for the last one writes again. A line a stream: what was said beside it.
hf_resume() {
  for hf_f in od ed; do
    hf_release "$G/$1/$hf_f"
    hf_l=
    [ -e "$G/$1/$hf_f.s" ] && read -r hf_l <"$G/$1/$hf_f.s"
    printf '%s\\n' "$hf_l"
  done
}

hf_mark() {
  [ -e "$G/$1" ] || return 0
  { printf '%s' "$2" 1<>"$G/$1"; } </dev/null >/dev/null 2>&1 &
}

hf_forget() {
  hf_c=$G/$1
  for hf_f in "$hf_c/o" "$hf_c/e" "$hf_c/t"; do
    [ -p "$hf_f" ] && : <>"$hf_f"
  done
  rm -rf "$hf_c"
  rm -f "$G/s/$1".*
}
`
