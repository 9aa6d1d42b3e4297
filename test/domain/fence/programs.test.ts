import { describe, expect, it } from "vitest"
import { invocationOf } from "../../../core/shells/fence/invocation.ts"
import { scanCommands } from "../../../core/shells/fence/scan-commands.ts"

/** Every program of a text; `?` for a command word that is not literal. */
function programsOf(text: string): readonly string[] {
  const found: string[] = []
  scanCommands(text, ({ words }) => {
    for (const program of invocationOf(words).programs) found.push(program ?? "?")
  })
  return found.toSorted()
}

const CASES: readonly (readonly [text: string, programs: readonly string[]])[] = [
  ["echo rm", ["echo"]],
  ["a; b & c && d || e | f |& g\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
  ["/usr/bin/rm x", ["rm"]],
  [`r\\m x; 'r'm; "rm"; $'\\x72m'; r""m; \\rm`, ["rm", "rm", "rm", "rm", "rm", "rm"]],
  ["r\\\nm x", ["rm"]],
  ["X=1 Y=$(a) b", ["a", "b"]],
  ['X="a; rm" b', ["b"]],
  ["a[1]=x a+=y b", ["b"]],
  ["x=(a $(b) c) d", ["b", "d"]],
  ["x=(a b); declare -a y=(e\nf); g", ["declare", "g"]],
  ["(a; b) | { c; d; }", ["a", "b", "c", "d"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["while a; do b; done; until c; do d; done < f", ["a", "b", "c", "d"]],
  ["for x in rm b; do c; done", ["c"]],
  ["for x do c; done; for x\nin a b\ndo d\ndone", ["c", "d"]],
  ["for ((i=0; i<3; i++)); do c; done", ["c"]],
  ["select x in rm; do c; done", ["c"]],
  ["case $(a) in rm|b) c;; (d) e ;& *) f;;& esac; g", ["a", "c", "e", "f", "g"]],
  ["x=$(case y in z) a;; esac); b", ["a", "b"]],
  ["case x in\na)\ncase y in b) c;; esac\n;;\nd) e\nesac\nf", ["c", "e", "f"]],
  ["if (a) then b; fi", ["a", "b"]],
  ["if { a; } then b; fi", ["a", "b"]],
  ["! a", ["a"]],
  ["!(a)", ["a"]],
  ["f() { a; }; f", ["a", "f"]],
  ["f ( ) ( a ); function g { b; }; function h() { c; }", ["a", "b", "c"]],
  ["coproc a; coproc N { b; }", ["a", "b"]],
  ["time -p a; time { b; }", ["a", "b", "time", "time"]],
  ["[[ -f rm && ( a < b ) ]] && c", ["c"]],
  ["[[ $(a) == `b` ]]; c", ["a", "b", "c"]],
  ["[ -f x ]", ["["]],
  ['echo $(a $(b) "$(c)")', ["a", "b", "c", "echo"]],
  ['echo `a \\`b\\` "c"`', ["a", "b", "echo"]],
  ['echo "x `a` $(b) \\$(c) \\`d\\`"', ["a", "b", "echo"]],
  ["echo '$(a) `b`'", ["echo"]],
  [`echo \${x:-$(a)} "\${y:-\`b\`}" \${z:-'$(c)'}`, ["a", "b", "echo"]],
  ["echo $((1 + $(a))) $(( (2) * 3 )); (( x = $(b) ))", ["a", "b", "echo"]],
  ["echo $((a); (b))", ["a", "b", "echo"]],
  ["((a); b) | c", ["a", "b", "c"]],
  ["cat <(a) > >(b)", ["a", "b", "cat"]],
  ["a > rm 2>&1 <b >>c <>d >|e &>f &>>g <<<h 3<i; j", ["a", "j"]],
  ["> rm a; {fd}>rm b; 2>rm c", ["a", "b", "c"]],
  ["cat <<E; b\nrm x; $(a)\nE\nc", ["a", "b", "c", "cat"]],
  ["cat <<'E'\nrm; $(a)\nE\nc", ["c", "cat"]],
  ["cat <<-\\E\n\trm $(a)\n\tE\nc", ["c", "cat"]],
  ["cat <<A <<B\nrm\nA\n`x`\nB\nc", ["c", "cat", "x"]],
  ["x=$(cat <<E\nrm )\nE\n)\nb", ["b", "cat"]],
  ["cat <<E\nnever ends; $(a)", ["a", "cat"]],
  ["a # b; c\nd#e; f", ["a", "d#e", "f"]],
  [
    "env -i -u X Y=1 a; env -S 'b -x' c; env --split-string='d e'; env -- Z=1 e",
    ["a", "b", "d", "e", ...Array(4).fill("env")],
  ],
  ["sudo -nu root -E X=1 a; sudo --user bob b; sudo -e rm", ["a", "b", ...Array(3).fill("sudo")]],
  ["nohup a &", ["a", "nohup"]],
  ["ls | xargs -0 -n 1 -I{} rm {}", ["ls", "rm", "xargs"]],
  ["command -v rm; command -p a; exec -a n b; exec 3>f", ["a", "b", "command", "command", "exec", "exec"]],
  ["\\time -f %e a", ["a", "time"]],
  ["X=1 sudo env nohup time rm -rf x", ["env", "nohup", "rm", "sudo", "time"]],
  ['$x a; "$(b)" c; r* d; {a,b} e; ~/bin/f; $g"h"', ["?", "?", "?", "?", "?", "b", "f"]],
  ["sudo $x rm", ["?", "sudo"]],
  ["ls !(a|$(b)) @(c|d); e", ["b", "e", "ls"]],
  ["X=1 if; 'if' a", ["if", "if"]],
  ["echo a\\ b; echo 'x\ny'; c", ["c", "echo", "echo"]],
  ["", []],
  ["  \n\t\n# only words", []],
]

describe("the programs of a text", () => {
  it.each(CASES)("%j", (text, programs) => {
    expect(programsOf(text)).toEqual(programs)
  })
})
