import { beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Execution, Step, TraceEvent } from '../../src/client/client.ts'
import { UsageError } from '../../src/commands/command.ts'
import { eventLine, executionIdOf, executionText } from '../../src/commands/executions.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runGet } from '../../src/commands/get.ts'
import { runLogs } from '../../src/commands/logs.ts'
import { runSubmit } from '../../src/commands/submit.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, noContext, problem } from './answering.ts'

const id = '0198c3d2-7a10-7c00-8000-00000000000a'
const other = '0198c3d2-7a10-7c00-8000-00000000000b'

const step = (more: Partial<Step>): Step => ({
  ...{ name: 'validate', position: 1, status: 'succeeded', attempt: 1, state_version: 3 },
  ...more,
})
const execution = (more: Partial<Execution> = {}): Execution => ({
  ...{ id, release_id: other, release_hash: 'r', processing_kind: 'document_generation' },
  ...{ input_hash: 'i', raw_input_hash: 'i', status: 'completed', submitted_by: 'u', correlation_id: 'c' },
  ...{ created_at: '2027-01-01T00:00:00Z', updated_at: '2027-01-01T00:00:05Z', completed_at: '2027-01-01T00:00:05Z' },
  ...{ steps: [step({ duration_ms: 3 })], artifacts: [] },
  ...more,
})

describe('an execution in words', () => {
  test('has a line for itself, for each step in order, and for each document', () => {
    const steps = [
      step({ name: 'compose', position: 3, attempt: 2, duration_ms: 12.6 }),
      step({ duration_ms: 0 }),
      step({ name: 'render', position: 4, status: 'queued', attempt: 3 }),
      step({ name: 'transform.declarative', position: 2 }),
    ]
    const artifacts: Execution['artifacts'] = [
      { id: other, kind: 'pdf', media_type: 'application/pdf', byte_size: 7, content_hash: 'abc', created_at: '' },
    ]
    expect(executionText(execution({ steps, artifacts })).split('\n')).toEqual([
      `${id} completed, 2027-01-01T00:00:00.000Z to 2027-01-01T00:00:05.000Z`,
      '  validate succeeded (0 ms)',
      '  transform.declarative succeeded',
      '  compose succeeded (attempt 2, 13 ms)',
      '  render queued (attempt 3)',
      '  pdf 7 bytes, SHA-256 abc',
      '',
    ])
  })

  test('says since when it goes on, and why it failed, with every place', () => {
    const { completed_at: _, ...open } = execution({ status: 'processing', steps: [] })
    expect(executionText(open)).toBe(`${id} processing, since 2027-01-01T00:00:00.000Z\n`)
    const failure = { code: 'contract_violated', message: 'No.', issues: [{ path: '/a', message: 'must be there' }] }
    expect(executionText(execution({ status: 'failed', steps: [step({ status: 'failed', failure })] }))).toEndWith(
      '  validate failed\n    contract_violated: No.\n    /a: must be there\n',
    )
  })

  test('has the same in a trace, an event a line', () => {
    const event = (type: string, data: TraceEvent['data']): TraceEvent => ({
      ...{ id: other, sequence: 1, type, data: { execution_id: id, ...data } },
      ...{ correlation_id: 'c', created_at: '2027-01-01T00:00:00Z' },
    })
    const at = '2027-01-01T00:00:00.000Z'
    expect(eventLine(event('queued', { status: 'queued' }))).toBe(`${at} queued status=queued\n`)
    expect(eventLine(event('step.started', { step: 'compose', position: 3, attempt: 1 }))).toBe(
      `${at} step.started compose position=3\n`,
    )
    expect(eventLine(event('step.succeeded', { step: 'compose', attempt: 2, summary: { pages: 1 }, next: null }))).toBe(
      `${at} step.succeeded compose attempt 2 next=null\n`,
    )
    const failure = { code: 'c', message: 'm', issues: [] }
    expect(eventLine(event('step.failed', { step: 'render', failure }))).toBe(`${at} step.failed render: c: m\n`)
    for (const odd of [null, 'c', { code: 'c' }, { message: 'm' }])
      expect(eventLine(event('step.failed', { failure: odd }))).toBe(`${at} step.failed\n`)
  })

  test('has every instant to the millisecond, however exact the server is', () => {
    for (const [told, shown] of [
      ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
      ['2027-01-01T00:00:00.5Z', '2027-01-01T00:00:00.500Z'],
      ['2027-01-01T00:00:00.123456789Z', '2027-01-01T00:00:00.123Z'],
      ['2027-01-01T00:00:59.9999Z', '2027-01-01T00:00:59.999Z'],
    ] as const) {
      const made = execution({ created_at: told, completed_at: told })
      expect(executionText(made)).toStartWith(`${id} completed, ${shown} to ${shown}\n`)
      const data = { execution_id: id, lease_until: told, name: '1.5Z' }
      const event = { id: other, sequence: 1, type: 'x', data, correlation_id: 'c', created_at: told }
      expect(eventLine(event)).toBe(`${shown} x lease_until=${shown} name=1.5Z\n`)
    }
  })

  test('is named by its id alone, in either case', () => {
    expect(executionIdOf('get', [id.toUpperCase()])).toBe(id)
    for (const wrong of [[], ['x'], [id, other], ['']])
      expect(() => executionIdOf('get', wrong)).toThrow('get takes the id of an execution, such as 0198c3d2-')
    expect(() => executionIdOf('get', [])).toThrow(UsageError)
  })
})

const { asked, answers, printed, run } = answeringServer()
const folder = temporaryFolder()

beforeEach(() => {
  Object.assign(answers, {
    'POST /api/v1/submissions': () => Response.json({ submission, idempotent_replay: false }, { status: 202 }),
    [`GET /api/v1/executions/${id}/trace`]: endOfTrace,
    [`GET /api/v1/executions/${other}/trace`]: endOfTrace,
    [`GET /api/v1/executions/${id}`]: () => Response.json(execution()),
    [`GET /api/v1/executions/${other}`]: () => Response.json(execution({ id: other, status: 'failed' })),
  })
})

const endOfTrace = () => new Response('', { headers: { 'content-type': 'text/event-stream' } })
const planned = { status: 'queued', node_label: 'Letter' }
const submission = { id: other, model_slug: 'model', executions: [{ id, ...planned }] }
const input = join(folder, 'in.json')
writeFileSync(input, '\ufeff{"a": 1.0}\n')

describe('quire submit', () => {
  const submit = (...args: string[]) => run(runSubmit, 'model', input, ...args)

  test('hands the input in as it is in the file, and nothing that was not asked for', async () => {
    expect(await submit()).toBe(0)
    expect(asked).toEqual([
      {
        ...{ method: 'POST', path: '/api/v1/submissions', key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        body: { ingestion_model: 'model', raw_input: '\ufeff{"a": 1.0}\n' },
      },
    ])
    expect(printed).toEqual({ stdout: `submission ${other}\n  ${id} queued Letter\n`, stderr: '' })
  })

  test('takes what it is about from its options, and a new key for each call without one', async () => {
    const at = ['--at', '2027-01-01T01:00:00+01:00', '--object', 'P-1', '--corrects', other, '--key', 'key-0001']
    expect(await submit(...at)).toBe(0)
    const about = { object_reference: 'P-1', official_time: '2027-01-01T00:00:00Z', corrects: other }
    expect(asked[0]).toMatchObject({ key: 'key-0001', body: about })
    await submit()
    await submit()
    expect(new Set(asked.map(({ key }) => key)).size).toBe(3)
  })

  test.each<[given: string, name: string, value: string | number | boolean]>([
    ['limit=2.5', 'limit', 2.5],
    ['limit=-3', 'limit', -3],
    ['limit=0', 'limit', 0],
    ['limit=007', 'limit', '007'],
    ['limit=1e3', 'limit', '1e3'],
    ['limit=1.', 'limit', '1.'],
    ['copy=true', 'copy', true],
    ['copy=false', 'copy', false],
    ['copy=True', 'copy', 'True'],
    ['text="true"', 'text', 'true'],
    ['text="7"', 'text', '7'],
    ['text="', 'text', '"'],
    ['text=', 'text', ''],
    ['text=a=b', 'text', 'a=b'],
    ['text=two\nlines', 'text', 'two\nlines'],
    ['_under-score9=x', '_under-score9', 'x'],
  ])('reads the parameter %s', async (given, name, value) => {
    await submit('--param', given, '--param', 'more=x')
    expect(asked[0]?.body).toMatchObject({ params: { [name]: value, more: 'x' } })
  })

  test.each(['9'.repeat(400), '12345678901234567890', '0.12345678901234567890123'])(
    'reads digits as text where no number has them all: %s',
    async (digits) => {
      await submit('--param', `limit=${digits}`)
      expect(asked[0]?.body).toMatchObject({ params: { limit: digits } })
    },
  )

  test.each([
    [['--param', '1x=2'], '--param takes a name and a value'],
    [['--param', '=2'], '--param takes a name and a value'],
    [['--param', 'x'], '"x" is none'],
    [['--timeout', '0'], '"0" is none'],
    [['--timeout', '86401'], '--timeout takes whole seconds from 1 to 86400'],
    [['--timeout', '1.5'], '--timeout takes whole seconds'],
    [['--at', 'now'], '--at takes an instant'],
    [['more'], 'submit takes an ingestion model and an input'],
  ])('refuses %p before it asks anybody', async (args, words) => {
    const refused = await rejectionOf(submit(...args))
    expect(refused).toBeInstanceOf(UsageError)
    expect(String(refused)).toContain(words)
    expect(asked).toEqual([])
  })

  test('refuses a file that is not text, and a missing one', async () => {
    const bytes = join(folder, 'bytes')
    writeFileSync(bytes, new Uint8Array([0xff]))
    expect(await rejectionOf(run(runSubmit, 'model', bytes))).toEqual(
      new CommandFailure(`${bytes} is not UTF-8; save it as UTF-8`),
    )
    expect(String(await rejectionOf(run(runSubmit, 'model', join(folder, 'none'))))).toContain('cannot be read')
  })

  test('waits until all have ended, and ends with 1 where one has failed', async () => {
    expect(await submit('--wait', '--timeout', '86400')).toBe(0)
    expect(printed.stdout).toBe(`submission ${other}\n${executionText(execution())}`)
    printed.stdout = ''
    const two = {
      ...submission,
      executions: [
        { id, ...planned },
        { id: other, ...planned },
      ],
    }
    answers['POST /api/v1/submissions'] = () => Response.json({ submission: two }, { status: 202 })
    expect(await submit('--wait', '--json')).toBe(1)
    expect(JSON.parse(printed.stdout)).toMatchObject({
      submission: { id: other },
      executions: [
        { id, status: 'completed' },
        { id: other, status: 'failed' },
      ],
      written: [],
    })
    printed.stdout = ''
    expect(await submit('--json')).toBe(0)
    expect(JSON.parse(printed.stdout)).toEqual({ submission: two })
  })

  test('prints the key if the answer was lost, so that the same command submits once', async () => {
    answers['POST /api/v1/submissions'] = () => problem(404)
    await rejectionOf(submit('--key', 'key-0002'))
    expect(printed.stderr).toBe('')
    const away = await rejectionOf(
      runSubmit(['model', input, '--key', 'key-0002', '--server', 'http://127.0.0.1:1'], noContext),
    )
    expect(away).toBeInstanceOf(CommandFailure)
    expect(printed.stderr).toBe('quire: to try again: --key key-0002\n')
  }, 60_000)
})

describe('an id that is no execution’s', () => {
  const two = {
    ...submission,
    executions: [
      { id, ...planned },
      { id: other, ...planned },
    ],
  }
  const commands = [
    [runGet, `GET /api/v1/executions/${other}`],
    [runLogs, `GET /api/v1/executions/${other}/trace`],
  ] as const

  test('leads to the executions of the submission that it is of', async () => {
    answers[`GET /api/v1/submissions/${other}`] = () => Response.json(two)
    for (const [command, path] of commands) {
      answers[path] = () => problem(404)
      expect(await rejectionOf(run(command, other))).toEqual(
        new CommandFailure(`${other} is a submission; name one of its executions: ${id}, ${other}`),
      )
    }
  })

  test('is refused as the server refuses it where it is of nothing, and looked for nowhere where it may not be seen', async () => {
    for (const [command, path] of commands) {
      for (const [status, isLookedFor] of [
        [404, true],
        [403, false],
      ] as const) {
        asked.length = 0
        answers[path] = () => problem(status, 'Own words.')
        const refused = String(await rejectionOf(run(command, other)))
        expect([refused.includes('Own words.'), refused.includes('is a submission')]).toEqual([true, false])
        expect(asked.some((one) => one.path.includes('/submissions/'))).toBe(isLookedFor)
      }
    }
  })
})

test('what keeps submit from waiting is told, with the submission that was made', async () => {
  answers[`GET /api/v1/executions/${id}/trace`] = () => problem(403, 'May not be seen.')
  expect(String(await rejectionOf(run(runSubmit, 'model', input, '--wait')))).toContain('May not be seen.')
  expect(printed.stderr).toBe(`quire: handed in as submission ${other}; its documents come later\n`)
})

describe('documents', () => {
  const artifact = (name: string) => ({
    id: name,
    kind: 'pdf' as const,
    media_type: 'application/pdf' as const,
    byte_size: 3,
    content_hash: sha256Hex('abc'),
    created_at: '',
  })
  const give = (name: string, suggested: string) => {
    answers[`GET /api/v1/executions/${id}/artifacts/${name}/download`] = () =>
      new Response('abc', {
        headers: {
          'content-disposition': `attachment; filename="${suggested}"`,
          'content-type': 'application/pdf',
          etag: '"h"',
        },
      })
  }

  test('go into the named folder, under a name that suits them, and only messages for people go to stdout', async () => {
    answers[`GET /api/v1/executions/${id}`] = () =>
      Response.json(execution({ artifacts: [artifact('one'), artifact('two'), artifact('three')] }))
    give('one', 'letter.pdf')
    give('two', '../../outside.pdf')
    give('three', 'LETTER.pdf')
    const into = join(folder, 'new/letters')
    const names = ['letter.pdf', `${id}.pdf`, `${id}-LETTER.pdf`]
    expect(await run(runGet, id, '-o', into)).toBe(0)
    expect(readdirSync(into).toSorted()).toEqual(names.toSorted())
    expect(readFileSync(join(into, 'letter.pdf'), 'utf8')).toBe('abc')
    const told = names.map((name) => `wrote ${join(into, name)}\n`).join('')
    expect(printed).toEqual({ stdout: expect.stringContaining(told), stderr: '' })
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await run(runGet, id, '-o', into, '--json')).toBe(0)
    expect(JSON.parse(printed.stdout)).toMatchObject({ id })
    expect(printed.stderr).toBe(told)
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await run(runSubmit, 'model', input, '-o', into)).toBe(0)
    expect(printed.stdout).toEndWith(told)
  })

  test('are not asked for without a folder, and a failed execution ends with 1', async () => {
    answers[`GET /api/v1/executions/${id}`] = () =>
      Response.json(execution({ status: 'failed', artifacts: [artifact('one')] }))
    expect(await run(runGet, id)).toBe(1)
    expect(asked.map(({ path }) => path)).toEqual([`/api/v1/executions/${id}`])
  })
})

describe('quire logs', () => {
  const events = ['queued', 'completed'].map((type, index) => ({
    ...{ id: other, sequence: index + 1, type, data: { execution_id: id, status: type } },
    ...{ correlation_id: 'c', created_at: '2027-01-01T00:00:00Z' },
  }))

  test('prints the events that there are, for people or for programs', async () => {
    answers[`GET /api/v1/executions/${id}/trace`] = () => Response.json({ events })
    expect(await run(runLogs, id)).toBe(0)
    expect(printed.stdout).toBe(events.map((event) => eventLine(event)).join(''))
    printed.stdout = ''
    expect(await run(runLogs, id, '--json')).toBe(0)
    expect(
      printed.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(events)
  })

  test('follows them to the end, which is 1 for a failure', async () => {
    const stream = events.map(
      (event) => `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    answers[`GET /api/v1/executions/${id}/trace`] = () =>
      new Response(stream.join(''), { headers: { 'content-type': 'text/event-stream' } })
    expect(await run(runLogs, id, '-f')).toBe(0)
    expect(printed.stdout).toBe(events.map((event) => eventLine(event)).join(''))
    answers[`GET /api/v1/executions/${id}`] = () => Response.json(execution({ status: 'failed' }))
    expect(await run(runLogs, id, '--follow')).toBe(1)
  })
})
