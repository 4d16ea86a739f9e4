import { readFileSync, statSync } from 'node:fs'

/**
 * The text of a file that is read while others are served. A pipe that nobody writes into would hold all of them up, and a
 * device has no end.
 *
 * @throws Error with a code: that of the system, `EFBIG` for more bytes than these, `EINVAL` for what is neither file nor folder
 */
export function readRegularFile(path: string, maxBytes: number): string {
  const found = statSync(path)
  if (!found.isFile() && !found.isDirectory()) throw failure('EINVAL', `${path} is no regular file`)
  if (found.size > maxBytes) throw failure('EFBIG', `${path} has ${found.size} bytes`)
  return readFileSync(path, 'latin1')
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
