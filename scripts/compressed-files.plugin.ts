import type { BunPlugin } from 'bun'

/**
 * Compresses what the engines carry on its way into the executable: fonts become 3.5 MB from 8, hyphenation patterns 0.3
 * from 2, as JSON instead of the package's modules. `src/engines/pdf/embedded-file.ts` inflates each on its first use, a
 * font in half a millisecond, and reads plain files as well.
 */
export const compressedFilesPlugin: BunPlugin = {
  name: 'compressed-files',
  setup(build) {
    build.onLoad({ filter: /(?:\.ttf|\.tsv|harfbuzz\.wasm)$/ }, async ({ path }) => ({
      contents: compress(await Bun.file(path).bytes()),
      loader: 'file',
    }))
    build.onLoad({ filter: /[\\/]hyphen[\\/]patterns[\\/][^\\/]+\.js$/ }, async ({ path }) => {
      const { default: patterns } = await import(path)
      return { contents: compress(Buffer.from(JSON.stringify(patterns))), loader: 'file' }
    })
  },
}

function compress(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  return Bun.zstdCompressSync(bytes, { level: 19 })
}
