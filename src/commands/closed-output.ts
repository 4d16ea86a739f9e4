/** What a program ends with that the system has ended for writing to nobody: 128 and SIGPIPE's number. */
const endedBySigpipe = 141

/**
 * Ends the command silently when whoever read its output has gone, as in `quire sbom | head`: the runtime ignores
 * SIGPIPE, by which the system ends other programs, and would print where the write was.
 *
 * @param stays for a server, which goes on without whoever read its log
 */
export function endWithReader({ stays }: { stays: boolean }): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (!stays) process.exit(endedBySigpipe)
    })
  }
}
