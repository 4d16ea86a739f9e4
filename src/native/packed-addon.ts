import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const loaded = new Map<string, unknown>()

/**
 * Loads a native addon that is compressed inside the executable, once.
 *
 * The system maps code only from files. So the addon is unpacked to the temporary directory, under a name that nobody can guess
 * and nobody else may open, and removed as soon as it is mapped.
 *
 * @param packed path of the zstd-compressed addon inside the executable
 * @throws the error of the file system or the dynamic linker
 */
export function loadPackedAddon(packed: string): unknown {
  const known = loaded.get(packed) ?? unpackAndLoad(packed)
  loaded.set(packed, known)
  return known
}

function unpackAndLoad(packed: string): unknown {
  const addon: { exports: unknown } = { exports: {} }
  const path = join(temporaryDirectory().path, `quire-${crypto.randomUUID()}.node`)
  const file = openSync(path, 'wx', 0o700)
  try {
    try {
      const bytes = Bun.zstdDecompressSync(readFileSync(packed))
      for (let written = 0; written < bytes.length; )
        written += writeSync(file, bytes, written, Math.min(WRITE_BYTES, bytes.length - written))
    } finally {
      closeSync(file)
    }
    process.dlopen(addon, path)
  } finally {
    rmSync(path, { force: true })
  }
  return addon.exports
}

/** Tuned: a file system may keep the bytes of one write in pieces of up to 2 MB, and a whole piece becomes resident once one byte
 * of it is used. Of the addon's 9.0 MB of code, 8.2 MB were resident after a single write, and 1.9 MB after writes of this
 * length.
 */
const WRITE_BYTES = 65_536

/** The directory to which the addon is unpacked, and the variable that sets it. */
export function temporaryDirectory(): { variable: string; path: string } {
  for (const variable of ['BUN_TMPDIR', 'TMPDIR']) {
    const path = process.env[variable]
    if (path !== undefined && path !== '') return { variable, path }
  }
  return { variable: 'TMPDIR', path: '/tmp' }
}
