import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ApiProblem, problemFrom } from '../../src/console/api/problem.ts'
import { startFaults, unexpected } from '../../src/console/faults.ts'

const before = { window: globalThis.window, reportError: globalThis.reportError }
const reported: unknown[] = []
const page = new EventTarget()
beforeAll(() => {
  // As a browser does it: what is reported comes to the page as an event.
  const reportError = (error: unknown) => {
    reported.push(error)
    page.dispatchEvent(Object.assign(new Event('error'), { error }))
  }
  Object.assign(globalThis, { window: page, reportError })
  startFaults()
})
afterAll(() => Object.assign(globalThis, before))

test('a fault is reported once however often it is drawn, and shown by whoever draws it', () => {
  const fault = new TypeError('of a screen')
  const drawn = [1, 2, 3].map(() => problemFrom(fault))
  expect(drawn.map(({ detail }) => detail.includes('of a screen'))).toEqual([true, true, true])
  expect(reported).toEqual([fault])
  expect(unexpected.value).toBeUndefined()
  const refused = new ApiProblem(409, 'conflict', 'Conflict', 'It is there.', { correlationId: 'c-1' })
  expect(problemFrom(refused)).toBe(refused)
  expect(reported).toEqual([fault])
})

test('what a handler throws is shown, and the browser alone reports it', () => {
  const count = reported.length
  const rejects = (reason: unknown) => page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
  rejects(new DOMException('given up', 'AbortError'))
  page.dispatchEvent(Object.assign(new Event('error'), { error: undefined }))
  expect(unexpected.value).toBeUndefined()
  rejects(new SyntaxError('of a handler'))
  expect(unexpected.value).toMatchObject({ code: 'failed_here', detail: expect.stringContaining('of a handler') })
  page.dispatchEvent(Object.assign(new Event('error'), { error: new Error('of another') }))
  expect(unexpected.value?.detail).toContain('of another')
  expect(reported).toHaveLength(count)
})
