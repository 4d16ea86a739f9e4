import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { sha256Hex } from '../../src/core/hash.ts'
import { ObjectDamaged, type ObjectStore, ObjectStoreUnavailable, openObjectStore } from '../../src/objects/objects.ts'
import { freePort } from '../support/postgres.ts'
import { collect, testsOfEveryStore } from './contract.ts'
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

  function overwrite(name: string, content: string) {
    const body = new TextEncoder().encode(content)
    return client.send(new PutObjectCommand({ Bucket: 'letters', Key: `some/prefix/${name}`, Body: body }))
  }

  test('refuses to give out bytes that were changed behind its back, and repairs them when they are put again', async () => {
    await store.put(hash, bytes)
    await overwrite(hash, 'b letter')
    await expect(store.get(hash)).rejects.toThrow(ObjectDamaged)
    const opened = await store.open(hash)
    await expect(new Response(opened!.stream).bytes()).rejects.toThrow(ObjectDamaged)
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
    const names = (await collect(store.list())).map((object) => object.hash)
    expect(names).toContain(hash)
    expect(names.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
  })

  test('takes a missing bucket for a fault, never for a missing object', async () => {
    const lost = await openObjectStore(url('no-such-bucket'))
    await expect(lost.get(hash)).rejects.toThrow(ObjectStoreUnavailable)
    await expect(lost.put(hash, bytes)).rejects.toThrow(ObjectStoreUnavailable)
    await expect(lost.probe()).rejects.toThrow(ObjectStoreUnavailable)
    await lost.close()
  })

  test('is refused with the wrong key', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
    const stranger = await openObjectStore(url('letters'))
    await expect(stranger.get(hash)).rejects.toThrow(ObjectStoreUnavailable)
    await expect(stranger.put(hash, bytes)).rejects.toThrow(ObjectStoreUnavailable)
    process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey
    await stranger.close()
  })
})

test('an S3 store that can not be reached says so', async () => {
  process.env.AWS_ACCESS_KEY_ID ??= 'any'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'any'
  const store = await openObjectStore(`s3://letters?endpoint=http://127.0.0.1:${await freePort()}`)
  await expect(store.probe()).rejects.toThrow(ObjectStoreUnavailable)
  await expect(store.put(hash, bytes)).rejects.toThrow(ObjectStoreUnavailable)
  await expect(store.get(hash)).rejects.toThrow(ObjectStoreUnavailable)
  await store.close()
})
