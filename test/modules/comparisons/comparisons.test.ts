import { beforeAll, expect, test } from 'bun:test'
import { Document, Packer, Paragraph, TextRun } from 'docx'
import { Fault } from '../../../src/core/faults.ts'
import { formatInstant } from '../../../src/core/instant.ts'
import { orUndefined } from '../../../src/modules/comparisons/comparisons.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { Author, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { stateOf } from '../../support/refused.ts'

describeOnBothDialects('a comparison', (dialect) => {
  let app: TestApp
  let author: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
  })

  const compare = (kind: string, id: string, from: string, to: string, more = '') =>
    author.get(`/comparisons?kind=${kind}&family_id=${id}&from=${from}&to=${to}${more}`)

  test('of sources tells the lines, between versions, the draft and what is in force, and changes nothing', async () => {
    const { id } = await author.frozen('transformers', 'lines', transformerText)
    await author.publish('transformers', id, 1, formatInstant(app.clock.now()))
    const source = transformerText.replace('Dear', 'Hello')
    await author.call('PUT', `/transformers/${id}/draft`, { source, format: 'yaml' }, { 'if-match': '"1"' })
    const before = await stateOf(app.database)
    const told = await compare('transformer', id, 'in_force', 'draft')
    expect(await stateOf(app.database)).toBe(before)
    expect(told.status).toBe(200)
    expect(told.body).toMatchObject({ from: { version: 1 }, to: { draft_revision: 2 } })
    expect(told.body.difference.split('\n').filter((line: string) => /^[+-]/.test(line))).toEqual([
      '-  greeting: { $text: "Dear {name}", name: /name }',
      '+  greeting: { $text: "Hello {name}", name: /name }',
    ])
    expect((await compare('transformer', id, '1', 'in_force')).body.difference).toBe('')
    expect((await compare('transformer', id, '1', '2')).status).toBe(404)
    expect((await compare('transformer', nobody, '1', 'draft')).status).toBe(404)
    expect((await compare('transformer', id, '1', 'newest')).status).toBe(422)
    const viewer = await Author.signIn(app, 'viewer', ['business_viewer'])
    expect((await viewer.get(`/comparisons?kind=transformer&family_id=${id}&from=1&to=draft`)).status).toBe(403)
  })

  test('of contracts put what breaks senders first, and show nothing of a draft that has errors', async () => {
    const { id } = await author.contract('meaning', contractText)
    const save = (schema: string, revision: number) =>
      author.call('PUT', `/contracts/${id}`, { name: 'meaning', description: '', schema, expected_revision: revision })
    const changed = JSON.parse(contractText)
    changed.required.push('town')
    changed.properties.town = { type: 'string' }
    changed.properties.total.minimum = -1
    expect((await save(JSON.stringify(changed), 1)).status).toBe(200)
    const told = await compare('contract', id, 'in_force', 'draft')
    const effects = told.body.contract_changes.map(
      ({ effect, pointer }: Record<string, string>) => `${effect} ${pointer}`,
    )
    expect(effects[0]).toStartWith('breaking')
    expect(effects.at(-1)).toStartWith('compatible')
    expect((await save('{"type":"no such type"}', 2)).status).toBe(200)
    const wrong = await compare('contract', id, '1', 'draft')
    expect([wrong.status, 'contract_changes' in wrong.body, wrong.body.difference !== '']).toEqual([200, false, true])
  })

  test('of templates draws the pages that differ, with the places, and tells their text', async () => {
    const line = (text: string) => new Paragraph({ children: [new TextRun(text)] })
    const { id } = await author.frozen('templates', 'pages', await templateBytes())
    const document = new Document({
      sections: [{ children: [line('{{/greeting}},'), line('you owe us {{/total}}.')] }],
    })
    const bytes = new Uint8Array(await Packer.toBuffer(document))
    expect((await author.put(`/templates/${id}/draft`, bytes, { 'if-match': '"1"' })).status).toBe(200)
    const { body } = await compare('template', id, '1', 'draft')
    expect([body.pages.before, body.pages.after, body.pages.pairs.length]).toEqual([1, 1, 1])
    const [{ before, after }] = body.pages.pairs
    // The second line alone, on both sides.
    expect([before.regions.length, after.regions.length]).toEqual([1, 1])
    expect(before.regions[0].y).toBeGreaterThan(80)
    expect(after.regions[0].width).toBeGreaterThan(before.regions[0].width)
    expect(after.svg).toStartWith('<svg ')
    expect(body.difference).toContain('+you owe us')
    expect((await compare('template', id, '1', 'draft', '&pages=none')).body.pages).toBeUndefined()
    expect((await compare('template', id, '1', '1')).body).toMatchObject({ difference: '', pages: { pairs: [] } })
  })
})

test('pages that the judge gives up are left out of a comparison, and any other fault is reported', async () => {
  expect(await orUndefined(Promise.resolve('pages'))).toBe('pages')
  expect(await orUndefined(Promise.reject(new Fault('validation_failed', 'too long')))).toBeUndefined()
  for (const fault of [new Fault('dependency_unavailable', 'gone'), new Error('a defect')])
    expect(await rejectionOf(orUndefined(Promise.reject(fault)))).toBe(fault)
})
