/**
 * Files that version control leaves in another form: other line ends, Git LFS pointers, and conflict marks of an unfinished
 * merge.
 */
import type { Finding } from './finding.ts'

const pointerStart = Buffer.from('version https://git-lfs.github.com/spec/v1\n')

/** The lines that Git writes around both sides of a conflict, in their order. */
const conflict = /^<<<<<<<(?: .*)?\r?$[\s\S]*?^=======\r?$[\s\S]*?^>>>>>>>(?: .*)?\r?$/m

/**
 * Why a file is not what was checked in; undefined for any other file.
 *
 * @param isText whether to look for conflict marks, which documents don't have
 */
export function leftByGit(bytes: Uint8Array, isText: boolean): Finding | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.subarray(0, pointerStart.length).equals(pointerStart)) return pointer
  if (!isText || !buffer.includes('<<<<<<<')) return undefined
  const text = buffer.toString('utf8')
  const found = conflict.exec(text)
  if (found === null) return undefined
  return { ...unfinished, line: text.slice(0, found.index).split('\n').length, column: 1 }
}

const pointer: Finding = {
  code: 'project.lfs_pointer',
  severity: 'error',
  message: 'The file is a pointer of Git LFS, not what it points to.',
  hint: 'Fetch it with git lfs pull; in CI, let the checkout fetch it (lfs: true).',
}

const unfinished: Finding = {
  code: 'project.conflict',
  severity: 'error',
  message: 'The file has the marks of a merge that was not finished.',
  hint: 'Keep one of the sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
}

/** The same text with the line ends of Unix and of Windows, if these differ from its own. */
export function otherLineEnds(text: string): string[] {
  const unix = text.replaceAll('\r\n', '\n')
  return [unix, unix.replaceAll('\n', '\r\n')].filter((each) => each !== text)
}
