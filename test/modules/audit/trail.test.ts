import { beforeAll, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { demo } from '../../../src/demo/demo.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { goodPassword, jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'

/** What logins, accounts, submissions and downloads leave in the trail; authoring's records are with its own tests. */
describeOnBothDialects('the audit trail', (dialect) => {
  let started: TestApp
  let admin: Record<string, string>
  let adminId: string

  beforeAll(async () => {
    started = await startTestApp(dialect)
    await seedDemo(started.database, started.clock)
    adminId = (await started.addUser('root', ['administrator'])).id
    admin = await started.signIn('root')
  })

  async function records() {
    const { auditRecords } = started.database.read.t
    const rows = await started.database.read.q.select().from(auditRecords).orderBy(auditRecords.id)
    return rows.map(({ actorId, action, resourceKind, resourceId, correlationId, detail }) => {
      return { actorId, action, resourceKind, resourceId, correlationId, detail }
    })
  }
  /** The records that `work` adds. */
  async function added(work: () => Promise<unknown>) {
    const before = (await records()).length
    await work()
    return (await records()).slice(before)
  }
  const send = (method: string, path: string, body?: unknown, headers = admin) =>
    started.send({ method, path: `/api/v1${path}`, headers, ...(body === undefined ? {} : { body }) })

  test('the demo configuration leaves the records that making it by hand would, and nothing when it is there', async () => {
    const made = (await records()).filter(({ correlationId }) => correlationId.startsWith('demo-'))
    const steps = ['created', 'draft_saved', 'version_frozen', 'version_published']
    const wanted = ['contract', 'transformer', 'template', 'ingestion_model'].flatMap((kind) => [
      ...steps.map((step) => `${kind}.${step}`),
      ...(kind === 'contract' ? [] : ['activation.scheduled']),
    ])
    // A case of the contract comes with it, as if it had been imported.
    expect(made.map(({ action }) => action).sort()).toEqual([...wanted, 'case.imported'].sort())
    const [first] = made
    expect(
      made.every(({ actorId, correlationId }) => actorId === SYSTEM_ACTOR_ID && correlationId === first!.correlationId),
    ).toBe(true)
    expect(await added(() => seedDemo(started.database, started.clock))).toEqual([])
  })

  test('a login that succeeds and one that fails leave a record each, and no password is in any', async () => {
    const ann = await started.addUser('ann', ['operator'])
    const headers = { 'x-correlation-id': 'login-7' }
    const from = { address: '198.51.100.7', headers }
    const made = await added(async () => {
      expect((await started.login('ann', goodPassword, from)).status).toBe(200)
      expect((await started.login('ANN', 'a wrong phrase', from)).status).toBe(401)
      expect((await started.login('a secret typed too early', 'x', from)).status).toBe(401)
    })
    expect(made).toEqual([
      {
        actorId: ann.id,
        action: 'session.opened',
        resourceKind: 'session',
        resourceId: expect.any(String),
        correlationId: 'login-7',
        detail: { host: 'quire.test:8080', client_address: '198.51.100.7' },
      },
      {
        actorId: ann.id,
        action: 'session.refused',
        resourceKind: 'user',
        resourceId: ann.id,
        correlationId: 'login-7',
        detail: { reason: 'wrong_password', client_address: '198.51.100.7' },
      },
      {
        actorId: SYSTEM_ACTOR_ID,
        action: 'session.refused',
        resourceKind: 'user',
        resourceId: null,
        correlationId: 'login-7',
        detail: { reason: 'unknown_account', client_address: '198.51.100.7' },
      },
    ])
    const all = JSON.stringify(await records())
    for (const secret of [goodPassword, 'a wrong phrase', 'typed too early', 'argon2'])
      expect(all).not.toContain(secret)
  })

  test('throttled attempts leave nothing, so that nobody can flood the trail', async () => {
    await started.addUser('target', ['operator'])
    const made = await added(async () => {
      for (let attempt = 0; attempt < 20; attempt++) await started.login('target', 'wrong', { address: '198.51.100.8' })
    })
    expect(made.length).toBeGreaterThan(0)
    expect(made.length).toBeLessThan(10)
  })

  test('password change and logout leave a record, refused changes too', async () => {
    const bob = await started.addUser('bob', ['operator'])
    const headers = await started.signIn('bob')
    const change = (current_password: string) =>
      send('POST', '/auth/password', { current_password, new_password: 'another odd phrase' }, headers)
    const made = await added(async () => {
      expect((await change('not the password')).status).toBe(401)
      expect((await change(goodPassword)).status).toBe(204)
    })
    expect(made.map(({ actorId, action, resourceId }) => [actorId, action, resourceId])).toEqual([
      [bob.id, 'user.password_change_refused', bob.id],
      [bob.id, 'user.password_changed', bob.id],
    ])
    const again = await started.signIn('bob', 'another odd phrase')
    const left = await added(async () => {
      expect((await send('POST', '/auth/logout', undefined, again)).status).toBe(204)
    })
    expect(left.map(({ actorId, action, resourceKind }) => [actorId, action, resourceKind])).toEqual([
      [bob.id, 'session.closed', 'session'],
    ])
  })

  test('every change of an account names the administrator who made it, and a refused one leaves nothing', async () => {
    const body = { username: 'carl', display_name: 'Carl', roles: ['auditor'], password: 'a first odd phrase' }
    let id = ''
    const made = await added(async () => {
      id = ((await jsonOf(await send('POST', '/admin/users', body))).user as { id: string }).id
      expect((await send('POST', '/admin/users', body)).status).toBe(409)
      await send('PATCH', `/admin/users/${id}`, { roles: ['operator'] })
      await send('POST', `/admin/users/${id}/reset-password`, { password: 'a second odd phrase' })
      await send('POST', `/admin/users/${id}/revoke-sessions`, {})
      expect((await send('PATCH', `/admin/users/${adminId}`, { disabled: true })).status).toBe(409)
    })
    expect(made.map(({ actorId, action, resourceId }) => [actorId, action, resourceId])).toEqual(
      ['user.created', 'user.updated', 'user.password_reset', 'user.sessions_revoked'].map((action) => [
        adminId,
        action,
        id,
      ]),
    )
    expect(JSON.stringify(made)).not.toContain('odd phrase')
  })

  test('a submission leaves one record, its replay none', async () => {
    const [scenario] = demo.scenarios
    const body = {
      ingestion_model: demo.ingestionModel.slug,
      raw_input: scenario!.raw_input,
      metadata: scenario!.metadata,
    }
    const headers = { ...admin, 'idempotency-key': 'trail-submission-1' }
    let id = ''
    const made = await added(async () => {
      const first = await send('POST', '/submissions', body, headers)
      expect(first.status).toBe(202)
      id = ((await jsonOf(first)).submission as { id: string }).id
      await send('POST', '/submissions', body, headers)
    })
    expect(made.filter(({ action }) => action === 'submission.created')).toEqual([
      {
        actorId: adminId,
        action: 'submission.created',
        resourceKind: 'submission',
        resourceId: id,
        correlationId: expect.any(String),
        detail: {
          model_slug: demo.ingestionModel.slug,
          object_reference: scenario!.metadata.source_object,
          raw_input_hash: sha256Hex(scenario!.raw_input),
        },
      },
    ])
    expect(JSON.stringify(made)).not.toContain('policyholder')
  })

  test('a download leaves one record, with the bytes sent; what sends no bytes leaves none', async () => {
    const bytes = new TextEncoder().encode('%PDF-1.7 a file')
    const contentHash = sha256Hex(bytes)
    await started.objects.put(contentHash, bytes)
    const [execution] = await started.database.read.q.select().from(started.database.read.t.executions).limit(1)
    const artifact = {
      id: newId(),
      executionId: execution!.id,
      submissionId: execution!.submissionId,
      kind: 'pdf' as const,
      byteSize: bytes.length,
      contentHash,
      objectReference: 'reference',
      modelSlug: 'model',
      nodeLabel: 'Node',
      nodeAddress: 'model:node',
      createdAt: started.clock.now(),
    }
    const missing = { ...artifact, id: newId(), kind: 'docx' as const, contentHash: sha256Hex('nothing') }
    await started.database.write((tx) => tx.q.insert(tx.t.artifacts).values([artifact, missing]))
    const download = (id: string, headers: Record<string, string> = {}) =>
      send('GET', `/executions/${execution!.id}/artifacts/${id}/download`, undefined, { ...admin, ...headers })
    const made = await added(async () => {
      expect((await download(artifact.id)).status).toBe(200)
      expect((await download(artifact.id, { range: 'bytes=0-3' })).status).toBe(206)
      expect((await download(artifact.id, { 'if-none-match': `"${contentHash}"` })).status).toBe(304)
      expect((await download(missing.id)).status).toBe(410)
      expect((await download(newId())).status).toBe(404)
    })
    const record = (sent: string) => ({
      actorId: adminId,
      action: 'artifact.downloaded',
      resourceKind: 'artifact',
      resourceId: artifact.id,
      correlationId: expect.any(String),
      detail: { execution_id: execution!.id, content_hash: contentHash, bytes: sent },
    })
    expect(made).toEqual([record(`0-${bytes.length - 1}`), record('0-3')])
  })
})
