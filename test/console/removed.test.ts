import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addMs } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { startRemover } from '../../src/modules/retention/retention.remover.service.ts'
import { Author } from '../support/author.ts'
import { type DemoPage, openDemoPage } from './demo-page.ts'

setDefaultTimeout(120_000)
let demo: DemoPage | undefined
afterAll(() => demo?.page.close())

test('an execution whose parts a policy has removed says so, and offers nothing that needs them', async () => {
  demo = await openDemoPage()
  const { app, page, made } = demo
  const shown = async (path: string) => {
    await page.open(path)
    return page.shown().join('\n')
  }
  await page.signIn('root', 'administrator')
  expect(await shown('/storage')).toMatch(/Download PDF of policy/)
  const parts = { raw_input: 1, output: 1, artifacts: 1, events: 1, steps: 1 }
  const policies = [{ keep_days: 400, parts }]
  const author = await Author.signIn(app, 'bob', ['administrator'])
  expect((await author.post('/retention', { policies, expected_number: 0 })).status).toBe(200)
  await app.database.write((tx) => tx.rows(sql`update events set published_at = created_at`))
  const clock = { now: () => addMs(app.clock.now(), 2 * 86_400_000) }
  const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
  const remover = startRemover({ database: app.database, clock, log, pauseMs: 0, isLeader: async () => true })
  await remover.round()
  await remover.stop()

  const [completed, failed] = [await shown(`/executions/${made.completed}`), await shown(`/executions/${made.failed}`)]
  for (const text of [completed, failed]) {
    expect(text).toContain('Removed under retention policies; hashes stay:')
    expect(text).toContain('raw input, ')
    expect(text).toContain(', kept for 1 day (set 1)')
  }
  expect(completed).toContain('span "Removed"')
  expect(completed).not.toContain('Download')
  expect(failed).not.toContain('Edit and submit again')
  expect(failed).not.toContain('documents, ')
  expect(await shown(`/submissions/${made.submission}`)).toContain('Removed under retention policies')
  const stored = await shown('/storage')
  expect([stored.includes('span "Removed"'), /Download PDF of policy/.test(stored)]).toEqual([true, false])
  expect(await shown('/retention')).toContain(
    'All other models: kept for 400 days, raw input for 1 day, output for 1 day, documents for 1 day',
  )
})
