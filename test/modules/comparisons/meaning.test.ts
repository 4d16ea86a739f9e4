/** What a comparison makes of the judge's answers: which are told, in which order, and how many. */
import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import type { SchemaChange } from '../../../src/engines/schema/changes.ts'
import { contractMeaning, earlierReadingOf } from '../../../src/modules/comparisons/comparisons.service.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import type { VersionRow } from '../../../src/modules/versions/versions.reads.ts'

/** A judge that answers as it is told, with what it was asked. */
function judgeOf(answers: Record<string, unknown>) {
  const asked: [string, unknown][] = []
  const ask = async (name: string, given: unknown) => {
    asked.push([name, given])
    return answers[name]
  }
  return { asked, judge: { ask } as unknown as Judge }
}
let texts = 0
/** Another text each time: verdicts on content are remembered. */
const content = () => ({ source: `{"title":"meaning ${++texts}"}`, format: 'json' as const })
const change = (effect: SchemaChange['effect'], pointer: string): SchemaChange => {
  return { pointer, side: 'new', keyword: 'type', effect, message: 'It changed.' }
}

test('changes of a contract come worst first, and those of one effect as the judge has them', async () => {
  const changes = [
    change('compatible', '/a'),
    change('breaking', '/b'),
    change('unknown', '/c'),
    change('breaking', '/d'),
  ]
  const { judge, asked } = judgeOf({ content: { ok: true }, contractChanges: changes })
  const both = { before: content(), after: content() }
  const told = await contractMeaning(judge, 'contract', both)
  expect(told).toEqual({ contract_changes: [changes[1]!, changes[3]!, changes[2]!, changes[0]!] })
  expect(asked).toEqual([
    ['content', { kind: 'contract', content: both.before }],
    ['content', { kind: 'contract', content: both.after }],
    ['contractChanges', { older: both.before.source, newer: both.after.source }],
  ])
})

test('no more changes are told than a plan has, and how many there are beyond', async () => {
  const many = Array.from({ length: limits.projectPlanRows + 2 }, (_, index) => change('unknown', `/${index}`))
  const told = async (changes: SchemaChange[]) =>
    contractMeaning(judgeOf({ content: { ok: true }, contractChanges: changes }).judge, 'contract', {
      ...{ before: content(), after: content() },
    })
  expect(await told(many.slice(2))).toEqual({ contract_changes: many.slice(2) })
  expect(await told(many)).toEqual({
    ...{ contract_changes: many.slice(0, limits.projectPlanRows), contract_changes_left_out: 2 },
  })
})

test('nothing is said of other kinds, of files, and of a side that has errors', async () => {
  const both = () => ({ before: content(), after: content() })
  const { judge, asked } = judgeOf({ content: { ok: false, findings: [] }, contractChanges: [] })
  for (const kind of ['transformer', 'template', 'ingestion_model'] as const) {
    expect(await contractMeaning(judge, kind, both())).toEqual({})
  }
  const file = { bytes: new Uint8Array(), format: 'docx' as const }
  expect(await contractMeaning(judge, 'contract', { ...both(), before: file })).toEqual({})
  expect(await contractMeaning(judge, 'contract', { ...both(), after: file })).toEqual({})
  expect(asked).toEqual([])
  expect(await contractMeaning(judge, 'contract', both())).toEqual({})
  expect(asked.map(([name]) => name)).toEqual(['content'])
})

test('what today’s rules read otherwise is told of versions of earlier rules, with its place, up to a bound', async () => {
  const version = (reading: number) =>
    ({ kind: 'transformer', familyId: 'f', reading, source: 'output: 1', format: 'yaml', bytes: null }) as VersionRow
  const finding = {
    code: 'earlier_reading',
    severity: 'warning' as const,
    path: '/output',
    message: 'It reads otherwise.',
  }
  const { judge, asked } = judgeOf({ earlier: [finding] })
  expect(await earlierReadingOf(judge, version(newestReading), 'c')).toEqual({})
  expect(asked).toEqual([])
  const told = await earlierReadingOf(judge, version(newestReading - 1), 'c')
  expect(told.earlier_reading).toMatchObject([
    {
      ...{ code: 'earlier_reading', stage: 'compare', resource_kind: 'transformer', resource_id: 'f' },
      ...{ path: '/output', correlation_id: 'c' },
    },
  ])
  expect(asked[0]).toMatchObject(['earlier', { kind: 'transformer', reading: newestReading - 1 }])
  expect(await earlierReadingOf(judgeOf({ earlier: [] }).judge, version(1), 'c')).toEqual({})
  const many = judgeOf({ earlier: Array(limits.configurationIssues + 1).fill(finding) })
  const bounded = await earlierReadingOf(many.judge, version(1), 'c')
  expect(bounded.earlier_reading?.length).toBe(limits.configurationIssues)
})
