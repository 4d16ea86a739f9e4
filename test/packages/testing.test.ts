import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { buildPackage } from '../../scripts/build-packages.ts'
import { projectFiles } from '../../src/commands/init.ts'
import { blocksOf } from '../docs/pages.ts'
import { temporaryFolder } from '../support/database.ts'
import { type FreshProject, freshProject, typeErrors } from './fresh-project.ts'

const root = join(import.meta.dir, '../..')

/** The tests that the package's README shows. */
const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'src/testing/README.md'), 'utf8')) ?? []

/** Those that the page of testing shows. */
const [shown] = (await blocksOf('docs/testing.md')).filter(({ language }) => language === 'ts')

const files = {
  'shown.test.ts': shown?.text ?? '',
  'letter.test.ts': example,
  'pages.test.ts': `import { expect, test } from 'bun:test'
    import { quire } from '@quire/testing'
    test('looks the same', async () => {
      await expect(await quire('.').runCase('clws-policy/annual')).toMatchPages('pages/annual')
    })`,
  'checked.ts': `import { expect } from 'bun:test'
    import { quire, type RunResult } from '@quire/testing'
    const run: RunResult = await quire('.').run('invoice', { lines: [] }, { params: { place: 'Ghent' } })
    expect(run).toContainText(/a/)
    expect(run).toHaveRows([['Pen', 2, /x/, expect.anything()]])
    expect(run.output).not.toSatisfyContract(quire('.').contract('invoice'))
    await expect(run.node('letter')).toMatchPages('pages/letter', { tolerance: 1 })
    // @ts-expect-error rows have cells
    expect(run).toHaveRows(['Pen'])
    // @ts-expect-error an input is no number
    await quire('.').run('invoice', 5)`,
}

describe('@quire/testing, packed and installed without a network', () => {
  let project: FreshProject
  const bunTest = (file: string, variables: Record<string, string> = {}) =>
    project.run([process.execPath, 'test', '--timeout', '60000', `./${file}`], variables)

  beforeAll(async () => {
    const { archive } = await buildPackage('testing', temporaryFolder())
    project = freshProject(archive, { ...files, ...(await projectFiles()) })
  }, 120_000)

  test('runs the tests of its README on the project that quire init makes', () => {
    const { code, output } = bunTest('letter.test.ts')
    expect([code, output]).toEqual([0, expect.stringContaining(' 2 pass\n 0 fail')])
  })

  test('runs the tests of its page in the docs, which writes pages and then compares with them', () => {
    const missing = bunTest('shown.test.ts')
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('QUIRE_UPDATE=1')])
    for (const variables of [{ QUIRE_UPDATE: '1' }, undefined]) {
      const { code, output } = bunTest('shown.test.ts', variables)
      expect([code, output]).toEqual([0, expect.stringContaining(' 2 pass\n 0 fail')])
    }
    expect(typeErrors(project, 'shown.test.ts', 'nodenext', [join(root, 'node_modules/bun-types')])).toBe('')
  })

  test('fails with what is wrong when a document changes', () => {
    const path = join(project.folder, 'transformers/clws-policy.yaml')
    const source = readFileSync(path, 'utf8')
    const changed = source.replace('$i/dueDate, date: d MMMM yyyy', '$i/dueDate, date: d.M.yyyy')
    expect(changed).not.toBe(source)
    writeFileSync(path, changed)
    const { code, output } = bunTest('letter.test.ts')
    writeFileSync(path, source)
    expect(code).toBe(1)
    expect(output).toContain(
      'No table of the document has these rows. Most like them, from row 1 of a table of 15 rows',
    )
    expect(output).toContain('\n   No. | Period covered | Due date | Amount\n')
    expect(output).toContain('\n  -1 | 1 Apr 2026 – 30 Apr 2026 | 1 April 2026 | €101.66\n')
    expect(output).toContain('\n  +1 | 1 Apr 2026 – 30 Apr 2026 | 1.4.2026 | €101.66\n')
    expect(output).toContain('(fail) the letter lists each instalment, and their sum')
  })

  test('compares pages with those that QUIRE_UPDATE wrote', () => {
    const missing = bunTest('pages.test.ts')
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('has no pages to compare with')])
    expect(bunTest('pages.test.ts', { QUIRE_UPDATE: '1' }).code).toBe(0)
    expect(bunTest('pages.test.ts').code).toBe(0)
    const page = join(project.folder, 'pages/annual/page-1.svg')
    writeFileSync(page, readFileSync(page, 'utf8').replaceAll('<rect', '<rect data-changed=""'))
    const { code, output } = bunTest('pages.test.ts', { TMPDIR: project.folder })
    expect([code, output]).toEqual([1, expect.stringMatching(/page-1\.svg is drawn otherwise: \d+ gone, \d+ new/)])
    expect(readdirSync(project.folder).filter((name) => /^quire-pages-\w+\.html$/.test(name))).toHaveLength(1)
  })

  test('has types that the strict compiler takes beside those of bun', () => {
    const types = join(root, 'node_modules/bun-types')
    for (const module of ['nodenext', 'preserve'] as const) {
      expect(typeErrors(project, 'checked.ts', module, [types])).toBe('')
    }
  })

  test.skipIf(Bun.which('node') === null)('says under Node where it runs', () => {
    const { code, output } = project.run(['node', '--input-type=module', '-e', "await import('@quire/testing')"])
    expect([code, output]).toEqual([1, expect.stringContaining('@quire/testing runs under Bun')])
  })

  test('carries everything it needs, with its licences, and nothing of the server', () => {
    const home = join(project.folder, 'node_modules/@quire/testing')
    const imported = new Bun.Transpiler({ loader: 'js' }).scanImports(readFileSync(join(home, 'index.js'), 'utf8'))
    expect(imported.filter(({ path }) => !isBuiltin(path))).toEqual([])
    const source = readFileSync(join(home, 'index.js'), 'utf8')
    for (const name of ['elysia', 'libsql', 'drizzle', 'aedes']) expect(source).not.toContain(`node_modules/${name}/`)
    const notices = readFileSync(join(home, 'THIRD-PARTY.txt'), 'utf8')
    for (const name of ['@expo-google-fonts/carlito 0.', 'pdf-lib 1.', 'harfbuzzjs 1.', 'Fonts of symbols'])
      expect(notices).toContain(name)
    expect(notices).toContain('SIL OPEN FONT LICENSE')
    expect(notices).not.toMatch(/^Licence: undefined/m)
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined])
  })
})
