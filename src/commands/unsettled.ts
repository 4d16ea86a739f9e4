/**
 * Fails the process if its event loop runs empty before the work has settled, as with a promise that nobody settles: the
 * runtime would end it with 0, as if all had been done.
 */
export function failIfUnsettled(work: Promise<unknown>): void {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  work.then(settle, settle)
  process.once('beforeExit', () => {
    if (isSettled) return
    process.stderr.write('quire: it ended before its work was done, which is a mistake in Quire; please report it\n')
    process.exit(1)
  })
}
