import { readFileSync, statSync } from 'node:fs'

/**
 * Reads a file's text synchronously, while others wait. Refuses pipes, which could block for ever, and devices, which never end.
 *
 * @throws Error with a code: the system's, `EFBIG` above `maxBytes`, `EINVAL` for anything but a file or folder
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
