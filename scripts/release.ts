/**
 * Makes the files of a release from the committed sources: executables, their bills of materials, checksums and provenance.
 *
 * `bun scripts/release.ts [--target bun-linux-arm64]… [--folder dist/release]`; by default for this machine. For other machines
 * install every addon first (`bun install --cpu='*' --os='*'`). Nothing is signed here: sign `SHA256SUMS`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256Hex } from '../src/core/hash.ts'
import { PRODUCT_VERSION } from '../src/core/version.ts'
import { addonPackageOf } from '../src/native/libsql-addon.plugin.ts'
import { billOf, partsOf } from './notices.ts'

const root = join(import.meta.dir, '..')

export interface Made {
  /** An executable in the release's folder. */
  file: string
  /** A compile target of Bun, such as `bun-linux-x64`. */
  target: string
}

export interface Origin {
  /** The commit. */
  revision: string
  /** SHA-256 of `bun.lock`. */
  lockHash: string
  bun: string
}

/**
 * Writes bills of materials, provenance and checksums beside the executables.
 *
 * @returns the names of the files that it wrote
 */
export async function describeRelease(folder: string, made: readonly Made[], origin: Origin): Promise<string[]> {
  const written: string[] = []
  const write = async (name: string, text: string) => {
    await Bun.write(join(folder, name), text)
    written.push(name)
  }
  for (const { file, target } of made) {
    const [, platform = '', ...arch] = target.split('-')
    await write(`${file}.cdx.json`, billOf(partsOf(addonPackageOf(platform, arch.join('-'))), origin.revision))
  }
  const hashes = new Map<string, string>()
  for (const { file } of made) hashes.set(file, await hashOf(join(folder, file)))
  for (const name of [...written]) hashes.set(name, await hashOf(join(folder, name)))
  await write('provenance.json', `${JSON.stringify(provenanceOf(made, hashes, origin), undefined, 2)}\n`)
  hashes.set('provenance.json', await hashOf(join(folder, 'provenance.json')))
  const lines = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, hash]) => `${hash}  ${name}\n`)
  await write('SHA256SUMS', lines.join(''))
  return written
}

/** An in-toto statement with SLSA's provenance, version 1; without a time, so that it can be reproduced byte for byte. */
function provenanceOf(made: readonly Made[], hashes: ReadonlyMap<string, string>, origin: Origin): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: made.map(({ file }) => ({ name: file, digest: { sha256: hashes.get(file) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:quire:release:1',
        externalParameters: { revision: origin.revision, targets: made.map(({ target }) => target) },
        internalParameters: { bun: origin.bun, command: 'bun scripts/release.ts' },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: origin.revision } },
          { name: 'bun.lock', digest: { sha256: origin.lockHash } },
        ],
      },
      runDetails: { builder: { id: 'urn:quire:scripts/release.ts' } },
    },
  }
}

async function hashOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

function textOf(...command: string[]): string {
  const run = Bun.spawnSync(command, { cwd: root, stderr: 'inherit' })
  if (!run.success) throw new Error(`${command.join(' ')} failed`)
  return run.stdout.toString().trim()
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true, default: [`bun-${process.platform}-${process.arch}`] },
      folder: { type: 'string', default: join(root, 'dist/release') },
    },
  })
  if (textOf('git', 'status', '--porcelain') !== '') {
    console.error(
      'There are changes that are not committed, so nobody could make this release again. Commit them first.',
    )
    process.exit(1)
  }
  mkdirSync(values.folder, { recursive: true })
  for (const name of readdirSync(values.folder)) rmSync(join(values.folder, name), { recursive: true })
  const made = values.target.map((target) => ({
    target,
    file: `quire-${PRODUCT_VERSION}-${target.replace('bun-', '')}`,
  }))
  for (const { target, file } of made) {
    textOf(process.execPath, 'scripts/build.ts', `--target=${target}`, `--outfile=${join(values.folder, file)}`)
  }
  const origin = {
    revision: textOf('git', 'rev-parse', 'HEAD'),
    lockHash: sha256Hex(readFileSync(join(root, 'bun.lock'))),
    bun: Bun.version,
  }
  const written = await describeRelease(values.folder, made, origin)
  console.log(
    [...made.map(({ file }) => file), ...written].map((name) => join(basename(values.folder), name)).join('\n'),
  )
}
