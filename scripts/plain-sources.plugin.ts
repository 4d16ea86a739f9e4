import type { BunPlugin } from 'bun'

const transpiler = new Bun.Transpiler({ loader: 'ts', minifyWhitespace: true, target: 'bun' })

/**
 * Removes comments and type declarations from Quire's own sources, which the executable has again in its source maps. Their lines
 * stay, empty, so that the trace of a crash has the files' line numbers.
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
 * The source with empty lines in place of those with only a comment, an interface or an import of types; unchanged if that would
 * change the program.
 */
export function plainSource(source: string): string {
  /** What ends the omitted lines, at the end of a line or as a whole line. */
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
  // A multi-line string may look like one of these.
  return transpiler.transformSync(plain) === transpiler.transformSync(source) ? plain : source
}
