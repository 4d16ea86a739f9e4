import { reasonOf } from './files.ts'

/** What a program ends with that the system has ended for writing to nobody: 128 and SIGPIPE's number. */
const endedBySigpipe = 141

/**
 * Ends the command silently when whoever read its output has gone, as in `quire sbom | head`: the runtime ignores
 * SIGPIPE, by which the system ends other programs, and would print where the write was. Output that can't be written for
 * another reason, as on a full disk, ends it with a line that says so.
 *
 * @param stays for a server, which goes on whatever becomes of its log: the lines are lost, and later ones are tried again
 */
export function endWithReader({ stays }: { stays: boolean }): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stays) return
      if (error.code === 'EPIPE') process.exit(endedBySigpipe)
      if (stream === process.stdout) {
        process.stderr.write(`quire: the output could not be written: ${reasonOf(error)}\n`)
      }
      process.exit(1)
    })
  }
}
