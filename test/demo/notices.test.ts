import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../src/core/json.ts'
import { addToDate, formatCivil, parseDate } from '../../src/core/locale/calendar.ts'
import { demo } from '../../src/demo/demo.ts'

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsOf)
}

describe.each(demo.scenarios.map((scenario) => [scenario.id, scenario] as const))('the notice (%s)', (id, scenario) => {
  const notice = JSON.parse(scenario.raw_input)
  const amounts: number[] = notice.instalments.map(({ amount }: { amount: number | string }) =>
    Number(String(amount).replace(',', '.')),
  )

  test('leaves no text empty, nor its words for the lab', () => {
    const texts = [...textsOf(notice), ...textsOf({ ...scenario.metadata }), scenario.name, scenario.description]
    expect([...texts, scenario.expected_outcome].filter((text) => text.trim() === '')).toEqual([])
  })

  test('is due for the first time when its policy starts, and again at each interval', () => {
    const start = parseDate(notice.policy.startDate)!
    const expected = notice.instalments.map((_: unknown, index: number) =>
      formatCivil(addToDate(start, 0, index * scenario.schedule_interval_months, 0)!),
    )
    expect(notice.instalments.map(({ dueDate }: { dueDate: string }) => dueDate)).toEqual(expected)
    expect(Date.parse(notice.issuedOn)).toBeLessThan(Date.parse(notice.policy.startDate))
    expect(scenario.metadata.source_timestamp).toStartWith(notice.issuedOn)
  })

  test('asks for the premium in equal parts, with the surcharge of its interval', () => {
    const percent = { monthly: 3, semiannual: 2, annual: 0, invalid: 2 }[id]
    const cents = Math.round(notice.policy.annualPremium * (100 + percent))
    expect(new Set(amounts).size).toBe(1)
    expect(Math.abs(Math.round(amounts[0]! * 100) * amounts.length - cents)).toBeLessThan(amounts.length)
  })

  test('goes to a whole address', () => {
    expect(Object.keys(notice.policyholder.address)).toEqual(
      expect.arrayContaining(['street', 'postalCode', 'city', 'country']),
    )
    expect(notice.policyholder).toMatchObject({ firstName: expect.any(String), lastName: expect.any(String) })
    expect(Object.keys(notice.payment).sort()).toEqual(
      notice.payment.method === 'transfer'
        ? ['intervalMonths', 'method']
        : ['accountEnding', 'intervalMonths', 'mandateReference', 'method'],
    )
  })
})

test('the notices have the bytes that were published', () => {
  expect(demo.scenarios.map(({ id, raw_input_hash }) => `${id} ${raw_input_hash.slice(0, 16)}`)).toEqual([
    'monthly 003454fdae7b4f76',
    'semiannual af68f911ca07707d',
    'annual 8dd5b1d36aaf3ef4',
    'invalid 5488f0b8a2504fbd',
  ])
  expect(demo.fixtureFamily).toBe('clws-policy-v1')
})

test('the configuration is called by the slugs and names under which its parts name each other', () => {
  expect([demo.contract.slug, demo.transformer.slug, demo.template.slug, demo.ingestionModel.slug]).toEqual(
    Array(4).fill('clws-policy'),
  )
  for (const { name, description } of [demo.contract, demo.transformer, demo.template, demo.ingestionModel])
    expect([name.length, description.length]).not.toContain(0)
  expect(demo.template.fileName).toEndWith('.docx')
  expect(demo.effectiveFrom).toBe('2026-01-01T00:00:00Z')
})
