/** `quire export`, `plan` and `apply`, against a server that answers what a test says. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectPlan } from '../../src/client/quire.ts'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { planText, runApply, runExport, runPlan } from '../../src/commands/project.ts'
import { packProject } from '../../src/project/archive.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { answeringServer, noContext, problem, refusing } from './answering.ts'

const { asked, answers, printed, run } = answeringServer()
const packed = packProject(folderWith(greeting)).outcome
if (!packed.ok) throw new Error('the project can be packed')
const archive = packed.value
const folder = folderWith(greeting)
const names = Object.keys(greeting).sort()

const hash = 'a'.repeat(64)
const nothing: ProjectPlan = {
  ...{ plan_hash: hash, valid: true, changes: [], unchanged: 4, absent: [], drift: [], later: [], issues: [] },
  ...{ warnings: [], broken_cases: [], cases_run: 2, case_files: { added: 0, changed: 0, removed: 0 } },
  correlation_id: 'c',
}
const change: ProjectPlan['changes'][number] = {
  ...{ path: 'models/greeting.yaml', kind: 'ingestion_model', slug: 'greeting', action: 'create', to_version: 1 },
  ...{ content_hash: hash, replaces_draft: false, renames: false, difference: '' },
}
const one: ProjectPlan = { ...nothing, changes: [change] }
const broken = { path: 'cases/greeting/ann.json', node: 'letter', step: 'validate', message: 'refused' }
const applied = {
  ...{ plan_hash: hash, effective_from: '2027-01-01T00:00:00Z', changes: [change], unchanged: 4 },
  ...{ case_files: nothing.case_files, correlation_id: 'c' },
}
const refusal = async (work: Promise<unknown>) => {
  const error = (await rejectionOf(work)) as Error
  return [error.constructor, error.message]
}
function taken() {
  const said = { ...printed }
  Object.assign(printed, { stdout: '', stderr: '' })
  return said
}
function plans(plan: ProjectPlan): void {
  answers['POST /api/v1/project/plan'] = () => Response.json(plan)
}
function applies(answer: object): void {
  answers['POST /api/v1/project/apply'] = () => Response.json(answer)
}
const conflicts = () =>
  Response.json(
    { type: 'x', title: 'x', status: 409, code: 'conflict', detail: 'Plan again.', correlation_id: 'c' },
    { status: 409, headers: { 'content-type': 'application/problem+json' } },
  )

describe('quire export', () => {
  const gives = (bytes: Uint8Array<ArrayBuffer> = archive) => {
    answers['GET /api/v1/project'] = () => new Response(bytes, { headers: { 'content-type': 'application/zip' } })
  }

  test('writes every file, says which, and the next time none', async () => {
    gives()
    const target = join(temporaryFolder(), 'new/letters')
    expect(await run(runExport, target)).toBe(0)
    const lines = taken().stdout.split('\n')
    expect(lines.slice(0, -2).sort()).toEqual(names.map((name) => `wrote ${name}`))
    expect(lines.slice(-2)).toEqual([`${names.length} of ${names.length} files written`, ''])
    expect(readFileSync(join(target, 'cases/greeting/bob.json'), 'utf8')).toBe(
      String(greeting['cases/greeting/bob.json']),
    )
    expect(await run(runExport, target)).toBe(0)
    expect(taken()).toEqual({ stdout: `0 of ${names.length} files written\n`, stderr: '' })
    expect(await run(runExport, target, '--json')).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual({ written: [], unchanged: names.length })
    expect(asked.map(({ path }) => path)).toEqual(Array(3).fill('/api/v1/project'))
  })

  test('asks for what is in force at an instant', async () => {
    gives()
    await run(runExport, temporaryFolder(), '--at', '2027-01-01T01:00:00+01:00')
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/project?at=2027-01-01T00%3A00%3A00Z'])
  })

  test('writes nothing at all where a file would change, unless it may replace', async () => {
    gives()
    const target = folderWith({
      'models/greeting.yaml': 'mine',
      'cases/greeting/ann.json': 'mine',
      'notes.txt': 'mine',
    })
    expect(await refusal(run(runExport, target))).toEqual([
      CommandFailure,
      'nothing was written, because models/greeting.yaml, cases/greeting/ann.json would change; --replace writes over them',
    ])
    expect([existsSync(join(target, 'templates')), taken().stdout]).toEqual([false, ''])
    expect(await run(runExport, target, '--replace', '--json')).toBe(0)
    const told = JSON.parse(taken().stdout)
    expect([told.written.toSorted(), told.unchanged]).toEqual([names, 0])
    expect(readFileSync(join(target, 'notes.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(join(target, 'models/greeting.yaml'), 'utf8')).not.toBe('mine')
  })

  test('gives the archive itself to stdout, and says nothing beside', async () => {
    gives()
    expect(await run(runExport, '-')).toBe(0)
    expect(printed).toEqual({ stdout: Buffer.from(archive).toString(), stderr: '' })
    for (const option of ['--json', '--replace'])
      expect(await refusal(run(runExport, '-', option))).toEqual([
        UsageError,
        'with -, stdout is the archive: --json and --replace are for a folder',
      ])
    expect(asked).toHaveLength(1)
  })

  test('writes nothing where what came is no archive', async () => {
    gives(new TextEncoder().encode('PK'))
    const target = join(temporaryFolder(), 'none')
    const why = [CommandFailure, 'the server answered with something else than an archive']
    expect(await refusal(run(runExport, target))).toEqual(why)
    answers['GET /api/v1/project'] = () => Response.json({})
    expect(await refusal(run(runExport, target))).toEqual(why)
    expect(existsSync(target)).toBe(false)
  })
})

describe('quire plan', () => {
  test('sends the folder and nothing else, and prints the plan as text or as JSON', async () => {
    plans(one)
    expect(await run(runPlan, folder)).toBe(0)
    expect(asked.map(({ body }) => body)).toEqual([{ file: archive }])
    expect(taken()).toEqual({ stdout: planText(one), stderr: '' })
    expect(await run(runPlan, folder, '--json', '--at', '2027-01-01T01:00:00+01:00')).toBe(0)
    expect(JSON.parse(taken().stdout)).toEqual(one)
    await run(runPlan, folder, '--freeze-only')
    expect(asked.slice(1).map(({ body }): object => ({ ...(body as object), file: 'it' }))).toEqual([
      { file: 'it', effective_from: '2027-01-01T00:00:00Z' },
      { file: 'it', freeze_only: 'true' },
    ])
  })

  test.each<[what: string, plan: Partial<ProjectPlan>, code: 0 | 1, asking: 0 | 1 | 3]>([
    ['nothing changes', {}, 0, 0],
    ['something changes', { changes: [change] }, 0, 3],
    ['a case is added', { case_files: { added: 1, changed: 0, removed: 0 } }, 0, 3],
    ['a case changes', { case_files: { added: 0, changed: 1, removed: 0 } }, 0, 3],
    ['a case is removed', { case_files: { added: 0, changed: 0, removed: 1 } }, 0, 3],
    ['it does not fit', { valid: false }, 1, 1],
    ['a case does not pass', { changes: [change], broken_cases: [broken] }, 1, 1],
  ])('ends, where %s, as its exit codes say, with 3 only if it is asked to', async (_what, more, code, asking) => {
    plans({ ...nothing, ...more })
    expect([await run(runPlan, folder), await run(runPlan, folder, '--exit-code')]).toEqual([code, asking])
  })

  test('tells a refusal in the words of the command line', async () => {
    answers['POST /api/v1/project/plan'] = refusing('effective_from', 'file', 'plan_hash')
    expect((await refusal(run(runPlan, folder)))[1]).toEndWith(
      ' refused: --at is wrong. the folder is wrong. --plan is wrong.',
    )
  })

  test('refuses a missing folder, or one whose files cannot be used, before it asks', async () => {
    const nowhere = join(temporaryFolder(), 'none')
    for (const command of [runPlan, runApply])
      expect(await refusal(run(command, nowhere))).toEqual([
        CommandFailure,
        `${nowhere} cannot be read: there is no such file or folder`,
      ])
    const odd = folderWith(greeting)
    mkdirSync(join(odd, 'models/folder.yaml'))
    writeFileSync(
      join(odd, 'templates/greeting.docx'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    )
    const [, message] = await refusal(run(runPlan, odd))
    const [first, ...lines] = String(message).split('\n')
    expect([first, lines.map((line) => line.slice(odd.length + 1).split(':')[0]).toSorted()]).toEqual([
      'the project has files that cannot be used:',
      ['models/folder.yaml', 'templates/greeting.docx'],
    ])
    expect(asked).toEqual([])
  })
})

describe('quire apply', () => {
  test('plans first, shows the plan, and applies that one', async () => {
    plans(one)
    applies(applied)
    expect(await run(runApply, folder, '--at', '2027-01-01T00:00:00Z')).toBe(0)
    const at = { file: archive, effective_from: '2027-01-01T00:00:00Z' }
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ['/api/v1/project/plan', at],
      ['/api/v1/project/apply', { ...at, plan_hash: hash }],
    ])
    expect(taken()).toEqual({
      stdout: `${planText(one)}applied: 1 change, in force from 2027-01-01T00:00:00Z\n`,
      stderr: '',
    })
    expect(await run(runApply, folder, '--json')).toBe(0)
    expect(printed.stdout.split('\n').length).toBe(2)
    expect(JSON.parse(taken().stdout)).toEqual(applied)
  })

  test('does what was planned before, without a plan of its own', async () => {
    applies({ ...applied, changes: [], case_files: { added: 1, changed: 2, removed: 0 } })
    expect(await run(runApply, folder, '--plan', hash)).toBe(0)
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/project/apply'])
    expect(taken().stdout).toBe('applied: files of cases: 1 added, 2 changed\n')
    applies({ ...applied, changes: [] })
    await run(runApply, folder, '--plan', hash)
    expect(taken().stdout).toBe('nothing to apply: it is in force as it is\n')
  })

  test('freezes alone, and says so', async () => {
    applies({ ...applied, changes: [change, change] })
    expect(await run(runApply, folder, '--plan', hash, '--freeze-only')).toBe(0)
    expect(asked[0]?.body).toEqual({ file: archive, freeze_only: 'true', plan_hash: hash })
    expect(taken().stdout).toBe('frozen: 2 changes, not in force\n')
    applies({ ...applied, changes: [], case_files: { added: 0, changed: 0, removed: 3 } })
    await run(runApply, folder, '--plan', hash, '--freeze-only')
    expect(taken().stdout).toBe('frozen: files of cases: 3 removed\n')
    applies({ ...applied, changes: [] })
    await run(runApply, folder, '--plan', hash, '--freeze-only')
    expect(taken().stdout).toBe('nothing to freeze: every file has its version\n')
  })

  test('applies nothing that does not fit, nor over a case that does not pass unless it is told to', async () => {
    applies(applied)
    plans({ ...one, valid: false })
    expect(await run(runApply, folder)).toBe(1)
    const failing = { ...one, broken_cases: [broken, { ...broken, path: 'b' }] }
    plans(failing)
    expect(await refusal(run(runApply, folder))).toEqual([
      CommandFailure,
      'nothing was applied, because 2 of 2 cases do not pass; mend them, or apply all the same with --broken-cases',
    ])
    expect(asked.map(({ path }) => path)).toEqual(Array(2).fill('/api/v1/project/plan'))
    taken()
    expect(await run(runApply, folder, '--broken-cases')).toBe(0)
    expect(taken().stdout).toBe(`${planText(failing)}applied: 1 change, in force from 2027-01-01T00:00:00Z\n`)
  })

  test('takes a plan that is out of date for done where the project is in force, and for no plan otherwise', async () => {
    answers['POST /api/v1/project/apply'] = conflicts
    plans(nothing)
    expect(await run(runApply, folder, '--plan', hash, '--at', '2027-01-01T00:00:00Z')).toBe(0)
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/project/apply', '/api/v1/project/plan'])
    expect(asked[1]?.body).toEqual({ file: archive, effective_from: '2027-01-01T00:00:00Z' })
    expect(taken().stdout).toBe('nothing to apply: it is in force as it is\n')
    expect(await run(runApply, folder, '--plan', hash, '--json')).toBe(0)
    const told = { plan_hash: hash, changes: [], unchanged: 4, case_files: nothing.case_files, correlation_id: 'c' }
    expect(JSON.parse(taken().stdout)).toEqual(told)
    for (const plan of [one, { ...nothing, valid: false }]) {
      plans(plan)
      expect((await refusal(run(runApply, folder, '--plan', hash)))[1]).toEndWith(' refused: Plan again.')
    }
    asked.length = 0
    answers['POST /api/v1/project/apply'] = () => problem(404)
    expect((await refusal(run(runApply, folder, '--plan', hash)))[1]).toEndWith(' refused: No.')
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/project/apply'])
  })
})

test.each([
  [runExport, ['a', 'b'], 'export takes one folder: quire export letters'],
  [runPlan, ['a', 'b'], 'plan takes one folder: quire plan letters'],
  [runApply, ['a', 'b'], 'apply takes one folder: quire apply letters'],
  [
    runPlan,
    ['--at', '2027-01-01T00:00:00Z', '--freeze-only'],
    '--freeze-only puts nothing in force, so it goes without --at',
  ],
  [
    runApply,
    ['--plan', 'A'.repeat(64)],
    `--plan takes the hash that quire plan prints last; "${'A'.repeat(64)}" is none`,
  ],
  [
    runApply,
    ['--plan', 'a'.repeat(63)],
    `--plan takes the hash that quire plan prints last; "${'a'.repeat(63)}" is none`,
  ],
] as const)('what is wrong in the call is said before anybody is asked: %p %p', async (command, args, words) => {
  expect(await refusal(command(args, noContext))).toEqual([UsageError, words])
  expect(asked).toEqual([])
})

test('a plan says what else it has to say of cases to come, of rules of before, and how much it leaves out', () => {
  const text = planText({
    ...nothing,
    changes: [
      {
        ...change,
        ...{
          action: 'new_version',
          from_version: 1,
          to_version: 2,
          contract_changes: [],
          contract_changes_left_out: 4,
        },
        earlier_reading: [{ path: '/output', message: 'means less' }],
      },
    ],
    ...{ freeze_only: true, cases_run: 0, cases_run_later: 3 },
    broken_cases: [
      { ...broken, effective_from: '2027-01-01T00:00:00Z' },
      { ...broken, effective_from: '2028-01-01T00:00:00Z' },
    ],
    left_out: { drift: 1, later: 2, warnings: 3, issues: 5, broken_cases: 6 },
  } as unknown as ProjectPlan)
  const refused = 'letter is refused by validate: refused'
  expect(text.split('\n')).toEqual([
    'new version  models/greeting.yaml (version 1 to 2)',
    '  … and 4 more',
    '  earlier rules of version 1: /output: means less',
    'changed on the server since a project was applied last, which this undoes:',
    '  … and 1 more',
    'scheduled already, and takes the place of what is in the folder:',
    '  … and 2 more',
    'warnings:',
    '  … and 3 more',
    'cases that do not pass:',
    `  cases/greeting/ann.json: from 2027-01-01T00:00:00Z on, ${refused}`,
    `  cases/greeting/ann.json: from 2028-01-01T00:00:00Z on, ${refused}`,
    '  … and 6 more',
    'does not fit:',
    '  … and 5 more',
    `1 to freeze, 4 unchanged; at least 2 of 3 cases (3 with what begins later) do not pass; plan ${hash}`,
    '',
  ])
  expect(planText({ ...nothing, cases_run: 1, cases_run_later: 1 })).toBe(
    `0 changes, 4 unchanged; 2 cases pass (1 with what begins later); plan ${hash}\n`,
  )
})
