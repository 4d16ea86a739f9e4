import { limits } from '../core/limits.ts'

/** Fixed by tar: its headers and files take whole blocks of so many bytes. */
const BLOCK = 512

/**
 * The plain files of a tar archive (POSIX.1-2008, ustar), in their order; undefined for bytes that are none. Links, devices and
 * extended headers are passed over: names longer than a header holds are cut.
 */
export function filesOfTar(bytes: Uint8Array): [name: string, content: Uint8Array][] | undefined {
  if (!isHeader(bytes, 0)) return undefined
  const files: [string, Uint8Array][] = []
  for (let at = 0; isHeader(bytes, at) && files.length < limits.fontFiles; ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12).trim() || '0', 8)
    const start = at + BLOCK
    if (!Number.isSafeInteger(size) || size < 0 || start + size > bytes.length) break
    const kind = bytes[at + 156]
    if (kind === 0 || kind === 0x30) files.push([textAt(bytes, at, 100), bytes.subarray(start, start + size)])
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function isHeader(bytes: Uint8Array, at: number): boolean {
  return at + BLOCK <= bytes.length && textAt(bytes, at + 257, 5) === 'ustar'
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.subarray(at, at + length))
    .toString('latin1')
    .replace(/\0.*$/s, '')
}
