import { expect, test } from 'bun:test'
import type { Erasure } from '../../src/client/client.ts'
import { UsageError } from '../../src/commands/command.ts'
import { counted, runErase } from '../../src/commands/erase.ts'
import { noCounts } from '../../src/modules/erasures/erasures.counts.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, refusing } from './answering.ts'

const { asked, answers, printed, run } = answeringServer()
const id = '0198c3d2-7a10-7c00-8000-00000000000a'
const erasure = (more: Partial<Erasure> = {}): Erasure => ({
  ...{ id, reason: 'request 17', counts: { ...noCounts(), submissions: 2 }, erased_by: 'ada', correlation_id: 'c' },
  ...{ erased_at: '2027-01-01T00:00:00Z', status: 'finishing' },
  ...more,
})

test('what an erasure takes of batches alone is not told as nothing', () => {
  const ofServer = (more: object) => counted({ ...noCounts(), ...more })
  expect(ofServer({ refused_rows: 0, dropped_files: 1 })).toBe('1 dropped file')
  expect(ofServer({ submissions: 1, refused_rows: 2, dropped_files: 0 })).toBe('1 submission, 2 refused rows')
  expect(ofServer({ refused_rows: 0, dropped_files: 0 })).toBe('nothing')
  // A server of an earlier version.
  expect(ofServer({ refused_rows: undefined })).toBe('nothing')
})

test('an object is erased in as many erasures as it takes, each under a key of its own', async () => {
  let left = 2
  answers['POST /api/v1/erasures'] = () =>
    Response.json({ erasure: erasure(), refused_rows: 1, dropped_files: 0, remaining: --left }, { status: 201 })
  expect(await run(runErase, 'P-1', '--reason', 'request 17')).toBe(0)
  expect(asked.map(({ path, body }) => [path, body])).toEqual(
    Array(2).fill(['/api/v1/erasures', { object_reference: 'P-1', reason: 'request 17' }]),
  )
  expect(new Set(asked.map(({ key }) => key)).size).toBe(2)
  expect(printed).toEqual({
    stdout: `erased 2 submissions, 1 refused row (erasure ${id})\n`.repeat(2),
    stderr: '',
  })
  printed.stdout = ''
  left = 1
  expect(await run(runErase, 'P-1', '--reason', 'request 17', '--json')).toBe(0)
  expect(JSON.parse(printed.stdout)).toEqual(erasure())
})

test('a dry run counts what an erasure would take, what would stay for the next and what it waits for', async () => {
  const plan = {
    counts: { ...noCounts(), submissions: 1 },
    refused_rows: 0,
    dropped_files: 2,
    remaining: 0,
    at_work: 0,
  }
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, holds: [] })
  expect(await run(runErase, 'P-1', '--dry-run')).toBe(0)
  expect(asked.map(({ path, body }) => [path, body])).toEqual([['/api/v1/erasures/plan', { object_reference: 'P-1' }]])
  expect(printed.stdout).toBe('would erase 1 submission, 2 dropped files\n')
  printed.stdout = ''
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, remaining: 3, at_work: 4, holds: [] })
  await run(runErase, 'P-1', '--dry-run')
  expect(printed.stdout).toBe(
    'would erase 1 submission, 2 dropped files; 3 more submissions after those; 4 executions have not ended, and nothing is erased until then\n',
  )
  printed.stdout = ''
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, remaining: 1, at_work: 1, holds: [] })
  await run(runErase, 'P-1', '--dry-run')
  expect(printed.stdout).toBe(
    'would erase 1 submission, 2 dropped files; 1 more submission after those; 1 execution has not ended, and nothing is erased until then\n',
  )
  printed.stdout = ''
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, remaining: 3, at_work: 4, holds: [] })
  await run(runErase, 'P-1', '--dry-run', '--json')
  expect(JSON.parse(printed.stdout)).toEqual({ ...plan, remaining: 3, at_work: 4, holds: [] })
})

test('a dry run names the legal holds that keep the object', async () => {
  const plan = {
    counts: { ...noCounts(), submissions: 1 },
    refused_rows: 0,
    dropped_files: 0,
    remaining: 0,
    at_work: 0,
  }
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, holds: [id] })
  expect(await run(runErase, 'P-1', '--dry-run')).toBe(0)
  expect(printed.stdout).toBe(
    `would erase 1 submission; under the legal hold ${id}, and nothing is erased until it is released\n`,
  )
  printed.stdout = ''
  answers['POST /api/v1/erasures/plan'] = () => Response.json({ ...plan, holds: [id, 'another'] })
  await run(runErase, 'P-1', '--dry-run')
  expect(printed.stdout).toBe(
    `would erase 1 submission; under the legal holds ${id}, another, and nothing is erased until they are released\n`,
  )
})

test('erasures are listed page by page, a line each', async () => {
  const pages = [{ erasures: [erasure()], next_cursor: id }, { erasures: [erasure({ status: 'completed' })] }]
  answers['GET /api/v1/erasures'] = ({ url }) => Response.json(pages[url.includes('cursor') ? 1 : 0])
  expect(await run(runErase, '--list')).toBe(0)
  const line = `2027-01-01T00:00:00Z  ${id}  finishing  by ada  2 submissions  request 17\n`
  expect(printed.stdout).toBe(line + line.replace('finishing', 'completed'))
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/erasures', `/api/v1/erasures?cursor=${id}`])
  printed.stdout = ''
  await run(runErase, '--list', '--json')
  expect(printed.stdout).toBe(
    `${[erasure(), erasure({ status: 'completed' })].map((one) => JSON.stringify(one)).join('\n')}\n`,
  )
  printed.stdout = ''
  const single = erasure({ counts: { ...noCounts(), submissions: 1 } })
  answers['GET /api/v1/erasures'] = () => Response.json({ erasures: [single] })
  await run(runErase, '--list')
  expect(printed.stdout).toContain('  1 submission  request 17')
})

test('what a server refuses is told in the words of the command line', async () => {
  answers['POST /api/v1/erasures'] = refusing('object_reference', 'reason')
  const refused = await rejectionOf(run(runErase, 'P-1', '--reason', 'x'))
  expect(String(refused)).toEndWith(' refused: the reference is wrong. --reason is wrong.')
})

test.each([
  [[], 'erase takes the reference of one object'],
  [['P-1', 'P-2', '--reason', 'x'], 'erase takes the reference of one object'],
  [['P-1'], 'say why with --reason, or count with --dry-run'],
  [['P-1', '--list'], '--list takes no reference'],
])('erase with %p is refused before anybody is asked', async (args, words) => {
  const refused = await rejectionOf(run(runErase, ...args))
  expect(refused).toBeInstanceOf(UsageError)
  expect(String(refused)).toContain(words)
  expect(asked).toEqual([])
})
