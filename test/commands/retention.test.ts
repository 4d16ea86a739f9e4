import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runRetention } from '../../src/commands/retention.ts'
import { noCounts } from '../../src/modules/erasures/erasures.counts.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, refusing } from './answering.ts'

const { asked, answers, printed, run } = answeringServer()
const folder = temporaryFolder()
const policies = [
  { ingestion_model: 'letters', keep_days: 1, parts: { raw_input: 1, artifacts: 30 } },
  { keep_days: 3650 },
]
const written = (text: string, name = 'retention.yaml') => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const file = written(JSON.stringify({ policies }))
const inForce = { number: 7, policies, set_by: 'ada', set_at: '2027-01-01T00:00:00Z' }
const told = [
  'set 7, by ada at 2027-01-01T00:00:00Z',
  'letters  kept for 1 day, raw_input for 1 day, artifacts for 30 days',
  'all other models  kept for 3650 days',
  '',
].join('\n')

describe('the policies in force', () => {
  test('are told with whose they are, how long each model is kept and which parts are kept for less', async () => {
    answers['GET /api/v1/retention'] = () => Response.json(inForce)
    expect(await run(runRetention, 'list')).toBe(0)
    expect(printed).toEqual({ stdout: told, stderr: '' })
    printed.stdout = ''
    expect(await run(runRetention, 'list', '--json')).toBe(0)
    expect(JSON.parse(printed.stdout)).toEqual(inForce)
  })

  test('are none where none were ever set, and everything is kept where a set is empty', async () => {
    answers['GET /api/v1/retention'] = () => Response.json({ number: 0, policies: [] })
    await run(runRetention, 'list')
    expect(printed.stdout).toBe('no set of policies was ever made\neverything is kept\n')
  })

  test('are replaced by those of a file, on condition that nobody replaced them meanwhile', async () => {
    answers['GET /api/v1/retention'] = () => Response.json({ ...inForce, number: 6 })
    answers['POST /api/v1/retention'] = () => Response.json(inForce)
    expect(await run(runRetention, 'set', file)).toBe(0)
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v1/retention', undefined],
      ['POST', '/api/v1/retention', { policies, expected_number: 6 }],
    ])
    expect(printed.stdout).toBe(told)
  })
})

describe('what policies would remove', () => {
  const none = { counts: noCounts(), held: 0, at_work: 0 }
  const plan = {
    policies: [
      {
        policy: policies[0],
        ...{ counts: { ...noCounts(), submissions: 2, answers: 1 }, held: 1, at_work: 3 },
        parts: [
          { part: 'raw_input', ...none, counts: { ...noCounts(), submissions: 1 }, at_work: 4 },
          { part: 'artifacts', ...none, held: 2 },
        ],
      },
      { policy: policies[1], ...none },
    ],
    is_complete: true,
  }

  test('is told by policy and part, with what stays and why', async () => {
    answers['POST /api/v1/retention/plan'] = () => Response.json(plan)
    expect(await run(runRetention, 'plan')).toBe(0)
    expect(printed.stdout.split('\n')).toEqual([
      'letters: would remove 2 submissions, 1 answer; stays: 1 held, 3 not ended yet',
      '  raw_input: 1 submission; stays: 4 not ended yet, or not sent',
      '  artifacts: nothing; stays: 2 held',
      'all other models: would remove nothing',
      '',
    ])
    printed.stdout = ''
    expect(await run(runRetention, 'plan', '--json')).toBe(0)
    expect(JSON.parse(printed.stdout)).toEqual(plan)
  })

  test('is asked for the policies in force, or for those of a file, which stay out of force', async () => {
    answers['POST /api/v1/retention/plan'] = () => Response.json(plan)
    await run(runRetention, 'plan')
    await run(runRetention, 'plan', file)
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ['/api/v1/retention/plan', {}],
      ['/api/v1/retention/plan', { policies }],
    ])
  })

  test('says where there is no policy, and where not all was counted', async () => {
    answers['POST /api/v1/retention/plan'] = () => Response.json({ policies: [], is_complete: true })
    await run(runRetention, 'plan')
    expect(printed.stdout).toBe('there is no policy: everything is kept\n')
    printed.stdout = ''
    answers['POST /api/v1/retention/plan'] = () => Response.json({ ...plan, is_complete: false })
    await run(runRetention, 'plan')
    expect(printed.stdout).toEndWith('all other models: would remove nothing\nthere is more than is counted at once\n')
  })
})

test('what a server refuses is told in the words of the command line', async () => {
  answers['GET /api/v1/retention'] = () => Response.json(inForce)
  for (const action of ['plan', 'set']) {
    answers[`POST /api/v1/retention${action === 'plan' ? '/plan' : ''}`] = refusing('expected_number', 'policies')
    const refused = await rejectionOf(run(runRetention, action, file))
    expect(String(refused)).toEndWith(` refused: the set in force is wrong. ${file}: policies is wrong.`)
  }
})

test.each([
  [[], 'retention takes a verb: list, plan, set'],
  [['lst'], 'did you mean "quire retention list"?'],
  [['list', file], 'retention list takes no file'],
  [['set'], 'retention set takes a file with the policies'],
  [['plan', file, file], 'retention takes one file'],
])('retention with %p is refused before anybody is asked', async (args, words) => {
  const refused = await rejectionOf(run(runRetention, ...args))
  expect(refused).toBeInstanceOf(UsageError)
  expect(String(refused)).toContain(words)
  expect(asked).toEqual([])
})

test.each([
  ['policies: {', 'Flow map'],
  ['rules: []', 'has no list "policies"'],
  ['policies: all', 'has no list "policies"'],
  ['7', 'has no list "policies"'],
  ['', 'has no list "policies"'],
])('a file of policies that says %p is refused by its name, before anybody is asked', async (text, words) => {
  const path = written(text, 'wrong.yaml')
  const refused = await rejectionOf(run(runRetention, 'plan', path))
  expect(refused).toBeInstanceOf(CommandFailure)
  expect(String(refused)).toContain(words)
  expect(String(refused)).toContain(path)
  expect(String(refused).split('\n')).toHaveLength(1)
  expect(asked).toEqual([])
})

test('a missing file of policies is reported as missing', async () => {
  const none = join(folder, 'none.yaml')
  expect(await rejectionOf(run(runRetention, 'set', none))).toEqual(
    new CommandFailure(`${none} cannot be read: there is no such file or folder`),
  )
})
