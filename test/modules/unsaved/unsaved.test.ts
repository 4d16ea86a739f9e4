import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { addMs, type Instant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { copiedTables } from '../../../src/db/copy.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { transformerText } from '../../runner/letter.ts'
import { Author, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const tab = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const browser = '00000000-0000-4000-9000-000000000001'

interface State {
  id: string
  is_open: boolean
}

describeOnBothDialects('unsaved drafts', (dialect) => {
  let app: TestApp
  let ada: Author
  let eve: Author
  let families = 0
  let steps = 0

  beforeAll(async () => {
    app = await startTestApp(dialect)
    ada = await Author.signIn(app, 'ada')
    eve = await Author.signIn(app, 'eve', ['engineer', 'administrator'])
  })

  /** The path of a new transformer with a draft of revision 1. */
  async function family(): Promise<{ id: string; path: string }> {
    const { id } = await ada.frozen('transformers', `typed-${++families}`, transformerText)
    return { id, path: `/unsaved-drafts/${id}` }
  }
  const typed = (text: string, more: object = {}) => ({
    ...{ text, base_revision: 1, tab_id: tab(1), browser_id: browser, step: ++steps },
    ...more,
  })
  const states = async (path: string, as = ada): Promise<State[]> => (await as.get(path)).body.states
  const textsOf = async (path: string): Promise<string[]> => {
    const all = await Promise.all((await states(path)).map(({ id }) => ada.get(`${path}/states/${id}`)))
    return all.map(({ body }) => body.text)
  }

  const rowsOf = async (path: string) => {
    const { unsavedTexts } = app.database.read.t
    const rows = await app.database.read.q.select().from(unsavedTexts)
    return rows.filter(({ familyId }) => path.endsWith(familyId)).sort((a, b) => (a.typedAt < b.typedAt ? 1 : -1))
  }
  /** Newest first. */
  const age = async (path: string, to: (index: number) => string) => {
    const { unsavedTexts } = app.database.read.t
    for (const [index, { id }] of (await rowsOf(path)).entries()) {
      const at = { typedAt: to(index) as Instant }
      await app.database.write(async (tx) => {
        await tx.q.update(unsavedTexts).set(at).where(eq(unsavedTexts.id, id))
      })
    }
  }

  test('what a tab types is kept with the revision and the text that it began from', async () => {
    const { id, path } = await family()
    expect((await ada.get(path)).body).toEqual({ family_id: id, states: [] })
    const kept = await ada.call('PUT', path, typed('mine'))
    expect(kept.status).toBe(200)
    expect(kept.body).toMatchObject({ tab_id: tab(1), base_revision: 1, has_base: true, is_open: true })
    const { body } = await ada.get(`${path}/states/${kept.body.id}`)
    expect(body).toEqual({ ...kept.body, text: 'mine', base_text: transformerText })
  })

  test('nobody else sees, changes or removes it, whatever their roles, and a token of theirs neither', async () => {
    const { path } = await family()
    const { body } = await ada.call('PUT', path, typed('a secret of Ada’s'))
    expect(await states(path, eve)).toEqual([])
    expect((await eve.get(`${path}/states/${body.id}`)).status).toBe(404)
    expect((await eve.call('POST', `${path}/settle`, { tab_ids: [tab(1)] })).status).toBe(204)
    expect((await eve.call('DELETE', path)).status).toBe(204)
    expect((await eve.call('PUT', path, typed('Eve’s'))).status).toBe(200)
    expect(await textsOf(path)).toEqual(['a secret of Ada’s'])
    expect(await states(path)).toMatchObject([{ is_open: true }])
  })

  test('whoever reads drafts and can’t write them has nothing to keep, and others can’t even ask', async () => {
    const { path } = await family()
    for (const [role, read, write] of [
      ['operator', 200, 403],
      ['auditor', 200, 403],
      ['business_viewer', 403, 403],
    ] as const) {
      const other = await Author.signIn(app, `${role}-${families}`, [role])
      expect([role, (await other.get(path)).status]).toEqual([role, read])
      expect([role, (await other.call('PUT', path, typed('x'))).status]).toEqual([role, write])
      expect([role, (await other.call('POST', `${path}/settle`, { tab_ids: [tab(1)] })).status]).toEqual([role, write])
      expect([role, (await other.call('DELETE', path)).status]).toEqual([role, write])
    }
    expect((await app.send({ path: `/api/v1${path}` })).status).toBe(401)
  })

  test('a token reads with configuration_read alone, and reaches the families that it is for', async () => {
    const [one, other] = [await family(), await family()]
    const { id: userId } = await app.users.createServiceAccount(
      { username: `robot-${families}`, displayName: 'Robot', roles: ['engineer'] },
      testAuthor,
    )
    const tokenOf = async (scopes: ('configuration_read' | 'configuration_write')[], ids?: string[]) =>
      ada.withToken((await app.tokens.create({ name: 't', userId, scopes, days: 1, families: ids }, testAuthor)).text)
    const reader = await tokenOf(['configuration_read'])
    const writer = await tokenOf(['configuration_write', 'configuration_read'], [one.id])
    expect((await reader.get(one.path)).status).toBe(200)
    expect((await reader.call('PUT', one.path, typed('x'))).status).toBe(403)
    expect((await writer.call('PUT', one.path, typed('by a robot'))).status).toBe(200)
    expect((await writer.call('PUT', other.path, typed('by a robot'))).status).toBe(403)
    expect((await writer.get(other.path)).status).toBe(403)
    expect(await states(one.path, reader)).toHaveLength(1)
    expect(await states(one.path)).toEqual([])
  })

  test('within a minute a tab’s state changes in place, and a text that comes late takes nothing back', async () => {
    const { path } = await family()
    const late = typed('first')
    await ada.call('PUT', path, late)
    await ada.call('PUT', path, typed('für den zweiten'))
    expect((await ada.call('PUT', path, late)).status).toBe(200)
    expect(await textsOf(path)).toEqual(['für den zweiten'])
    app.clock.advance(limits.unsavedStateMs)
    await ada.call('PUT', path, typed('third'))
    expect(await textsOf(path)).toEqual(['third', 'für den zweiten'])
    // What is no longer open has nothing that it began from.
    const sizes = (await ada.get(path)).body.states.map(({ byte_size }: { byte_size: number }) => byte_size)
    expect(sizes).toEqual([5 + Buffer.byteLength(transformerText), 16])
    expect((await states(path)).map(({ is_open }) => is_open)).toEqual([true, false])
  })

  test('two texts of one tab at once make one open state', async () => {
    const { path } = await family()
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => ada.call('PUT', path, typed(text))))
    expect((await states(path)).filter(({ is_open }) => is_open)).toHaveLength(1)
    expect(await textsOf(path)).toEqual(['d'])
  })

  test('each tab has its own open state; one that goes on after a reload ends the one before', async () => {
    const { path } = await family()
    await ada.call('PUT', path, typed('here'))
    await ada.call('PUT', path, typed('there', { tab_id: tab(2) }))
    expect((await states(path)).map(({ is_open }) => is_open)).toEqual([true, true])
    await ada.call('PUT', path, typed('reloaded', { tab_id: tab(3), continues: tab(1) }))
    expect(await textsOf(path)).toEqual(['reloaded', 'there', 'here'])
    expect((await states(path)).map(({ is_open }) => is_open)).toEqual([true, true, false])
    await ada.call('POST', `${path}/settle`, { tab_ids: [tab(2), tab(3)] })
    expect((await states(path)).map(({ is_open }) => is_open)).toEqual([false, false, false])
    expect((await ada.call('DELETE', path)).status).toBe(204)
    expect(await states(path)).toEqual([])
  })

  test('the text that it began from stays with it when the draft is saved meanwhile; one that nobody knows is asked for', async () => {
    const { id, path } = await family()
    const first = await ada.call('PUT', path, typed('mine'))
    const source = `${transformerText}# theirs\n`
    const saved = await eve.call('PUT', `/transformers/${id}/draft`, { source, format: 'yaml' }, { 'if-match': '"1"' })
    expect(saved.status).toBe(200)
    await ada.call('PUT', path, typed('mine, and more'))
    expect((await ada.get(`${path}/states/${first.body.id}`)).body).toMatchObject({ base_text: transformerText })
    const other = await ada.call('PUT', path, typed('from a plane', { tab_id: tab(2) }))
    expect(other.body).toMatchObject({ has_base: false, base_revision: 1 })
    const again = await ada.call('PUT', path, typed('from a plane', { tab_id: tab(2), base_text: transformerText }))
    expect(again.body).toMatchObject({ has_base: true, id: other.body.id })
    // Without a draft there is nothing that it could have begun from.
    const none = await ada.call('PUT', path, typed('new', { tab_id: tab(3), base_revision: 0, base_text: 'x' }))
    expect(none.body.has_base).toBe(false)
  })

  test('takes a text at its bound and refuses one beyond it; there is no text of a template, and none of no family', async () => {
    const { path } = await family()
    const most = 'ü'.repeat(limits.contractSchemaBytes / 2)
    expect((await ada.call('PUT', path, typed(most))).status).toBe(200)
    expect((await ada.call('PUT', path, typed(`${most}x`))).status).toBe(422)
    const template = await ada.frozen('templates', `letter-${families}`, wordPackage(p('Dear,')))
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', typed('x')],
      ['DELETE', undefined],
    ] as const) {
      expect((await ada.call(method, `/unsaved-drafts/${template.id}`, body)).status).toBe(422)
      expect((await ada.call(method, `/unsaved-drafts/${nobody}`, body)).status).toBe(404)
    }
  })

  test('of all that a user has typed the oldest goes first, never what was just kept, and nothing of anybody else', async () => {
    const [one, other] = [await family(), await family()]
    const megabyte = 'x'.repeat(limits.contractSchemaBytes)
    for (const text of ['hers before', 'hers']) {
      await eve.call('PUT', other.path, typed(text))
      app.clock.advance(limits.unsavedStateMs)
    }
    await ada.call('PUT', one.path, typed('unsaved for long'))
    for (let count = 0; count < 10; count++) {
      app.clock.advance(limits.unsavedStateMs)
      await ada.call('PUT', other.path, typed(`${count}${megabyte.slice(1)}`))
    }
    const left = await textsOf(other.path)
    expect(left[0]?.[0]).toBe('9')
    expect(left.length).toBeLessThanOrEqual(limits.unsavedBytesPerUser / limits.contractSchemaBytes)
    expect(left.length).toBeGreaterThan(5)
    expect(await textsOf(one.path)).toEqual(['unsaved for long'])
    expect((await states(other.path, eve)).map(({ is_open }) => is_open)).toEqual([true, false])
    await ada.call('DELETE', other.path)
    await eve.call('DELETE', other.path)
  })

  test('an hour is thinned out to its newest state, and after two weeks nothing is left', async () => {
    const { path } = await family()
    for (let count = 0; count < 4; count++) {
      await ada.call('PUT', path, typed(`state ${count}`))
      app.clock.advance(limits.unsavedStateMs)
    }
    expect(await states(path)).toHaveLength(4)
    // Sessions don't last as long: what was typed becomes older instead, all of it in one hour.
    const hour = addMs(app.clock.now(), -3 * limits.unsavedDenseMs).slice(0, 13)
    await age(path, (index) => `${hour}:4${9 - index}:00.000000000Z`)
    await ada.call('PUT', path, typed('later'))
    expect(await textsOf(path)).toEqual(['later', 'state 3'])
    await age(path, (index) => addMs(app.clock.now(), -limits.unsavedKeptMs + (index === 0 ? 60_000 : 0)))
    app.clock.advance(1)
    expect(await textsOf(path)).toEqual(['later'])
    await app.unsaved.sweep()
    expect(await rowsOf(path)).toHaveLength(1)
  })

  test('goes with its user', async () => {
    const { path } = await family()
    const { id } = await app.addUser('leaver', ['engineer'])
    const leaver = await app.signIn('leaver')
    const put = (body: object) => app.send({ method: 'PUT', path: `/api/v1${path}`, headers: leaver, body })
    expect((await put(typed('gone soon'))).status).toBe(200)
    const { unsavedTexts } = app.database.read.t
    const count = async () => (await app.database.read.q.select().from(unsavedTexts)).filter((row) => row.userId === id)
    expect(await count()).toHaveLength(1)
    await app.users.update(id, { displayName: 'Leaver' }, testAuthor)
    expect(await count()).toHaveLength(1)
    await app.users.update(id, { disabled: true }, testAuthor)
    expect(await count()).toEqual([])
  })

  test('copies have it, and neither the audit trail nor the events tell of it', async () => {
    const { path } = await family()
    expect(copiedTables(app.database.read).map(({ name }) => name)).toContain('unsaved_texts')
    const { auditRecords, events } = app.database.read.t
    const told = async () => [
      (await app.database.read.q.select().from(auditRecords)).length,
      (await app.database.read.q.select().from(events)).length,
    ]
    const before = await told()
    await ada.call('PUT', path, typed('quiet'))
    await ada.call('POST', `${path}/settle`, { tab_ids: [tab(1)] })
    await ada.call('DELETE', path)
    expect(await told()).toEqual(before)
  })
})
