import { beforeAll, expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { seedExecution } from '../../runner/seed.ts'
import { Author, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const bytes = new TextEncoder().encode('0123456789')
const hash = sha256Hex(bytes)

describeOnBothDialects('the download of an artifact', (dialect) => {
  let app: TestApp
  let operator: Author
  let executionId: string
  let artifactId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    operator = await Author.signIn(app, 'operator', ['operator'])
    executionId = await seedExecution(app.database)
    await app.objects.put(hash, bytes)
    artifactId = await record(hash)
  })

  async function record(contentHash: string): Promise<string> {
    const id = newId()
    const { executions } = app.database.read.t
    const [execution] = await app.database.read.q.select().from(executions)
    await app.database.write((tx) =>
      tx.q.insert(tx.t.artifacts).values({
        id,
        executionId,
        kind: contentHash === hash ? 'pdf' : 'docx',
        byteSize: bytes.length,
        contentHash,
        submissionId: execution!.submissionId,
        objectReference: 'policy:1/é',
        modelSlug: 'model',
        nodeLabel: 'Letter',
        nodeAddress: 'model:letter',
        createdAt: execution!.createdAt,
      }),
    )
    return id
  }
  const download = (headers = {}, execution = executionId, artifact = artifactId) =>
    operator.call('GET', `/executions/${execution}/artifacts/${artifact}/download`, undefined, headers)
  const text = (body: Uint8Array) => new TextDecoder().decode(body)

  test('sends the bytes with their type, name, hash and tag, and is in the audit trail', async () => {
    const { status, headers, body } = await download()
    expect([status, text(body)]).toEqual([200, '0123456789'])
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe('attachment; filename="policy-1---letter.pdf"')
    expect(headers.get('etag')).toBe(`"${hash}"`)
    expect(headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`)
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('cache-control')).toBe('private, no-cache, no-transform')
    const audit = await app.database.read.q.select().from(app.database.read.t.auditRecords)
    expect(audit.filter(({ action }) => action === 'artifact.downloaded').at(-1)).toMatchObject({
      resourceKind: 'artifact',
      resourceId: artifactId,
      detail: { execution_id: executionId, content_hash: hash, bytes: '0-9' },
    })
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=3-3', 206, '3', 'bytes 3-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-100', 206, '789', 'bytes 7-9/10'],
    ['bytes=-4', 206, '6789', 'bytes 6-9/10'],
    ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    // What can't be satisfied, or isn't one range of bytes, is answered with all of it.
    ['bytes=10-', 200, '0123456789', null],
    ['bytes=-0', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['bytes=5-3', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
  ])('answers the range %s with %d and %s', async (range, status, sent, contentRange) => {
    const answer = await download({ range })
    expect([answer.status, text(answer.body), answer.headers.get('content-range')]).toEqual([
      status,
      sent,
      contentRange,
    ])
  })

  test('sends a range only of what the client has the beginning of', async () => {
    const range = 'bytes=0-3'
    expect((await download({ range, 'if-range': `"${hash}"` })).status).toBe(206)
    expect((await download({ range, 'if-range': '"other"' })).status).toBe(200)
  })

  test('sends nothing to whoever has it, and counts that as no download', async () => {
    const trail = async () => (await app.database.read.q.select().from(app.database.read.t.auditRecords)).length
    const before = await trail()
    for (const tag of [`"${hash}"`, `W/"${hash}"`, `"other", "${hash}"`, '*']) {
      const { status, headers, body } = await download({ 'if-none-match': tag })
      expect([tag, status, body.length, headers.get('etag')]).toEqual([tag, 304, 0, `"${hash}"`])
    }
    expect(await trail()).toBe(before)
    expect((await download({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('is not found below another execution than its own, nor if it does not exist', async () => {
    const other = await seedExecution(app.database)
    for (const [execution, artifact] of [
      [other, artifactId],
      [nobody, artifactId],
      [executionId, nobody],
    ] as const) {
      expect((await download({}, execution, artifact)).status).toBe(404)
    }
  })

  test('is gone when the object store no longer has its bytes', async () => {
    const missing = await record(sha256Hex('never stored'))
    const { status, body } = await download({}, executionId, missing)
    expect([status, body.code]).toEqual([410, 'content_unavailable'])
  })
})
