import { expect, test } from 'bun:test'
import type { Hold } from '../../src/client/client.ts'
import { UsageError } from '../../src/commands/command.ts'
import { runHold } from '../../src/commands/hold.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, refusing } from './answering.ts'

const { asked, answers, printed, run } = answeringServer()
const id = '0198c3d2-7a10-7c00-8000-00000000000a'
const hold = (more: Partial<Hold> = {}): Hold => ({
  ...{ id, status: 'in_force', object_reference: 'P-1', object_reference_hash: 'hash', reason: 'case 12' },
  ...{ placed_by: 'ada', placed_at: '2027-01-01T00:00:00Z', correlation_id: 'c' },
  ...more,
})
const line = `2027-01-01T00:00:00Z  ${id}  in_force  object P-1  by ada: case 12\n`

test('a hold is placed on the one object or model that was named, and told in a line', async () => {
  answers['POST /api/v1/holds'] = () => Response.json(hold(), { status: 201 })
  expect(await run(runHold, 'P-1', '--reason', 'case 12')).toBe(0)
  expect(await run(runHold, '--model', 'letters', '--reason', 'case 13')).toBe(0)
  expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/api/v1/holds', { object_reference: 'P-1', reason: 'case 12' }],
    ['POST', '/api/v1/holds', { ingestion_model: 'letters', reason: 'case 13' }],
  ])
  expect(printed).toEqual({ stdout: line + line, stderr: '' })
})

test('a hold is released by its id, with the reason of its release', async () => {
  answers[`POST /api/v1/holds/${id}/release`] = () => Response.json(hold({ status: 'released' }))
  expect(await run(runHold, '--release', id, '--reason', 'over', '--json')).toBe(0)
  expect(asked.map(({ path, body }) => [path, body])).toEqual([[`/api/v1/holds/${id}/release`, { reason: 'over' }]])
  expect(JSON.parse(printed.stdout)).toEqual(hold({ status: 'released' }))
})

test('holds are listed page by page, with what is left of their subject and how they ended', async () => {
  const released = { released_by: 'ben', released_at: '2027-02-01T00:00:00Z', release_reason: 'over' } as const
  const { object_reference: _, ...erased } = hold()
  const { object_reference_hash: __, ...ofModel } = { ...erased, ingestion_model: 'letters' }
  const pages = [{ holds: [hold(), erased], next_cursor: id }, { holds: [{ ...ofModel, ...released }] }]
  answers['GET /api/v1/holds'] = ({ url }) => Response.json(pages[url.includes('cursor') ? 1 : 0])
  expect(await run(runHold, '--list')).toBe(0)
  const rest = `in_force  model letters  by ada: case 12; released 2027-02-01T00:00:00Z by ben: over\n`
  expect(printed.stdout).toBe(`${line}${line.replace('P-1', 'hash')}${line.replace(/in_force.*\n/, '')}${rest}`)
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/holds', `/api/v1/holds?cursor=${id}`])
  printed.stdout = ''
  expect(await run(runHold, '--list', '--json')).toBe(0)
  expect(printed.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(printed.stdout).toStartWith(`${JSON.stringify(hold())}\n`)
})

test('what a server refuses is told in the words of the command line', async () => {
  answers['POST /api/v1/holds'] = refusing('object_reference', 'ingestion_model', 'reason')
  const refused = await rejectionOf(run(runHold, 'P-1', '--reason', 'x'))
  expect(String(refused)).toEndWith(' refused: the reference is wrong. --model is wrong. --reason is wrong.')
})

test.each([
  [[], 'hold takes the reference of one object'],
  [['P-1', 'P-2', '--reason', 'x'], 'hold takes the reference of one object'],
  [['P-1', '--model', 'letters', '--reason', 'x'], 'hold takes the reference of one object'],
  [['P-1', '--release', id, '--reason', 'x'], 'hold takes the reference of one object'],
  [['--release', 'P-1', '--reason', 'x'], '--release takes the id of a hold, as quire hold --list prints it; "P-1"'],
  [['P-1'], 'say why with --reason'],
  [['--release', id], 'say why with --reason'],
  [['P-1', '--list'], '--list takes no reference'],
  [['--list', '--model', 'letters'], '--list takes no reference'],
  [['--list', '--release', id], '--list takes no reference'],
])('hold with %p is refused before anybody is asked', async (args, words) => {
  const refused = await rejectionOf(run(runHold, ...args))
  expect(refused).toBeInstanceOf(UsageError)
  expect(String(refused)).toContain(words)
  expect([asked, printed.stdout]).toEqual([[], ''])
})
