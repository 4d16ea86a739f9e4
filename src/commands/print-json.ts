import type { Print } from '../control-socket.ts'

export const toStdout: Print = (line) => {
  process.stdout.write(`${line}\n`)
}

/**
 * Prints one line for `--json`: a JSON object with the interface's names. Nothing else goes to stdout, so a program can read
 * any command line by line.
 */
export function printJson(told: object, print: Print = toStdout): void {
  print(jsonLine(told))
}

/** The same line, without its end. */
export function jsonLine(told: object): string {
  return forTerminal(JSON.stringify(told))
}

/** JSON without what a terminal obeys. */
export function forTerminal(json: string): string {
  return json.replace(unescaped, escapeOf)
}

/** Characters that JSON leaves as they are, and a terminal may take for a command or another order of the text. */
const unescaped = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
