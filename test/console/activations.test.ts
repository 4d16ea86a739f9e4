import { describe, expect, test } from 'bun:test'
import type { CalendarActivation } from '../../src/client/quire.ts'
import type { Activation, ActivationStatus } from '../../src/console/api/types.ts'
import { formatInstant } from '../../src/console/format.ts'
import {
  addDays,
  addMonths,
  changesOf,
  dayOf,
  justBefore,
  startOf,
  waysBack,
  weeksOf,
} from '../../src/console/views/activations/changes.ts'
import { lanesOf, scaleOf, shareOf } from '../../src/console/views/activations/scale.ts'
import {
  consequenceOfForce,
  consequenceOfTakingBack,
  inForceAt,
} from '../../src/console/views/configuration/consequence.ts'

function activation(version: number, effectiveFrom: string, status: ActivationStatus = 'superseded'): Activation {
  return {
    id: `a${version}`,
    kind: 'transformer',
    family_id: 'f',
    family_slug: 'letter',
    version_id: `v${version}`,
    version,
    content_hash: 'a'.repeat(64),
    effective_from: effectiveFrom,
    scheduled_by: 'u',
    correlation_id: 'c',
    scheduled_at: effectiveFrom,
    status,
  }
}

const first = activation(1, '2026-01-01T00:00:00Z')
const second = activation(2, '2026-03-01T00:00:00Z', 'active')
const cancelled = activation(3, '2026-04-01T00:00:00Z', 'cancelled')
const coming = activation(4, '2026-12-01T00:00:00Z', 'scheduled')
const all = [coming, cancelled, second, first]
const at = (time: string) => new Date(time).getTime()

describe('what is in force', () => {
  test('is the newest started one, and never a cancelled one', () => {
    expect(inForceAt(all, at('2025-12-31T23:59:59Z'))).toBeUndefined()
    expect(inForceAt(all, at('2026-01-01T00:00:00Z'))?.version).toBe(1)
    expect(inForceAt(all, at('2026-05-01T00:00:00Z'))?.version).toBe(2)
    expect(inForceAt(all, at('2027-01-01T00:00:00Z'))?.version).toBe(4)
  })
})

describe('the consequence shown before it happens', () => {
  test('of putting a version in force names what is taken over from, and what follows', () => {
    const told = consequenceOfForce(all, 5, new Date('2026-06-01T00:00:00Z'))
    expect(told).toContain('v5 takes over from v2')
    expect(told).toContain('v4 follows')
    expect(told).not.toContain('v3')
  })

  test('of a first version says that earlier objects find nothing', () => {
    expect(consequenceOfForce([], 1, new Date('2026-06-01T00:00:00Z'))).toContain('Earlier ones find nothing in force')
  })

  test('of an instant that is taken says so', () => {
    expect(consequenceOfForce(all, 5, new Date(second.effective_from))).toContain('choose another')
  })

  test('of a version says when it takes over, until when, and whether it is the same again', () => {
    const when = new Date('2026-06-01T00:00:00Z')
    const later = activation(6, '2027-01-01T00:00:00Z', 'scheduled')
    const told = consequenceOfForce([later, ...all], 5, when)
    // The next of those that follow ends it, not the last.
    expect(told).toContain(`until ${formatInstant(new Date(coming.effective_from))}, when v4 follows`)
    expect(told).toEndWith('Objects of an earlier time stay with v2.')
    expect(told).toContain(` at ${formatInstant(when)}`)
    expect(told).not.toContain('the same version again')
    expect(consequenceOfForce(all, 2, when)).toContain('v2 takes over from v2, the same version again at')
    expect(consequenceOfForce([first], 5, when)).not.toContain('until')
    expect(consequenceOfForce([coming], 5, when)).toBe(
      `Objects of ${formatInstant(when)} and later are made with v5 until ${formatInstant(new Date(coming.effective_from))}, when v4 follows. Earlier ones find nothing in force.`,
    )
  })

  test('of taking back names when it would have come, whatever else is at that time', () => {
    const told = consequenceOfTakingBack(all, coming)
    expect(told).toBe(
      `v4 won't come into force at ${formatInstant(new Date(coming.effective_from))}: v2 stays in force.`,
    )
    expect(consequenceOfTakingBack([...all, activation(9, '2027-01-01T00:00:00Z')], coming)).toBe(told)
  })

  test('of taking back names what stays in force, or that nothing does', () => {
    expect(consequenceOfTakingBack(all, coming)).toContain('v2 stays in force')
    expect(consequenceOfTakingBack([coming], coming)).toContain('nothing else is in force')
  })
})

describe('the timeline', () => {
  test('draws each activation up to the next one, in one lane a family, and no cancelled one', () => {
    const scale = scaleOf(all, at('2026-11-20T00:00:00Z'))
    const [lane, ...others] = lanesOf(all, scale)
    expect(others).toEqual([])
    expect(lane?.spans.map(({ activation: { version } }) => version)).toEqual([1, 2, 4])
    expect(lane?.spans[0]?.to).toBe(lane?.spans[1]?.from ?? -1)
    expect(lane?.spans.at(-1)?.to).toBe(1)
    for (const { from, to } of lane?.spans ?? []) expect(from).toBeLessThan(to)
  })

  test('has a lane for each family, by kind and slug, whichever came first', () => {
    const of = (kind: Activation['kind'], slug: string, family: string) => ({
      ...first,
      id: slug,
      kind,
      family_id: family,
      family_slug: slug,
    })
    const families = [
      of('transformer', 'b', '1'),
      of('template', 'z', '2'),
      of('transformer', 'a', '3'),
      of('template', 'c', '4'),
    ]
    const lanes = lanesOf(
      [...families, { ...second, kind: 'template', family_id: '4', family_slug: 'c' }],
      scaleOf(all, at('2026-06-01T00:00:00Z')),
    )
    expect(lanes.map(({ kind, slug, familyId, spans }) => [kind, slug, familyId, spans.length])).toEqual([
      ['template', 'c', '4', 2],
      ['template', 'z', '2', 1],
      ['transformer', 'a', '3', 1],
      ['transformer', 'b', '1', 1],
    ])
    // A lane whose activations are all cancelled stays, with nothing in it.
    const [empty] = lanesOf([cancelled], scaleOf(all, at('2026-06-01T00:00:00Z')))
    expect([empty?.spans.length, empty?.activations.length]).toEqual([0, 1])
  })

  test('has eight hundredths of its span at both ends, or a day', () => {
    const [from, to] = [at('2026-01-01T00:00:00Z'), at('2026-04-11T00:00:00Z')]
    const day = 86_400_000
    expect(scaleOf([first], to)).toEqual({ fromMs: from - 8 * day, toMs: to + 8 * day })
    expect(scaleOf([first], from)).toEqual({ fromMs: from - day, toMs: from + day })
    expect(scaleOf([], from)).toEqual({ fromMs: from - day, toMs: from + day })
    expect(scaleOf([cancelled], from)).toEqual({ fromMs: from - day, toMs: from + day })
    const scale = { fromMs: 1_000, toMs: 3_000 }
    expect([500, 1_000, 1_500, 3_000, 9_000].map((ms) => shareOf(scale, ms))).toEqual([0, 0, 0.25, 1, 1])
  })

  test('has room before the first and after now', () => {
    const now = at('2027-06-01T00:00:00Z')
    const scale = scaleOf(all, now)
    expect(shareOf(scale, at(first.effective_from))).toBeGreaterThan(0)
    expect(shareOf(scale, now)).toBeLessThan(1)
  })
})

describe('the calendar', () => {
  const entry = (slug: string, more: Partial<CalendarActivation> = {}): CalendarActivation => ({
    ...{ ...first, id: slug, family_id: slug, family_slug: slug, status: 'superseded', correlation_id: 'one' },
    ...more,
  })
  const model = { kind: 'ingestion_model' } as const

  test('has what one request put in force at one instant as one change, named by its models', () => {
    const changes = changesOf([
      entry('letter', { from_version: 1, version: 2 }),
      entry('policy', model),
      entry('other', { correlation_id: 'two', status: 'active' }),
      entry('a', { correlation_id: 'three' }),
      entry('b', { correlation_id: 'three', kind: 'template', status: 'scheduled' }),
      entry('later', { effective_from: '2027-01-01T00:00:00Z' }),
    ])
    expect(changes.map(({ title, status, members }) => [title, status, members.map((one) => one.family_slug)])).toEqual(
      [
        ['policy', 'superseded', ['policy', 'letter']],
        ['other', 'active', ['other']],
        ['a and 1 more', 'scheduled', ['b', 'a']],
        ['later', 'superseded', ['later']],
      ],
    )
  })

  test('takes back what is coming, and goes back by its model or by its part, unless nothing was before', () => {
    const at = first.effective_from
    const ways = (...entries: CalendarActivation[]) => changesOf(entries).flatMap(waysBack)
    expect(ways(entry('a', { status: 'scheduled' }), entry('b', { status: 'active' }))).toEqual([
      { how: 'take back', ids: ['a'] },
    ])
    expect(ways(entry('m', { ...model, status: 'active' }), entry('a', { from_version: 1 }))).toEqual([])
    expect(ways(entry('m', { ...model, status: 'active', from_version: 1 }), entry('a'))).toMatchObject([
      { how: 'review', model: { id: 'm' }, asOf: justBefore(at), word: 'Put what was before in force again' },
    ])
    expect(ways(entry('m', model), entry('a'))).toMatchObject([
      { how: 'review', asOf: at, word: 'Put this set in force again' },
    ])
    expect(ways(entry('m', model), entry('n', model))).toMatchObject([
      { word: 'Put this set of m in force again' },
      { word: 'Put this set of n in force again' },
    ])
    expect(ways(entry('a', { status: 'active', version: 3, from_version: 2 }))).toMatchObject([
      { how: 'force', version: 2, word: 'Put v2 in force again' },
    ])
    expect(ways(entry('a', { version: 3, from_version: 2 }), entry('b', { status: 'active' }))).toMatchObject([
      { how: 'force', version: 3, word: 'Put a v3 in force again' },
    ])
  })

  test('knows the instant before another, however exact', () => {
    expect(justBefore('2026-01-01T00:00:00Z')).toBe('2025-12-31T23:59:59.999Z')
    expect(justBefore('2026-01-01T00:00:00.123Z')).toBe('2026-01-01T00:00:00.122Z')
    expect(justBefore('2026-01-01T00:00:00.000456789Z')).toBe('2026-01-01T00:00:00Z')
  })

  test('has whole weeks from Monday on, and steps over the ends of months and years', () => {
    const weeks = weeksOf('2026-11')
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([6, '2026-10-26', '2026-12-06'])
    expect(weeks.flat().length).toBe(new Set(weeks.flat()).size)
    expect([weeksOf('2027-02').length, weeksOf('2027-02')[0]?.[0]]).toEqual([4, '2027-02-01'])
    expect(weeksOf('2026-12').at(-1)?.at(-1)).toBe('2027-01-03')
    expect(weeksOf('soon')).toEqual([])
    expect([addDays('2026-12-31', 1), addDays('2026-03-29', 1), addDays('2026-01-01', -1)]).toEqual([
      '2027-01-01',
      '2026-03-30',
      '2025-12-31',
    ])
    expect([addMonths('2026-01-31', 1), addMonths('2026-01', -1), addMonths('2026-11', 12)]).toEqual([
      '2026-02-28',
      '2025-12',
      '2027-11',
    ])
    for (const none of ['2026-02-30', '2026-13', '', 'today']) expect(startOf(none)).toBeUndefined()
    expect(dayOf(startOf('2026-02-03') ?? 0)).toBe('2026-02-03')
  })
})
