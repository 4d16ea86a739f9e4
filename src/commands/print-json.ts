/**
 * Prints for `--json`: a line on stdout that is one JSON object, its names those of the interface. Nothing else goes there,
 * so that a program reads line by line, whatever the command.
 */
export function printJson(told: object): void {
  process.stdout.write(`${JSON.stringify(told)}\n`)
}
