import { expect, test } from 'bun:test'
import { Fault } from '../../../src/core/faults.ts'
import { parseIfMatch } from '../../../src/http/conditional.ts'
import {
  found,
  noVersion,
  requireDraft,
  requireDraftState,
  requireSomeCondition,
} from '../../../src/modules/configuration/refusals.service.ts'
import type { FamilyHead } from '../../../src/modules/families/families.reads.ts'

const ifMatch = (revision: number) => ({ ifMatch: parseIfMatch(`"${revision}"`), ifNoneMatch: false })
const ifNone = { ifMatch: undefined, ifNoneMatch: true }

function refusalOf(work: () => unknown): [string, string] | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return [error.code, error.detail]
    throw error
  }
  return undefined
}

test('a PUT that names no state is told which one to name', () => {
  const none = { ifMatch: undefined, ifNoneMatch: false }
  expect(refusalOf(() => requireSomeCondition(none, 0))).toEqual([
    'precondition_required',
    'If-Match is missing. There is no draft yet: send If-None-Match: *.',
  ])
  expect(refusalOf(() => requireSomeCondition(none, 3))).toEqual([
    'precondition_required',
    'If-Match is missing. Send If-Match: "3".',
  ])
  for (const named of [ifMatch(9), ifNone]) expect(refusalOf(() => requireSomeCondition(named, 3))).toBeUndefined()
})

test('a PUT changes only the state that it names: a revision, or that there is no draft', () => {
  expect(refusalOf(() => requireDraftState(ifMatch(3), 3))).toBeUndefined()
  expect(refusalOf(() => requireDraftState(ifMatch(2), 3))?.[0]).toBe('precondition_failed')
  expect(refusalOf(() => requireDraftState(ifNone, 0))).toBeUndefined()
  for (const revision of [1, 3]) {
    expect(refusalOf(() => requireDraftState(ifNone, revision))).toEqual([
      'precondition_failed',
      `If-None-Match: * is for the first draft, and there is one. Send If-Match: "${revision}".`,
    ])
  }
  expect(refusalOf(() => requireDraftState({ ...ifMatch(2), ifNoneMatch: true }, 0))?.[0]).toBe('precondition_failed')
})

test('what has no draft is not frozen, and what is missing is named', () => {
  const family = (draftRevision: number) => ({ draftRevision, slug: 'letter', kind: 'template', id: 'x' }) as FamilyHead
  expect(refusalOf(() => requireDraft(family(1)))).toBeUndefined()
  const extras = { resourceKind: 'template', resourceId: 'x' }
  expect(() => requireDraft(family(0))).toThrow(expect.objectContaining({ code: 'not_found', extras }))
  expect(found('template', 'x', 7)).toBe(7)
  expect(() => found('template', 'x', undefined)).toThrow(
    expect.objectContaining({ code: 'not_found', detail: 'There is no template x.', extras }),
  )
  expect(noVersion('ingestion_model', 'x', 4)).toMatchObject({
    code: 'not_found',
    detail: 'The ingestion model x has no version 4.',
    extras: { resourceKind: 'ingestion_model', resourceId: 'x' },
  })
})
