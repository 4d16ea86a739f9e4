import { describe, expect, test } from 'bun:test'
import { Fault } from '../../src/core/faults.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Principal } from '../../src/http/access.ts'
import { Closing } from '../../src/http/closing.ts'
import { asFault } from '../../src/http/problem.ts'
import { reachableOperations, requireReach, type Subject } from '../../src/http/reach.ts'
import { checkShape } from '../../src/http/shape.ts'
import { correlationId } from '../../src/http/wire.ts'
import { ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const principal = (more: Partial<Principal> = {}): Principal => ({
  ...{ sessionId: 's', userId: 'u', username: 'ada', displayName: 'Ada', roles: ['engineer'] },
  ...{ permissions: [], mustChangePassword: false, passwordGivenAt: undefined },
  ...{ expiresAt: instantFromEpochMs(0), idleExpiresAt: instantFromEpochMs(0) },
  ...more,
})
const codeOf = async (promise: Promise<unknown>) => {
  const error = await rejectionOf(promise)
  return error instanceof Fault ? error.code : error
}

describe('a token for some families', () => {
  const asks = async (
    operationId: string,
    params: Record<string, unknown>,
    body?: unknown,
    families: string[] | undefined = ['mine'],
  ) => {
    const subjects: Subject[] = []
    const source = {
      familyOf: async (subject: Subject) => {
        subjects.push(subject)
        return 'id' in subject ? subject.id : subject.slug
      },
    }
    const token = { id: 't', scopes: [], families }
    const allowed = await requireReach(source, operationId, { params, body }, principal({ token })).then(
      () => true,
      (error: Fault) => error.code,
    )
    return [allowed, ...subjects]
  }

  test('reaches operations whose path, execution, submission or model is of one of them', async () => {
    expect(await asks('getContract', { contractId: 'mine' })).toEqual([true, { kind: 'family', id: 'mine' }])
    expect(await asks('getContract', { contractId: 'other' })).toEqual(['forbidden', { kind: 'family', id: 'other' }])
    expect(await asks('publishTransformVersion', { transformId: 'mine' })).toEqual([
      true,
      { kind: 'family', id: 'mine' },
    ])
    expect(await asks('getIngestionModel', { ingestionModelId: 'mine' })).toEqual([
      true,
      { kind: 'family', id: 'mine' },
    ])
    expect(await asks('getTransformer', { transformerId: 'mine' })).toEqual([true, { kind: 'family', id: 'mine' }])
    expect(await asks('getTemplate', { templateId: 'mine' })).toEqual([true, { kind: 'family', id: 'mine' }])
    expect(await asks('downloadArtifact', { executionId: 'mine' })).toEqual([true, { kind: 'execution', id: 'mine' }])
    expect(await asks('getExecution', { executionId: 'mine' })).toEqual([true, { kind: 'execution', id: 'mine' }])
    expect(await asks('getSubmission', { submissionId: 'mine' })).toEqual([true, { kind: 'submission', id: 'mine' }])
    for (const id of ['createSubmission', 'planSubmission']) {
      expect(await asks(id, {}, { ingestion_model: 'mine' })).toEqual([true, { kind: 'model', slug: 'mine' }])
      for (const body of [undefined, null, {}, { ingestion_model: 7 }, 'mine'])
        expect(await asks(id, {}, body)).toEqual(['forbidden'])
    }
  })

  test('reaches nothing that is about more than a family, and one for all families everything', async () => {
    expect(await asks('listContracts', {})).toEqual(['forbidden'])
    expect(reachableOperations).not.toContain('listContracts')
    for (const id of reachableOperations) expect(id).toMatch(/^[a-z]+[A-Z]\w+$/)
    expect(new Set(reachableOperations).size).toBe(reachableOperations.length)
    const source = { familyOf: async () => undefined }
    for (const who of [undefined, principal(), principal({ token: { id: 't', scopes: [], families: undefined } })])
      expect(await outcomeOf(requireReach(source, 'listContracts', { params: {}, body: undefined }, who))).not.toThrow()
    // Of what nobody knows, it learns nothing.
    const token = { id: 't', scopes: [], families: ['mine'] }
    expect(
      await codeOf(
        requireReach(source, 'getContract', { params: { contractId: 'x' }, body: undefined }, principal({ token })),
      ),
    ).toBe('forbidden')
  })
})

describe('a service that stops', () => {
  test('answers what it has begun, refuses what is new, and at last gives up', async () => {
    const closing = new Closing()
    expect(() => closing.requireOpen()).not.toThrow()
    const work = Promise.withResolvers<string>()
    const begun = closing.answer(work.promise)
    const slow = closing.answer(new Promise<never>(() => {}))
    const failing = closing.answer(Promise.reject(new Error('its own')))
    expect(await rejectionOf(failing)).toMatchObject({ message: 'its own' })
    closing.refuse()
    expect(closing.refusing.aborted).toBe(true)
    expect(() => closing.requireOpen()).toThrow('Nothing was changed')
    work.resolve('done')
    expect(await begun).toBe('done')
    closing.giveUp()
    const given = await Promise.race([rejectionOf(slow), Bun.sleep(5_000)])
    expect(given).toMatchObject({
      code: 'dependency_unavailable',
      extras: { retryAfterSeconds: limits.closingRetrySeconds, isTurnedAway: true },
    })
    expect(String(given)).toContain('It may or may not have been carried out')
  })
})

test('what is thrown is a problem of its own kind: a dependency that is away, or a defect', () => {
  const own = new Fault('conflict', 'Why.')
  expect(asFault(own)).toBe(own)
  const away = asFault(new ObjectStoreUnavailable('it is full of water'))
  expect([away.code, away.extras.retryAfterSeconds]).toEqual(['dependency_unavailable', limits.dependencyRetrySeconds])
  expect(away.extras.dependencies).toEqual([{ name: 'object-store', status: 'unavailable' }])
  const defect = new Error('secret detail')
  expect([asFault(defect).code, asFault(defect).cause, asFault(defect).detail.includes('secret')]).toEqual([
    'internal_error',
    defect,
    false,
  ])
})

test('a correlation id is of one to 128 characters', () => {
  const isOne = (chars: number) => checkShape(correlationId, 'x'.repeat(chars), 'response').length === 0
  expect([0, 1, 128, 129].map(isOne)).toEqual([false, true, true, false])
})
