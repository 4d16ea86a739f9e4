import { afterAll, beforeAll, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { dataSchemaOf, eventDescriptions } from '../../src/bus/asyncapi.ts'
import type { Config } from '../../src/config.ts'
import { canonicalHash } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { createLog } from '../../src/core/log.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { usualRates } from '../../src/http/rates.ts'
import { verifyCoverage } from '../../src/modules/audit/audit.coverage.ts'
import { type RunningQuire, start } from '../../src/start.ts'
import { contractText, templateBytes, transformerText } from '../runner/letter.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'

const password = 'a password for tests only'
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const past = '2026-01-01T00:00:00Z'
const metadata = {
  schema: 'svc-intake-metadata-v1',
  source_object: 'POL-0001',
  source_timestamp: '2026-11-01T00:00:00Z',
  source_actor: 'someone@example.test',
  source_system: 'policies',
  fixture_family: 'walk',
  scenario_id: 'one',
  schedule_interval_months: 12,
}

/** Everything with real parts, in this process: server, database, engines in workers, broker, object store. */
describeOnBothDialects('from an empty store to a PDF through the API alone', (dialect) => {
  let quire: RunningQuire
  let client: ApiClient
  let databaseUrl: string
  let keys = 0

  beforeAll(async () => {
    const folder = temporaryFolder()
    const port = await freePort()
    databaseUrl = await emptyDatabaseUrl(dialect)
    const config: Config = {
      listen: { hostname: '127.0.0.1', port },
      origins: [`http://127.0.0.1:${port}`],
      trustedProxies: [],
      webhookNetworks: [],
      tls: undefined,
      databaseToken: undefined,
      oidc: undefined,
      localSignIn: undefined,
      secondFactorRoles: [],
      fourEyes: false,
      secretPrevious: undefined,
      dataFolder: folder,
      databaseUrl,
      objectsUrl: `file:${folder}/objects`,
      mqttUrl: 'embedded',
      mqttTls: undefined,
      secret: 'a secret of more than 32 characters',
      signingKey: undefined,
      auditHeads: undefined,
      auditSyslog: undefined,
      replicaUrl: undefined,
      replicaDays: 7,
      backupRecipients: [],
      erasureLedger: undefined,
      admin: { username: 'admin', password },
      demo: false,
      workers: 1,
      queueLimit: 1_000,
      rates: usualRates,
      fontFolders: [],
      renderer: 'quire',
      metricsListen: undefined,
      metricsToken: undefined,
      logLevel: 'error',
      telemetry: { traces: undefined, metrics: undefined, audit: undefined, warnings: [] },
      warnings: [],
      ignored: [],
    }
    quire = await start(config, createLog({ level: 'error', readable: false, write: () => {} }))
    client = new ApiClient(quire.address)
    expect((await client.login('admin', password)).status).toBe(200)
  })
  afterAll(() => quire.stop())

  async function ok(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const key = { 'idempotency-key': `walk-key-${++keys}` }
    const answer = await client.send(method, `/api/v1${path}`, body, { ...key, ...headers })
    expect([method, path, answer.status, answer.status === status ? '' : answer.body]).toEqual([
      method,
      path,
      status,
      '',
    ])
    return answer.body
  }

  async function putTemplate(path: string, bytes: Uint8Array) {
    await ok(200, 'PUT', path, bytes, { 'content-type': docxType, 'if-none-match': '*' })
  }

  test('contract, transformer, template and model are written, published and used, and the document is downloaded', async () => {
    for (const list of ['contracts', 'transformers', 'templates', 'ingestion-models', 'releases', 'submissions']) {
      expect(Object.values(await ok(200, 'GET', `/${list}`))).toEqual([[]])
    }

    const { contract } = await ok(201, 'POST', '/contracts', {
      name: 'letter',
      description: 'What a letter needs.',
      schema: contractText,
    })
    expect(await ok(200, 'POST', `/contracts/${contract.id}/validate`, {})).toMatchObject({ valid: true })
    await ok(201, 'POST', `/contracts/${contract.id}/versions`, { expected_revision: contract.draft_revision })
    await ok(200, 'POST', `/contracts/${contract.id}/versions/1/publish`, {})

    const family = { slug: 'letter', name: 'Letter', description: '' }
    const transformer = (await ok(201, 'POST', '/transformers', family)).resource_id
    const source = transformerText.replace('transform: declarative-v1', 'transform: declarative-v1\ncontract: letter@1')
    expect(await ok(200, 'POST', `/transformers/${transformer}/validate`, { source, format: 'yaml' })).toMatchObject({
      valid: true,
    })
    await ok(200, 'PUT', `/transformers/${transformer}/draft`, { source, format: 'yaml' }, { 'if-none-match': '*' })
    const tried = await ok(200, 'POST', `/transformers/${transformer}/test`, { data: { name: 'Ada', total: 1234.5 } })
    expect(tried).toMatchObject({ valid: true, result: { output: { greeting: 'Dear Ada', total: '1,234.50' } } })
    await ok(201, 'POST', `/transformers/${transformer}/versions`, {}, { 'if-match': '"1"' })
    await ok(201, 'POST', `/transformers/${transformer}/versions/1/publish`, { effective_from: past })

    const bytes = await templateBytes()
    const { template } = await ok(201, 'POST', '/templates', family)
    await putTemplate(`/templates/${template.id}/draft`, bytes)
    const probe = await ok(200, 'POST', `/templates/${template.id}/test`, { data: tried.result.output })
    expect(probe).toMatchObject({ valid: true, result: { pdf: { media_type: 'application/pdf' } } })
    await ok(201, 'POST', `/templates/${template.id}/versions`, {}, { 'if-match': '"1"' })
    await ok(201, 'POST', `/templates/${template.id}/versions/1/publish`, { effective_from: past })

    const model = `model: ingestion-model-v1
contract: { name: letter, version: 1 }
nodes:
  - { key: letter, label: The letter, transformer: letter, template: letter }
`
    const ingestion = (await ok(201, 'POST', '/ingestion-models', family)).resource_id
    await ok(
      200,
      'PUT',
      `/ingestion-models/${ingestion}/draft`,
      { source: model, format: 'yaml' },
      { 'if-none-match': '*' },
    )
    await ok(201, 'POST', `/ingestion-models/${ingestion}/versions`, {}, { 'if-match': '"1"' })
    await ok(201, 'POST', `/ingestion-models/${ingestion}/versions/1/publish`, { effective_from: past })
    expect(
      await ok(200, 'GET', `/ingestion-models/${ingestion}/versions:resolve?at=2026-11-01T00:00:00Z`),
    ).toMatchObject({ version: 1, status: 'active' })

    const raw = '{"name":"Ada","total":1234.5}'
    const { submission } = await ok(202, 'POST', '/submissions', {
      ingestion_model: 'letter',
      raw_input: raw,
      metadata,
    })
    const execution = await untilEnded(client, submission.executions[0].id)
    expect(execution.status).toBe('completed')
    expect(execution.artifacts.map((one: { kind: string }) => one.kind)).toEqual(['docx', 'pdf'])
    // What the test of the drafts promised is what the execution made.
    expect(execution.output_hash).toBe(tried.result.output_hash)
    const hashes = execution.artifacts.map((one: { content_hash: string }) => one.content_hash)
    expect(hashes).toEqual([probe.result.docx.content_hash, probe.result.pdf.content_hash])

    const { storage } = await ok(200, 'GET', '/storage?format=pdf')
    expect(storage).toMatchObject([
      { object_reference: 'POL-0001', model_slug: 'letter', producing_node_address: 'letter:letter' },
    ])
    const download = await client.raw('GET', storage[0].download_path)
    const pdf = new Uint8Array(await download.arrayBuffer())
    expect([download.status, download.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect([sha256Hex(pdf), new TextDecoder().decode(pdf.slice(0, 5))]).toEqual([hashes[1], '%PDF-'])

    const manifest = await ok(200, 'GET', `/executions/${execution.id}/provenance`)
    expect(manifest).toMatchObject({
      contract: { content_hash: sha256Hex(contractText) },
      transformer: { content_hash: sha256Hex(source) },
      template: { content_hash: sha256Hex(bytes) },
      ingestion_model: { slug: 'letter', version: 1 },
      raw_input_hash: sha256Hex(raw),
      input_hash: canonicalHash(JSON.parse(raw)),
    })
    for (const step of manifest.steps) expect(step.engine_revision).toBe('development')
    expect(await ok(200, 'POST', `/executions/${execution.id}/verify`, {})).toMatchObject({ identical: true })
  })

  test('the audit trail covers all of it, and every event on the way is one that /asyncapi.json describes', async () => {
    const described = (await client.get('/asyncapi.json')).body
    expect(described.asyncapi).toBe('3.0.0')
    expect(Object.keys(described.channels)).toHaveLength(eventDescriptions.length)
    const ajv = new Ajv({ strict: false, validateFormats: false })
    const validators = new Map(
      eventDescriptions.map((event) => [`${event.aggregate} ${event.type}`, ajv.compile(dataSchemaOf(event))]),
    )
    // One database file is for one process at a time.
    await quire.stop()
    const database = await openDatabase(databaseUrl)
    const events = await database.read.q.select().from(database.read.t.events)
    const problems: string[] = []
    const report = (problem: string) => problems.push(problem)
    const coverage = await verifyCoverage({ connection: database.read, report })
    await database.close()
    expect({ problems, uncovered: coverage.uncovered }).toEqual({ problems: [], uncovered: {} })
    expect(coverage.covered).toBeGreaterThan(8)
    expect(events.length).toBeGreaterThan(15)
    for (const { aggregate, type, data } of events) {
      const validate = validators.get(`${aggregate} ${type}`)
      expect([aggregate, type, validate?.(data), validate?.errors]).toEqual([aggregate, type, true, null])
    }
  })
})
