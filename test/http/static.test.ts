import { expect, test } from 'bun:test'
import type { ConsoleAsset } from '../../src/console/assets.ts'
import { serveAsset } from '../../src/http/static.ts'

const asset = (path: string, contentType: string, immutable: boolean): ConsoleAsset => ({
  path,
  contentType,
  body: Bun.gzipSync(`content of ${path}`) as Uint8Array<ArrayBuffer>,
  encoding: 'gzip',
  etag: '"plain"',
  gzipEtag: '"plain-gzip"',
  immutable,
})
const assets = new Map(
  [asset('/', 'text/html; charset=utf-8', false), asset('/assets/main-1a2b.js', 'text/javascript', true)].map((one) => [
    one.path,
    one,
  ]),
)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  serveAsset(assets, new Request(`http://quire.test${path}`, { method, headers }), path)

test('the page is served at every address of the console, and at none of the API', () => {
  for (const path of ['/', '/login', '/executions/1', '/lab'])
    expect(get(path)?.headers.get('content-type')).toContain('text/html')
  for (const path of ['/api', '/api/v1/x', '/health/x', '/assets/gone.js', '/openapi.json'])
    expect(get(path)).toBeUndefined()
})

test('only GET and HEAD are served, HEAD without content', async () => {
  expect(get('/', {}, 'POST')).toBeUndefined()
  const head = get('/', {}, 'HEAD')!
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('hashed files are kept for ever, the page is asked for again', () => {
  expect(get('/assets/main-1a2b.js')!.headers.get('cache-control')).toContain('immutable')
  expect(get('/')!.headers.get('cache-control')).toBe('no-cache')
})

test('gzip is sent to those who accept it, under a validator of its own', async () => {
  const zipped = get('/', { 'accept-encoding': 'br, gzip' })!
  expect([zipped.headers.get('content-encoding'), zipped.headers.get('etag'), zipped.headers.get('vary')]).toEqual([
    'gzip',
    '"plain-gzip"',
    'accept-encoding',
  ])
  expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe('content of /')
  for (const header of ['gzip;q=0', 'identity', 'notgzip']) {
    const plain = get('/', { 'accept-encoding': header })!
    expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([null, '"plain"'])
    expect(await plain.text()).toBe('content of /')
  }
})

test('a known validator is answered 304 without content', async () => {
  const same = get('/', { 'if-none-match': 'W/"x", "plain"' })!
  expect([same.status, await same.text()]).toEqual([304, ''])
  expect(get('/', { 'if-none-match': '"plain-gzip"' })!.status).toBe(200)
})

test('the page may load nothing from elsewhere and may not be framed', () => {
  const policy = get('/')!.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe-eval')
})
