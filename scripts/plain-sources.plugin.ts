import type { BunPlugin } from 'bun'

const transpiler = new Bun.Transpiler({ loader: 'ts', minifyWhitespace: true, target: 'bun' })

/**
 * Takes comments and declared shapes out of Quire's own sources, which the executable carries again in its source maps. Their lines stay,
 * empty, so that the trace of a crash names the lines of the files.
 */
export const plainSourcesPlugin: BunPlugin = {
  name: 'plain-sources',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/](?!console[\\/]).*\.ts$/ }, async ({ path }) => ({
      contents: plainSource(await Bun.file(path).text()),
      loader: 'ts',
    }))
  },
}

/**
 * The source with empty lines in place of those that hold nothing but a comment, an interface or an import of types; as it is if it
 * would be another program.
 */
export function plainSource(source: string): string {
  /** What ends the lines that are left out, at the end of a line or as all of it. */
  let end: '*/' | '}' | undefined
  const lines = source.split('\n').map((line) => {
    const text = line.trim()
    if (end !== undefined) {
      if (end === '*/' ? text.endsWith(end) : line === end) end = undefined
      return ''
    }
    if (text.startsWith('//') || /^import type .*'$/.test(line)) return ''
    if (/^(?:export )?interface .*\{$/.test(line)) end = '}'
    else if (text.startsWith('/*') && !text.endsWith('*/')) end = '*/'
    else if (!text.startsWith('/*') || text.indexOf('*/') !== text.length - 2) return line
    return ''
  })
  const plain = lines.join('\n')
  // A text over several lines may look like one of these.
  return transpiler.transformSync(plain) === transpiler.transformSync(source) ? plain : source
}
