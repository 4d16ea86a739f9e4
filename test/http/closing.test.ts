import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { Closing } from '../../src/http/closing.ts'
import { startTestApp } from './harness.ts'

describe('a service that stops', () => {
  test('refuses every operation but liveness, each with the problem of its surface', async () => {
    const app = await startTestApp()
    app.closing.refuse()
    for (const path of ['/health/ready', '/api/v1/contracts', '/api/v1/transformers', '/api/v1/auth/session']) {
      const refused = await app.send({ path })
      expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '1'])
      expect(await refused.json()).toMatchObject({
        code: 'dependency_unavailable',
        detail: expect.stringContaining('stopping'),
      })
    }
    expect((await app.login('admin')).status).toBe(503)
    expect((await app.send({ path: '/health/live' })).status).toBe(200)
    expect((await app.send({ path: '/nowhere' })).status).toBe(404)
  })

  test('waits for what was received before, until it gives up', async () => {
    const closing = new Closing()
    const work = Promise.withResolvers<string>()
    const early = closing.answer(work.promise)
    const late = closing.answer(new Promise<string>(() => {}))
    closing.refuse()
    work.resolve('done')
    expect(await early).toBe('done')
    closing.giveUp()
    expect(await late.catch((error) => error)).toBeInstanceOf(Fault)
  })

  test('says that the outcome is unknown only for what it gave up', async () => {
    const closing = new Closing()
    const late = closing.answer(new Promise<string>(() => {}))
    expect(() => closing.requireOpen()).not.toThrow()
    closing.giveUp()
    expect((await late.catch((error) => error)).detail).toContain('may or may not')
    expect(() => closing.requireOpen()).toThrow('Nothing was changed')
  })
})
