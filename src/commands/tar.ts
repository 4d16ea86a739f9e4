/** Fixed by tar: headers and files take whole blocks of this many bytes. */
const BLOCK = 512

/**
 * The plain files of a tar archive (POSIX.1-2008: ustar and pax, and long names as GNU tar writes them), in their
 * order; undefined for other bytes.
 * @throws Error for an archive that is cut off or damaged
 */
export function filesOfTar(bytes: Uint8Array): [name: string, content: Uint8Array][] | undefined {
  if (!isHeader(bytes, 0)) return undefined
  const files: [string, Uint8Array][] = []
  let longName: string | undefined
  let at = 0
  for (; isHeader(bytes, at); ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12).trim() || '0', 8)
    const start = at + BLOCK
    if (!Number.isSafeInteger(size) || size < 0 || start + size > bytes.length) throw new Error('it is cut off')
    const content = bytes.subarray(start, start + size)
    const kind = String.fromCharCode(bytes[at + 156] ?? 0)
    if (kind === 'L') longName = textAt(content, 0, size)
    else if (kind === 'x') longName = pathIn(content) ?? longName
    else {
      if (kind === '0' || kind === '\0') files.push([longName ?? nameIn(bytes, at), content])
      longName = undefined
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  if (at >= bytes.length || bytes.subarray(at, at + BLOCK).some((byte) => byte !== 0)) throw new Error('it is cut off')
  return files
}

function isHeader(bytes: Uint8Array, at: number): boolean {
  return at + BLOCK <= bytes.length && textAt(bytes, at + 257, 5) === 'ustar'
}

function nameIn(bytes: Uint8Array, at: number): string {
  const name = textAt(bytes, at, 100)
  // Behind this version GNU tar keeps times where others keep the beginning of a long name.
  const prefix = textAt(bytes, at + 263, 2) === '00' ? textAt(bytes, at + 345, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** The path of a pax header, which is a list of `LENGTH NAME=VALUE` lines. */
function pathIn(records: Uint8Array): string | undefined {
  return /^\d+ path=(.*)$/m.exec(Buffer.from(records).toString())?.[1]
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.subarray(at, at + length))
    .toString()
    .replace(/\0.*$/s, '')
}
