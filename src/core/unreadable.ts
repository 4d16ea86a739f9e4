/**
 * Does work over rows that anybody may have changed. A value that no Quire has written, such as broken JSON, is reported, and
 * the checks that follow still run.
 *
 * @param what names the rows
 * @throws what says nothing of the rows, such as a database that is away
 */
export async function unlessUnreadable<T>(
  { report }: { report(problem: string): void },
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    report(`${what}: a value can't be read (${error.message})`)
    return undefined
  }
}

/** Whether reading failed because of what was read. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError
}
