import type { BunPlugin } from 'bun'

const transpiler = new Bun.Transpiler({ loader: 'js', minifyWhitespace: true, target: 'bun' })

/**
 * Takes comments and indentation out of packages before they are bundled: the executable carries every source again in its source
 * maps, 0.6 MB of which are this. Names stay, so that the trace of a crash reads as before.
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
