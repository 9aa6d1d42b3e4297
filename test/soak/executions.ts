import { randomBytes, randomInt } from "node:crypto"

/** One execution with the only answer that is right. */
export interface Execution {
  readonly command: string
  readonly stdout: string
  readonly stderr: string
  /** `null`: ended by SIGKILL. */
  readonly exit: number | null
}

const END_IT_EVERY = 40

/** A command with its own token in both streams and an exit code of its own; some end the shell they run in. */
export function drawExecution(): Execution {
  const token = randomBytes(12).toString("hex")
  const exit = randomInt(0, 120)
  const plain = { stdout: `out ${token}`, stderr: `err ${token}` }
  const write = `echo "out ${token}"; echo "err ${token}" >&2`
  switch (randomInt(0, END_IT_EVERY)) {
    case 0:
      return { ...plain, command: `${write}; exit ${exit}`, exit }
    case 1:
      return { ...plain, command: `${write}; kill -9 $$`, exit: null }
    case 2:
      return { ...plain, command: `${write}; set -e; (exit ${exit + 1})`, exit: exit + 1 }
    case 3:
      return { ...plain, command: `printf 'out %s\\n' ${token}; printf 'err %s\\n' ${token} >&2; (exit ${exit})`, exit }
    case 4:
      return {
        ...plain,
        command: `out=$(printf 'out %s' ${token}); echo "$out"; >&2 echo err ${token}; (exit ${exit})`,
        exit,
      }
    case 5:
      return {
        ...plain,
        command: `for part in out ${token}; do printf '%s' "$part"; [ "$part" = out ] && printf ' '; done; echo; echo err ${token} >&2; (exit ${exit})`,
        exit,
      }
    case 6:
      return { ...plain, command: `(sleep 0.01; true) & ${write}; (exit ${exit})`, exit }
    case 7:
      return { ...plain, command: `env printf 'out %s\\n' ${token}; echo err ${token} >&2; (exit ${exit})`, exit }
    default:
      return { ...plain, command: `${write}; (exit ${exit})`, exit }
  }
}
