import { reasonOf } from './files.ts'

/** Exit code of a program that SIGPIPE ends: 128 and the signal's number. */
const endedBySigpipe = 141

/**
 * Ends the command silently when the reader of its output has gone, as in `quire sbom | head`. The runtime ignores
 * SIGPIPE, which ends other programs, and would print where the write failed. Output that can't be written for another
 * reason, such as a full disk, ends the command with a line that says so.
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
