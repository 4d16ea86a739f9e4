import { describe, expect, test } from 'bun:test'
import { Fault } from '../../../src/core/faults.ts'
import { retainedParts } from '../../../src/core/retained-parts.ts'
import type { RetentionPolicy } from '../../../src/db/schema.ts'
import { policyOf } from '../../../src/modules/policies/policies.reads.ts'
import { requireOnce } from '../../../src/modules/policies/policies.service.ts'
import { termsOf } from '../../../src/modules/retention/retention.due.service.ts'

function refusalOf(...policies: RetentionPolicy[]): string | undefined {
  try {
    requireOnce(policies)
    return undefined
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return error.detail
    throw error
  }
}

describe('a set of policies', () => {
  test('has one policy for each model, and one for all others', () => {
    expect(refusalOf()).toBeUndefined()
    expect(
      refusalOf({ keep_days: 1 }, { ingestion_model: 'a', keep_days: 1 }, { ingestion_model: 'b', keep_days: 1 }),
    ).toBe(undefined)
    expect(
      refusalOf({ ingestion_model: 'a', keep_days: 1 }, { keep_days: 2 }, { ingestion_model: 'a', keep_days: 3 }),
    ).toBe('The model a has two policies. Keep one of them.')
    expect(refusalOf({ keep_days: 1 }, { keep_days: 1 })).toBe(
      'There are two policies without a model. Keep one of them.',
    )
  })

  test.each(retainedParts)('keeps %s for less than the submissions themselves', (part) => {
    const keeping = (days: number, more: object = {}) => refusalOf({ keep_days: 30, parts: { [part]: days }, ...more })
    expect([keeping(29), keeping(1)]).toEqual([undefined, undefined])
    for (const days of [30, 31])
      expect(keeping(days)).toBe(
        `The policy of all other models keeps ${part} ${days} days, and the submissions themselves 30. Keep the part for less, or leave it out.`,
      )
    expect(keeping(30, { ingestion_model: 'a' })).toStartWith(`The policy of a keeps ${part} 30 days`)
  })

  test('of a model is its own policy, else the one for all others, else none', () => {
    const [own, all] = [{ ingestion_model: 'a', keep_days: 1 }, { keep_days: 2 }]
    for (const policies of [
      [own, all],
      [all, own],
    ])
      expect([policyOf(policies, 'a'), policyOf(policies, 'b')]).toEqual([own, all])
    expect([policyOf([own], 'b'), policyOf([], 'a')]).toEqual([undefined, undefined])
  })

  test('removes whole submissions first, then each part that it names', () => {
    const policy = { keep_days: 30, parts: Object.fromEntries(retainedParts.map((part, index) => [part, index + 1])) }
    expect(termsOf(policy)).toEqual([
      { policy, days: 30 },
      ...retainedParts.map((part, index) => ({ policy, part, days: index + 1 })),
    ])
    expect(termsOf({ keep_days: 30 })).toEqual([{ policy: { keep_days: 30 }, days: 30 }])
  })
})
