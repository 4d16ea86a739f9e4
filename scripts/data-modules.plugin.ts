import { dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import { compress } from './compressed-files.plugin.ts'

const root = join(import.meta.dir, '..')

/**
 * Embeds modules that are nothing but data as compressed JSON, because the executable has code with its bytecode, at twice its
 * length. Inflating and parsing the longest takes a millisecond or two at its first import. The migrations' long texts are
 * embedded in the same way.
 */
export const dataModulesPlugin: BunPlugin = {
  name: 'data-modules',
  setup(build) {
    build.onLoad(
      { filter: /[\\/](?:locale[\\/]table\.generated|drawing[\\/]presets|font[\\/]script-table)\.ts$/ },
      async ({ path }) => {
        const exported: Record<string, unknown> = await import(path)
        return { contents: readerOf(path, exported), loader: 'ts' }
      },
    )
    build.onLoad({ filter: /[\\/]drizzle[\\/].*\.sql$/ }, async ({ path }) => {
      if (Bun.file(path).size < WORTH_IT) return undefined
      return { contents: textReaderOf(path), loader: 'ts' }
    })
    build.onLoad({ filter: entitiesTree }, async ({ path }) => ({
      contents:
        (await Bun.file(path).text()).replace(literal, () => 'new TextDecoder().decode(readEmbedded(file))') +
        textImports(path),
      loader: 'js',
    }))
    build.onResolve({ filter: /^text-of:/ }, ({ path }) => ({
      path: `${path.slice('text-of:'.length)}.txt`,
      namespace: 'text-of',
    }))
    build.onLoad({ filter: /.*/, namespace: 'text-of' }, async ({ path }) => ({
      contents: compress(Buffer.from(await textOf(join(root, path.replace(/\.txt$/, ''))))),
      loader: 'file',
    }))
    build.onResolve({ filter: /^data-of:/ }, ({ path }) => ({
      // Another path, because the bundler merges modules of the same path. Relative to the project's folder, on which the
      // executable must not depend.
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

/** Texts shorter than this, in bytes, are smaller as code than a module that reads them. */
const WORTH_IT = 2_000

/** HTML's names of characters, packed into one text of 18 KB. */
const entitiesTree = /[\\/]entities[\\/]dist[\\/]generated[\\/]decode-data-html\.js$/

/** The only string of a module, in double quotes. */
const literal = /"(?:[^"\\\n]|\\.){1000,}"/

async function textOf(path: string): Promise<string> {
  const text = await Bun.file(path).text()
  if (!entitiesTree.test(path)) return text
  const [found] = literal.exec(text) ?? []
  if (found === undefined) throw new Error(`${path} no longer has a text that can be carried compressed.`)
  return JSON.parse(found)
}

/** The module that reads a text. */
function textReaderOf(path: string): string {
  return `${textImports(path)}\nexport default new TextDecoder().decode(readEmbedded(file))`
}

function textImports(path: string): string {
  const reader = relative(dirname(path), join(root, 'src/core/embedded-file.ts'))
  return [
    '',
    `import file from ${JSON.stringify(`text-of:${relative(root, path)}`)} with { type: 'file' }`,
    `import { readEmbedded } from ${JSON.stringify(reader)}`,
  ].join('\n')
}

/** The module that reads the data; maps are stored as lists of their entries. */
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
