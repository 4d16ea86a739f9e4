/** What a command says of a server that refuses, is none, or answers for something else; and of what was restored. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { completionsOf } from '../../src/commands/completions.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runGet } from '../../src/commands/get.ts'
import { runInit } from '../../src/commands/init.ts'
import { runLogs } from '../../src/commands/logs.ts'
import { withServer } from '../../src/commands/remote.ts'
import { type Again, tellRestored } from '../../src/commands/replace-database.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, noContext, problem } from './answering.ts'

const { asked, answers, printed, run } = answeringServer()
const id = '0198c3d2-7a10-7c00-8000-00000000000a'
const refusal = async (work: Promise<unknown>) => {
  const error = (await rejectionOf(work)) as Error
  return [error.constructor, error.message.replace(/http:\/\/127\.0\.0\.1:\d+/, 'SERVER')]
}
const path = `GET /api/v1/executions/${id}`

describe('a server', () => {
  const refuses = (more: object) => () =>
    Response.json(
      { type: 'x', title: 'x', status: 422, code: 'validation_failed', correlation_id: 'c', ...more },
      { status: 422, headers: { 'content-type': 'application/problem+json' } },
    )

  test('that refuses is repeated, with each place that it names once', async () => {
    const errors = [
      { path: '/a', message: 'is wrong.' },
      { path: '', message: 'All of it.' },
      { path: '/b', message: 'is missing.' },
    ]
    answers[path] = refuses({ detail: 'All of it.', errors })
    expect(await refusal(run(runGet, id))).toEqual([
      CommandFailure,
      'SERVER refused: All of it.\n  /a: is wrong.\n  /b: is missing.',
    ])
    answers[path] = refuses({ detail: 'No.' })
    expect(await refusal(run(runGet, id))).toEqual([CommandFailure, 'SERVER refused: No.'])
  })

  test('that answers what Quire never does is told as such, whatever it is', async () => {
    for (const body of ['null', '{}', '[]']) {
      answers[path] = () => new Response(body, { headers: { 'content-type': 'application/json' } })
      expect(await refusal(run(runGet, id))).toEqual([
        CommandFailure,
        'SERVER does not answer as Quire does: what came is no such answer; see that a Quire of this version serves there, and nothing in between answers for it',
      ])
    }
  })

  test('is asked at the given address rather than that of the variables, whatever path the address has', async () => {
    const called: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        called.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('authorization')}`)
        return problem(404)
      },
    })
    const variables = { QUIRE_SERVER: 'http://127.0.0.1:1', QUIRE_TOKEN: 'qr_t', QUIRE_USERNAME: 'ada' }
    const work = (given: string | undefined, more: Record<string, string>) =>
      rejectionOf(withServer({ server: given }, (quire) => quire.getExecution({ params: { executionId: id } }), more))
    await work(`${server.url.origin}/some/path?x`, variables)
    await work(undefined, { ...variables, QUIRE_SERVER: server.url.origin })
    // Without a token somebody signs in first.
    await work(undefined, { QUIRE_SERVER: server.url.origin, QUIRE_USERNAME: 'ada', QUIRE_PASSWORD: 'x' })
    await server.stop(true)
    expect(called).toEqual([`${path} Bearer qr_t`, `${path} Bearer qr_t`, 'POST /api/v1/auth/login null'])
  })

  test('that lets nobody sign out takes nothing back of the work, nor tells it in place of what the work met', async () => {
    const called: string[] = []
    let signedOut: () => Response = () => problem(401, 'The session has ended.')
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        called.push(new URL(request.url).pathname)
        if (request.url.endsWith('/logout')) return signedOut()
        if (!request.url.endsWith('/login')) return problem(404, 'There is none.')
        const session = { csrf_token: 'csrf', user: { username: 'ada' }, must_change_password: false }
        return Response.json(session, { headers: { 'set-cookie': 'quire_session=s; Path=/' } })
      },
    })
    const variables = { QUIRE_SERVER: server.url.origin, QUIRE_USERNAME: 'ada', QUIRE_PASSWORD: 'x' }
    const signedIn = <Result>(work: Parameters<typeof withServer<Result>>[1]) =>
      withServer({ server: undefined }, work, variables)
    for (const answer of [signedOut, () => problem(500), () => new Response(null, { status: 204 })]) {
      signedOut = answer
      expect(await signedIn(async () => 'done')).toBe('done')
      const [, message] = await refusal(signedIn((quire) => quire.getExecution({ params: { executionId: id } })))
      expect(String(message)).toEndWith(' refused: There is none.')
    }
    await server.stop(true)
    expect(called.filter((each) => each.endsWith('/logout'))).toHaveLength(6)
  })

  test('is a web address', async () => {
    for (const address of ['file:///etc/passwd', 'ftp://a.test', 'quire', ''])
      expect(await refusal(withServer({ server: address }, () => expect.unreachable(), { QUIRE_TOKEN: 't' }))).toEqual([
        UsageError,
        `"${address}" is no address, such as https://quire.example.com`,
      ])
  })
})

describe('the id of a submission in place of an execution’s', () => {
  beforeEach(() => {
    answers[`GET /api/v1/submissions/${id}`] = () => Response.json({ id, executions: [{ id: 'one' }, { id: 'two' }] })
  })

  test('is answered with its executions', async () => {
    for (const command of [runGet, runLogs])
      expect(await refusal(run(command, id))).toEqual([
        CommandFailure,
        `${id} is a submission; name one of its executions: one, two`,
      ])
  })

  test('is asked for only where there is no such execution, and what is neither is refused as that', async () => {
    answers[path] = () => problem(403, 'Not you.')
    expect(await refusal(run(runGet, id))).toEqual([CommandFailure, 'SERVER refused: Not you.'])
    expect(asked.map(({ path: each }) => each)).toEqual([`/api/v1/executions/${id}`])
    delete answers[path]
    delete answers[`GET /api/v1/submissions/${id}`]
    expect(await refusal(run(runGet, id))).toEqual([CommandFailure, 'SERVER refused: No.'])
  })
})

describe('what was restored', () => {
  const nothing: Again = {
    ...{ erasures: [], holds: [], retention: [], tokens: [], users: [], factors: [], identities: [], webhooks: [] },
    warnings: [],
  }
  const told = (again: Partial<Again>, kept?: string) => {
    Object.assign(printed, { stdout: '', stderr: '' })
    tellRestored({ again: { ...nothing, ...again }, kept })
    return { ...printed }
  }

  test('is told by what was undone and is as it was again, each only where there is some', () => {
    expect(told({})).toEqual({ stdout: '', stderr: '' })
    expect(told({}, '/data/old')).toEqual({ stdout: 'the database before it is kept as /data/old\n', stderr: '' })
    const one = ['x']
    const all = { erasures: one, holds: one, tokens: one, users: one, factors: one, identities: one, webhooks: one }
    expect(told({ ...all, retention: [3, 4], warnings: ['look', 'there'] }, 'old')).toEqual({
      stdout: [
        'made an erasure again that the backup did not have',
        'brought a legal hold up to date that the backup had otherwise',
        'put set 4 of the retention policies in force again',
        'revoked an API token again',
        'disabled an account again',
        'removed a second factor again',
        "put an identity at the provider back to the replaced database's",
        'paused a webhook because of what was changed since the backup',
        'the database before it is kept as old',
        '',
      ].join('\n'),
      stderr: 'quire: look\nquire: there\n',
    })
    const two = ['x', 'y']
    expect(
      told({ erasures: two, holds: two, tokens: two, users: two, factors: two, identities: two, webhooks: two }).stdout,
    ).toBe(
      [
        'made 2 erasures again that the backup did not have',
        'brought 2 legal holds up to date that the backup had otherwise',
        'revoked 2 API tokens again',
        'disabled 2 accounts again',
        'removed 2 second factors again',
        "put 2 identities at the provider back to the replaced database's",
        'paused 2 webhooks because of what was changed since the backup',
        '',
      ].join('\n'),
    )
  })
})

describe('quire init', () => {
  test('refuses a folder that is a project, more than one, and -', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'models'))
    writeFileSync(join(folder, 'models/a.yaml'), '')
    expect(await refusal(runInit([folder], noContext))).toEqual([
      CommandFailure,
      `nothing was written, because ${join(folder, 'models')} is already there: the folder is a project`,
    ])
    expect(readdirSync(folder)).toEqual(['models'])
    expect(await refusal(runInit(['a', 'b'], noContext))).toEqual([
      UsageError,
      'init takes one folder: quire init letters',
    ])
    expect((await refusal(runInit(['-'], noContext)))[0]).toBe(UsageError)
    expect(existsSync('-')).toBe(false)
  })
})

test('completions are for one shell that is known', async () => {
  for (const args of [[], ['csh'], ['bash', 'zsh'], ['toString']])
    expect(await refusal(completionsOf([])(args, noContext))).toEqual([
      UsageError,
      'completions takes one shell: bash, zsh, fish',
    ])
})
