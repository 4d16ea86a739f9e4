import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { billOf, dataLicences, licencesText, type Part, partsOf } from '../../scripts/notices.ts'
import { canonicalHash } from '../../src/core/canonical.ts'
import { PRODUCT_VERSION } from '../../src/core/version.ts'
import { addonPackageOf } from '../../src/native/libsql-addon.plugin.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { findBinary } from '../support/quire.ts'

const addon = '@libsql/linux-x64-gnu'
const parts = partsOf(addon)
const named = (name: string) => parts.filter((part) => part.name === name)

interface Bill {
  bomFormat: string
  specVersion: string
  serialNumber: string
  metadata: { component: { version: string; properties: { name: string; value: string }[] } }
  components: { 'bom-ref': string; purl: string; licenses: object[]; hashes?: { alg: string; content: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

describe('the parts of an executable', () => {
  test('are the pinned packages and all that they need, each once, and nothing for development alone', async () => {
    const { dependencies, devDependencies } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
    for (const [name, version] of Object.entries<string>(dependencies)) {
      expect(named(name).map((part) => part.version)).toContain(version)
    }
    expect(new Set(parts.map(({ name, version }) => `${name}@${version}`)).size).toBe(parts.length)
    expect(named('@smithy/core')).toHaveLength(1)
    // Two versions are two parts: one is the plugin's own.
    expect(named('cookie').length).toBe(2)
    const data = ['cldr-core', '@zxcvbn-ts/language-common', '@expo-google-fonts/noto-sans-math']
    for (const name of data) expect(named(name).map((part) => part.version)).toEqual([devDependencies[name]])
    const others = ['@biomejs/biome', 'typescript', 'ajv', 'playwright-core', '@zxcvbn-ts/dictionary-compression']
    for (const name of others) expect(named(name)).toEqual([])
  })

  test('say of packages of data what those say of themselves, though a build does without them', async () => {
    const kept = await Bun.file(join(import.meta.dir, '../../scripts/data-licences.json')).json()
    expect(kept).toEqual(dataLicences())
    for (const [name, { licence, text }] of Object.entries(dataLicences())) {
      expect(named(name)).toEqual([expect.objectContaining({ licence, text })])
    }
  })

  test('have the one native addon of their machine', () => {
    const addons = (all: readonly Part[]) =>
      all.map(({ name }) => name).filter((name) => /^@libsql\/(?:linux|darwin|win)/.test(name))
    expect(addons(parts)).toEqual([addon])
    expect(named('libsql')[0]!.dependsOn.filter((id) => id.startsWith('@libsql/'))).toEqual([
      expect.stringMatching(/^@libsql\/linux-x64-gnu@/),
    ])
  })

  test('all say their licence, and no licence wants the source of Quire', () => {
    expect(parts.filter(({ licence }) => licence === 'NOASSERTION' || licence === '')).toEqual([])
    // The runtime is linked to a library under the LGPL, which lets it; nothing else may ask for more than to be named.
    const free =
      /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Unlicense|PSF-2\.0|Python-2\.0|OFL-1\.1|Unicode-3\.0|Zlib|BlueOak-1\.0\.0|MPL-2\.0)(?: (?:AND|OR) [\w.-]+)*\)?$/
    expect(parts.filter(({ name, licence }) => name !== 'bun' && !free.test(licence)).map(({ name }) => name)).toEqual(
      [],
    )
  })
})

test('the bill is CycloneDX whose references all lead somewhere, and the same for the same lock file', () => {
  const text = billOf(parts, 'a-revision')
  const bill = JSON.parse(text) as Bill
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(bill.metadata.component).toMatchObject({ name: 'quire', version: PRODUCT_VERSION })
  expect(bill.metadata.component.properties).toEqual([{ name: 'quire:revision', value: 'a-revision' }])
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  expect(refs.size).toBe(parts.length)
  const [own, ...others] = bill.dependencies
  expect(new Set(own!.dependsOn)).toEqual(refs)
  expect(new Set(others.map(({ ref }) => ref))).toEqual(refs)
  for (const { dependsOn } of others) for (const ref of dependsOn) expect(refs).toContain(ref)
  for (const { purl, licenses, hashes } of bill.components) {
    expect(purl).toMatch(/^pkg:(?:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*|github\/oven-sh\/bun@bun-v[\d.]+)$/)
    expect(licenses).toHaveLength(1)
    if (!purl.startsWith('pkg:github')) expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
  }
  expect(billOf(partsOf(addon), 'a-revision')).toBe(text)
  expect(canonicalHash(JSON.parse(billOf(parts, 'another')))).not.toBe(canonicalHash(JSON.parse(text)))
})

test('every part is in the list and among the texts, which have each text once', () => {
  const { list, texts } = licencesText(parts)
  expect(list.trimEnd().split('\n')).toHaveLength(parts.length)
  expect(list).toMatch(/^elysia@[\d.]+ +MIT$/m)
  for (const { name, version } of parts) expect(texts).toContain(`\n${name}@${version}`)
  expect(texts).toStartWith('Quire\n\nMIT License')
  const different = new Set(parts.map(({ text }) => text).filter((text) => text !== ''))
  // Before each of them a rule, and one before those that have none.
  expect(texts.split(`\n${'='.repeat(80)}\n`)).toHaveLength(different.size + 2)
  for (const text of different) expect(texts).toContain(text)
  expect(texts).toContain('SIL OPEN FONT LICENSE')
})

test('the executable prints both; from source there is nothing to list', async () => {
  const folder = temporaryFolder()
  const run = (...args: string[]) => {
    const { stdout, exitCode } = Bun.spawnSync([findBinary(), ...args], { cwd: folder, env: { TMPDIR: folder } })
    return { text: stdout.toString(), exitCode }
  }
  const [platform, arch] = [process.platform, process.arch]
  const own = partsOf(addonPackageOf(platform, arch))
  const bill = run('sbom')
  const { value } = (JSON.parse(bill.text) as Bill).metadata.component.properties[0]!
  expect(bill).toEqual({ text: billOf(own, value), exitCode: 0 })
  expect(run('licences')).toEqual({ text: licencesText(own).list, exitCode: 0 })
  expect(run('licences', '--texts')).toEqual({ text: licencesText(own).texts, exitCode: 0 })
  if (process.env.TEST_COMMANDS) return
  expect(await runCommand(folder, ['sbom'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'quire: only an executable knows what it consists of; make one with "bun run build"\n',
  })
}, 60_000)
