import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { createRefusals } from '../../src/http/refusals.ts'

test('a minute has so many lines about refusals, and the next one begins with how many were left out', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', readable: false, write: (line) => lines.push(JSON.parse(line)) })
  let nowMs = 0
  const refusals = createRefusals('refused', () => nowMs)
  const bound = limits.refusalsToldAMinute
  for (let nth = 0; nth < bound + 7; nth++) refusals.tell(log, { nth })
  expect(lines.map(({ nth }) => nth)).toEqual(Array.from({ length: bound }, (_, nth) => nth))
  nowMs = 59_999
  refusals.tell(log, { nth: 'late' })
  expect(lines).toHaveLength(bound)
  nowMs = 60_000
  refusals.tell(log, { nth: 'next' })
  refusals.tell(log, { nth: 'after' })
  expect(lines.slice(bound)).toMatchObject([{ nth: 'next', untold_before: 8 }, { nth: 'after' }])
  expect(lines.at(-1)).not.toHaveProperty('untold_before')
  nowMs = 120_000
  refusals.tell(log, { nth: 'quiet' })
  expect(lines.at(-1)).not.toHaveProperty('untold_before')
})
