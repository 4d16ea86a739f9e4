import { constants, zstdCompressSync } from 'node:zlib'
import type { BunPlugin } from 'bun'
import type { Notices } from '../src/commands/notices.ts'

/**
 * Compresses the engines' files on their way into the executable: fonts become 2.9 MB instead of 8, WebAssembly 1 instead of 3,
 * hyphenation patterns 0.3 instead of 2 (as JSON instead of the package's modules). `src/core/embedded-file.ts` inflates each at
 * its first use, a font in half a millisecond, and reads plain files as well.
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

/** Replaces an empty file with the executable's notices: 0.4 MB of text become a sixth. */
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

/** Files that are embedded compressed. */
export const compressible = new RegExp(`(?:\\.ttf|\\.tsv|\\.wasm|common-passwords\\.txt)$|${patterns.source}`)

/** Compresses such a file. A font's other styles are compressed against its regular one, which has a fifth of them. */
export async function compressedFile(path: string): Promise<Uint8Array> {
  const regular = path.replace(otherStyle, '$1400Regular$2_400Regular.ttf')
  if (regular !== path) return compressBeside(await Bun.file(path).bytes(), await Bun.file(regular).bytes())
  if (!patterns.test(path)) return compress(await Bun.file(path).bytes())
  const { default: hyphenation } = await import(path)
  return compress(Buffer.from(JSON.stringify(hyphenation)))
}

/** Matches `…/carlito/700Bold/Carlito_700Bold.ttf`; `src/engines/pdf/font/embedded.ts` inflates it with the regular style. */
const otherStyle = /([\\/]@expo-google-fonts[\\/][^\\/]+[\\/])(?!400Regular[\\/])[^\\/]+([\\/][^\\/_]+)_[^\\/]+\.ttf$/

function compressBeside(bytes: Uint8Array, dictionary: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 19 }
  // The types of Node 22 lack the option.
  return zstdCompressSync(bytes, { params, dictionary } as Parameters<typeof zstdCompressSync>[1])
}

export function compress(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  return Bun.zstdCompressSync(bytes, { level: 19 })
}
