/**
 * Builds the packages for other projects into dist/packages: for each a folder and an archive, both installable. `bun run
 * build:packages [client] [testing]` builds all of them without a name.
 */
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import manifestOfRoot from '../package.json'
import { PRODUCT_VERSION } from '../src/core/version.ts'
import { compressedFile, compressible } from './compressed-files.plugin.ts'
import { standardFontsPlugin } from './standard-fonts.plugin.ts'

const root = join(import.meta.dir, '..')
const source = join(root, 'src')

export interface PackageDescription {
  name: string
  description: string
  /** Path within src/; its folder also has the package's README. */
  entry: string
  /** Node's and Bun's conditions for the package's only import, besides its types. */
  exports: Readonly<Record<string, string>>
  engines: Readonly<Record<string, string>>
  keywords: readonly string[]
  /** Writes the program into the folder as index.js, and the files that it reads beside it. */
  build(folder: string): Promise<void>
}

const client: PackageDescription = {
  name: '@quire/client',
  description: 'The typed client of Quire, for Bun, Node and browsers.',
  entry: 'client/client.ts',
  exports: { default: './index.js' },
  engines: { node: '>=20.3', bun: '>=1.1' },
  keywords: ['quire', 'documents', 'docx', 'pdf'],
  async build(folder) {
    await bundle({ entrypoints: [join(source, client.entry)], outdir: folder, target: 'browser' })
  },
}

const testing: PackageDescription = {
  name: '@quire/testing',
  description: 'Documents under test with bun test: Quire projects run in process, and matchers for what they make.',
  entry: 'testing/testing.ts',
  exports: { bun: './index.js', default: './needs-bun.js' },
  engines: { bun: manifestOfRoot.engines.bun },
  keywords: ['quire', 'bun', 'test', 'documents', 'docx', 'pdf'],
  async build(folder) {
    const inputs = await bundle({
      entrypoints: [join(source, testing.entry)],
      outdir: folder,
      target: 'bun',
      plugins: [besidePlugin(folder), standardFontsPlugin],
    })
    await Bun.write(join(folder, 'needs-bun.js'), needsBun)
    await Bun.write(join(folder, 'THIRD-PARTY.txt'), await noticesOf(inputs))
  },
}

const needsBun = `throw new Error('@quire/testing runs under Bun, whose test runner it extends: bun test. Elsewhere run "quire test".')
`

export const packages: Readonly<Record<string, PackageDescription>> = { client, testing }

/**
 * Builds one package.
 *
 * @param outdir the folder for the package's folder and its archive
 * @returns the paths of both
 */
export async function buildPackage(name: string, outdir: string): Promise<{ folder: string; archive: string }> {
  const described = packages[name]
  if (described === undefined) throw new Error(`${name} is no package; there are ${Object.keys(packages).join(', ')}`)
  const folder = join(outdir, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await described.build(folder)
  const types = await writeTypes(described.entry, join(folder, 'types'))
  await cp(join(source, dirname(described.entry), 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const manifest = {
    name: described.name,
    version: PRODUCT_VERSION,
    description: described.description,
    license: 'MIT',
    keywords: described.keywords,
    type: 'module',
    engines: described.engines,
    exports: { '.': { types: `./types/${types}`, ...described.exports } },
    types: `./types/${types}`,
    files: (await readdir(folder)).sort(),
  }
  await Bun.write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const archive = join(outdir, `${described.name.slice(1).replace('/', '-')}-${PRODUCT_VERSION}.tgz`)
  run([process.execPath, 'pm', 'pack', '--quiet', '--filename', archive], folder)
  return { folder, archive }
}

/**
 * Bundles into one module of plain JavaScript, readable in a debugger.
 *
 * @returns the paths of all files in the bundle
 */
async function bundle(options: Bun.BuildConfig): Promise<string[]> {
  const result = await Bun.build({ format: 'esm', naming: { entry: 'index.js' }, metafile: true, ...options })
  if (!result.success) throw new AggregateError(result.logs, 'the package could not be bundled')
  return Object.keys(result.metafile?.inputs ?? {})
}

/**
 * Puts fonts, tables and the like beside the module, compressed as in the executable and named after their content. A bundle's
 * paths are relative to the working directory; the package's must be relative to the module.
 */
function besidePlugin(folder: string): BunPlugin {
  return {
    name: 'beside',
    setup(build) {
      build.onLoad({ filter: compressible }, async ({ path }) => {
        const bytes = await compressedFile(path)
        const name = `${basename(path).replace(/\.[^.]*$/, '')}-${Bun.hash(bytes).toString(36)}.zst`
        await Bun.write(join(folder, 'assets', name), bytes)
        const contents = `import { fileURLToPath } from 'node:url'
          export default fileURLToPath(new URL('./assets/${name}', import.meta.url))`
        return { contents, loader: 'js' }
      })
    },
  }
}

/** The licences of everything in a bundle, each under the names of its packages. */
async function noticesOf(inputs: readonly string[]): Promise<string> {
  const carried = new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  const byText = new Map<string, string[]>()
  for (const name of [...carried].sort()) {
    const home = join(root, 'node_modules', name)
    const files = (await readdir(home)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).sort()
    const { version, license } = await Bun.file(join(home, 'package.json')).json()
    const texts = await Promise.all(files.map((file) => Bun.file(join(home, file)).text()))
    const text = texts.length === 0 ? `Licence: ${license}` : texts.map((each) => each.trim()).join('\n\n')
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  const own = await Bun.file(join(source, 'engines/pdf/font/symbols/OFL.txt')).text()
  byText.set(own.trim(), ['Fonts of symbols and mathematics: subsets, made by scripts/build-symbols.ts'])
  const parts = [...byText].map(([text, names]) => `${names.join(', ')}\n\n${text}\n`)
  return `What this package carries of others, with their licences.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/**
 * Writes the entry's declarations, and those in its folder that it names. Nothing else is read for them, so that a package's
 * types can't depend on an engine's.
 *
 * @returns the entry's path within the folder
 */
async function writeTypes(entry: string, folder: string): Promise<string> {
  const scratch = join(root, 'dist', `types-${process.pid}`)
  const home = join(source, dirname(entry))
  const configuration = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: home, outDir: scratch },
      // The project's own type check covers these files; here each is read alone.
      ...{ noResolve: true, noCheck: true },
    },
    files: (await readdir(home)).filter((name) => name.endsWith('.ts')).map((name) => join(home, name)),
    include: [],
  }
  try {
    await Bun.write(join(scratch, 'tsconfig.json'), JSON.stringify(configuration))
    run([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', scratch], root)
    const start = basename(entry).replace(/\.ts$/, '.d.ts')
    const written = new Set<string>()
    for (const open = [start]; open.length > 0; ) {
      const file = open.pop() ?? ''
      if (written.has(file)) continue
      written.add(file)
      const text = await Bun.file(join(scratch, file)).text()
      for (const [, specifier = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) {
        if (!specifier.startsWith('./')) throw new Error(`${file} names ${specifier}, which is not of its package`)
        open.push(`${specifier.slice(2)}.d.ts`)
      }
      // Declarations have no sources beside them, so they name each other with the extension .js.
      await Bun.write(join(folder, file), text.replace(/(?<=['"]\.[^'"]+)\.ts(?=['"])/g, '.js'))
    }
    return start
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function run(command: string[], cwd: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command.slice(1).join(' ')} failed:\n${stdout}${stderr}`)
}

if (import.meta.main) {
  const names = Bun.argv.slice(2)
  for (const name of names.length === 0 ? Object.keys(packages) : names) {
    const { folder, archive } = await buildPackage(name, join(root, 'dist/packages'))
    console.log(`${relative(process.cwd(), folder)}\n${relative(process.cwd(), archive)}`)
  }
}
