import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeRelease } from '../../scripts/release.ts'
import { temporaryFolder } from '../support/database.ts'

const origin = { revision: 'a'.repeat(40), lockHash: 'b'.repeat(64), bun: Bun.version }
// Both for this machine, whose addon is installed.
const target = `bun-${process.platform}-${process.arch}`
const made = [
  { file: 'quire-1-here', target },
  { file: 'quire-1-there', target },
]

async function described(folder = temporaryFolder()): Promise<{ folder: string; written: string[] }> {
  for (const { file } of made) writeFileSync(join(folder, file), `the executable ${file}`)
  return { folder, written: await describeRelease(folder, made, origin) }
}

test('every file of a release has a checksum that the usual program takes, and a changed one fails', async () => {
  const { folder, written } = await described()
  expect(written).toEqual([...made.map(({ file }) => `${file}.cdx.json`), 'provenance.json', 'SHA256SUMS'])
  const check = () => Bun.spawnSync(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  const good = check()
  expect(good.exitCode).toBe(0)
  const files = [...made.map(({ file }) => file), ...written.filter((name) => name !== 'SHA256SUMS')]
  expect(good.stdout.toString().trim().split('\n').sort()).toEqual(files.map((name) => `${name}: OK`).sort())
  writeFileSync(join(folder, made[1]!.file), 'another')
  expect(check().exitCode).toBe(1)
})

test('the provenance names each executable by its hash, and the commit, lock file and Bun that it comes from', async () => {
  const { folder } = await described()
  const statement = await Bun.file(join(folder, 'provenance.json')).json()
  expect(statement._type).toBe('https://in-toto.io/Statement/v1')
  expect(statement.predicateType).toBe('https://slsa.dev/provenance/v1')
  const sums = await Bun.file(join(folder, 'SHA256SUMS')).text()
  expect(statement.subject.map(({ name }: { name: string }) => name)).toEqual(made.map(({ file }) => file))
  for (const { name, digest } of statement.subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`)
  const { externalParameters, internalParameters, resolvedDependencies } = statement.predicate.buildDefinition
  expect(externalParameters).toEqual({ revision: origin.revision, targets: made.map(({ target }) => target) })
  expect(internalParameters.bun).toBe(Bun.version)
  expect(resolvedDependencies).toEqual([
    { name: 'source', digest: { gitCommit: origin.revision } },
    { name: 'bun.lock', digest: { sha256: origin.lockHash } },
  ])
  const bill = await Bun.file(join(folder, 'quire-1-there.cdx.json')).json()
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'quire' } } })
  expect(JSON.stringify(bill)).toContain(origin.revision)
})

test('what describes a release is the same bytes when it is made again', async () => {
  const [first, second] = [await described(), await described()]
  for (const name of first.written) {
    expect(await Bun.file(join(second.folder, name)).text()).toBe(await Bun.file(join(first.folder, name)).text())
  }
})
