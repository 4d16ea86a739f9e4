/** Which models use a family, by their draft and as they are in force. */
import { expect, test } from 'bun:test'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { type FamilyRow, findFamily } from '../../../src/modules/families/families.reads.ts'
import { usedFamily, uses } from '../../../src/modules/suites/suites.uses.ts'
import { nobody } from '../../support/author.ts'
import { model, template, transformer } from '../projects/fixture.ts'
import { suiteStore } from './store.ts'

test('a model uses what its draft or its version in force names, at any depth, and itself', async () => {
  const it = await suiteStore('sqlite')
  const { read } = it.app.database
  const at = it.app.clock.now()
  const inner = await it.author.frozen('transformers', 'inner', transformer('Inner'))
  const other = await it.author.frozen('transformers', 'other', transformer('Other'))
  // A template of the same slug is another family, which no model names.
  const namesake = await it.author.frozen('templates', 'inner', template('1: '))
  const usesIt = async (id: string) => {
    const family = (await findFamily(read, 'ingestion_model', it.model)) as FamilyRow
    return uses({ connection: read, judge: judgeHere, at }, family, await usedFamily(read, id, at))
  }
  const used = async () => {
    const ids = [it.model, it.contract, it.transformer, it.template, inner.id, other.id, namesake.id, nobody]
    return Promise.all(ids.map(usesIt))
  }
  expect(await used()).toEqual([true, true, true, true, false, false, false, false])
  const draft = await it.author.get(`/ingestion-models/${it.model}/draft`)
  const child = ', children: [{ key: part, label: Part, transformer: inner }]'
  const source = model()
    .replace('formats: [docx]', `formats: [docx]${child}`)
    .replace('transformer: hello', 'transformer: other')
  const tag = { 'if-match': `"${draft.body.revision}"` }
  const saved = await it.author.call('PUT', `/ingestion-models/${it.model}/draft`, { source, format: 'yaml' }, tag)
  expect(saved.status).toBe(200)
  // The draft names others now; what is in force still names the first.
  expect(await used()).toEqual([true, true, true, true, true, true, false, false])
  const before = await usedFamily(read, it.transformer, at)
  expect([before.kind, [...before.slugs]]).toEqual(['transformer', ['hello']])
  expect((await usedFamily(read, it.template, at)).kind).toBe('template')
  const { families } = read.t
  await it.app.database.write(async ({ q }) => {
    await q.update(families).set({ draftSource: 'no model', draftFormat: 'yaml' })
  })
  // A draft that can't be read names nothing.
  expect(await used()).toEqual([true, true, true, true, false, false, false, false])
})
