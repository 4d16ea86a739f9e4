import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

describe('the main job, with the executable in an empty folder', () => {
  let quire: RunningQuire
  let client: ApiClient
  // biome-ignore lint/suspicious/noExplicitAny: the catalog is looked at field by field
  let scenarios: any[]

  beforeAll(async () => {
    quire = await startQuire()
    client = new ApiClient(quire.origin)
    expect((await client.login(quire.username, quire.password)).status).toBe(200)
    scenarios = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios
  })
  afterAll(async () => {
    await quire.stop()
  })

  const scenario = (id: string) => scenarios.find((one) => one.id === id)

  function submit(id: string, key: string = crypto.randomUUID()) {
    const { raw_input, metadata } = scenario(id)
    return client.post(
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input, metadata },
      { 'idempotency-key': key },
    )
  }

  async function run(id: string) {
    const answer = await submit(id)
    expect(answer.status).toBe(202)
    return untilEnded(client, answer.body.submission.executions[0].id)
  }

  async function download(executionId: string, artifactId: string): Promise<Response> {
    return client.raw('GET', `/api/v1/executions/${executionId}/artifacts/${artifactId}/download`)
  }

  test('offers four scenarios, with the configuration that they need', async () => {
    const { body } = await client.get('/api/v1/intake-test-lab/scenarios')
    expect(body).toMatchObject({ fixture_family: 'clws-policy-v1', ready: true })
    expect(body.scenarios.map((one: { id: string }) => one.id)).toEqual(['monthly', 'semiannual', 'annual', 'invalid'])
    for (const one of body.scenarios) expect(one.raw_input_hash).toBe(sha256Hex(one.raw_input))
  })

  test.each([
    ['monthly', 12],
    ['semiannual', 2],
    ['annual', 1],
  ])('makes the %s scenario a letter as DOCX and PDF, with %d due dates', async (id, rows) => {
    const execution = await run(id)
    expect(execution.status).toBe('completed')
    expect(execution.steps.map((step: { name: string }) => step.name)).toEqual([
      'validate',
      'transform.declarative',
      'compose',
      'render',
    ])
    for (const step of execution.steps) expect(step).toMatchObject({ status: 'succeeded', attempt: 1 })
    expect(execution.output.schedule).toHaveLength(rows)
    expect(execution.artifacts.map((artifact: { kind: string }) => artifact.kind)).toEqual(['docx', 'pdf'])
    for (const artifact of execution.artifacts) {
      const response = await download(execution.id, artifact.id)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(artifact.media_type)
      expect(response.headers.get('etag')).toBe(`"${artifact.content_hash}"`)
      expect(response.headers.get('cache-control')).toContain('no-transform')
      const bytes = await response.bytes()
      expect(bytes.byteLength).toBe(artifact.byte_size)
      expect(sha256Hex(bytes)).toBe(artifact.content_hash)
      expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe(artifact.kind === 'pdf' ? '%PDF' : 'PK\u0003\u0004')
    }
  })

  test('gives byte-identical artifacts for the same submission twice', async () => {
    const hashes = async () =>
      (await run('monthly')).artifacts.map((artifact: { content_hash: string }) => artifact.content_hash)
    const first = await hashes()
    expect(first).toHaveLength(2)
    expect(await hashes()).toEqual(first)
  })

  test('fails the invalid scenario at validate, with located issues, and makes no document', async () => {
    const execution = await run('invalid')
    expect(execution.status).toBe('failed')
    const [validate, ...later] = execution.steps
    expect(validate).toMatchObject({ status: 'failed', attempt: 1 })
    expect(validate.failure.issues.length).toBeGreaterThan(1)
    for (const issue of validate.failure.issues) {
      expect(issue.path).toStartWith('/')
      expect(issue.message.length).toBeGreaterThan(10)
    }
    for (const step of later) expect(step.status).toBe('not_started')
    expect(execution.artifacts).toEqual([])
    expect(execution.output).toBeUndefined()
  })

  test('accepts raw input that is not JSON, and fails it at validate with its place', async () => {
    const answer = await client.post(
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input: '{"policy": ', metadata: scenario('annual').metadata },
      { 'idempotency-key': crypto.randomUUID() },
    )
    expect(answer.status).toBe(202)
    const execution = await untilEnded(client, answer.body.submission.executions[0].id)
    expect(execution.status).toBe('failed')
    expect(execution.input_hash).toBe(execution.raw_input_hash)
    expect(execution.steps[0].failure.issues[0].message).toMatch(/JSON|end|value/i)
  })

  test('answers a replay with the first answer, and makes no second execution', async () => {
    const key = crypto.randomUUID()
    const first = await submit('annual', key)
    const again = await Promise.all(Array.from({ length: 10 }, () => submit('annual', key)))
    expect(first.status).toBe(202)
    for (const answer of again) {
      expect(answer.status).toBe(202)
      expect(answer.body).toEqual(first.body)
    }
    const { body } = await client.get(`/api/v1/executions?submission_id=${first.body.submission.id}`)
    expect(body.executions).toHaveLength(1)
    const changed = await submit('monthly', key)
    expect(changed.status).toBe(409)
    expect(changed.body.code).toBe('conflict')
  })

  test('gives the trace as a list, and as a stream that resumes', async () => {
    const execution = await run('annual')
    const { body } = await client.get(`/api/v1/executions/${execution.id}/trace`)
    const types = body.events.map((event: { type: string }) => event.type)
    expect(types[0]).toBe('queued')
    expect(types.at(-1)).toBe('completed')
    expect(body.events.map((event: { sequence: number }) => event.sequence)).toEqual(
      types.map((_: string, index: number) => index + 1),
    )
    const stream = await client.raw('GET', `/api/v1/executions/${execution.id}/trace`, undefined, {
      accept: 'text/event-stream',
      'last-event-id': '2',
    })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const ids = [...(await stream.text()).matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))
    expect(ids).toEqual(types.map((_: string, index: number) => index + 1).slice(2))
  })

  test('streams the trace of an execution while it runs', async () => {
    const answer = await submit('monthly')
    const id = answer.body.submission.executions[0].id
    const stream = await client.raw('GET', `/api/v1/executions/${id}/trace`, undefined, { accept: 'text/event-stream' })
    const types = [...(await stream.text()).matchAll(/^event: (.+)$/gm)].map((match) => match[1])
    expect(types[0]).toBe('queued')
    expect(types.at(-1)).toBe('completed')
    expect(types.filter((type) => type === 'step.succeeded')).toHaveLength(4)
  })

  test('lists artifacts, filtered and page by page, and never shows object keys', async () => {
    const execution = await run('semiannual')
    const reference = scenario('semiannual').metadata.source_object
    const filtered = await client.get(`/api/v1/storage?object_reference=${encodeURIComponent(reference)}&format=pdf`)
    const found = filtered.body.storage.find(
      (item: { submission_id: string }) => item.submission_id === execution.submission_id,
    )
    expect(found).toMatchObject({
      format: 'pdf',
      model_slug: 'clws-policy',
      producing_node_address: 'clws-policy:letter',
      download_path: expect.stringContaining(execution.id),
    })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.get(`/api/v1/storage?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      expect(page.status).toBe(200)
      seen.push(...page.body.storage.map((item: { artifact_id: string }) => item.artifact_id))
      cursor = page.body.next_cursor
    } while (cursor !== undefined)
    expect(seen.length).toBeGreaterThanOrEqual(10)
    expect(new Set(seen).size).toBe(seen.length)
    expect(JSON.stringify(filtered.body)).not.toContain('objects')
  })

  test('serves byte ranges, and answers 304 to a client that has the bytes', async () => {
    const execution = await run('annual')
    const pdf = execution.artifacts[1]
    const path = `/api/v1/executions/${execution.id}/artifacts/${pdf.id}/download`
    const range = await client.raw('GET', path, undefined, { range: 'bytes=0-3' })
    expect(range.status).toBe(206)
    expect(range.headers.get('content-range')).toBe(`bytes 0-3/${pdf.byte_size}`)
    expect(await range.text()).toBe('%PDF')
    const last = await client.raw('GET', path, undefined, { range: 'bytes=-6' })
    expect((await last.text()).trim()).toEndWith('%%EOF')
    const unsatisfiable = await client.raw('GET', path, undefined, { range: 'bytes=99999999-' })
    expect(unsatisfiable.status).toBe(200)
    const unchanged = await client.raw('GET', path, undefined, { 'if-none-match': `"${pdf.content_hash}"` })
    expect(unchanged.status).toBe(304)
    expect(await unchanged.text()).toBe('')
  })

  test('answers 410 when the stored bytes differ from those that were made', async () => {
    const execution = await run('monthly')
    const [docx] = execution.artifacts
    const objects = join(quire.folder, 'quire-data/objects')
    const file = readdirSync(objects, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.includes(docx.content_hash.slice(4)),
    )
    expect(file).toBeString()
    const path = join(objects, file!)
    const whole = await Bun.file(path).bytes()
    await Bun.write(path, whole.slice(0, -1))
    const damaged = await download(execution.id, docx.id)
    expect(damaged.status).toBe(410)
    expect(await damaged.json()).toMatchObject({ code: 'content_unavailable' })
    await Bun.write(path, whole)
    expect((await download(execution.id, docx.id)).status).toBe(200)
  })

  test.each([
    ['an unknown model', { ingestion_model: 'nobody' }, /ingestion_model/],
    [
      'a time before anything was in force',
      { metadata: { source_timestamp: '2020-01-01T00:00:00Z' } },
      /clws-policy.*2020-01-01/,
    ],
    ['a time that is none', { metadata: { source_timestamp: 'yesterday' } }, /source_timestamp/],
    ['an unknown field', { colour: 'red' }, /colour/],
    ['no raw input', { raw_input: '' }, /raw_input/],
  ])('refuses %s with 422, and records nothing', async (_what, change, detail) => {
    const before = (await client.get('/api/v1/submissions?limit=1')).body.submissions[0]?.id
    const { raw_input, metadata } = scenario('annual')
    const body = {
      ingestion_model: 'clws-policy',
      raw_input,
      ...change,
      metadata: { ...metadata, ...('metadata' in change ? change.metadata : {}) },
    }
    const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatch(detail)
    expect((await client.get('/api/v1/submissions?limit=1')).body.submissions[0]?.id).toBe(before)
  })
})
