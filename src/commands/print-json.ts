import type { Print } from '../control-socket.ts'

export const toStdout: Print = (line) => {
  process.stdout.write(`${line}\n`)
}

/**
 * Prints for `--json`: a line on stdout that is one JSON object, its names those of the interface. Nothing else goes there,
 * so that a program reads line by line, whatever the command.
 */
export function printJson(told: object, print: Print = toStdout): void {
  print(JSON.stringify(told))
}
