import type { BunPlugin } from 'bun'

/**
 * Leaves the metrics of the fourteen standard fonts out of the executable: half a megabyte with its bytecode. pdf-lib's
 * helpers import them to recognise the fonts' names, which is of no use here, where every font is embedded.
 */
export const standardFontsPlugin: BunPlugin = {
  name: 'standard-fonts',
  setup(build) {
    build.onResolve({ filter: /^@pdf-lib\/standard-fonts$/ }, () => ({ path: 'none', namespace: 'standard-fonts' }))
    build.onLoad({ filter: /.*/, namespace: 'standard-fonts' }, () => ({
      contents: 'export const FontNames = {}, Encodings = {}, Font = {}',
      loader: 'js',
    }))
  },
}
