import type { BunPlugin } from 'bun'
import type { Notices } from '../src/commands/notices.ts'

/**
 * Compresses what the engines carry on its way into the executable: fonts become 3.5 MB from 8, WebAssembly 1 from 3, hyphenation
 * patterns 0.3 from 2, as JSON instead of the package's modules. `src/core/embedded-file.ts` inflates each on its first use, a
 * font in half a millisecond, and reads plain files as well.
 */
export const compressedFilesPlugin: BunPlugin = {
  name: 'compressed-files',
  setup(build) {
    build.onLoad({ filter: compressible }, async ({ path }) => ({
      contents: await compressedFile(path),
      loader: 'file',
    }))
  },
}

/** Puts what the executable consists of in the place of an empty file: 0.4 MB of text become a sixth. */
export function noticesPlugin(notices: Notices): BunPlugin {
  return {
    name: 'notices',
    setup(build) {
      build.onLoad({ filter: /[\\/]commands[\\/]notices\.txt$/ }, () => ({
        contents: compress(Buffer.from(JSON.stringify(notices))),
        loader: 'file',
      }))
    },
  }
}

const patterns = /[\\/]hyphen[\\/]patterns[\\/][^\\/]+\.js$/

/** The files that are carried compressed. */
export const compressible = new RegExp(`(?:\\.ttf|\\.tsv|\\.wasm|common-passwords\\.txt)$|${patterns.source}`)

/** One of them as it is carried. */
export async function compressedFile(path: string): Promise<Uint8Array> {
  if (!patterns.test(path)) return compress(await Bun.file(path).bytes())
  const { default: hyphenation } = await import(path)
  return compress(Buffer.from(JSON.stringify(hyphenation)))
}

export function compress(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  return Bun.zstdCompressSync(bytes, { level: 19 })
}
