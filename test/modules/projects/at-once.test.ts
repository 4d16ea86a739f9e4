import { beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { type Files, hello, transformer, zipOf } from './fixture.ts'

describeOnBothDialects('projects that are applied at once', (dialect) => {
  let app: TestApp
  let author: Author
  let transformerId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    expect((await force(hello)).status).toBe(200)
    const { body } = await author.get('/transformers')
    transformerId = body.transformers.find(({ slug }: { slug: string }) => slug === 'hello').id
  })

  const send = (path: string, files: Files, fields: Record<string, string> = {}): Promise<Answered> =>
    author.form('POST', path, fields, zipOf(files), {}, 'application/zip')
  const plan = async (files: Files): Promise<string> => (await send('/project/plan', files)).body.plan_hash
  const apply = (files: Files, hash: string) => send('/project/apply', files, { plan_hash: hash })
  const force = async (files: Files) => apply(files, await plan(files))
  const activations = async () =>
    (await author.get(`/activations?family_id=${transformerId}&limit=100`)).body.activations.length
  /** All but one are refused, and told that the store is no longer as it was planned for. */
  const expectOne = (answers: readonly Answered[], refused = /has changed since the plan was made/) => {
    const others = answers.filter(({ status }) => status !== 200)
    expect(answers.length - others.length).toBe(1)
    for (const { body } of others) expect(`${body.detail} ${JSON.stringify(body.errors)}`).toMatch(refused)
  }

  test('are brought into force once, if they are one', async () => {
    const files = { ...hello, 'transformers/hello.yaml': transformer('Good day') }
    const [hash, before] = [await plan(files), await activations()]
    expectOne(await Promise.all(Array.from({ length: 6 }, () => apply(files, hash))))
    expect(await activations()).toBe(before + 1)
  })

  test('are never brought into force over each other at one instant', async () => {
    const [one, other] = ['Hi', 'Ho'].map((text) => ({ ...hello, 'transformers/hello.yaml': transformer(text) }))
    const both = [one ?? {}, other ?? {}]
    const hashes = await Promise.all(both.map(plan))
    const before = await activations()
    // The clock of the test stays where it is.
    const answers = await Promise.all(both.map((files, index) => apply(files, hashes[index] ?? '')))
    expectOne(answers, /begins at .* already/)
    expect(await activations()).toBe(before + 1)
  })

  test('never leave a mixture of their cases', async () => {
    const files = (name: string): Files => ({ ...hello, [`cases/hello/${name}.json`]: '{"name":"Ann"}' })
    expect((await force(hello)).status).toBeLessThan(500)
    const both = [files('one'), files('other')]
    const hashes = await Promise.all(both.map(plan))
    expectOne(await Promise.all(both.map((each, index) => apply(each, hashes[index] ?? ''))))
    const { body } = await send('/project/plan', files('third'))
    expect(body.case_files).toEqual({ added: 1, changed: 0, removed: 1 })
  })
})
