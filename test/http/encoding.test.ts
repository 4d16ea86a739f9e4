import { beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { createLog } from '../../src/core/log.ts'
import { publicAccess } from '../../src/http/access.ts'
import { Closing } from '../../src/http/closing.ts'
import { acceptsGzip } from '../../src/http/encoding.ts'
import { type Answer, defineOperation } from '../../src/http/operation.ts'
import { createPipeline } from '../../src/http/pipeline.ts'
import { createSessionGuard } from '../../src/http/session.ts'
import { startTestApp, type TestApp } from './harness.ts'

const rows = (count: number) => ({ items: Array.from({ length: count }, (_, number) => ({ name: `row ${number} ü` })) })
const origin = 'http://quire.test'

/** One operation that answers what it is given. */
async function get(answer: Answer, acceptEncoding?: string): Promise<Response> {
  const guard = await createSessionGuard({
    secrets: ['x'.repeat(32)],
    origins: [origin],
    sessions: { findSession: async () => undefined },
    tokens: { findPrincipal: async () => undefined, familyOf: async () => undefined },
  })
  const log = createLog({ level: 'error', readable: false, write: () => {} })
  const pipeline = createPipeline({ guard, log, closing: new Closing(), checkAnswers: true })
  pipeline.add(
    defineOperation({
      ...{ id: 'rows', method: 'GET', path: '/api/v1/rows', tag: 't', summary: '', access: publicAccess },
      success: [{ status: 200, schema: Type.Any() }],
      failures: [],
      handle: () => answer,
    }),
  )
  const headers = new Headers(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding })
  return pipeline.dispatch(new Request(`${origin}/api/v1/rows`, { headers }), '192.0.2.1')
}

/** The body as it was sent: the pipeline is asked without a client that unpacks it. */
const sentBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const unpacked = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes.slice())))

describe('a long answer', () => {
  test('is sent compressed to a client that accepts gzip, with the headers of every answer', async () => {
    const body = rows(2_000)
    const plain = await get({ body })
    const packed = await get({ body }, 'br, gzip;q=0.8')
    expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect(packed.headers.get('vary')).toBe('accept-encoding')
    const others = (response: Response) =>
      [...response.headers].filter(([name]) => !['content-encoding', 'vary', 'x-correlation-id'].includes(name))
    expect(others(packed)).toEqual(others(plain))
    expect(packed.headers.get('x-correlation-id')).not.toBeNull()
    const bytes = await sentBytes(packed)
    expect(unpacked(bytes)).toEqual(body)
    expect(bytes.length * 5).toBeLessThan((await sentBytes(plain)).length)
  })

  test('of more than a million characters arrives whole', async () => {
    const body = rows(60_000)
    expect(JSON.stringify(body).length).toBeGreaterThan(1_000_000)
    expect(unpacked(await sentBytes(await get({ body }, 'gzip')))).toEqual(body)
  })

  test('keeps its strong tag, and with it its only form', async () => {
    const response = await get({ body: rows(2_000), headers: { etag: '"3"' } }, 'gzip')
    expect([response.headers.get('etag'), response.headers.get('content-encoding')]).toEqual(['"3"', null])
    expect(await response.json()).toEqual(rows(2_000))
  })
})

test('a short answer, which may hold a secret beside a word of its caller, is never compressed', async () => {
  const response = await get({ body: { csrf_token: 'x'.repeat(43), name: 'y'.repeat(8_000) } }, 'gzip')
  expect(response.headers.get('content-encoding')).toBeNull()
})

test('gzip counts as accepted where the header names it without a quality of nought', () => {
  for (const header of ['gzip', 'GZIP', 'br, gzip', 'gzip;q=0.1', 'gzip ; q=1.0, br'])
    expect([header, acceptsGzip(header)]).toEqual([header, true])
  for (const header of [null, '', 'br', 'x-gzip', 'gzip;q=0', 'gzip; q=0.000', 'identity'])
    expect([header, acceptsGzip(header)]).toEqual([header, false])
})

describe('the descriptions', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })

  for (const path of ['/openapi.json', '/asyncapi.json']) {
    test(`${path} has one content and a tag for each encoding`, async () => {
      const plain = await app.send({ path })
      const packed = await app.send({ path, headers: { 'accept-encoding': 'gzip' } })
      expect(packed.headers.get('content-encoding')).toBe('gzip')
      expect(unpacked(await sentBytes(packed))).toEqual(await plain.json())
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    })
  }
})
