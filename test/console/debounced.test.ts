import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

describe('a text that somebody types', () => {
  let giveBack: () => void
  let show: (value: string) => Promise<void>
  let leave: () => void
  /** What was drawn, in order. */
  let drawn: string[]
  beforeEach(async () => {
    giveBack = openWindow()
    drawn = []
    const { h, render } = await import('preact')
    const { act } = await import('preact/test-utils')
    const { useDebounced } = await import('../../src/console/debounced.ts')
    function Field({ value }: { value: string }) {
      const settled = useDebounced(value, 200)
      if (drawn.at(-1) !== settled) drawn.push(settled)
      return null
    }
    show = (value) => act(() => render(h(Field, { value }), document.body))
    leave = () => render(null, document.body)
    jest.useFakeTimers()
  })
  afterEach(() => {
    leave()
    jest.useRealTimers()
    giveBack()
  })
  let typed: string
  const type = (text: string) => {
    typed = text
    return show(text)
  }
  const pass = async (ms: number) => {
    jest.advanceTimersByTime(ms)
    await show(typed)
  }

  test('counts at once as it is first', async () => {
    await type('first')
    expect(drawn).toEqual(['first'])
  })

  test('counts at once after an empty one', async () => {
    await type('')
    await type('a')
    await pass(0)
    expect(drawn).toEqual(['', 'a'])
  })

  test('counts when typing has paused, and nothing between counts', async () => {
    await type('a')
    for (const text of ['ab', 'abc', 'abcd']) {
      await type(text)
      await pass(199)
    }
    expect(drawn).toEqual(['a'])
    await pass(1)
    expect(drawn).toEqual(['a', 'abcd'])
  })

  test('counts only when typing has paused where it is emptied', async () => {
    await type('a')
    await type('')
    await pass(199)
    expect(drawn).toEqual(['a'])
    await pass(1)
    expect(drawn).toEqual(['a', ''])
  })
})
