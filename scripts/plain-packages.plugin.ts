import type { BunPlugin } from 'bun'

const transpiler = new Bun.Transpiler({ loader: 'js', minifyWhitespace: true, target: 'bun' })

/**
 * Removes comments and indentation from packages before they are bundled: the executable has every source again in its source
 * maps, 0.6 MB of which would be these. Names stay, so that the trace of a crash reads as before.
 */
export const plainPackagesPlugin: BunPlugin = {
  name: 'plain-packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.(?:js|mjs|cjs)$/ }, async ({ path }) => ({
      contents: transpiler.transformSync(await Bun.file(path).text()),
      loader: 'js',
    }))
  },
}
