import { expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import { yieldToOtherThreads } from '../../src/runner/thread-priority.ts'

test.if(process.platform === 'linux')(
  'a thread goes behind the others of its process by as much as it says and no further than there is, and the first thread stays',
  async () => {
    const before = getPriority(process.pid)
    yieldToOtherThreads(3)
    expect(getPriority(process.pid)).toBe(before)
    const worker = new Worker(new URL('./niced.worker.ts', import.meta.url).href)
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    // A thread begins as nice as its process.
    expect(await promise).toEqual([before, Math.min(19, before + 3), 19])
    worker.terminate()
    expect(getPriority(process.pid)).toBe(before)
  },
)
