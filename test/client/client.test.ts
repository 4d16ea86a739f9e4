import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  ExecutionFailed,
  QuireClient,
  QuireRefusal,
  type Submission,
  type TraceEvent,
} from '../../src/client/client.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { createLog } from '../../src/core/log.ts'
import { usualRates } from '../../src/http/rates.ts'
import { type RunningQuire, start } from '../../src/start.ts'
import { contractText, templateBytes, transformerText } from '../runner/letter.ts'
import { emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'

const username = 'admin'
const password = 'a password for tests only'
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
} as const

/** A whole server in this process, driven by nothing but the typed client. */
describe('the typed client', () => {
  let quire: RunningQuire
  let client: QuireClient

  beforeAll(async () => {
    const folder = temporaryFolder()
    const port = await freePort()
    quire = await start(
      {
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
        databaseUrl: await emptyDatabaseUrl('sqlite'),
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
        admin: { username, password },
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
      },
      createLog({ level: 'error', readable: false, write: () => {} }),
    )
    client = new QuireClient({ origin: quire.address })
  })
  afterAll(() => quire.stop())

  /** Whatever was refused; fails where nothing was. */
  async function refused(call: Promise<unknown>): Promise<QuireRefusal> {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(QuireRefusal)
    return error as QuireRefusal
  }

  test('throws a refusal with its status, code and problem, before there is a session', async () => {
    const refusal = await refused(new QuireClient({ origin: quire.address }).listContracts())
    expect([refusal.status, refusal.code]).toEqual([401, 'authentication_required'])
    expect(refusal.message).toContain('Log in')
    expect(refusal.problem).toMatchObject({ type: '/problems/authentication_required' })
    expect((await refused(client.login({ body: { username, password: 'wrong' } }))).code).toBe('invalid_credentials')
  })

  test('takes a token in place of a login, and then sends neither cookie nor origin', async () => {
    const people = new QuireClient({ origin: quire.address })
    await people.login({ body: { username, password } })
    const made = await people.createToken({
      body: { name: 'client', scopes: ['configuration_write', 'configuration_read'] },
    })
    const sent: Headers[] = []
    const robot = new QuireClient({
      origin: quire.address,
      token: made.body.secret,
      fetch: (url, init) => {
        sent.push(new Headers(init.headers))
        return fetch(url, init)
      },
    })
    const name = 'made by a token'
    expect((await robot.createContract({ body: { name, description: '', schema: '{}' } })).status).toBe(201)
    await people.revokeToken({ params: { tokenId: made.body.token.id }, body: {} })
    expect((await refused(robot.listContracts())).code).toBe('authentication_required')
    expect(sent.map((headers) => [headers.has('cookie'), headers.has('origin'), headers.has('x-csrf-token')])).toEqual(
      Array(2).fill([false, false, false]),
    )
  })

  test('goes from a login to a downloaded PDF', async () => {
    const { body: session } = await client.login({ body: { username, password } })
    expect(session.user.roles).toEqual(['administrator'])
    const { contract } = (
      await client.createContract({ body: { name: 'letter', description: '', schema: contractText } })
    ).body
    const params = { contractId: contract.id }
    await client.createContractVersion({ params, body: { expected_revision: contract.draft_revision } })
    await client.publishContractVersion({ params: { ...params, number: 1 }, body: {} })

    const family = { slug: 'letter', name: 'Letter', description: '' }
    const transformerId = (await client.createTransformer({ body: family })).body.resource_id
    const draft = await client.updateCanonicalTransformerDraft({
      params: { transformerId },
      body: { source: transformerText, format: 'yaml' },
      ifNoneMatch: '*',
    })
    const frozen = await client.freezeTransformerVersion({
      params: { transformerId },
      body: {},
      ifMatch: draft.headers.get('etag')!,
    })
    expect([frozen.status, frozen.body.idempotent_replay]).toEqual([201, false])
    await client.publishTransformerVersion({ params: { transformerId, number: 1 }, body: { effective_from: past } })

    const templateId = (await client.createTemplate({ body: family })).body.template.id
    const bytes = new Uint8Array(await templateBytes())
    const saved = await client.updateCanonicalTemplateDraft({ params: { templateId }, bytes, ifNoneMatch: '*' })
    expect(saved.body.content_hash).toBe(sha256Hex(bytes))
    await client.createTemplateVersion({ params: { templateId }, body: {}, ifMatch: saved.headers.get('etag')! })
    await client.publishTemplateVersion({ params: { templateId, number: 1 }, body: { effective_from: past } })
    const read = await client.getCanonicalTemplateDraftContent({ params: { templateId } })
    expect(read.body).toEqual(bytes)

    const source = `model: ingestion-model-v1
contract: { name: letter, version: 1 }
nodes:
  - { key: letter, label: The letter, transformer: letter, template: letter }
`
    const ingestionModelId = (await client.createIngestionModel({ body: family })).body.resource_id
    const model = { params: { ingestionModelId } }
    await client.updateCanonicalIngestionModelDraft({ ...model, body: { source, format: 'yaml' }, ifNoneMatch: '*' })
    await client.freezeIngestionModelVersion({ ...model, body: {}, ifMatch: '"1"' })
    await client.publishIngestionModelVersion({
      params: { ingestionModelId, number: 1 },
      body: { effective_from: past },
    })

    const body = { ingestion_model: 'letter', raw_input: '{"name":"Ada","total":1234.5}', metadata }
    const accepted = await client.createSubmission({ body, idempotencyKey: 'submission-0001' })
    expect(accepted.status).toBe(202)
    const submission: Submission = accepted.body.submission
    const again = await client.createSubmission({ body, idempotencyKey: 'submission-0001' })
    expect(again.body.submission.id).toBe(submission.id)

    const executionId = submission.executions[0]!.id
    const events: TraceEvent[] = []
    const { artifacts } = await client.waitForExecution(executionId, { onEvent: (event) => events.push(event) })
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['queued', 'completed'])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    const pdf = artifacts.find(({ kind }) => kind === 'pdf')!
    const whole = await client.downloadArtifact({ params: { executionId, artifactId: pdf.id } })
    expect([whole.headers.get('content-type'), sha256Hex(whole.body!)]).toEqual(['application/pdf', pdf.content_hash])
    const download = await client.download(executionId, pdf.id)
    expect({ ...download, body: undefined, bytes: undefined }).toMatchObject({
      fileName: expect.stringMatching(/^POL-0001.*\.pdf$/),
      mediaType: 'application/pdf',
      byteSize: pdf.byte_size,
      contentHash: pdf.content_hash,
    })
    expect(sha256Hex(await download.bytes())).toBe(pdf.content_hash)
    const { storage } = (await client.listStorage({ query: { format: 'pdf', limit: 1 } })).body
    expect(storage.map(({ object_reference }) => object_reference)).toEqual(['POL-0001'])
    const { audit } = (await client.listAudit({ query: { action: 'artifact.downloaded' } })).body
    expect(audit).toHaveLength(2)
  })

  test('ends the wait for an execution that fails with its step and each place', async () => {
    const body = { ingestion_model: 'letter', raw_input: '{"name":5}', metadata }
    const { submission } = (await client.createSubmission({ body })).body
    const failure = await client.waitForExecution(submission.executions[0]!.id).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ExecutionFailed)
    expect((failure as ExecutionFailed).message).toContain(
      'failed at validate: The input does not satisfy its contract',
    )
    expect((failure as ExecutionFailed).message).toContain('\n  /name: must be a string, is 5')
    expect((failure as ExecutionFailed).execution.status).toBe('failed')
    const unknown = client.waitForExecution('00000000-0000-4000-8000-000000000000')
    expect((await refused(unknown)).code).toBe('not_found')
  })

  test('sends a form with its file, and shows a stale revision as a refusal', async () => {
    const bytes = new Uint8Array(await templateBytes())
    const made = await client.createTemplate({ form: { name: 'Second', description: '', file: bytes } })
    expect(made.body.template.versions).toHaveLength(1)
    const stale = await refused(
      client.updateCanonicalTemplateDraft({ params: { templateId: made.body.template.id }, bytes, ifMatch: '"9"' }),
    )
    expect([stale.status, stale.code]).toEqual([412, 'precondition_failed'])
    expect(stale.problem).toHaveProperty('errors')
  })

  test('has no session left after a logout', async () => {
    const own = new QuireClient({ origin: quire.address })
    await own.login({ body: { username, password } })
    expect((await own.logout()).status).toBe(204)
    expect((await refused(own.getCurrentSession())).status).toBe(401)
  })
})
