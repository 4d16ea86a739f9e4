/**
 * Builds the web console (src/console/index.html and the files that it names) into src/console/assets.generated.pack, from which
 * the program serves it. Run it before anything that starts the server: `bun run build:console`.
 */
import { readdir, rename } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BunPlugin, Glob } from 'bun'
import MarkdownIt from 'markdown-it'
import type { PackedFile } from '../src/console/assets.ts'
import { sha256Hex } from '../src/core/hash.ts'

const consoleDir = join(import.meta.dir, '../src/console')
const packFile = join(consoleDir, 'assets.generated.pack')

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
}

export interface BuiltFile {
  path: string
  bytes: Uint8Array
  /** Its name contains a hash of its content, so it may be cached for ever. */
  immutable: boolean
}

/** Builds the console and writes the pack, whole or not at all; the same sources give the same bytes. */
export async function writeConsoleAssets(): Promise<void> {
  const files = await buildConsole(consoleDir)
  const { shellBytes, totalBytes } = measureConsole(files)
  console.log(
    `console: shell ${(shellBytes / 1000).toFixed(1)} KB, all ${(totalBytes / 1000).toFixed(1)} KB compressed`,
  )
  // Several test runs may build at once: each writes its own file, and the last rename wins.
  const temporary = `${packFile}.${process.pid}`
  await Bun.write(temporary, pack(files))
  await rename(temporary, packFile)
}

/** Builds only if there is no console yet: for test runs, which need one but not the newest. */
export async function ensureConsoleAssets(): Promise<void> {
  if (!(await Bun.file(packFile).exists())) await writeConsoleAssets()
}

export interface ConsoleSize {
  /** Compressed size of what every visit loads first: the page, its styles and its scripts. */
  shellBytes: number
  /** Compressed size of all files. */
  totalBytes: number
}

/** Sizes as sent; the build prints them and a test bounds them. */
export function measureConsole(files: readonly BuiltFile[]): ConsoleSize {
  const sent = (file: BuiltFile) => gzipSync(file.bytes, { level: 9 }).length
  const shell = new Set(files.filter(({ path }) => path === '/'))
  for (const page of [...shell]) {
    for (const [, name] of new TextDecoder().decode(page.bytes).matchAll(/(?:src|href)="([^"]+)"/g)) {
      for (const file of files.filter(({ path }) => path === name)) importedBy(file, files, shell)
    }
  }
  const sum = (all: Iterable<BuiltFile>) => [...all].reduce((bytes, file) => bytes + sent(file), 0)
  return { shellBytes: sum(shell), totalBytes: sum(files) }
}

/** The files of a console whose page is `index.html` in this folder, sorted by path. */
export async function buildConsole(folder: string): Promise<BuiltFile[]> {
  const files = [...(await bundle(folder)), ...(await publicFiles(folder))]
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A Markdown file becomes a module with its HTML; HTML inside it stays text. */
const markdownPlugin: BunPlugin = {
  name: 'markdown',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, async ({ path }) => {
      const html = new MarkdownIt({ html: false, linkify: false }).render(await Bun.file(path).text())
      return { contents: `export default ${JSON.stringify(html)}`, loader: 'js' }
    })
  },
}

const libraries = join(consoleDir, '../core/source/libraries.browser.ts')

/** Imports for the browser what the server requires, so that only the used part of a package is sent. */
const librariesPlugin: BunPlugin = {
  name: 'libraries',
  setup(build) {
    build.onLoad({ filter: /[/\\]core[/\\]source[/\\]libraries\.ts$/ }, async () => ({
      contents: await Bun.file(libraries).text(),
      loader: 'ts',
    }))
  },
}

/** The folders from which the console may import; test/architecture.test.ts enforces this, too. */
const roomsOfConsole = ['console', 'core', 'engines', 'client']

/** Sends a browser only the limits that its code names, and none of the server's. */
const limitsPlugin: BunPlugin = {
  name: 'limits',
  setup(build) {
    build.onLoad({ filter: /[/\\]core[/\\]limits\.ts$/ }, async ({ path }) => {
      const words = new Set<string>()
      for await (const name of new Glob(`{${roomsOfConsole.join(',')}}/**/*.{ts,tsx}`).scan(dirname(consoleDir))) {
        if (name.endsWith('limits.ts')) continue
        for (const word of (await Bun.file(join(consoleDir, '..', name)).text()).match(/\w+/g) ?? []) words.add(word)
      }
      const { limits } = (await import(path)) as { limits: Record<string, unknown> }
      const named = Object.entries(limits).filter(([name]) => words.has(name))
      return { contents: `export const limits = ${JSON.stringify(Object.fromEntries(named))}`, loader: 'js' }
    })
  },
}

/** index.html becomes `/`; the scripts, styles and images it names become `/assets/<name>-<hash>.<ext>`. */
async function bundle(folder: string): Promise<BuiltFile[]> {
  const named = await Array.fromAsync(lateFiles, async (late) => {
    const path = join(folder, late.file)
    return (await Bun.file(path).exists()) ? [path] : []
  })
  const result = await Bun.build({
    entrypoints: [join(folder, 'index.html'), ...named.flat()],
    target: 'browser',
    minify: true,
    // Each screen is a file of its own, and so is the editor.
    splitting: true,
    plugins: [markdownPlugin, librariesPlugin, limitsPlugin],
    publicPath: '/',
    naming: { entry: '[name].[ext]', chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files: BuiltFile[] = []
  const paths = new Map<LateFile, string>()
  for (const output of result.outputs) {
    const name = output.path.replaceAll('\\', '/').replace(/^\.?\//, '')
    const bytes = new Uint8Array(await output.arrayBuffer())
    if (extname(name) === '.html') refuseInlineCode(name, bytes)
    const late = lateFiles.find(({ made }) => made === basename(name))
    const isPage = name === 'index.html'
    const path =
      late === undefined
        ? isPage
          ? '/'
          : `/${name}`
        : `/assets/${late.meta}-${sha256Hex(bytes).slice(0, 8)}${extname(name)}`
    if (late !== undefined) paths.set(late, path)
    files.push({ path, bytes, immutable: !isPage })
  }
  return files.map((file) => (file.path === '/' ? nameEarly(nameLate(file, paths), files) : file))
}

/** Beginning of the name of the file that the page loads as soon as it knows its language. */
const early = '/assets/start-'

/** Names these scripts in the page, so that the browser fetches them while it reads the first one. */
function nameEarly(page: BuiltFile, files: readonly BuiltFile[]): BuiltFile {
  const start = files.find(({ path }) => path.startsWith(early))
  if (start === undefined) return page
  const links = [...importedBy(start, files)].map(({ path }) => `<link rel="modulepreload" href="${path}" />`)
  const html = new TextDecoder().decode(page.bytes).replace('</head>', `${links.join('')}</head>`)
  return { ...page, bytes: new TextEncoder().encode(html) }
}

/** The script and everything that it imports statically; `import(…)` loads only when a screen is opened. */
function importedBy(script: BuiltFile, files: readonly BuiltFile[], found = new Set<BuiltFile>()): Set<BuiltFile> {
  if (found.has(script)) return found
  found.add(script)
  for (const [, name] of new TextDecoder().decode(script.bytes).matchAll(/(?:from|\bimport)\s*"([^"]+)"/g)) {
    const imported = files.find(({ path }) => path === name)
    if (imported !== undefined) importedBy(imported, files, found)
  }
  return found
}

/** Files that are loaded later by a name that only the build knows: a worker, and the styles of some screens. */
const lateFiles = [
  { meta: 'engines', file: 'engines/engines.worker.ts', made: 'engines.worker.js' },
  { meta: 'screens', file: 'styles/screens.css', made: 'screens.css' },
] as const
type LateFile = (typeof lateFiles)[number]

function nameLate(page: BuiltFile, paths: ReadonlyMap<LateFile, string>): BuiltFile {
  let html = new TextDecoder().decode(page.bytes)
  for (const [{ meta }, path] of paths) {
    const open = `<meta name="${meta}" content="`
    if (!html.includes(`${open}"`)) throw new Error(`index.html has no meta element for ${meta}.`)
    html = html.replace(`${open}"`, `${open}${path}"`)
  }
  return { ...page, bytes: new TextEncoder().encode(html) }
}

/** Files with a fixed address (favicon, robots.txt), unchanged. */
async function publicFiles(folder: string): Promise<BuiltFile[]> {
  const publicFolder = join(folder, 'public')
  const names = await readdir(publicFolder).catch(() => [])
  return Promise.all(
    names.map(async (name) => ({
      path: `/${name}`,
      bytes: await Bun.file(join(publicFolder, name)).bytes(),
      immutable: false,
    })),
  )
}

/**
 * Fails the build for inline code, because the server's Content-Security-Policy allows only code and styles from its own files.
 */
function refuseInlineCode(name: string, bytes: Uint8Array): void {
  const html = new TextDecoder().decode(bytes)
  const inline = /<script(?![^>]*\ssrc=)[^>]*>|<style[\s>]|\sstyle=|\son[a-z]+=/i.exec(html)
  if (inline !== null)
    throw new Error(`${name} has inline code (${inline[0]}), which the Content-Security-Policy forbids.`)
}

/** The pack that src/console/assets.ts reads: a line of JSON with the list, then the files' contents one after another. */
function pack(files: BuiltFile[]): Uint8Array {
  const list: PackedFile[] = []
  const contents: Uint8Array[] = []
  for (const { path, bytes, immutable } of files) {
    const contentType = contentTypes[extname(path === '/' ? 'index.html' : basename(path))]
    if (contentType === undefined)
      throw new Error(`${path} has no known media type: add it to scripts/build-console.ts.`)
    const gzip = gzipSync(bytes, { level: 9 })
    // Images and fonts are compressed already: their gzip form would only cost bytes.
    const isSmaller = gzip.length < bytes.length * 0.9
    const content = isSmaller ? gzip : bytes
    list.push({ path, contentType, hash: sha256Hex(bytes), immutable, gzip: isSmaller, length: content.length })
    contents.push(content)
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...contents])
}

if (import.meta.main) await writeConsoleAssets()
