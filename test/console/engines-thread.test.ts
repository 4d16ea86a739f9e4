import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

interface Told {
  id: number
  question: string
  asked: unknown
}

/** A thread that answers when the test says so. */
class FakeWorker {
  static readonly all: FakeWorker[] = []
  readonly told: Told[] = []
  isOver = false
  onmessage: (event: { data: object }) => void = () => undefined
  onerror: () => void = () => undefined
  constructor(
    readonly path: string,
    readonly options: object,
  ) {
    FakeWorker.all.push(this)
  }
  postMessage(letter: Told): void {
    this.told.push(letter)
  }
  terminate(): void {
    this.isOver = true
  }
  answer(index: number, answer: unknown): void {
    this.onmessage({ data: { id: this.told[index]?.id, answer } })
  }
}

let giveBack: () => void
let before: typeof Worker
let ask: typeof import('../../src/console/engines/ask.ts')['ask']
beforeEach(async () => {
  giveBack = openWindow()
  before = globalThis.Worker
  globalThis.Worker = FakeWorker as never
  FakeWorker.all.length = 0
  document.head.innerHTML = '<meta name="engines" content="/engines.js">'
  ask = (await import('../../src/console/engines/ask.ts')).ask
})
afterEach(() => {
  globalThis.Worker = before
  giveBack()
})

test('the thread of the engines begins with the first question and answers each, whichever comes first', async () => {
  expect(FakeWorker.all).toEqual([])
  const [first, second] = [ask('schema', 'a'), ask('schema', 'b')]
  const [thread, ...others] = FakeWorker.all
  expect([thread?.path, thread?.options, others.length]).toEqual(['/engines.js', { type: 'module', name: 'en' }, 0])
  expect(thread?.told.map(({ question, asked }) => [question, asked])).toEqual([
    ['schema', 'a'],
    ['schema', 'b'],
  ])
  thread?.answer(1, 'of b')
  thread?.answer(0, 'of a')
  expect(await Promise.all([first, second])).toEqual(['of a', 'of b'] as never)
})

test('a question that the engines fail on fails alone', async () => {
  const [first, second] = [ask('schema', 'a'), ask('schema', 'b')]
  const [thread] = FakeWorker.all
  thread?.onmessage({ data: { id: thread.told[0]?.id, fault: 'Error: a fault' } })
  thread?.answer(1, 'of b')
  expect(await first.catch((error: Error) => error.message)).toBe('Error: a fault' as never)
  expect(await second).toBe('of b' as never)
})

test('a thread that is gone fails what waits, and the next question begins another', async () => {
  const waits = [ask('schema', 'a'), ask('schema', 'b')]
  const [thread] = FakeWorker.all
  thread?.onerror()
  const codes = waits.map((one) => one.catch(({ code }: { code: string }) => code))
  expect(await Promise.all(codes)).toEqual(['unreachable', 'unreachable'] as never)
  expect(thread?.isOver).toBe(true)
  const next = ask('schema', 'c')
  expect(FakeWorker.all.length).toBe(2)
  FakeWorker.all[1]?.answer(0, 'of c')
  expect(await next).toBe('of c' as never)
})

test('a screen asks one question at a time, and of those that wait the newest alone', async () => {
  const { h, render } = await import('preact')
  const { useAnswer } = await import('../../src/console/engines/ask.ts')
  const box = document.createElement('div')
  let asking: ReturnType<typeof useAnswer<'schema'>>
  const Screen = ({ text }: { text: string | undefined }) => {
    asking = useAnswer('schema', text)
    return null
  }
  const show = async (text: string | undefined) => {
    render(h(Screen, { text }), box)
    await rest()
  }
  // Promises that follow each other are over by then.
  const rest = () => new Promise((resolve) => setTimeout(resolve))
  const asked = () => FakeWorker.all.flatMap(({ told }) => told.map((letter) => letter.asked))
  const state = () => [asking.answer.value, asking.isAnswered.value, asking.problem.value?.code] as unknown[]
  try {
    await show(undefined)
    expect([asked(), state()]).toEqual([[], [undefined, false, undefined]])
    await show('a')
    await show('b')
    await show('c')
    expect([asked(), state()]).toEqual([['a'], [undefined, false, undefined]])
    const [thread] = FakeWorker.all
    thread?.answer(0, 'of a')
    await rest()
    // What is shown meanwhile is the answer to an older question.
    expect([asked(), state()]).toEqual([
      ['a', 'c'],
      ['of a', false, undefined],
    ])
    thread?.answer(1, 'of c')
    await rest()
    expect(state()).toEqual(['of c', true, undefined])
    await show('d')
    expect(state()).toEqual(['of c', false, undefined])
    thread?.onerror()
    await rest()
    expect(state()).toEqual(['of c', false, 'unreachable'])
    void asking!.again()
    FakeWorker.all[1]?.answer(0, 'of d')
    await rest()
    expect([asked(), state()]).toEqual([
      ['a', 'c', 'd', 'd'],
      ['of d', true, undefined],
    ])
    // A fault of a question that nobody asks any more is not told of.
    await show('e')
    await show('f')
    FakeWorker.all[1]?.onerror()
    await rest()
    expect([state()[2], asked().slice(4)]).toEqual([undefined, ['e', 'f']])
  } finally {
    render(null, box)
  }
})
