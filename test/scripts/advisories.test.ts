import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { lockedPackages, lookUp, type Package } from '../../scripts/advisories.ts'
import { temporaryFolder } from '../support/database.ts'

const root = join(import.meta.dir, '../..')

/** CVE-2023-2251 by its facts, in OSV's form. */
const yaml = {
  id: 'GHSA-f9xv-q969-pqx4',
  modified: '2023-04-25T19:57:06Z',
  summary: 'Uncaught exception in yaml',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'yaml' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '2.0.0-5' }, { fixed: '2.2.2' }] }],
    },
  ],
}
const about = (id: string, affected: object, rest: object = {}) => ({
  ...{
    id,
    modified: '2026-01-02T00:00:00Z',
    affected: [{ package: { ecosystem: 'npm', name: 'thing' }, ...affected }],
  },
  ...rest,
})
const semver = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] })

function archiveOf(...records: readonly { id: string }[]): Uint8Array {
  const text = (record: object) => new TextEncoder().encode(JSON.stringify(record))
  return zipSync({
    'README.txt': text({}),
    ...Object.fromEntries(records.map((record) => [`${record.id}.json`, text(record)])),
  })
}
const streamOf = (bytes: Uint8Array) => new Blob([bytes as BlobPart]).stream()
async function idsFor(packages: readonly Package[], ...records: readonly { id: string }[]): Promise<string[]> {
  return (await lookUp(packages, streamOf(archiveOf(...records)))).weaknesses.map(({ id }) => id)
}

test('a version has a weakness from where it was introduced to before where it was mended', async () => {
  for (const [version, isAffected] of [
    ['1.10.2', false],
    ['2.0.0-4', false],
    ['2.0.0-5', true],
    ['2.2.1', true],
    ['2.2.2', false],
    ['2.10.0', false],
  ] as const) {
    expect([version, await idsFor([{ name: 'yaml', version }], yaml)]).toEqual([version, isAffected ? [yaml.id] : []])
  }
})

test('ranges in any order, listed versions and last affected ones count; withdrawn records and other ecosystems do not', async () => {
  const twice = about('A', semver({ fixed: '3.1.0' }, { introduced: '3.0.0' }, { fixed: '1.5.0' }, { introduced: '0' }))
  const last = about('B', semver({ introduced: '0' }, { last_affected: '1.4.9' }))
  const listed = about('C', { versions: ['1.4.9', '9.0.0'] })
  const others = [
    about('D', semver({ introduced: '0' }), { withdrawn: '2026-01-03T00:00:00Z' }),
    about('E', { ...semver({ introduced: '0' }), package: { ecosystem: 'PyPI', name: 'thing' } }),
    about('F', { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }),
    { id: 'G', modified: '2025-01-01T00:00:00Z' },
  ]
  for (const [version, ids] of [
    ['0.0.1', ['A', 'B']],
    ['1.4.9', ['A', 'B', 'C']],
    ['1.5.0', []],
    ['3.0.7', ['A']],
    ['3.1.0', []],
    ['9.0.0', ['C']],
  ] as const) {
    const found = await idsFor(
      [
        { name: 'thing', version },
        { name: 'other', version },
      ],
      twice,
      last,
      listed,
      ...others,
    )
    expect([version, found]).toEqual([version, [...ids]])
  }
})

test('the lock file names each version of each package, and the check reads it', async () => {
  const packages = lockedPackages(await Bun.file(join(root, 'bun.lock')).text())
  expect(packages.length).toBeGreaterThan(200)
  const { dependencies } = await Bun.file(join(root, 'package.json')).json()
  expect(packages).toContainEqual({ name: 'yaml', version: dependencies.yaml })
  expect(packages).toContainEqual({ name: '@libsql/client', version: dependencies['@libsql/client'] })

  const folder = temporaryFolder()
  const run = async (name: string, bytes: Uint8Array) => {
    await Bun.write(join(folder, name), bytes)
    const child = Bun.spawnSync([process.execPath, 'scripts/advisories.ts', join(folder, name)], { cwd: root })
    return { code: child.exitCode, told: `${child.stdout}${child.stderr}` }
  }
  const now = {
    ...yaml,
    affected: [{ package: { ecosystem: 'npm', name: 'yaml' }, ...semver({ introduced: '2.0.0' }) }],
  }
  const found = await run('found.zip', archiveOf(now))
  expect(found.told).toContain(`${yaml.id}  yaml ${dependencies.yaml}, in the executable; not mended: ${yaml.summary}`)
  expect(found.code).toBe(1)
  const clean = await run('clean.zip', archiveOf(yaml))
  expect(clean.told).toContain('1 advisories, the newest of 2023-04-25T19:57:06Z: 0 concern them.')
  expect(clean.code).toBe(0)
  expect((await run('empty.zip', archiveOf())).code).toBe(2)
  const cut = await run('cut.zip', archiveOf(yaml, { ...yaml, id: 'GHSA-next' }).slice(0, -60))
  expect(cut.told).toContain('it is no whole zip; download it again')
  expect(cut.code).toBe(2)
  expect((await run('none.zip', new TextEncoder().encode('no archive'))).code).toBe(2)
})
