/**
 * Shows that the executable depends only on the sources and the lock file: builds the committed state in two folders of different
 * names and depths, and compares the bytes, also with those of a given executable.
 *
 * `bun scripts/reproduce.ts [EXECUTABLE]`; exit code 1 if they differ.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dir, '..')

export interface BuiltTwice {
  /** SHA-256 of each executable. */
  hashes: [string, string]
  /** The built revision. */
  revision: string
}

/** @throws if a build fails */
export async function buildTwice(): Promise<BuiltTwice> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-reproduce-'))
  const revision = textOf(['git', 'rev-parse', 'HEAD'], root).trim()
  try {
    const places = [join(folder, 'a'), join(folder, 'elsewhere', 'and', 'deeper')]
    const hashes: string[] = []
    for (const place of places) {
      buildIn(place, revision)
      hashes.push(await sha256Of(join(place, 'dist/quire')))
      rmSync(place, { recursive: true })
    }
    const [first = '', second = ''] = hashes
    return { hashes: [first, second], revision }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Builds the project's current files, with the installed packages, in a folder that must not exist yet. */
export function buildIn(place: string, revision: string): void {
  copySources(place)
  linkPackages(place)
  textOf([process.execPath, 'scripts/build.ts'], place, { QUIRE_REVISION: revision })
}

/** Copies the project's current files, committed or not, without tests and docs. */
export function copySources(place: string): void {
  mkdirSync(place, { recursive: true })
  const files = textOf(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], root)
  for (const file of files.split('\0')) {
    if (!existsSync(join(root, file)) || /^(?:test|docs|\.tools)\b|^$/.test(file)) continue
    mkdirSync(join(place, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(place, file))
  }
}

/** Hard links instead of copies where the disk allows them. */
function linkPackages(place: string): void {
  const packages = join(root, 'node_modules')
  const linked = Bun.spawnSync(['cp', '-al', packages, join(place, 'node_modules')], { stderr: 'ignore' })
  if (linked.success) return
  rmSync(join(place, 'node_modules'), { recursive: true, force: true })
  textOf(['cp', '-a', packages, join(place, 'node_modules')], root)
}

export async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

function textOf(command: string[], cwd: string, environment: Record<string, string> = {}): string {
  const run = Bun.spawnSync(command, { cwd, env: { ...process.env, ...environment }, stderr: 'pipe' })
  if (!run.success) throw new Error(`${command.join(' ')} failed in ${relative(root, cwd)}:\n${run.stderr}`)
  return run.stdout.toString()
}

if (import.meta.main) {
  const given = process.argv[2]
  const { hashes, revision } = await buildTwice()
  const wanted = given === undefined ? hashes[0] : await sha256Of(given)
  for (const hash of hashes) console.log(`${hash}  built from ${revision}`)
  if (given !== undefined) console.log(`${wanted}  ${given}`)
  const isSame = hashes.every((hash) => hash === wanted)
  console.log(isSame ? 'The same bytes.' : 'They differ.')
  process.exit(isSame ? 0 : 1)
}
