import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { contract, type Files, filesOf, hello, model, transformer, zipOf } from './fixture.ts'

describeOnBothDialects('lists of a project', (dialect) => {
  let authors = 0
  async function store(): Promise<{ app: TestApp; author: Author }> {
    const app = await startTestApp(dialect)
    return { app, author: await Author.signIn(app, `author-${++authors}`) }
  }
  const plan = async (author: Author, files: Files) =>
    (await author.form('POST', '/project/plan', {}, zipOf(files), {}, 'application/zip')).body
  async function apply(author: Author, files: Files): Promise<void> {
    const { plan_hash } = await plan(author, files)
    const applied = await author.form('POST', '/project/apply', { plan_hash }, zipOf(files), {}, 'application/zip')
    expect(applied.status).toBe(200)
  }
  const exported = async (author: Author): Promise<Files> => filesOf((await author.get('/project')).body)

  test('an export has every scheduled activation, and a plan says how many it does not name', async () => {
    const { app, author } = await store()
    await apply(author, hello)
    await apply(author, { 'transformers/hello.yaml': transformer('Later') })
    const { read } = app.database
    const stored = await read.q.select().from(read.t.activations).where(eq(read.t.activations.kind, 'transformer'))
    const byVersion = [1, 2].map((version) => stored.find((row) => row.version === version))
    const count = limits.projectFamilies + 5
    const from = addMs(app.clock.now(), 3_600_000)
    const rows = Array.from({ length: count }, (_, index) => {
      const row = byVersion[index % 2]
      if (row === undefined) throw new Error('both versions were activated')
      return { ...row, id: newId(), effectiveFrom: addMs(from, index * 1000), status: 'scheduled' as const }
    })
    await app.database.write(async ({ q, t }) => void (await q.insert(t.activations).values(rows)))
    const scheduled = Object.keys(await exported(author)).filter((path) => /^scheduled\/.*\.yaml$/.test(path))
    expect([scheduled.length, new Set(scheduled).size]).toEqual([count, count])
    const last = formatInstant(addMs(from, (count - 1) * 1000)).replaceAll(':', '-')
    expect(scheduled.sort().at(-1)).toBe(`scheduled/${last}/transformers/hello.yaml`)
    const planned = await plan(author, { 'transformers/hello.yaml': transformer('Now') })
    expect(planned.later).toHaveLength(limits.projectPlanRows)
    expect(planned.left_out).toEqual({ later: count - limits.projectPlanRows })
    // Activations of others take no place in the list of a project that has nothing of them.
    const other = await plan(author, { 'templates/hello.docx': hello['templates/hello.docx'] ?? '' })
    expect([other.later, other.left_out]).toEqual([[], undefined])
  })

  test('an export has every contract, also one whose newest versions may all not be used', async () => {
    const { app, author } = await store()
    await apply(author, { 'contracts/first.schema.json': contract() })
    const count = limits.projectFamilies + 5
    await app.database.write(async ({ q, t }) => {
      const [family] = await q.select().from(t.families)
      const [version] = await q.select().from(t.versions)
      if (family === undefined || version === undefined) throw new Error('a contract was applied')
      const families = Array.from({ length: count }, (_, index) => {
        return { ...family, id: newId(), slug: `c-${index}`, name: `C ${index}` }
      })
      const own = families.map(({ id }) => ({ ...version, id: newId(), familyId: id }))
      const newer = Array.from({ length: limits.versionsShown + 1 }, (_, index) => {
        const contentHash = index.toString(16).padStart(64, '0')
        return { ...version, id: newId(), number: index + 2, contentHash, status: 'deprecated' as const }
      })
      for (const some of [families.slice(0, 250), families.slice(250)]) await q.insert(t.families).values(some)
      for (const some of [own.slice(0, 250), own.slice(250), newer]) await q.insert(t.versions).values(some)
      await q
        .update(t.families)
        .set({ latestNumber: newer.length + 1 })
        .where(eq(t.families.id, family.id))
    })
    const paths = Object.keys(await exported(author)).filter((path) => path.startsWith('contracts/'))
    expect(paths).toHaveLength(count + 1)
    expect(paths).toContain('contracts/first.schema.json')
  })

  test('a plan says how many cases that do not pass it does not name', async () => {
    const { author } = await store()
    const cases = Object.fromEntries(
      Array.from({ length: limits.projectPlanRows + 3 }, (_, index) => [`cases/hello/${index}.json`, '{}']),
    )
    const planned = await plan(author, { ...hello, ...cases })
    expect([planned.cases_run, planned.broken_cases.length]).toEqual([
      limits.projectPlanRows + 3,
      limits.projectPlanRows,
    ])
    expect(planned.left_out).toEqual({ broken_cases: 3 })
  })

  test('a plan says how many rules of a contract, issues and warnings it does not name', async () => {
    const { author } = await store()
    await apply(author, hello)
    const names = Array.from({ length: limits.projectPlanRows + 7 }, (_, index) => `p${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const [change] = (await plan(author, { 'contracts/person.schema.json': contract({ properties, required: names }) }))
      .changes
    const told = change.contract_changes.length
    expect(told).toBe(limits.projectPlanRows)
    expect(change.contract_changes_left_out).toBeGreaterThan(6)
    const texts = Object.fromEntries(names.map((name) => [`templates/${name}.docx.md`, 'x']))
    expect((await plan(author, { ...hello, ...texts })).left_out).toEqual({
      warnings: names.length - limits.configurationIssues,
    })
    const begun = Object.fromEntries(names.map((name) => [`scheduled/past/models/${name}.yaml`, model()]))
    const files = Object.keys(begun).map((path) => `\n      - ${path}`)
    const activations = `activations:\n  - effective_from: 2020-01-01T00:00:00Z\n    files:${files.join('')}\n`
    const unfit = await plan(author, { ...begun, 'activations.yaml': activations })
    expect([unfit.valid, unfit.issues.length]).toEqual([false, limits.configurationIssues])
    expect(unfit.left_out).toEqual({ issues: names.length - limits.configurationIssues })
  })
})
