import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

interface Extra {
  name: string
}
interface Stored {
  text: string
  revision: number
  extra: Extra
}

let giveBack: () => void
let make: (more?: { read?: () => Stored | undefined; starter?: string }) => Promise<InstanceType<typeof Draft>>
let Draft: typeof import('../../src/console/views/configuration/draft.ts')['Draft']
let ApiProblem: typeof import('../../src/console/api/problem.ts')['ApiProblem']
/** The server of one draft. */
let stored: Stored | undefined
let written: [text: string, base: number | undefined][]
let write: (text: string, base: Stored | undefined) => Promise<Stored>
let reads: number

const at = (text: string, revision: number, name = 'Letter'): Stored => ({ text, revision, extra: { name } })
const changed = () => new ApiProblem(412, 'precondition_failed', 'Changed', 'It has another revision.')
const kept = (name = '') => window.sessionStorage.getItem(`quire.draft.k-1${name}`)

beforeEach(async () => {
  giveBack = openWindow()
  ;({ Draft } = await import('../../src/console/views/configuration/draft.ts'))
  ;({ ApiProblem } = await import('../../src/console/api/problem.ts'))
  const { TextKeeper } = await import('../../src/console/views/configuration/kept-text.ts')
  ;[stored, written, reads] = [at('saved', 3), [], 0]
  write = async (text, base) => {
    written.push([text, base?.revision])
    if (base?.revision !== stored?.revision) throw changed()
    stored = at(text, (stored?.revision ?? 0) + 1, base?.extra.name)
    return stored
  }
  make = async ({ starter = '' } = {}) => {
    const port = {
      read: async () => {
        reads++
        return stored
      },
      write: (text: string, base: Stored | undefined) => write(text, base),
    }
    const draft = new Draft<Extra>(port, starter, new TextKeeper('k-1')) as InstanceType<typeof Draft>
    await draft.load()
    return draft
  }
})
afterEach(() => giveBack())

test('a draft is dirty as long as its text is not the saved one, and keeps it for the tab meanwhile', async () => {
  const draft = await make()
  const state = () => [draft.text.value, draft.isDirty.value, draft.phase.value, kept()]
  expect(state()).toEqual(['saved', false, 'idle', null])
  draft.edit('typed')
  expect(state()).toEqual(['typed', true, 'idle', 'typed'])
  draft.edit('saved')
  expect(state()).toEqual(['saved', false, 'idle', null])
  expect(await draft.save()).toBe(true)
  expect(written).toEqual([])
})

test('a first draft begins with its starter, which is not saved yet', async () => {
  stored = undefined
  const draft = await make({ starter: 'start' })
  expect([draft.text.value, draft.isDirty.value, draft.stored.value]).toEqual(['start', true, undefined])
  expect(await draft.save()).toBe(true)
  expect([written, draft.isDirty.value, draft.stored.value?.revision]).toEqual([[['start', undefined]], false, 1])
})

test('what is typed during a save is saved by the next one, which waits for it', async () => {
  const draft = await make()
  draft.edit('one')
  const first = draft.save()
  expect(draft.phase.value).toBe('saving')
  draft.edit('two')
  const second = draft.save()
  expect(await Promise.all([first, second])).toEqual([true, true])
  expect([written, draft.isDirty.value, draft.phase.value]).toEqual([
    [
      ['one', 3],
      ['two', 4],
    ],
    false,
    'idle',
  ])
})

test('a save is repeated on the newest revision while only the rest of the draft changed, three times at most', async () => {
  for (const [others, isSaved] of [
    [2, true],
    [3, false],
  ] as const) {
    const draft = await make()
    stored = at('saved', draft.stored.value?.revision ?? 0)
    written = []
    const server = write
    let left: number = others
    write = (text, base) => {
      // Somebody else gives it another name just before.
      if (left-- > 0) stored = at('saved', (stored?.revision ?? 0) + 1, 'Other')
      return server(text, base)
    }
    draft.edit('mine')
    expect([others, await draft.save(), written.length]).toEqual([others, isSaved, 3])
    expect([draft.problem.value?.status, draft.text.value, draft.isDirty.value]).toEqual(
      isSaved ? [undefined, 'mine', false] : [412, 'mine', true],
    )
    write = server
    if (isSaved) expect(stored?.extra.name).toBe('Other')
    stored = at('saved', 3)
    window.sessionStorage.clear()
  }
})

test('what was read elsewhere is taken in if it is newer, and only then', async () => {
  const draft = await make()
  draft.takeIn(at('older', 2) as never)
  draft.takeIn(at('same', 3) as never)
  expect([draft.text.value, draft.stored.value?.revision]).toEqual(['saved', 3])
  draft.takeIn(at('newer', 4) as never)
  expect([draft.text.value, draft.stored.value?.revision, draft.isDirty.value]).toEqual(['newer', 4, false])
})

test('a collision waits for a decision, saves nothing until then, and takes the newest revision for its base', async () => {
  const draft = await make()
  draft.edit('mine')
  stored = at('theirs', 4)
  expect(await draft.save()).toBe(false)
  const pending = () => [draft.conflict.value?.theirRevision, draft.isPending.value, draft.text.value]
  expect(pending()).toEqual([4, true, 'mine'])
  written = []
  expect([await draft.save(), written]).toEqual([false, []])
  draft.decide('both')
  expect([pending(), draft.stored.value?.revision]).toEqual([[undefined, false, 'both'], 4])
  expect([await draft.save(), written]).toEqual([true, [['both', 4]]])
})

test('what is given up can be brought back, after a reload as well, until something is saved', async () => {
  const draft = await make()
  draft.edit('mine')
  await draft.discard()
  expect([draft.text.value, draft.isDiscarded.value, draft.isDirty.value]).toEqual(['saved', true, false])
  const reloaded = await make()
  expect(reloaded.isDiscarded.value).toBe(true)
  await reloaded.bringBack()
  expect([reloaded.text.value, reloaded.isDiscarded.value, reloaded.isDirty.value]).toEqual(['mine', false, true])
  expect([kept(), kept('.discarded')].filter((text) => text !== null)).toEqual(['mine'])
  await reloaded.discard()
  reloaded.edit('more')
  expect(reloaded.isDiscarded.value).toBe(false)
  expect(await reloaded.save()).toBe(true)
  expect([reloaded.isDiscarded.value, kept(), kept('.discarded')]).toEqual([false, null, null])
  const before = reads
  await reloaded.bringBack()
  await reloaded.discard()
  expect([reads, reloaded.text.value]).toEqual([before, 'more'])
})

test('what was typed before a reload is there again, and says so until it is saved', async () => {
  const first = await make()
  first.edit('typed')
  const draft = await make()
  expect([draft.text.value, draft.isRecovered.value, draft.isDirty.value]).toEqual(['typed', true, true])
  await draft.save()
  expect([draft.isRecovered.value, (await make()).isRecovered.value]).toEqual([false, false])
})

test('a long text is kept in a task of its own, or at once when the page is left', async () => {
  const draft = await make()
  draft.edit('x'.repeat(99_999))
  expect(kept()?.length).toBe(99_999)
  draft.edit('x'.repeat(100_000))
  expect(kept()?.length).toBe(99_999)
  await Bun.sleep(5)
  expect(kept()?.length).toBe(100_000)
  draft.edit('y'.repeat(100_001))
  draft.flush()
  expect(kept()?.length).toBe(100_001)
  draft.edit('z'.repeat(100_002))
  draft.edit('saved')
  await Bun.sleep(5)
  expect(kept()).toBeNull()
})

test('a browser without room is told of, until there is nothing to keep', async () => {
  const draft = await make()
  const { setItem } = Object.getPrototypeOf(window.sessionStorage)
  Object.getPrototypeOf(window.sessionStorage).setItem = () => {
    throw new Error('there is no room')
  }
  try {
    draft.edit('typed')
    expect(draft.isKept.value).toBe(false)
    draft.edit('saved')
    expect(draft.isKept.value).toBe(true)
  } finally {
    Object.getPrototypeOf(window.sessionStorage).setItem = setItem
  }
})
