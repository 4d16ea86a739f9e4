/**
 * Builds `dist/quire`: one executable with the server, the workers, libSQL's native addon, migrations, fonts and
 * the console inside. `bun run build [--target=bun-linux-arm64] [--outfile=dist/quire]`.
 *
 * To build for another machine, install every machine's addon first: `bun install --cpu='*' --os='*'`.
 */
import { mkdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Notices } from '../src/commands/notices.ts'
import { addonPackageOf, libsqlAddonPlugin } from '../src/native/libsql-addon.plugin.ts'
import { writeConsoleAssets } from './build-console.ts'
import { compressedFilesPlugin, noticesPlugin } from './compressed-files.plugin.ts'
import { dataModulesPlugin } from './data-modules.plugin.ts'
import { ecmascriptModulesPlugin } from './ecmascript-modules.plugin.ts'
import { leftOutPlugin } from './left-out.plugin.ts'
import { billOf, licencesText, partsOf } from './notices.ts'
import { plainPackagesPlugin } from './plain-packages.plugin.ts'
import { plainSourcesPlugin } from './plain-sources.plugin.ts'
import { standardFontsPlugin } from './standard-fonts.plugin.ts'

const root = join(import.meta.dir, '..')

/**
 * Compiles entry points into one executable; the first is the program, the others are its workers.
 *
 * A worker is started with `new Worker(new URL('./engine.worker.ts', import.meta.url).href)`, both from source and compiled. When
 * compiled, every module of the program has one URL at the root of the embedded file system, so the workers' names are flattened
 * to that root: `./` finds them from any module. Worker file names must therefore be unique.
 *
 * @param target a Bun compile target such as `bun-linux-x64`; by default this machine's
 * @returns the executable's size in bytes
 */
export async function compileExecutable(options: {
  entrypoints: string[]
  outfile: string
  target?: Bun.Build.CompileTarget | undefined
  define?: Record<string, string>
  notices?: Notices
  /** Whether all of Quire is built, and not a part of it: see `leftOutPlugin`. */
  isComplete?: boolean
}): Promise<number> {
  const [platform, arch] = machineOf(options.target)
  await mkdir(dirname(options.outfile), { recursive: true })
  const result = await Bun.build({
    entrypoints: options.entrypoints,
    target: 'bun',
    format: 'esm',
    minify: true,
    bytecode: true,
    // Carries what program and workers share only once, and lets a command load only what it imports.
    splitting: true,
    // Without a source map, a crash in the minified program can't be read.
    sourcemap: 'linked',
    naming: { entry: '[name].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"', ...options.define },
    plugins: [
      libsqlAddonPlugin(platform, arch),
      ...(options.notices === undefined ? [] : [noticesPlugin(options.notices)]),
      ecmascriptModulesPlugin,
      leftOutPlugin({ isComplete: options.isComplete ?? false }),
      compressedFilesPlugin,
      dataModulesPlugin,
      standardFontsPlugin,
      plainPackagesPlugin,
      plainSourcesPlugin,
    ],
    compile: {
      outfile: options.outfile,
      ...(options.target === undefined ? {} : { target: options.target }),
      // Only src/config.ts reads configuration: a bunfig.toml or .env that happens to be in the working directory must not run
      // code in the server or change its settings.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  })
  for (const log of result.logs) console.error(String(log))
  // The executable contains its source maps, so the copies beside it are useless.
  await Promise.all(result.outputs.filter(({ kind }) => kind === 'sourcemap').map(({ path }) => unlink(path)))
  return Bun.file(options.outfile).size
}

/** Platform and architecture (with `-musl` if requested) of a compile target. */
function machineOf(target: string | undefined): [platform: string, arch: string] {
  if (target === undefined) return [process.platform, process.arch]
  const [, platform, arch, ...rest] = target.split('-')
  if (platform === undefined || arch === undefined) throw new Error(`${target} is not a target such as bun-linux-x64.`)
  return [platform, rest.includes('musl') ? `${arch}-musl` : arch]
}

/** The commit being built: from the environment if there is no repository (a container build), else from git. */
function revision(): string {
  const given = process.env.QUIRE_REVISION
  if (given !== undefined && given !== '') return given
  const git = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: root, stderr: 'ignore' })
  return git.success ? git.stdout.toString().trim() : 'unknown'
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, outfile: { type: 'string', default: join(root, 'dist/quire') } },
  })
  const started = performance.now()
  await writeConsoleAssets()
  const parts = partsOf(addonPackageOf(...machineOf(values.target)))
  const bytes = await compileExecutable({
    entrypoints: [
      'main.ts',
      'runner/engine.worker.ts',
      'modules/drafts/judge.worker.ts',
      'commands/many.worker.ts',
    ].map((name) => join(root, 'src', name)),
    outfile: values.outfile,
    target: values.target as Bun.Build.CompileTarget | undefined,
    define: {
      QUIRE_REVISION: JSON.stringify(revision()),
    },
    isComplete: true,
    notices: { bill: billOf(parts, revision()), licences: licencesText(parts) },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${values.outfile}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s`)
}
