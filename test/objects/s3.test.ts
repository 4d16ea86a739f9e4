import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import dns from 'node:dns'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { sha256Hex } from '../../src/core/hash.ts'
import { ObjectDamaged, type ObjectStore, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { outcomeOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { collect, testsOfEveryStore } from './contract.ts'
import { startFaultProxy, type Verdict } from './fault-proxy.ts'
import { type PrivateS3, radosgwAvailable, startRadosgw } from './radosgw.ts'

const bytes = new TextEncoder().encode('a letter')
const hash = sha256Hex(bytes)

describe.if(radosgwAvailable)('the S3 object store', () => {
  let server: PrivateS3
  let store: ObjectStore
  let client: S3Client
  let url: (bucket: string) => string
  beforeAll(async () => {
    server = await startRadosgw()
    process.env.AWS_ACCESS_KEY_ID = server.accessKeyId
    process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey
    url = (bucket) => `s3://${bucket}/some/prefix?endpoint=${encodeURIComponent(server.endpoint)}&region=us-east-1`
    client = new S3Client({ region: 'us-east-1', endpoint: server.endpoint, forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'letters' }))
    store = await openObjectStore(url('letters'))
  }, 90_000)
  afterAll(async () => {
    await store?.close()
    client?.destroy()
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  })

  testsOfEveryStore(() => store)

  const listed = async (name: string) => (await collect(store.list())).filter((object) => object.hash === name)

  function overwrite(name: string, content: string) {
    const body = new TextEncoder().encode(content)
    return client.send(new PutObjectCommand({ Bucket: 'letters', Key: `some/prefix/${name}`, Body: body }))
  }

  test('refuses to give out bytes that were changed behind its back, and repairs them when they are put again', async () => {
    await store.put(hash, bytes)
    await overwrite(hash, 'b letter')
    expect(await outcomeOf(store.get(hash))).toThrow(ObjectDamaged)
    const opened = await store.open(hash)
    expect(await outcomeOf(new Response(opened!.stream).bytes())).toThrow(ObjectDamaged)
    await store.put(hash, bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test('does not send an object again that the server has', async () => {
    const large = crypto.getRandomValues(new Uint8Array(65_536))
    const name = sha256Hex(large)
    await store.put(name, large)
    const before = (await collect(store.list())).find((object) => object.hash === name)
    await Bun.sleep(1_100)
    await store.put(name, large)
    const after = (await collect(store.list())).find((object) => object.hash === name)
    expect(after?.modifiedAtMs).toBe(before!.modifiedAtMs)
  })

  test('keeps to its prefix, and lists nothing else of the bucket', async () => {
    await client.send(new PutObjectCommand({ Bucket: 'letters', Key: 'foreign', Body: bytes }))
    await overwrite('not-a-hash', 'x')
    await store.put(hash, bytes)
    const names = (await collect(store.list())).map((object) => object.hash)
    expect(names).toContain(hash)
    expect(names.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
  })

  test('takes a missing bucket for a fault, never for a missing object', async () => {
    const lost = await openObjectStore(url('no-such-bucket'))
    expect(await outcomeOf(lost.get(hash))).toThrow(ObjectStoreUnavailable)
    expect(await outcomeOf(lost.put(hash, bytes))).toThrow(ObjectStoreUnavailable)
    expect(await outcomeOf(lost.probe())).toThrow(ObjectStoreUnavailable)
    await lost.close()
  })

  test('finds its bucket in the host where the style is virtual, and keeps the same objects there', async () => {
    // No resolver here knows names below localhost; the addresses of everything else are left alone.
    const resolver = dns as unknown as { lookup: (name: string, ...rest: unknown[]) => unknown }
    const { lookup } = resolver
    const asked = new Set<string>()
    resolver.lookup = (name, ...rest) => {
      asked.add(name)
      return lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)
    }
    const endpoint = server.endpoint.replace('127.0.0.1', 'localhost')
    const virtual = await openObjectStore(
      `s3://letters/some/prefix?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1&style=virtual`,
    )
    try {
      const content = new TextEncoder().encode('a letter by its host')
      const name = sha256Hex(content)
      await virtual.put(name, content)
      expect(await virtual.get(name)).toEqual(content)
      expect(await listed(name)).toHaveLength(1)
      expect(await store.get(name)).toEqual(content)
      expect(await virtual.delete(name)).toBe(true)
      expect(await store.get(name)).toBeUndefined()
      await virtual.probe()
      expect([...asked]).toContain('letters.localhost')
    } finally {
      resolver.lookup = lookup
      await virtual.close()
    }
  }, 120_000)

  /** The store behind a proxy that does these to its next puts, then passes them. */
  async function behindFaults(verdicts: Verdict[], requestMs: number) {
    const proxy = await startFaultProxy(server.endpoint, () => verdicts.shift() ?? 'pass')
    return {
      proxy,
      slow: await openObjectStore(
        url('letters').replace(encodeURIComponent(server.endpoint), encodeURIComponent(proxy.endpoint)),
        { requestMs },
      ),
    }
  }

  test('waits for a put that is slow, within its deadline, and sends it once', async () => {
    const { proxy, slow } = await behindFaults(['delay'], 60_000)
    const late = new TextEncoder().encode('a slow letter')
    const name = sha256Hex(late)
    await slow.put(name, late)
    expect(proxy.did).toMatchObject({ delay: 1, pass: 0 })
    expect(proxy.lateAnswers).toEqual([200])
    expect(await store.get(name)).toEqual(late)
    await slow.close()
  })

  test('gives a put up at its deadline, and neither loses nor doubles it when it arrives after all', async () => {
    const { proxy, slow } = await behindFaults(['delay-beyond'], 2_000)
    const late = new TextEncoder().encode('a letter that comes late')
    const name = sha256Hex(late)
    expect(await outcomeOf(slow.put(name, late))).toThrow(ObjectStoreUnavailable)
    // Nothing was done yet, so nobody may take it for stored.
    expect(await listed(name)).toEqual([])
    expect(proxy.did['delay-beyond']).toBe(1)
    // The runner's next attempt, as it were.
    await until(
      'it could be put',
      () =>
        slow.put(name, late).then(
          () => true,
          () => false,
        ),
      60_000,
    )
    const [before] = await listed(name)
    proxy.release()
    await until('the first one has arrived', () => proxy.lateAnswers.length === 1, 30_000)
    // The key was taken, so the server refused it.
    expect(proxy.lateAnswers).toEqual([412])
    expect(await listed(name)).toEqual([before!])
    expect(await store.get(name)).toEqual(late)
    await store.put(name, late)
    expect(await listed(name)).toEqual([before!])
    await slow.close()
  }, 120_000)

  test('is refused with the wrong key', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
    const stranger = await openObjectStore(url('letters'))
    expect(await outcomeOf(stranger.get(hash))).toThrow(ObjectStoreUnavailable)
    expect(await outcomeOf(stranger.put(hash, bytes))).toThrow(ObjectStoreUnavailable)
    process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey
    await stranger.close()
  })
})

test('an S3 store that can not be reached says so', async () => {
  process.env.AWS_ACCESS_KEY_ID ??= 'any'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'any'
  const store = await openObjectStore(`s3://letters?endpoint=http://127.0.0.1:${await freePort()}`)
  expect(await outcomeOf(store.probe())).toThrow(ObjectStoreUnavailable)
  expect(await outcomeOf(store.put(hash, bytes))).toThrow(ObjectStoreUnavailable)
  expect(await outcomeOf(store.get(hash))).toThrow(ObjectStoreUnavailable)
  await store.close()
})
