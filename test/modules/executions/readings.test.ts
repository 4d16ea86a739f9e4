import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sha256Hex } from '../../../src/core/hash.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, transformerText } from '../../runner/letter.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { createStepRunner } from './run.ts'

const condition = '{{#if /greeting="Dear Ada"}}yes{{#else}}no{{#end}}'
const misread = wordPackage(p('{{/greeting}} {{#if /greeting &amp;&amp; /total}}yes{{#else}}no{{#end}}'))
const minutes = transformerText.replace('output:', 'output:\n  day: { $format: 2026-03-01, date: dd/mm/yyyy }')

describeOnBothDialects('versions that were frozen under earlier rules', (dialect) => {
  let app: TestApp
  let author: Author
  let contract: string
  let names = 0

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    contract = (await author.contract('letters', contractText)).versionId
  })

  /** Makes a version what an earlier release would have frozen: its content was not refused then. */
  async function age(versionId: string, content: Uint8Array | string, reading: 1 | 5 = 1): Promise<void> {
    const change = typeof content === 'string' ? { source: content } : { bytes: content }
    await app.database.write(({ q, t }) =>
      q
        .update(t.versions)
        .set({ ...change, contentHash: sha256Hex(content), reading })
        .where(eq(t.versions.id, versionId)),
    )
  }

  async function release(template: Uint8Array, transformer = transformerText) {
    const name = `r${++names}`
    const transforms = await author.frozen('transformers', name, transformerText)
    const templates = await author.frozen('templates', name, wordPackage(p('{{/greeting}}')))
    await author.publish('transformers', transforms.id, 1, '2026-01-01T00:00:00Z')
    await author.publish('templates', templates.id, 1, '2026-01-01T00:00:00Z')
    await age(transforms.versionId, transformer)
    await age(templates.versionId, template)
    const made = await author.post('/releases', {
      name,
      contract_version_id: contract,
      transform_version_id: transforms.versionId,
      template_version_id: templates.versionId,
    })
    expect([made.status, made.body.release?.name]).toEqual([201, name])
    return { releaseId: made.body.release.id as string, templateId: templates.id, transformerId: transforms.id }
  }

  async function executed(releaseId: string) {
    const { id } = (await author.post('/executions', { release_id: releaseId, input: { name: 'Ada', total: 5 } })).body
    await createStepRunner(app.database, app.pool)(id)
    const { body } = await author.get(`/executions/${id}`)
    expect([body.status, body.steps.map((step: { status: string }) => step.status)]).toEqual([
      'completed',
      ['succeeded', 'succeeded', 'succeeded', 'succeeded'],
    ])
    return id as string
  }

  test('make the documents that they made then, and their manifest says which tags are read so', async () => {
    const { releaseId } = await release(misread, minutes)
    const id = await executed(releaseId)
    const { body } = await author.post(`/executions/${id}/verify`, {})
    expect([body.identical, body.checks.length]).toEqual([true, 9])
    const { steps } = app.database.read.t
    const rows = await app.database.read.q.select().from(steps).where(eq(steps.executionId, id))
    const composed = rows.find(({ name }) => name === 'compose')
    expect(composed?.summary?.remarks).toMatchObject([{ code: 'docx.earlier_reading', path: 'word/document.xml#1:14' }])
    const transformed = rows.find(({ name }) => name === 'transform.declarative')
    expect(transformed?.summary?.remarks).toMatchObject([
      {
        code: 'earlier_reading',
        path: '/output/day/date',
        message: expect.stringContaining('Today this would be refused: The date pattern "dd/mm/yyyy"'),
      },
    ])
  })

  test('say where a locale is written otherwise today: to who compares them, and who would publish them', async () => {
    const weekday = transformerText.replace(
      'output:',
      'output:\n  day: { $format: 2026-03-02, date: EEE d., locale: de }',
    )
    const { id, versionId } = await author.frozen('transformers', `r${++names}`, weekday)
    const compare = () => author.get(`/comparisons?kind=transformer&family_id=${id}&from=1&to=draft`)
    expect((await compare()).body.from.earlier_reading).toBeUndefined()
    await age(versionId, weekday, 5)
    const { from, to, difference } = (await compare()).body
    const message = expect.stringContaining('This version writes “Do 1.” where today’s rules write “Do. 1.”.')
    const line = String(weekday.split('\n').findIndex((text) => text.includes('EEE d')) + 1)
    expect([difference, from.earlier_reading, to.earlier_reading]).toMatchObject([
      '',
      [{ code: 'earlier_reading', path: '/output/day', message, context: { severity: 'warning', line } }],
      undefined,
    ])
    const refused = await author.publish('transformers', id, 1, '2026-01-01T00:00:00Z')
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('“Do. 1.”')])
  })

  test('are read by other rules than a version of the same bytes that is frozen today', async () => {
    const bytes = wordPackage(p(`{{/greeting}} ${condition}`))
    const before = await release(bytes)
    const today = await author.form('POST', `/templates/${before.templateId}/versions`, {}, bytes)
    expect([today.status, today.body.version.number]).toEqual([201, 2])
    const hashOf = async (executionId: string) => {
      const { body } = await author.get(`/executions/${executionId}`)
      return body.artifacts.find(({ kind }: { kind: string }) => kind === 'docx').content_hash
    }
    const old = await hashOf(await executed(before.releaseId))
    await author.publish('templates', before.templateId, 2, '2026-02-01T00:00:00Z')
    const transform = (await author.get(`/transforms/${before.transformerId}`)).body
    const made = await author.post('/releases', {
      name: `again${++names}`,
      contract_version_id: contract,
      transform_version_id: transform.versions[0].id,
      template_version_id: today.body.version.id,
    })
    const fresh = await hashOf(await executed(made.body.release.id))
    expect(fresh).not.toBe(old)
    // Both stay with one worker, which keeps their programs apart.
    expect(await hashOf(await executed(before.releaseId))).toBe(old)
  })

  test('can not be frozen or uploaded again while they are misread', async () => {
    const { templateId, transformerId } = await release(misread, minutes)
    const upload = await author.form('POST', `/templates/${templateId}/versions`, {}, misread)
    expect([upload.status, upload.body.detail]).toEqual([422, expect.stringContaining('“&&” can’t be read')])
    const path = `/transformers/${transformerId}`
    await author.call('PUT', `${path}/draft`, { source: minutes, format: 'yaml' }, { 'if-match': '"1"' })
    const frozen = await author.freeze('transformers', transformerId, 2)
    expect([frozen.status, JSON.stringify(frozen.body)]).toEqual([422, expect.stringContaining('dd/MM/yyyy')])
  })

  test('stay in force and can be put in force again, but not be published for the first time', async () => {
    const { templateId, transformerId } = await release(misread, minutes)
    for (const [plural, id] of [
      ['templates', templateId],
      ['transformers', transformerId],
    ] as const) {
      const again = await author.publish(plural, id, 1, '2030-01-01T00:00:00Z')
      expect([plural, again.status]).toEqual([plural, 201])
      await app.database.write(({ q, t }) =>
        q.update(t.versions).set({ status: 'versioned', publishedAt: null }).where(eq(t.versions.familyId, id)),
      )
      const refused = await author.publish(plural, id, 1, '2031-01-01T00:00:00Z')
      expect([plural, refused.status]).toEqual([plural, 422])
    }
    const older = await author.post(`/templates/${templateId}/versions/1/publish`, {})
    expect(older.status).toBe(422)
  })
})
