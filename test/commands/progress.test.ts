import { describe, expect, test } from 'bun:test'
import { createProgress, waitingFor } from '../../src/commands/progress.ts'

describe('a line about progress', () => {
  const terminal = (isTTY: boolean | undefined, columns = 20) => {
    let written = ''
    const stream = {
      columns,
      write(text: string) {
        written += text
      },
      ...(isTTY === undefined ? {} : { isTTY }),
    }
    return { stream, read: () => written }
  }

  test('is never written where there is no terminal', () => {
    for (const isTTY of [false, undefined]) {
      let ms = 0
      const { stream, read } = terminal(isTTY)
      const progress = createProgress(stream, () => (ms += 5000))
      progress.tell('1 of 2')
      progress.clear()
      expect(read()).toBe('')
    }
  })

  test('appears after a second, changes ten times a second at most, fits, and is gone in the end', () => {
    let ms = 0
    const { stream, read } = terminal(true)
    const progress = createProgress(stream, () => ms)
    ms = 999
    progress.tell('early')
    expect(read()).toBe('')
    ms = 1000
    progress.tell('a line that is longer than the terminal')
    ms = 1099
    progress.tell('too soon')
    ms = 1100
    progress.tell('next')
    progress.clear()
    progress.clear()
    expect(read()).toBe('\r\x1b[2Ka line that is long\r\x1b[2Knext\r\x1b[2K')
  })

  test('is printed whole on a terminal that was never given a size', () => {
    let ms = 0
    const { stream, read } = terminal(true, 0)
    const progress = createProgress(stream, () => ms)
    ms = 1000
    progress.tell('2 of 2 cases')
    expect(read()).toBe('\r\x1b[2K2 of 2 cases')
  })

  test('counts the seconds that a server takes, and is gone with its answer', async () => {
    const told: string[] = []
    const seen = Promise.withResolvers<string>()
    const progress = {
      tell(text: string) {
        told.push(text)
        seen.resolve('answer')
      },
      clear: () => void told.push('cleared'),
    }
    // Seconds of this wait, and not of the process.
    await Bun.sleep(Math.max(0, 1_100 - performance.now()))
    expect(await waitingFor('planning', seen.promise, progress)).toBe('answer')
    expect(told).toEqual(['planning: 0 s', 'cleared'])
  })
})
