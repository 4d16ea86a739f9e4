/** Which files of a store are a case, what counts of it at an instant, and which cases of a contract join them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestFittingCases } from '../../../src/modules/cases/cases.reads.ts'
import { writeCaseFiles } from '../../../src/modules/suites/case-files.service.ts'
import { casesAsFiles, casesOfSuite, readCase, type SuiteCase } from '../../../src/modules/suites/suites.cases.ts'
import {
  type CaseFileHead,
  listCaseFiles,
  listModelFiles,
  readCaseFiles,
  readFilesBelow,
} from '../../../src/modules/suites/suites.reads.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author, nobody } from '../../support/author.ts'
import { leastCpuMsOf } from '../../support/cpu.ts'
import { contract } from '../projects/fixture.ts'

const at = instantOf('2026-11-20T09:30:00Z')
const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'cases', at }
const bytes = (text: string) => new TextEncoder().encode(text)

const heads = (...paths: string[]): CaseFileHead[] =>
  paths.map((path) => ({
    ...{ path: `cases/hello/${path}`, contentHash: sha256Hex(path) },
    ...{ writtenBy: SYSTEM_ACTOR_ID, correlationId: 'cases', writtenAt: at },
  }))
const cut = (path: string) => path.replace('cases/hello/', '')
/** A case by the ends of its paths. */
const shown = ({ name, input, params, expected, replaced, later, origin }: SuiteCase) => ({
  ...{ name, origin, input: cut(input.path), params: params && cut(params.path) },
  expected: Object.fromEntries([...expected].map(([file, { path }]) => [file, cut(path)])),
  ...{ replaced: replaced.map(cut), later: later.map(cut) },
})

describe('the files of a case', () => {
  test('are an input, its params, and what is expected of each node; others are no case', () => {
    const files = heads(
      ...['ada.json', 'ada.params.json', 'ada.expected/letter/output.json', 'ada.expected/letter/page-1.svg'],
      ...['bo.csv', 'cy.xml', 'dee.params.json', 'eve.expected/letter/output.json', 'notes.txt'],
    )
    const nothing = { params: undefined, expected: {}, replaced: [], later: [], origin: 'suite' as const }
    expect(casesAsFiles(files, at).map(shown)).toEqual([
      {
        ...{ ...nothing, name: 'ada', input: 'ada.json', params: 'ada.params.json' },
        expected: {
          'letter/output.json': 'ada.expected/letter/output.json',
          'letter/page-1.svg': 'ada.expected/letter/page-1.svg',
        },
      },
      { ...nothing, name: 'bo', input: 'bo.csv' },
      { ...nothing, name: 'cy', input: 'cy.xml' },
    ])
  })

  test('of an instant are the newest that count by then; those before are replaced, those after come later', () => {
    const of = (day: string) => `ada.from-2026-11-${day}T09-30-00Z.expected/letter/output.json`
    const files = heads('ada.json', 'ada.expected/letter/output.json', of('19'), of('20'), of('21'))
    const [found] = casesAsFiles(files, at)
    expect(shown(found!)).toMatchObject({
      expected: { 'letter/output.json': of('20') },
      replaced: ['ada.expected/letter/output.json', of('19')],
      later: [of('21')],
    })
    expect(casesAsFiles(files, instantOf('2026-11-19T09:29:59.999999999Z')).map(shown)).toMatchObject([
      { expected: { 'letter/output.json': 'ada.expected/letter/output.json' }, replaced: [] },
    ])
  })

  test('give the case a hash that changes with each of them, and with nothing that does not count', () => {
    const paths = ['ada.json', 'ada.params.json', 'ada.expected/letter/output.json']
    const hashOf = (files: CaseFileHead[]) => casesAsFiles(files, at)[0]!.hash
    const whole = hashOf(heads(...paths))
    const others = [0, 1, 2].map((changed) => {
      const files = heads(...paths)
      files[changed] = { ...files[changed]!, contentHash: '0'.repeat(64) }
      return hashOf(files)
    })
    const renamed = hashOf(heads('ada.csv', ...paths.slice(1)))
    expect(new Set([whole, renamed, ...others]).size).toBe(5)
    const later = 'ada.from-2027-01-01T00-00-00Z.expected/letter/output.json'
    expect(hashOf(heads(...paths, later, 'bo.json'))).toBe(whole)
  })
})

describe('the cases of a model in the store', () => {
  let app: TestApp
  let author: Author
  let contractVersionId: string

  beforeAll(async () => {
    app = await startTestApp('sqlite')
    author = await Author.signIn(app, 'suite-cases')
    contractVersionId = (await author.contract('Person', contract())).versionId
  })
  afterAll(() => app.database.close())
  beforeEach(() =>
    app.database.write(async (tx) => {
      await tx.q.delete(tx.t.projectFiles)
      await tx.rows(sql`delete from ${tx.t.cases}`)
    }),
  )

  const write = (files: Record<string, string>, removed: string[] = []) =>
    app.database.write((tx) =>
      writeCaseFiles(tx, actor, {
        written: new Map(Object.entries(files).map(([path, text]) => [path, bytes(text)])),
        removed,
      }),
    )
  const cases = (inputFormat?: { format: 'csv' | 'xml' }, slug = 'hello') =>
    casesOfSuite(app.database.read, slug, { contractVersionId, inputFormat: inputFormat as never }, at)
  const imported = async (payload: string, kind = 'valid'): Promise<string> => {
    const made = await author.post('/cases/import', { contract_version_id: contractVersionId, kind, payload })
    expect(made.status).toBe(201)
    return made.body.content_hash
  }

  const generated = async (kind: string, seed: number) => {
    const made = await author.post('/cases/generate', { contract_version_id: contractVersionId, kind, seed })
    expect(made.status).toBe(201)
  }

  test('are those of its own folder, even if another has a similar name', async () => {
    await write({
      'cases/hello/b.json': '{}',
      'cases/hello/a.json': '{"name":"A"}',
      'cases/hello-2/c.json': '{}',
      'cases/hell/d.json': '{}',
      'cases/hello2/e.json': '{}',
    })
    const { read } = app.database
    const paths = ['cases/hello/a.json', 'cases/hello/b.json']
    expect((await listModelFiles(read, 'hello')).map(({ path }) => path)).toEqual(paths)
    expect((await cases()).map(({ name }) => name)).toEqual(['a', 'b'])
    const [head] = await listModelFiles(read, 'hello')
    expect(head).toEqual({
      ...{ path: 'cases/hello/a.json', contentHash: sha256Hex('{"name":"A"}') },
      ...{ writtenBy: SYSTEM_ACTOR_ID, correlationId: 'cases', writtenAt: at },
    })
    const below = await readFilesBelow(read, 'cases/hello/a.')
    expect(below.map(({ path, content }) => [path, new TextDecoder().decode(content)])).toEqual([
      ['cases/hello/a.json', '{"name":"A"}'],
    ])
    // All files, by their paths, and a stretch of them.
    const all = ['cases/hell/d.json', 'cases/hello-2/c.json', ...paths, 'cases/hello2/e.json']
    expect((await listCaseFiles(read)).map(({ path }) => path)).toEqual(all)
    expect((await readCaseFiles(read, all[1]!, 2)).map(({ path }) => path)).toEqual(paths)
    expect(await listCaseFiles(read)).toContainEqual({ path: paths[1]!, contentHash: sha256Hex('{}') })
  })

  test('are written over by path with who wrote them when, and are removed by path alone', async () => {
    await write({ 'cases/hello/a.json': '{}', 'cases/hello/b.json': '{}' })
    const later = { userId: SYSTEM_ACTOR_ID, correlationId: 'second', at: instantOf('2026-11-21T00:00:00Z') }
    await app.database.write((tx) =>
      writeCaseFiles(tx, later, {
        written: new Map([['cases/hello/a.json', bytes('[]')]]),
        removed: ['cases/hello/b.json', 'cases/hello/never.json'],
      }),
    )
    const [row, ...others] = await readFilesBelow(app.database.read, 'cases/')
    expect([row?.path, new TextDecoder().decode(row?.content), row?.contentHash, others]).toEqual([
      ...['cases/hello/a.json', '[]', sha256Hex('[]'), []],
    ])
    expect([row?.correlationId, row?.writtenAt]).toEqual(['second', later.at])
  })

  test('are all written and all removed where there are more than one statement takes', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `cases/hello/c${String(index).padStart(4, '0')}.json`)
    await write(Object.fromEntries(names.map((name) => [name, name])))
    expect((await listCaseFiles(app.database.read)).map(({ path }) => path)).toEqual(names)
    await write({}, names.slice(1))
    expect((await listCaseFiles(app.database.read)).map(({ path }) => path)).toEqual(names.slice(0, 1))
  })

  test('are joined by inputs that were made for the contract and fit it, in the order of the names of all', async () => {
    const valid = await imported('{"name":"Bo"}')
    const boundary = await imported('{"name":""}', 'boundary')
    await generated('invalid', 7)
    await generated('valid', 7)
    await write({ 'cases/hello/c.json': '{"name":"C"}', 'cases/hello/z.json': '{"name":"Z"}' })
    const names = [`boundary-${boundary.slice(0, 12)}`, 'c', `valid-${valid.slice(0, 12)}`, 'z']
    const all = await cases()
    expect(all.map(({ name }) => name)).toEqual([...names, 'valid-7'].sort())
    const found = all.filter(({ name }) => name !== 'valid-7')
    expect(found.map(({ origin }) => origin)).toEqual(['contract', 'suite', 'contract', 'suite'])
    expect(shown(found[2]!)).toEqual({
      ...{ name: names[2]!, origin: 'contract', input: `${names[2]}.json`, params: undefined },
      ...{ expected: {}, replaced: [], later: [] },
    })
    expect(found[2]).toMatchObject({ payload: '{"name":"Bo"}', input: { contentHash: valid } })
    expect(await readCase(app.database.read, 'hello', found[2]!)).toEqual({
      ...{ raw: '{"name":"Bo"}', params: undefined, expected: new Map() },
    })
    // Of a model that reads another format, or names no contract, they are none.
    for (const format of ['csv', 'xml'] as const) {
      expect((await cases({ format })).map(({ name }) => name)).toEqual(['c', 'z'])
    }
    const without = { contractVersionId: undefined, inputFormat: undefined }
    expect((await casesOfSuite(app.database.read, 'hello', without, at)).map(({ name }) => name)).toEqual(['c', 'z'])
  })

  test('are joined by the newest 100 of its contract alone', async () => {
    for (let count = 0; count <= limits.projectMadeCases; count++) await imported(`{"name":"${count}"}`)
    const payloads = (await cases()).map(({ payload }) => payload)
    expect([payloads.length, payloads.includes('{"name":"0"}')]).toEqual([limits.projectMadeCases, false])
    expect(await newestFittingCases(app.database.read, nobody, 5)).toEqual([])
    const [newest] = await newestFittingCases(app.database.read, contractVersionId, 1)
    expect(newest?.payload).toBe(`{"name":"${limits.projectMadeCases}"}`)
  })

  test('have no second case of an input that a file has, by its content or by its name', async () => {
    const byContent = await imported('{"name":"Bo"}')
    const byName = await imported('{"name":"Cy"}')
    await write({ 'cases/hello/bo.json': '{"name":"Bo"}', [`cases/hello/valid-${byName.slice(0, 12)}.json`]: '{}' })
    expect(byContent).toBe(sha256Hex('{"name":"Bo"}'))
    expect((await cases()).map(({ name, origin }) => [name, origin])).toEqual([
      ['bo', 'suite'],
      [`valid-${byName.slice(0, 12)}`, 'suite'],
    ])
  })

  test('read only the formats that their model reads, JSON always', async () => {
    await write({ 'cases/hello/a.json': '{}', 'cases/hello/b.csv': 'name\nB', 'cases/hello/c.xml': '<a/>' })
    const names = async (format?: 'csv' | 'xml') =>
      (await cases(format && { format })).map(({ input }) => cut(input.path))
    expect(await names()).toEqual(['a.json'])
    expect(await names('csv')).toEqual(['a.json', 'b.csv'])
    expect(await names('xml')).toEqual(['a.json', 'c.xml'])
  })

  test('are read with params and expectations, each by its own file, and refused where one of them was changed', async () => {
    const files = {
      'cases/hello/ada.json': '{"name":"Ada"}',
      'cases/hello/ada.params.json': '{"copy":1}',
      'cases/hello/ada.expected/letter/output.json': 'out',
      'cases/hello/ada.from-2026-01-01T00-00-00Z.expected/letter/output.json': 'newer',
    }
    await write(files)
    const [found] = await cases()
    const content = await readCase(app.database.read, 'hello', found!)
    expect(content).toEqual({
      ...{ raw: '{"name":"Ada"}', params: '{"copy":1}', expected: new Map([['letter/output.json', 'newer']]) },
    })
    for (const path of [
      'cases/hello/ada.json',
      'cases/hello/ada.params.json',
      'cases/hello/ada.from-2026-01-01T00-00-00Z.expected/letter/output.json',
    ]) {
      await write({ [path]: 'changed' })
      const fault = await readCase(app.database.read, 'hello', found!).catch((error) => error)
      expect([path, fault.code, fault.detail]).toEqual([
        ...[path, 'conflict', 'The case ada was changed while it was read. Read it again.'],
      ])
      await write(files)
    }
    // What no longer counts may change.
    await write({ 'cases/hello/ada.expected/letter/output.json': 'changed' })
    expect(await readCase(app.database.read, 'hello', found!)).toEqual(content)
  })
})

test('thousands of files are sorted into their cases at once', () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `case-${String(index).padStart(4, '0')}`)
  const files = names.flatMap((name) =>
    heads(
      ...[`${name}.json`, `${name}.expected/letter/output.json`],
      ...[`${name}.from-2027-01-01T00-00-00Z.expected/letter/output.json`],
    ),
  )
  const cases = casesAsFiles(files, at)
  expect(cases.map(({ name }) => name)).toEqual(names)
  expect(cases.every(({ later, replaced }) => later.length === 1 && replaced.length === 0)).toBe(true)
  expect(leastCpuMsOf(() => casesAsFiles(files, at))).toBeLessThan(500)
})
