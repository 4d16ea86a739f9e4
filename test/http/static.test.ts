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

test('any validator is known to whoever names none', () => {
  expect(get('/', { 'if-none-match': ' * ' })!.status).toBe(304)
  expect(get('/', { 'if-none-match': '"x"' })!.status).toBe(200)
  const zipped = get('/', { 'if-none-match': '"plain-gzip"', 'accept-encoding': 'gzip' })!
  expect([zipped.status, zipped.headers.get('etag'), zipped.headers.get('content-encoding')]).toEqual([
    ...[304, '"plain-gzip"', null],
  ])
})

test('a file that is kept as it is goes out as it is, whatever is accepted', async () => {
  const body = new TextEncoder().encode('picture')
  const picture = { ...asset('/picture.png', 'image/png', true), body, encoding: 'identity' } as const
  for (const accepted of ['gzip', 'identity']) {
    const headers = { 'accept-encoding': accepted }
    const request = new Request('http://quire.test/picture.png', { headers })
    const answer = serveAsset(new Map([['/picture.png', picture]]), request, '/picture.png')!
    expect([answer.headers.get('content-encoding'), answer.headers.get('etag'), await answer.text()]).toEqual([
      ...[null, '"plain"', 'picture'],
    ])
  }
})

test('what no page is for has no page: descriptions, health, files and the API, with what is below them', () => {
  for (const path of ['/api', '/health', '/assets', '/openapi.json', '/asyncapi.json'])
    for (const below of [path, `${path}/`, `${path}/x`]) expect([below, get(below)]).toEqual([below, undefined])
  for (const path of ['/apiary', '/healthy', '/assets2', '/openapi.jsonx', '/x/api'])
    expect([path, get(path)?.status]).toEqual([path, 200])
})

test('the page may load nothing from elsewhere and may not be framed', () => {
  for (const headers of [{}, { 'if-none-match': '"plain"' }]) {
    expect(Object.fromEntries(get('/', headers)!.headers)).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      etag: '"plain"',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
      'content-security-policy': [
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'",
        "connect-src 'self'; frame-src 'self' blob:; object-src 'self' blob:; worker-src 'self' blob:",
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      ].join('; '),
    })
  }
})
