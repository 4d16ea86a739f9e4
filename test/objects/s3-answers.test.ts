import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { type AddressInfo, createServer } from 'node:net'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { ObjectDamaged, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { collect } from './contract.ts'

const bytes = new TextEncoder().encode('a letter')
const hash = sha256Hex(bytes)

interface Asked {
  method: string
  path: string
  search: URLSearchParams
  headers: Headers
  atMs: number
}
type Answer = (asked: Asked, count: number) => Response | undefined

/** What a real server answers only now and then, answered on demand: each request is written down, and the script answers. */
const asked: Asked[] = []
let script: Answer = () => undefined
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname: path, searchParams: search } = new URL(request.url)
    await request.arrayBuffer()
    const one = { method: request.method, path, search, headers: request.headers, atMs: performance.now() }
    asked.push(one)
    return script(one, asked.length) ?? new Response()
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  asked.length = 0
  process.env.AWS_ACCESS_KEY_ID = 'key'
  process.env.AWS_SECRET_ACCESS_KEY = 'secret'
})

function refusal(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>for the test</Message></Error>`, { status })
}
const open = (parameters = '&region=eu-x', path = 'bucket/some/prefix') =>
  openObjectStore(`s3://${path}?endpoint=http://127.0.0.1:${server.port}${parameters}`)
const methods = () => asked.map(({ method }) => method)

describe('a put', () => {
  const held = (content: Uint8Array, modified: number): Answer => {
    const headers = { 'last-modified': new Date(modified).toUTCString(), 'content-length': String(content.length) }
    return ({ method }) =>
      method === 'HEAD' ? new Response(null, { headers }) : new Response(content as BodyInit, { headers })
  }

  test('names the object below the prefix, asks for its absence and sends its SHA-256 along', async () => {
    script = () => undefined
    const store = await open()
    await store.put(hash, bytes)
    expect(methods()).toEqual(['PUT'])
    expect(asked[0]!.path).toBe(`/bucket/some/prefix/${hash}`)
    expect(asked[0]!.headers.get('if-none-match')).toBe('*')
    expect(asked[0]!.headers.get('x-amz-checksum-sha256')).toBe(Buffer.from(hash, 'hex').toString('base64'))
    expect(asked[0]!.headers.get('content-length')).toBe(String(bytes.length))
    // A bucket's own console shall not show it as a page.
    expect(asked[0]!.headers.get('content-type')).toBe('application/octet-stream')
    await store.close()
  })

  test('has its key at the top of the bucket where the address names no prefix', async () => {
    script = () => undefined
    for (const path of ['bucket', 'bucket/', 'bucket/a//']) await (await open('', path)).put(hash, bytes)
    expect(asked.map(({ path }) => path)).toEqual([`/bucket/${hash}`, `/bucket/${hash}`, `/bucket/a/${hash}`])
  })

  for (const status of [412, 409]) {
    test(`answered with ${status} is done when the same bytes are there and young`, async () => {
      const answer = held(bytes, Date.now())
      script = (one, count) => (one.method === 'PUT' ? refusal(status, 'Taken') : answer(one, count))
      await (await open()).put(hash, bytes)
      expect(methods()).toEqual(['PUT', 'GET', 'HEAD'])
    })
  }

  test.each([
    ['other bytes are there', new TextEncoder().encode('b letter'), 0],
    ['what is there could be removed before a row names it', bytes, limits.objectRenewMs + 1_000],
  ])('is sent once more, whatever is there, when %s', async (_case, content, ageMs) => {
    const answer = held(content, Date.now() - ageMs)
    script = (one, count) => {
      if (one.method !== 'PUT') return answer(one, count)
      return one.headers.get('if-none-match') === '*' ? refusal(412, 'PreconditionFailed') : undefined
    }
    await (await open()).put(hash, bytes)
    expect(methods()).toEqual(['PUT', 'GET', 'HEAD', 'PUT'])
    expect(asked.at(-1)!.headers.has('if-none-match')).toBe(false)
  })
})

describe('a fault of the server', () => {
  test('is tried so often and no more, each time after a longer wait', async () => {
    script = () => refusal(503, 'SlowDown')
    expect(await outcomeOf((await open()).get(hash))).toThrow(ObjectStoreUnavailable)
    expect(asked).toHaveLength(limits.objectRequestTries)
    const waits = asked.slice(1).map(({ atMs }, index) => atMs - asked[index]!.atMs)
    for (const [index, waitedMs] of waits.entries()) {
      // Half of each wait is certain, the other half is chance.
      expect(waitedMs).toBeGreaterThanOrEqual(limits.objectRetryMs * 2 ** index - 2)
    }
  })

  test.each([500, 503, 429, 408])('%d may pass: the next answer counts', async (status) => {
    script = (_one, count) => (count === 1 ? refusal(status, 'Passing') : new Response(bytes))
    expect(await (await open()).get(hash)).toEqual(bytes)
    expect(asked).toHaveLength(2)
  })

  test('that finds our clock wrong may pass as well: the client corrects itself by it', async () => {
    script = (_one, count) => (count === 1 ? refusal(403, 'RequestTimeTooSkewed') : new Response(bytes))
    expect(await (await open()).get(hash)).toEqual(bytes)
    expect(asked).toHaveLength(2)
  })

  test.each([
    [403, 'AccessDenied'],
    [400, 'InvalidRequest'],
    [404, 'NoSuchBucket'],
  ])('%d %s is final at once', async (status, code) => {
    script = () => refusal(status, code)
    expect(await outcomeOf((await open()).get(hash))).toThrow(ObjectStoreUnavailable)
    expect(asked).toHaveLength(1)
  })

  test.each([
    [507, 'Whatever'],
    [403, 'QuotaExceeded'],
    [400, 'XMinioStorageFull'],
    [403, 'InsufficientStorageSpace'],
  ])('%d %s says that there is no room', async (status, code) => {
    script = () => refusal(status, code)
    const fault = await rejectionOf((await open()).put(hash, bytes))
    expect(String(fault)).toBe('ObjectStoreFull: the S3 object store has no room')
  })

  test('tells what an operator must mend from what passes by itself', async () => {
    script = () => refusal(403, 'AccessDenied')
    expect(String(await rejectionOf((await open()).get(hash)))).toBe(
      'ObjectStoreRefused: the S3 object store refused with 403',
    )
    script = () => refusal(500, 'InternalError')
    expect(String(await rejectionOf((await open()).get(hash)))).toBe(
      'ObjectStoreUnavailable: the S3 object store could not be used',
    )
  })

  test('is none of the server’s where no credentials are set: nobody is asked, and nothing tried again', async () => {
    const kept = { ...process.env }
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
    // The client would look for a file and for a machine of the provider's.
    Object.assign(process.env, {
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SHARED_CREDENTIALS_FILE: '/none',
      AWS_CONFIG_FILE: '/none',
    })
    try {
      const fault = await rejectionOf((await open()).get(hash))
      expect(String(fault)).toBe('ObjectStoreRefused: the S3 object store refused with CredentialsProviderError')
      expect(asked).toEqual([])
    } finally {
      for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
      Object.assign(process.env, kept)
    }
  })

  test('that says nothing at all is given up within the time of one operation, its repetitions included', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const store = await openObjectStore(`s3://bucket?endpoint=http://127.0.0.1:${port}`, { requestMs: 200 })
    const startedMs = performance.now()
    expect(await rejectionOf(store.get(hash))).toBeInstanceOf(ObjectStoreUnavailable)
    expect(performance.now() - startedMs).toBeLessThan(limits.objectRequestMs)
    await store.close()
    silent.close()
  })

  test('404 is no fault where an object is asked for', async () => {
    script = () => refusal(404, 'NoSuchKey')
    const store = await open()
    expect([await store.get(hash), await store.open(hash), await store.size(hash)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await store.delete(hash)).toBe(false)
  })

  test('bytes that do not match the name are refused', async () => {
    script = () => new Response('b letter', { headers: { 'content-length': '8' } })
    const store = await open()
    expect(await outcomeOf(store.get(hash))).toThrow(ObjectDamaged)
    expect(await outcomeOf(new Response((await store.open(hash))!.stream).bytes())).toThrow(ObjectDamaged)
  })
})

describe('a probe', () => {
  const bucket = (): Answer => {
    const held = new Map<string, string>()
    return ({ method, path }) => {
      if (method === 'PUT') held.set(path, 'probe')
      const content = held.get(path)
      return content === undefined ? refusal(404, 'NoSuchKey') : new Response(content)
    }
  }

  test('writes below the prefix and reads it back, then only reads while a write has just succeeded', async () => {
    script = bucket()
    const store = await open()
    await store.probe()
    await store.probe()
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PUT /bucket/some/prefix/probe',
      'GET /bucket/some/prefix/probe',
      'GET /bucket/some/prefix/probe',
    ])
  })

  test('writes its own object when only others have been put so far', async () => {
    script = bucket()
    const store = await open()
    await store.put(hash, bytes)
    await store.probe()
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/bucket/some/prefix/probe' })
    expect(asked.filter(({ method, path }) => method === 'PUT' && path.endsWith('/probe'))).toHaveLength(1)
  })

  test('fails while puts are refused and gets answered, from the first put that was refused on', async () => {
    const answer = bucket()
    let isFull = false
    script = (one, count) => (isFull && one.method === 'PUT' ? refusal(507, 'Full') : answer(one, count))
    const store = await open()
    await store.probe()
    isFull = true
    expect(await outcomeOf(store.put(hash, bytes))).toThrow(ObjectStoreUnavailable)
    expect(await outcomeOf(store.probe())).toThrow(ObjectStoreUnavailable)
    isFull = false
    await store.probe()
  })

  test('fails when what was written is not what is read', async () => {
    script = ({ method }) => (method === 'GET' ? new Response('a login page') : undefined)
    expect(await outcomeOf((await open()).probe())).toThrow('as it was written')
    script = ({ method }) => (method === 'GET' ? refusal(404, 'NoSuchKey') : undefined)
    expect(await outcomeOf((await open()).probe())).toThrow('as it was written')
  })
})

test('the region is the address’s, else AWS_REGION, else AWS_DEFAULT_REGION, else us-east-1', async () => {
  script = () => new Response('probe')
  const { AWS_REGION: region, AWS_DEFAULT_REGION: fallback } = process.env
  const used = async (parameters: string, settings: Record<string, string | undefined>) => {
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) delete process.env[name]
    for (const [name, value] of Object.entries(settings)) if (value !== undefined) process.env[name] = value
    const store = await open(parameters)
    await store.probe()
    await store.close()
    return asked
      .at(-1)!
      .headers.get('authorization')!
      .match(/Credential=key\/\d+\/([^/]+)\/s3/)![1]
  }
  const both = { AWS_REGION: 'eu-one', AWS_DEFAULT_REGION: 'eu-two' }
  expect(await used('&region=eu-x', both)).toBe('eu-x')
  expect(await used('', both)).toBe('eu-one')
  expect(await used('', { AWS_DEFAULT_REGION: 'eu-two' })).toBe('eu-two')
  expect(await used('', {})).toBe('us-east-1')
  await used('', { AWS_REGION: region, AWS_DEFAULT_REGION: fallback })
})

test('a removal says whether there was something to remove, and removes nothing that is just being stored', async () => {
  let isThere = true
  script = ({ method }) => {
    if (method === 'HEAD')
      return isThere ? new Response(null, { headers: { 'content-length': '8' } }) : refusal(404, 'NoSuchKey')
    return new Response(null, { status: 204 })
  }
  const store = await open()
  expect(await store.delete(hash)).toBe(true)
  isThere = false
  expect(await store.delete(hash)).toBe(false)
  expect(methods()).toEqual(['HEAD', 'DELETE', 'HEAD'])
})

test('a removal that was turned away asks for the age again; one without a clear answer is not sent twice', async () => {
  let status = 503
  let modifiedAtMs = Date.now() - 120_000
  script = ({ method }) => {
    const headers = { 'content-length': '8', 'last-modified': new Date(modifiedAtMs).toUTCString() }
    if (method === 'HEAD') return new Response(null, { headers })
    // Somebody stores it again meanwhile.
    modifiedAtMs = Date.now()
    return refusal(status, 'Faulty')
  }
  const store = await open()
  const sinceMs = Date.now() - 60_000
  expect(await store.deleteUnlessSince(hash, sinceMs)).toBe('kept')
  expect(methods()).toEqual(['HEAD', 'DELETE', 'HEAD'])
  asked.length = 0
  status = 500
  modifiedAtMs = Date.now() - 120_000
  expect(await outcomeOf(store.deleteUnlessSince(hash, sinceMs))).toThrow(ObjectStoreUnavailable)
  expect(methods()).toEqual(['HEAD', 'DELETE'])
})

test('notes have keys of their own below the prefix, and what else is there is none', async () => {
  const note = 'erasure.0198c3d2-7a10-7c00-8000-000000000000'
  const keys = [`some/prefix/notes/${note}`, 'some/prefix/notes/other', 'some/prefix/notes/']
  script = ({ method, search }) => {
    if (search.has('list-type')) {
      expect(search.get('prefix')).toBe('some/prefix/notes/')
      const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
      return new Response(`<ListBucketResult>${contents}</ListBucketResult>`, {
        headers: { 'content-type': 'application/xml' },
      })
    }
    return method === 'GET' ? new Response('noted') : undefined
  }
  const { notes } = await open()
  await notes.put(note, bytes)
  expect(new TextDecoder().decode(await notes.get(note))).toBe('noted')
  expect(await notes.names()).toEqual([note])
  await notes.delete(note)
  const place = `/bucket/some/prefix/notes/${note}`
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...[`PUT ${place}`, `GET ${place}`, 'GET /bucket/', `DELETE ${place}`],
  ])
  script = () => refusal(404, 'NoSuchKey')
  expect(await notes.get(note)).toBeUndefined()
  await notes.delete(note)
})

test('a list without sizes and times takes them for none', async () => {
  script = () =>
    new Response(`<ListBucketResult><Contents><Key>some/prefix/${hash}</Key></Contents></ListBucketResult>`, {
      headers: { 'content-type': 'application/xml' },
    })
  expect(await collect((await open()).list())).toEqual([{ hash, size: 0, modifiedAtMs: 0 }])
})

test('an address is taken apart with care: what is no setting, no bucket or no endpoint is refused by its name', async () => {
  for (const [url, message] of [
    ['s3://[', "the object store can't be read; write s3://bucket/prefix?endpoint=…&region=…"],
    ['s3://bucket?regoin=x', "the object store's setting regoin is none of endpoint, region, style"],
    ['s3:///x', 'the object store names no bucket; write s3://bucket/prefix'],
    ['s3://key:secret@bucket/x', 'credentials for S3 belong in AWS_ACCESS_KEY_ID and its like'],
    ['s3://b?endpoint=ftp://h', 'the endpoint of the object store must begin with http:// or https://'],
    ['s3://b?style=x', 'the style of the object store must be path or virtual'],
  ] as const)
    expect(String(await rejectionOf(openObjectStore(url)))).toBe(`ObjectsUrlInvalid: ${message}`)
})

test('a list goes through every page, and names nothing but objects', async () => {
  const other = sha256Hex('other')
  const page = (keys: readonly string[], next?: string) => {
    const contents = keys.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>8</Size><LastModified>2026-11-20T09:30:00.000Z</LastModified></Contents>`,
    )
    const more = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
    const truncated = `<IsTruncated>${next !== undefined}</IsTruncated>`
    return new Response(`<ListBucketResult>${truncated}${more}${contents.join('')}</ListBucketResult>`, {
      headers: { 'content-type': 'application/xml' },
    })
  }
  script = ({ search }) => {
    expect(search.get('prefix')).toBe('some/prefix/')
    return search.get('continuation-token') === 'more'
      ? page([`some/prefix/${other}`])
      : page([`some/prefix/${hash}`, 'some/prefix/notes.txt'], 'more')
  }
  const modifiedAtMs = Date.parse('2026-11-20T09:30:00Z')
  expect(await collect((await open()).list())).toEqual([
    { hash, size: 8, modifiedAtMs },
    { hash: other, size: 8, modifiedAtMs },
  ])
  expect(asked).toHaveLength(2)
})
