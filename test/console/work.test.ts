import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { permissionsOf, type Role } from '../../src/http/access.ts'
import { refusal } from '../support/canned.ts'
import { openWindow } from '../support/window.ts'

let giveBack: () => void
const { fetch: fetchBefore } = globalThis
let asked: string[]
let answers: Record<string, () => Response | Promise<Response>>
let draw: (component: unknown, props: object) => Promise<void>
beforeEach(async () => {
  giveBack = openWindow()
  asked = []
  answers = {}
  globalThis.fetch = (async (path: string) => {
    asked.push(path)
    return answers[path]?.() ?? refusal(404, 'not_found', 'Nothing there.')
  }) as never
  const { h, render } = await import('preact')
  const { act } = await import('preact/test-utils')
  draw = (component, props) => act(() => render(h(component as never, props), document.body))
})
afterEach(async () => {
  await draw(() => null, {})
  globalThis.fetch = fetchBefore
  giveBack()
})

describe('work of a screen', () => {
  /** What the screen shows, and what ends the work that is under way, in order. */
  let shown: string
  let doing: { key: string | undefined; signal: AbortSignal; end(result: string): void; fail(why: unknown): void }[]
  let again: () => Promise<void>
  let Screen: (props: { of: string | undefined }) => null
  beforeEach(async () => {
    const { useWork } = await import('../../src/console/api/work.ts')
    doing = []
    Screen = ({ of }) => {
      const work = useWork<string>(of, (signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        doing.push({ key: of, signal, end: resolve, fail: reject })
        return promise
      })
      again = work.again
      shown = [work.value.value, work.problem.value?.detail, work.isRunning.value ? 'at work' : 'at rest'].join(', ')
      return null
    }
  })
  const show = (of: string | undefined) => draw(Screen, { of })
  /** Lets what has ended be drawn. */
  const settle = async (of: string | undefined) => {
    await Bun.sleep(0)
    await show(of)
  }

  test('begins with the screen, is there with its result, and is done again only for another key', async () => {
    await show('a')
    expect(shown).toBe(', , at work')
    doing[0]?.end('made of a')
    await settle('a')
    await show('a')
    expect([shown, doing.length]).toEqual(['made of a, , at rest', 1])
    await show('b')
    expect([shown, doing.length, doing[0]?.signal.aborted]).toEqual([', , at work', 2, true])
  })

  test('waits for a key, and is at rest without one', async () => {
    await show(undefined)
    expect([shown, doing.length]).toEqual([', , at rest', 0])
    await again()
    expect(doing).toHaveLength(0)
    await show('a')
    expect([shown, doing.length]).toEqual([', , at work', 1])
  })

  test('keeps its result while it is done again for the same key, and ends what was under way', async () => {
    await show('a')
    doing[0]?.end('first')
    await settle('a')
    void again()
    await settle('a')
    expect(shown).toBe('first, , at work')
    void again()
    expect([doing.length, doing[1]?.signal.aborted, doing[2]?.signal.aborted]).toEqual([3, true, false])
    doing[1]?.end('late')
    await settle('a')
    expect(shown).toBe('first, , at work')
    doing[2]?.end('second')
    await settle('a')
    expect(shown).toBe('second, , at rest')
  })

  test('tells why it failed, and no more once it has worked', async () => {
    await show('a')
    const { ApiProblem } = await import('../../src/console/api/problem.ts')
    doing[0]?.fail(new ApiProblem(503, 'unavailable', 'T', 'Not now.'))
    await settle('a')
    expect(shown).toBe(', Not now., at rest')
    void again()
    await settle('a')
    expect(shown).toBe(', Not now., at work')
    doing[1]?.end('made')
    await settle('a')
    expect(shown).toBe('made, , at rest')
  })

  test('that fails late, of another key, is not told', async () => {
    await show('a')
    await show('b')
    doing[0]?.fail(new Error('late'))
    doing[1]?.end('made of b')
    await settle('b')
    expect(shown).toBe('made of b, , at rest')
  })
})

describe('what executions are about', () => {
  const submission = (id: string, reference = `policy:${id}`) => ({
    ...{ id, object_reference: reference, model_slug: 'letters', executions: [] },
  })
  const newest = '/api/v1/submissions?limit=100'
  let objects: typeof import('../../src/console/api/objects.ts')
  let shown: (string | undefined)[]
  let List: (props: { ids: readonly (string | undefined)[]; readsNewest?: boolean }) => unknown
  const setTimeoutBefore = globalThis.setTimeout
  /** Waits that were begun, with how long they are; `pass` ends them. */
  let waits: [ms: number, action: () => void][]
  beforeEach(async () => {
    const { h } = await import('preact')
    objects = await import('../../src/console/api/objects.ts')
    shown = []
    function Row({ id, at }: { id: string | undefined; at: number }) {
      shown[at] = objects.useObject(id)?.object_reference
      return null
    }
    function Newest() {
      objects.useNewestObjects()
      return null
    }
    List = ({ ids, readsNewest }) =>
      h('div', {}, readsNewest === true ? h(Newest, {}) : null, ...ids.map((id, at) => h(Row, { id, at })))
    waits = []
    globalThis.setTimeout = ((action: () => void, ms = 0) => {
      if (ms < 100) return setTimeoutBefore(action, ms)
      waits.push([ms, action])
      return waits.length as never
    }) as never
    globalThis.clearTimeout = ((timer: number) => {
      if (waits[timer - 1] !== undefined) waits[timer - 1] = [0, () => {}]
    }) as never
  })
  const clearTimeoutBefore = globalThis.clearTimeout
  afterEach(() => {
    globalThis.setTimeout = setTimeoutBefore
    globalThis.clearTimeout = clearTimeoutBefore
  })
  const pass = async () => {
    for (const [, action] of waits.splice(0)) action()
    // Answers take some turns, and no time.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeoutBefore(resolve, 0))
  }
  const show = (ids: readonly (string | undefined)[], readsNewest = false) => draw(List, { ids, readsNewest })

  test('is read row by row once they stay in view, each submission once', async () => {
    answers['/api/v1/submissions/s-1'] = () => Response.json(submission('s-1'))
    await show(['s-1', 's-1', undefined])
    expect([asked, waits.map(([ms]) => ms)]).toEqual([[], [120, 120]])
    await pass()
    await show(['s-1', 's-1', undefined])
    expect([asked, shown]).toEqual([['/api/v1/submissions/s-1'], ['policy:s-1', 'policy:s-1', undefined]])
    await show(['s-1'])
    await pass()
    expect(asked).toHaveLength(1)
  })

  test('is not asked of rows that are only scrolled past', async () => {
    await show(['s-1'])
    await show([])
    await pass()
    expect(asked).toEqual([])
  })

  test('is not asked of rows that leave while the newest submissions are read', async () => {
    const newestCome = Promise.withResolvers<Response>()
    answers[newest] = () => newestCome.promise
    await show(['s-1'], true)
    await pass()
    await show([], true)
    newestCome.resolve(Response.json({ submissions: [] }))
    await pass()
    expect(asked).toEqual([newest])
  })

  test('is not asked of what the newest submissions tell', async () => {
    answers[newest] = () => Response.json({ submissions: [submission('s-1'), submission('s-2')] })
    answers['/api/v1/submissions/s-3'] = () => Response.json(submission('s-3'))
    await show(['s-1', 's-3'], true)
    await pass()
    await show(['s-1', 's-3'], true)
    expect([asked, shown]).toEqual([
      [newest, '/api/v1/submissions/s-3'],
      ['policy:s-1', 'policy:s-3'],
    ])
  })

  test('is asked one by one where the newest cannot be read, and again for what could not be read itself', async () => {
    answers[newest] = () => refusal(503, 'unavailable', 'Not now.')
    await show(['s-1'], true)
    await pass()
    expect([asked, shown]).toEqual([[newest, '/api/v1/submissions/s-1'], [undefined]])
    answers['/api/v1/submissions/s-1'] = () => Response.json(submission('s-1'))
    await show([])
    await show(['s-1'])
    await pass()
    await show(['s-1'])
    expect([asked.slice(2), shown]).toEqual([['/api/v1/submissions/s-1'], ['policy:s-1']])
  })

  test('is kept as it was first read, and the same again changes nothing', () => {
    objects.rememberObjects([submission('s-1')])
    const before = objects.knownObjects.value
    objects.rememberObjects([submission('s-1', 'another')])
    expect(objects.knownObjects.value).toBe(before)
    objects.rememberObjects([submission('s-1', 'another'), submission('s-2')])
    expect([...objects.knownObjects.value.values()].map((one) => one.object_reference)).toEqual([
      'policy:s-1',
      'policy:s-2',
    ])
  })
})

describe('what the palette finds', () => {
  const kinds = ['contract', 'transformer', 'template', 'ingestion_model', 'submission', 'execution']
  const found = kinds.map((kind) => ({ kind, id: `${kind}-1`, title: kind, words: 'w', found_in: 'title' }))
  async function foundBy(...roles: Role[]): Promise<string[]> {
    const session = await import('../../src/console/session.ts')
    const user = { id: 'u-1', username: 'ada', display_name: 'Ada', roles, permissions: permissionsOf(roles) }
    session.enter({ user, csrf_token: 'token', must_change_password: false } as never)
    const { search } = await import('../../src/console/parts/palette-sources.ts')
    return (await search('a b', new AbortController().signal)).map(({ path }) => path)
  }

  test('is what the person may open alone', async () => {
    answers['/api/v1/search?text=a%20b'] = () => Response.json({ found })
    expect(await foundBy('administrator')).toEqual([
      '/contracts/contract-1',
      '/transformers/transformer-1',
      '/templates/template-1',
      '/ingestion-models/ingestion_model-1/workspace',
      '/ingestion-models/ingestion_model-1',
      '/submissions/submission-1',
      '/executions/execution-1',
    ])
    expect(await foundBy('auditor')).not.toContain('/ingestion-models/ingestion_model-1/workspace')
    expect(await foundBy('business_viewer')).toEqual(['/submissions/submission-1'])
  })

  test('is nothing of no text, which isn’t asked for, and nothing where the service can’t be asked', async () => {
    const { search } = await import('../../src/console/parts/palette-sources.ts')
    expect([await search('', new AbortController().signal), asked]).toEqual([[], []])
    expect(await search('a', new AbortController().signal)).toEqual([])
  })
})
