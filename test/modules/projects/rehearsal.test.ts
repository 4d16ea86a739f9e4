import { expect, test } from 'bun:test'
import { onEventsCommitted } from '../../../src/bus/outbox.ts'
import { startTestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'
import { type Files, hello, template, zipOf } from './fixture.ts'

describeOnBothDialects('a rehearsal', (dialect) => {
  test('leaves no row, no event and no record', async () => {
    const app = await startTestApp(dialect)
    const author = await Author.signIn(app, 'author')
    const heard: string[] = []
    const stop = onEventsCommitted((events) => heard.push(...events.map(({ type }) => type)))
    const send = (path: string, files: Files, fields: Record<string, string>) =>
      author.form('POST', `/project/${path}`, fields, zipOf(files), {}, 'application/zip')
    const unfit = { ...hello, 'templates/hello.docx': template('{{/missing}} ') }
    const cases = { 'cases/hello/ann.json': '{"name":"Ann"}' }
    const before = await stateOf(app.database)
    const ways = [{}, { freeze_only: 'true' }, { effective_from: '2099-01-01T00:00:00Z' }]
    for (const files of [{ ...hello, ...cases }, unfit]) {
      for (const fields of ways as Record<string, string>[]) {
        const { status, body } = await send('plan', files, fields)
        expect([status, body.valid]).toEqual([200, files !== unfit])
        const { status: refused } = await send('apply', files, { ...fields, plan_hash: '0'.repeat(64) })
        expect(refused).toBe(files === unfit ? 422 : 409)
      }
    }
    expect([await stateOf(app.database), heard]).toEqual([before, []])
    // What is applied afterwards has versions and a trail without gaps.
    const { body } = await send('plan', { ...hello, ...cases }, {})
    const applied = await send('apply', { ...hello, ...cases }, { plan_hash: body.plan_hash })
    expect(applied.body.changes.map(({ to_version: version }: { to_version: number }) => version)).toEqual([1, 1, 1, 1])
    expect(await stateOf(app.database)).not.toBe(before)
    stop()
  })
})
