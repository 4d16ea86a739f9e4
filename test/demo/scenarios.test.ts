import { describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { demo } from '../../src/demo/demo.ts'

const byId = Object.fromEntries(demo.scenarios.map((scenario) => [scenario.id, scenario]))

describe('the demo scenarios', () => {
  test('are the four of the interface, in order, with their intervals', () => {
    expect(demo.scenarios.map(({ id, schedule_interval_months }) => [id, schedule_interval_months])).toEqual([
      ['monthly', 1],
      ['semiannual', 6],
      ['annual', 12],
      ['invalid', 6],
    ])
  })

  for (const scenario of demo.scenarios) {
    describe(scenario.id, () => {
      test('has metadata in the interface’s form that describes the same scenario', () => {
        const { metadata } = scenario
        expect(Object.keys(metadata).sort()).toEqual([
          'fixture_family',
          'scenario_id',
          'schedule_interval_months',
          'schema',
          'source_actor',
          'source_object',
          'source_system',
          'source_timestamp',
        ])
        expect(metadata.schema).toBe('svc-intake-metadata-v1')
        expect(metadata.source_object).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
        expect(metadata.source_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?Z$/)
        expect(metadata.source_actor).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$/)
        for (const name of [metadata.source_system, metadata.fixture_family, metadata.scenario_id]) {
          expect(name).toMatch(/^[a-z0-9][a-z0-9._-]{0,63}$/)
        }
        expect(metadata.fixture_family).toBe(demo.fixtureFamily)
        expect(metadata.scenario_id).toBe(scenario.id)
        expect(metadata.schedule_interval_months).toBe(scenario.schedule_interval_months)
      })

      test('has an official time at which the demo configuration is in force', () => {
        expect(Date.parse(scenario.metadata.source_timestamp)).toBeGreaterThan(Date.parse(demo.effectiveFrom))
      })

      test('has raw input within the limit, its hash, and an object named by its own policy number', () => {
        expect(Buffer.byteLength(scenario.raw_input)).toBeLessThanOrEqual(limits.payloadBytes)
        expect(scenario.raw_input_hash).toBe(sha256Hex(scenario.raw_input))
        const notice = JSON.parse(scenario.raw_input)
        expect(scenario.metadata.source_object).toBe(`policy:${notice.policy.number}`)
        expect(notice.payment.intervalMonths).toBe(scenario.schedule_interval_months)
        expect(notice.instalments).toHaveLength(12 / scenario.schedule_interval_months)
      })
    })
  }

  test('together show both ways to pay, both kinds of service and several currencies', () => {
    const [monthly, semiannual, annual] = ['monthly', 'semiannual', 'annual'].map((id) =>
      JSON.parse(byId[id]?.raw_input ?? ''),
    )
    expect([monthly, semiannual, annual].map((notice) => notice.payment.method)).toEqual([
      'direct-debit',
      'transfer',
      'direct-debit',
    ])
    expect(monthly.agent).toBeDefined()
    expect(annual.agent).toBeUndefined()
    expect(monthly.policy.currency).not.toBe(annual.policy.currency)
  })
})
