import type { BunPlugin } from 'bun'

const transpiler = new Bun.Transpiler({ loader: 'ts', minifyWhitespace: true, target: 'bun' })

/**
 * Takes the comments out of Quire's own sources, which the executable carries again in its source maps. Their lines stay, empty, so that
 * the trace of a crash names the lines of the files.
 */
export const plainSourcesPlugin: BunPlugin = {
  name: 'plain-sources',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/](?!console[\\/]).*\.ts$/ }, async ({ path }) => ({
      contents: withoutComments(await Bun.file(path).text()),
      loader: 'ts',
    }))
  },
}

/** The source with empty lines in place of those that hold nothing but a comment; as it is if it would be another program. */
export function withoutComments(source: string): string {
  let isInside = false
  const lines = source.split('\n').map((line) => {
    const text = line.trim()
    if (!isInside && text.startsWith('//')) return ''
    if (!isInside && !text.startsWith('/*')) return line
    isInside = !text.endsWith('*/')
    return isInside || text.indexOf('*/') === text.length - 2 ? '' : line
  })
  const plain = lines.join('\n')
  // A text over several lines may look like a comment.
  return transpiler.transformSync(plain) === transpiler.transformSync(source) ? plain : source
}
