import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Template } from '../../src/console/api/types.ts'
import type { UnsavedFile } from '../../src/console/views/template/unsaved-file.ts'
import { type Answers, type CannedPage, openCannedPage, refusal } from '../support/canned.ts'
import { at, family, unable } from './families.ts'

let page: CannedPage
let box: HTMLElement
let unsaved: UnsavedFile
let reloads: number
/** Waiting files are kept by template, so each test has its own. */
let count = 0
let id = ''

beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())
beforeEach(() => {
  id = `p-${++count}`
  reloads = 0
})

const draft = (revision: number) => ({ revision, byte_size: 2_000, content_hash: 'h', updated_at: at, bindings: [] })
const put = () => `PUT /api/v1/templates/${id}/draft`
const answer = (revision: number, more: Answers = {}) =>
  page.answer({ [`GET /api/v1/templates/${id}/draft`]: draft(revision), [put()]: {}, ...more })
/** How the request that saves a file is told. */
const saved = (condition: string) => `"${put()} a file of some/type" (once, ${condition})`
const changed = () => refusal(412, 'precondition_failed', 'It has another revision.')
const file = (name: string) => new File(['PK'], name, { type: 'some/type' })

/** A screen of the template with what it says of the file that waits. */
async function visit(revision: number): Promise<void> {
  const { h, render } = await import('preact')
  const { useUnsavedFile } = await import('../../src/console/views/template/unsaved-file.ts')
  const template = family(id, 'head', 'Head', { draft_revision: revision }) as unknown as Template
  const Screen = () => {
    unsaved = useUnsavedFile(template, async () => void reloads++)
    return null
  }
  box = document.createElement('div')
  document.body.append(box)
  render(h(Screen, {}), box)
  await page.settled()
  page.sent()
  page.asked()
}
async function leave(): Promise<void> {
  const { render } = await import('preact')
  render(null, box)
  box.remove()
}
async function act(what: () => unknown): Promise<void> {
  await what()
  await page.settled()
}
const shown = () => [
  unsaved.file.value?.name,
  unsaved.discarded.value?.name,
  unsaved.collision.value?.file.name,
  unsaved.problem.value?.code,
]

describe('a file in the place of a draft', () => {
  test('is shown at once, replaces the revision that was seen, and is over once it is saved', async () => {
    answer(3)
    await visit(3)
    expect([shown(), unsaved.taken.value, await unsaved.save()]).toEqual([
      [undefined, undefined, undefined, undefined],
      0,
      true,
    ])
    expect(page.sent()).toEqual([])
    await act(() => unsaved.take(file('one.docx')))
    expect([shown(), unsaved.taken.value]).toEqual([['one.docx', undefined, undefined, undefined], 1])
    answer(4)
    const saving = unsaved.save()
    expect([unsaved.isSaving.value, await unsaved.save()]).toEqual([true, false])
    expect(await saving).toBe(true)
    await page.settled()
    expect([unsaved.isSaving.value, shown(), reloads]).toEqual([false, [undefined, undefined, undefined, undefined], 1])
    expect(page.sent()).toEqual([saved('if it is "3"')])
    expect(unsaved.draft.value.value?.revision).toBe(4)
    await leave()
  })

  test('is saved as the first one if there is no draft', async () => {
    answer(1)
    await visit(0)
    expect(page.asked()).toEqual([])
    await act(() => unsaved.take(file('one.docx')))
    await act(() => unsaved.save())
    expect(page.sent()).toEqual([saved('if there is none')])
    await leave()
  })

  test('that is chosen while another is being saved waits over what is saved now', async () => {
    answer(3)
    await visit(3)
    await act(() => unsaved.take(file('one.docx')))
    answer(4, {
      [put()]: () => {
        unsaved.take(file('two.docx'))
        return {}
      },
    })
    await act(() => unsaved.save())
    expect(shown()).toEqual(['two.docx', undefined, undefined, undefined])
    answer(5)
    page.sent()
    await act(() => unsaved.save())
    expect([page.sent(), shown()[0]]).toEqual([[saved('if it is "4"')], undefined])
    await leave()
  })

  test('is thrown away and brought back, and a newer one ends that', async () => {
    answer(3)
    await visit(3)
    await act(() => unsaved.take(file('one.docx')))
    await act(() => unsaved.discard())
    expect([shown(), unsaved.taken.value]).toEqual([[undefined, 'one.docx', undefined, undefined], 1])
    await act(() => unsaved.bringBack())
    expect([shown(), unsaved.taken.value]).toEqual([['one.docx', undefined, undefined, undefined], 2])
    await act(() => unsaved.discard())
    await act(() => unsaved.take(file('two.docx')))
    expect(shown()).toEqual(['two.docx', undefined, undefined, undefined])
    await act(() => unsaved.discard())
    await leave()
  })

  test('that the server refuses stays, with the reason, which the next choice ends', async () => {
    answer(3, { [put()]: unable })
    await visit(3)
    await act(() => unsaved.take(file('one.docx')))
    expect(await unsaved.save()).toBe(false)
    expect([shown(), unsaved.isSaving.value]).toEqual([['one.docx', undefined, undefined, 'unavailable'], false])
    await act(() => unsaved.take(file('two.docx')))
    expect(shown()).toEqual(['two.docx', undefined, undefined, undefined])
    await unsaved.save()
    await act(() => unsaved.discard())
    expect(shown()).toEqual([undefined, 'two.docx', undefined, undefined])
    await leave()
  })

  test('is saved over nothing that nobody has seen', async () => {
    answer(3, { [`GET /api/v1/templates/${id}/draft`]: unable })
    await visit(3)
    await act(() => unsaved.take(file('one.docx')))
    expect(await unsaved.save()).toBe(false)
    expect([shown(), page.sent()]).toEqual([['one.docx', undefined, undefined, 'unavailable'], []])
    answer(3)
    await act(() => unsaved.draft.reload())
    await act(() => unsaved.save())
    expect(page.sent()).toEqual([saved('if it is "3"')])
    await leave()
  })

  test('waits for the next visit, over the draft that it was chosen over', async () => {
    answer(3)
    await visit(3)
    await act(() => unsaved.take(file('one.docx')))
    await leave()
    answer(4)
    await visit(4)
    expect(shown()).toEqual(['one.docx', undefined, undefined, undefined])
    await act(() => unsaved.save())
    expect(page.sent()).toEqual([saved('if it is "3"')])
    await leave()
  })

  test('that meets another one is saved only once somebody decides', async () => {
    for (const keeps of ['mine', 'theirs'] as const) {
      id = `p-${++count}`
      answer(3)
      await visit(3)
      await act(() => unsaved.take(file('one.docx')))
      answer(4, { [put()]: changed })
      expect(await unsaved.save()).toBe(false)
      const { base, theirs } = unsaved.collision.value ?? {}
      expect([base?.revision, theirs?.revision, shown()]).toEqual([
        3,
        4,
        ['one.docx', undefined, 'one.docx', undefined],
      ])
      page.sent()
      expect([await unsaved.save(), page.sent()]).toEqual([false, []])
      answer(5)
      await act(() => unsaved.decide(keeps))
      expect([keeps, shown(), page.sent()]).toEqual([
        keeps,
        [undefined, undefined, undefined, undefined],
        keeps === 'mine' ? [saved('if it is "4"')] : [],
      ])
      await leave()
    }
  })

  test('that is the first meets another first one', async () => {
    answer(1, { [put()]: changed })
    await visit(0)
    await act(() => unsaved.take(file('one.docx')))
    expect(await unsaved.save()).toBe(false)
    expect([unsaved.collision.value?.base, unsaved.collision.value?.theirs.revision]).toEqual([undefined, 1] as never)
    await act(() => unsaved.decide('theirs'))
    await leave()
  })
})

describe('a file that is tried', () => {
  const binding = (pointer: string) => ({
    ...{ pointer, shape: 'scalar' as const, required: true, part: 'word/document.xml', paragraph: 1, position: 0 },
  })
  const answered = (body: object) => () =>
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/vnd.quire.pages+json' } })
  const pages = { total_pages: 1, pages: [] }
  const tryIt = async (answers: Answers) => {
    const { fillData, takenByShown } = await import('../../src/console/views/template/filled.ts')
    page.answer(answers)
    page.sent()
    const filled = await fillData(
      'p-1',
      { a: 'x', list: [1] },
      { file: file('mine.docx') },
      new AbortController().signal,
    )
    return { filled, taken: takenByShown(filled.ofFile) }
  }
  const path = 'POST /api/v1/templates/p-1/test'

  test('is sent with the data, and the server tells what it takes', async () => {
    const { filled, taken } = await tryIt({
      [path]: answered({ ...pages, bindings: [binding('/a'), binding('/none')], fragments: ['frame'] }),
    })
    expect(page.sent()).toEqual([
      '"POST /api/v1/templates/p-1/test data={"a":"x","list":[1]}, file=mine.docx of some/type" (once)',
    ])
    expect(filled.bindings.map(({ pointer, resolved, value }) => [pointer, resolved, value])).toEqual([
      ['/a', true, 'x'],
      ['/none', false, undefined],
    ])
    expect([filled.drawn?.total_pages, filled.errors, taken]).toEqual([
      1,
      [],
      { bindings: [binding('/a'), binding('/none')], includesOthers: true },
    ])
    page.answer({ [path]: () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }) })
    expect(await (await filled.readPdf()).text()).toBe('%PDF')
    expect(page.sent()).toHaveLength(1)
    page.answer({ [path]: answered({ valid: false, errors: [] }) })
    expect(await filled.readPdf().catch(({ code }: { code: string }) => code)).toBe('not_filled' as never)
  })

  test('that cannot be filled has errors and no pages, and may tell nothing of what it takes', async () => {
    const errors = [{ code: 'x', message: 'No.', path: '/a' }]
    const { filled, taken } = await tryIt({ [path]: answered({ valid: false, errors }) })
    expect([filled.drawn, filled.errors, filled.bindings, filled.ofFile]).toEqual([undefined, errors, [], undefined])
    expect(taken).toEqual({ bindings: undefined, includesOthers: false })
    const known = await tryIt({ [path]: answered({ valid: false, errors, bindings: [binding('/a')], fragments: [] }) })
    expect(known.taken).toEqual({ bindings: [binding('/a')], includesOthers: false })
  })
})
