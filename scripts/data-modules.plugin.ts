import { dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import { compress } from './compressed-files.plugin.ts'

const root = join(import.meta.dir, '..')

/**
 * Carries modules that are nothing but data as compressed JSON: as code, each is in the executable with its bytecode, twice
 * its length. Inflating and reading the longest takes a millisecond or two, when it is first imported.
 */
export const dataModulesPlugin: BunPlugin = {
  name: 'data-modules',
  setup(build) {
    build.onLoad({ filter: /[\\/](?:locale[\\/]table\.generated|drawing[\\/]presets)\.ts$/ }, async ({ path }) => {
      const exported: Record<string, unknown> = await import(path)
      return { contents: readerOf(path, exported), loader: 'ts' }
    })
    build.onResolve({ filter: /^data-of:/ }, ({ path }) => ({
      // The bundler takes two modules of one path for one. From the project's folder, which the executable must not depend on.
      path: `${path.slice('data-of:'.length)}.json`,
      namespace: 'data-of',
    }))
    build.onLoad({ filter: /.*/, namespace: 'data-of' }, async ({ path }) => {
      const exported: Record<string, unknown> = await import(join(root, path.replace(/\.json$/, '')))
      const plain = Object.entries(exported).map(([name, value]) => [name, value instanceof Map ? [...value] : value])
      return { contents: compress(Buffer.from(JSON.stringify(Object.fromEntries(plain)))), loader: 'file' }
    })
  },
}

/** The module that reads the data: maps are kept as lists of their entries. */
function readerOf(path: string, exported: Record<string, unknown>): string {
  const reader = relative(dirname(path), join(root, 'src/core/embedded-file.ts'))
  const values = Object.entries(exported).map(([name, value]) =>
    value instanceof Map ? `export const ${name} = new Map(data.${name})` : `export const ${name} = data.${name}`,
  )
  return [
    `import file from ${JSON.stringify(`data-of:${relative(root, path)}`)} with { type: 'file' }`,
    `import { readEmbedded } from ${JSON.stringify(reader.startsWith('.') ? reader : `./${reader}`)}`,
    'const data = JSON.parse(new TextDecoder().decode(readEmbedded(file)))',
    ...values,
  ].join('\n')
}
