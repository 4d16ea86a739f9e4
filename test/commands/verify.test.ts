import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { plain } from '../../src/commands/plain.ts'
import { createProgress } from '../../src/commands/progress.ts'
import { wrongEvents } from '../../src/commands/verify.store.ts'
import { coverageToTell, notesOf, runVerify, verifyObjects, verifyRows } from '../../src/commands/verify.ts'
import { keepHead, readHeadFiles } from '../../src/commands/verify-heads.ts'
import { tellProof } from '../../src/commands/verify-proof.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { instantOf } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { PRODUCT_VERSION, REVISION } from '../../src/core/version.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { headLine, signHead } from '../../src/modules/audit/audit.heads.ts'
import { noCounts } from '../../src/modules/erasures/erasures.counts.ts'
import { openLedger } from '../../src/modules/ledger/ledger.service.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import type { ProofFacts, RemovedFromProof } from '../../src/proof/check.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { signing } from '../support/signing.ts'
import { contextIn, noContext } from './answering.ts'
import { changedCopy, hashOf, makeWholeStore } from './whole-store.ts'

const printed = catchPrinted()
let folder: string
let database: Database
let objects: ObjectStore

beforeAll(async () => {
  folder = await makeWholeStore()
  // A copy, because whoever has a file open for writing keeps others from it.
  const copy = changedCopy(folder)
  database = await openDatabase(`file:${join(copy, 'quire-data/quire.db')}`)
  objects = await openObjectStore(`file:${join(copy, 'quire-data/objects')}`)
})
afterAll(async () => {
  await database.close()
  await objects.close()
})

const progress = createProgress({ write() {} })
const undone = new Error('undone')

/** How many rows `problemsAfter` has looked at. */
let looked: Awaited<ReturnType<typeof verifyRows>>

/** What is wrong with rows and objects after these statements, which are undone afterwards. */
async function problemsAfter(...statements: string[]): Promise<string[]> {
  const problems: string[] = []
  const report = (problem: string) => void problems.push(problem)
  const work = database.write(async (tx) => {
    for (const statement of statements.flatMap((each) => each.split('; '))) await tx.rows(sql.raw(statement))
    looked = await verifyRows(tx, report, progress)
    await verifyObjects(tx, objects, { report, progress })
    throw undone
  })
  expect(await rejectionOf(work)).toBe(undone)
  return problems
}
const removed = (kind: string, item = 'submission') =>
  `insert into erased_items (erasure_id, kind, item_id) values ('e', '${kind}', '${item}')`
const other = sha256Hex('other')

/** The file of a version, as a large one is stored. */
const inPieces =
  "insert into file_pieces select 'f', 0, bytes from versions where id = 'closing'; update versions set bytes = null, file_id = 'f' where id = 'closing'"

const uncovered =
  'not covered by the audit trail, because no version from 0.34 on has served this store: 1 submission, 2 executions, 2 releases, 1 batch\n'
const counted =
  '4 versions, 1 case file, 2 releases, 1 submission, 2 executions, 3 objects, 0 sealed audit records, 0 unsealed audit records'

describe('quire verify', () => {
  test('counts what it has looked at, says what no trail covers, and ends with 0 where all is as it should be', async () => {
    expect(await runVerify([], contextIn(folder))).toBe(0)
    expect(printed).toEqual({ stdout: `${uncovered}${counted}: all as they should be\n`, stderr: '' })
    Object.assign(printed, { stdout: '', stderr: '' })
    expect(await runVerify(['--json'], contextIn(folder))).toBe(0)
    expect([JSON.parse(printed.stdout), printed.stderr]).toEqual([
      {
        counts: {
          ...{ versions: 4, case_files: 1, releases: 2, submissions: 1, executions: 2, objects: 3 },
          ...{ sealed_audit_records: 0, unsealed_audit_records: 0 },
        },
        ...{ covered_since: null, not_covered: { submission: 1, execution: 2, release: 2, batch: 1 } },
        ...{ of_other_key: 0, other_keys: [], erasures: [], head: null, problems: [], problem_count: 0 },
      },
      '',
    ])
  })

  test('goes on past an object that the disk can’t read, and names it; not past a store that is away', async () => {
    const failing = (error: Error): ObjectStore =>
      Object.create(objects, {
        get: { value: (hash: string) => (hash === hashOf('pdf') ? Promise.reject(error) : objects.get(hash)) },
      })
    const problems: string[] = []
    const report = (problem: string) => void problems.push(problem)
    const cause = Object.assign(new Error('i/o error'), { code: 'EIO' })
    const unreadable = failing(new ObjectStoreUnavailable('it could not be read', { cause }))
    expect(await verifyObjects(database.read, unreadable, { report, progress })).toBe(3)
    expect(problems).toEqual([`the disk can't read the object ${hashOf('pdf')}`])
    const away = new ObjectStoreUnavailable('it does not answer')
    expect(await rejectionOf(verifyObjects(database.read, failing(away), { report, progress }))).toBe(away)
  })

  test('keeps a head once, on a line of its own, and names a file that holds none or cannot be written', async () => {
    const place = temporaryFolder()
    const file = join(place, 'heads.jsonl')
    const at = instantOf('2026-11-20T09:30:00.000000000Z')
    const heads = [1, 2].map((position) => signHead({ store: 's', position, hash: `${position}`, at }, signing))
    const [one, two] = heads
    for (const head of [one, one, two, one, two]) await keepHead(file, head)
    expect(readFileSync(file, 'utf8')).toBe(heads.map(headLine).join(''))
    expect(readHeadFiles([file, file])).toEqual([...heads, ...heads])
    expect(readHeadFiles()).toEqual([])
    writeFileSync(join(place, 'other'), 'nothing')
    expect(() => readHeadFiles([file, join(place, 'other')])).toThrow(
      new CommandFailure(
        `${join(place, 'other')}: Line 1 is no head of an audit trail. Give lines as \`quire verify --save-head\` or QUIRE_AUDIT_HEADS writes them, and remove one that a full disk broke off.`,
      ),
    )
    expect(await rejectionOf(keepHead(join(place, 'gone/heads'), one))).toEqual(
      new CommandFailure(`${join(place, 'gone/heads')} cannot be written: there is no such file or folder`),
    )
    expect(await rejectionOf(keepHead(place, one))).toEqual(
      new CommandFailure(`${place} cannot be written: it is a folder`),
    )
  })

  test('counts the problems after all that it found, and lists them in its JSON', async () => {
    const copy = changedCopy(
      folder,
      "update versions set byte_size = byte_size + 1 where id in ('contract', 'closing')",
    )
    const problems = ['closing', 'contract'].map((id) => `version ${id} does not have the content of its hash`)
    expect(await runVerify([], contextIn(copy))).toBe(1)
    expect(printed).toEqual({
      stdout: `${uncovered}${counted}: 2 problems\n`,
      stderr: problems.map((problem) => `quire: ${problem}\n`).join(''),
    })
    printed.stdout = ''
    expect(await runVerify(['--json'], contextIn(copy))).toBe(1)
    expect(JSON.parse(printed.stdout)).toMatchObject({ problems, problem_count: 2 })
  })

  test('shows a hundred problems, and counts the others too', async () => {
    const more = (count: number) =>
      `insert into project_files select 'cases/a/' || n, content, 'x', written_by, correlation_id, written_at from project_files,
        (with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`
    for (const count of [100, 101]) {
      Object.assign(printed, { stdout: '', stderr: '' })
      expect(await runVerify([], contextIn(changedCopy(folder, more(count))))).toBe(1)
      const shown = printed.stderr.split('\n').length - 1
      expect([count, shown, printed.stdout.split(': ').at(-1)]).toEqual([count, 100, `${count} problems\n`])
    }
    // A page of rows is no end of them.
    expect(printed.stdout).toContain(' 102 case files, ')
  })

  test.each<[statement: string, ...problems: string[]]>([
    [
      "update versions set source = '{ }' where id = 'contract'",
      'version contract does not have the content of its hash',
    ],
    ["update versions set bytes = x'00' where id = 'closing'", 'version closing does not have the content of its hash'],
    [inPieces],
    [`${inPieces}; update file_pieces set bytes = x'00'`, 'version closing does not have the content of its hash'],
    [`${inPieces}; delete from file_pieces`, 'version closing does not have the content of its hash'],
    [
      `update versions set content_hash = '${other}' where id = 'transformer'`,
      'version transformer does not have the content of its hash',
      'release letters does not pin what its hash says',
      'release notices does not pin what its hash says',
    ],
    ["delete from versions where id = 'template'", 'release letters pins a version that is not there'],
    [
      "update releases set contract_version_id = 'x' where id = 'notices'",
      'release notices pins a version that is not there',
    ],
    [
      "update releases set transform_version_id = 'x' where id = 'notices'",
      'release notices pins a version that is not there',
    ],
    [
      "update releases set template_version_id = 'template' where id = 'notices'",
      'release notices does not pin what its hash says',
    ],
    ["update releases set fragments = null where id = 'letters'", 'release letters does not pin what its hash says'],
    ["delete from versions where id = 'closing'", 'release letters includes a template closing that is not there'],
    [
      `update versions set content_hash = '${other}' where id = 'closing'`,
      'version closing does not have the content of its hash',
      'release letters includes a template closing that is not there',
    ],
    ["update project_files set content = x'00'", 'the file cases/a/one.json does not have the content of its hash'],
    ["update submissions set raw_input = ''", 'submission submission does not have the input of its hash'],
    ["update submissions set params = '{ }'", 'submission submission does not have the params of its hash'],
    ['update submissions set params = null', 'submission submission does not have the params of its hash'],
    ['update submissions set params_hash = null', 'submission submission does not have the params of its hash'],
    [
      `update submissions set raw_input_hash = '${other}'`,
      'submission submission does not have the input of its hash',
      'execution child names another input than its submission has',
      'execution parent names another input than its submission has',
    ],
    ["delete from releases where id = 'notices'", 'execution child has lost its release'],
    [
      `update executions set release_hash = 'x' where id = 'child'`,
      'execution child names another release than it was made with',
    ],
    ['delete from submissions', 'execution child has lost its submission', 'execution parent has lost its submission'],
    ["update executions set output = '{}' where id = 'child'", 'execution child does not have the output of its hash'],
    ["update executions set output = null where id = 'child'", 'execution child does not have the output of its hash'],
    [
      `update executions set input_hash = 'x' where id = 'child'`,
      "execution child names another input than its parent's output",
    ],
    [
      "update executions set status = 'queued' where id = 'child'",
      'execution child is queued, and its last event is completed',
    ],
    ["delete from events where aggregate_id = 'child'", 'execution child is completed, and its last event is missing'],
    [
      "update executions set status = 'failed' where id = 'child'",
      'execution child is failed, and its last event is completed',
    ],
    [
      "update steps set execution_id = 'x' where id = 'validate'",
      'step validate of execution x has lost its execution',
    ],
    [
      "update steps set name = 'paint' where id = 'validate'",
      'step paint of execution parent is no step that Quire has',
    ],
    [
      "update steps set status = 'queued' where id = 'validate'",
      'step validate of execution parent of a completed one has not succeeded',
    ],
    ["delete from artifacts where kind = 'pdf'", 'step render of execution parent has lost its artifact'],
    [
      `update steps set summary = '{"content_hash":"x","byte_size":6}' where id = 'render'`,
      'step render of execution parent recorded another file than its artifact names',
    ],
    [
      `update steps set summary = json_set(summary, '$.byte_size', 7) where id = 'render'`,
      'step render of execution parent recorded another file than its artifact names',
    ],
    [
      "update steps set summary = null where id = 'render'",
      'step render of execution parent recorded another file than its artifact names',
    ],
    ["delete from events where sequence = 1 and aggregate_id = 'parent'", 'the events of execution/parent have a gap'],
    ["update events set sequence = 0 where id = 'parent 1'", 'the events of execution/parent have a gap'],
    ['update events set sequence = 3 where sequence = 2', 'the events of execution/parent have a gap'],
    [
      "update artifacts set removed_at = created_at where kind = 'pdf'",
      'artifact pdf is without its bytes, and no policy has removed them',
    ],
    [
      "update artifacts set execution_id = 'x' where kind = 'pdf'",
      'step render of execution parent has lost its artifact',
      'artifact pdf has lost its execution',
    ],
    ...['execution', 'submission', 'release', 'family', 'activation', 'user'].map((aggregate): [string, string] => [
      `insert into events (id, aggregate, aggregate_id, sequence, type, data, correlation_id, created_at)
        values ('forged', '${aggregate}', 'nobody', 1, 'completed', '{}', 'c', '2026-11-20T09:30:00.000000000Z')`,
      `there are events of ${aggregate}/nobody, which is not there`,
    ]),
    ['update batches set byte_size = 1', `the object ${hashOf('batch')} has 8 bytes where its row says 1`],
    [`update batches set file_hash = '${other}'`, `the object ${other}, which a row names, is missing`],
    [
      `update batches set file_hash = 'no ' || char(27) || 'hash'`,
      'a row names the object "no  hash", which is no hash',
    ],
    [
      "update releases set fragments = '{' where id = 'letters'",
      expect.stringMatching(/^releases: .* can't be read .*; those behind it are not checked$/) as unknown as string,
    ],
  ])('names what is wrong after: %s', async (statement, ...problems) => {
    expect(await problemsAfter(statement)).toEqual(problems)
  })

  test.each([
    ["update submissions set raw_input = '', params = null", removed('raw_input')],
    ["update executions set output = null where id = 'child'", removed('output')],
    ["update artifacts set removed_at = created_at where kind = 'pdf'", removed('artifacts')],
    ["update steps set summary = null where id = 'render'", removed('steps')],
    ["delete from events where sequence = 1 and aggregate_id = 'parent'", removed('events')],
    // Whatever a step is of that has not succeeded in an execution under way.
    [
      "update executions set status = 'failed' where id = 'child'",
      "update events set type = 'failed' where aggregate_id = 'child'",
    ],
    [
      "update executions set status = 'processing', input_hash = 'x' where id = 'child'",
      "update events set type = 'step.started' where aggregate_id = 'child'; update executions set parent_execution_id = null where id = 'child'",
    ],
    [
      "update executions set status = 'queued' where id = 'child'",
      "update events set type = 'retried' where aggregate_id = 'child'",
    ],
    [
      "update executions set status = 'queued' where id = 'child'",
      "update events set type = 'queued' where aggregate_id = 'child'",
    ],
    // A failed child has named what it was handed in with.
    [
      "update executions set status = 'failed', input_hash = 'x' where id = 'child'",
      "update events set type = 'failed' where aggregate_id = 'child'",
    ],
    [
      "update executions set status = 'failed' where id = 'parent'; update events set type = 'failed' where id = 'parent 2'",
      "update steps set status = 'failed' where id = 'render'; delete from artifacts where kind = 'pdf'; update executions set input_hash = 'x' where id = 'child'",
    ],
  ])('takes for right what a policy removed, or what is not ended or failed: %s', async (statement, why) => {
    expect(await problemsAfter(statement, why)).toEqual([])
  })

  test.each([
    ["update submissions set raw_input = '', params = null", 'raw_input', 'output'],
    ["update executions set output = null where id = 'parent'", 'output', 'raw_input'],
    ["update artifacts set removed_at = created_at where kind = 'pdf'", 'artifacts', 'steps'],
    ["update steps set summary = null where id = 'render'", 'steps', 'artifacts'],
    ["delete from events where sequence = 1 and aggregate_id = 'parent'", 'events', 'steps'],
  ])('takes no removal of another part, or of another submission, for this one: %s', async (statement, own, part) => {
    const problems = await problemsAfter(statement)
    expect(problems).not.toEqual([])
    expect(await problemsAfter(statement, removed(part))).toEqual(problems)
    // Another one that is there.
    const others = "update executions set submission_id = 'another' where id = 'child'"
    const lost = await problemsAfter(others, removed(own, 'another'))
    expect((await problemsAfter(others, removed(own, 'another'), statement)).length).toBeGreaterThan(lost.length)
  })

  test('finds no gap where an execution is removed meanwhile whose earlier events a policy had removed', async () => {
    const found: string[] = []
    const work = database.write(async (tx) => {
      await tx.rows(sql.raw(removed('events')))
      await tx.rows(sql.raw("delete from events where id = 'parent 1'"))
      const rows: typeof tx.rows = async (statement) => {
        const given = await tx.rows<never>(statement)
        for (const each of ['events', 'executions', 'erased_items']) await tx.rows(sql.raw(`delete from ${each}`))
        return given
      }
      for await (const { aggregate, wrong } of wrongEvents({ ...tx, rows })) found.push(`${aggregate} ${wrong}`)
      throw undone
    })
    expect(await rejectionOf(work)).toBe(undone)
    expect(found).toEqual([])
  })

  test('looks behind a whole page of rows', async () => {
    const page = limits.tableHashRows
    const numbers = `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${page}) select n from numbers)`
    const last = 'f'.repeat(64)
    const problems = await problemsAfter(
      `insert into artifacts select '!' || n, 'e' || n, submission_id, kind, byte_size, printf('%064x', n), object_reference, model_slug,
        node_label, node_address, created_at, null from artifacts, ${numbers} where kind = 'docx'`,
      "update artifacts set removed_at = created_at where kind = 'pdf'",
      `update batches set file_hash = '${last}'`,
      `insert into events (id, aggregate, aggregate_id, sequence, type, data, correlation_id, created_at)
        select '!' || n, 'a', n, 1, type, data, correlation_id, created_at from events, ${numbers} where id = 'parent 1'`,
      "delete from events where id = 'parent 1'",
    )
    const missing = problems.filter((problem) => problem.startsWith('the object '))
    expect([missing.length, new Set(missing).size]).toEqual([page + 1, page + 1])
    expect(missing.at(-1)).toContain(last)
    const lost = problems.filter((problem) => /^artifact !\d+ has lost its execution$/.test(problem))
    expect([lost.length, new Set(lost).size]).toEqual([page, page])
    expect(problems.filter((problem) => !missing.includes(problem) && !lost.includes(problem))).toEqual([
      'artifact pdf is without its bytes, and no policy has removed them',
      'the events of execution/parent have a gap',
    ])
  })

  test('looks at each row of each table once, however many pages they are', async () => {
    const page = limits.tablePageRows
    const numbers = `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${page}) select n from numbers)`
    const copies = (table: string, id: string, also: string) => [
      `create temp table copies as select ${table}.* from ${table}, ${numbers} where id = '${id}'`,
      `update copies set id = '!' || rowid, ${also}`,
      `insert into ${table} select * from copies`,
      'drop table copies',
    ]
    const problems = await problemsAfter(
      ...copies('versions', 'contract', "family_id = '!' || rowid"),
      ...copies('releases', 'notices', 'release_hash = rowid'),
      ...copies('submissions', 'submission', "params = '{ }'"),
      ...copies('executions', 'parent', "node_label = '!' || rowid, node_address = '!' || rowid"),
      ...copies('steps', 'validate', "execution_id = 'gone ' || rowid"),
    )
    const all = (rows: number) => page + rows
    expect(looked).toEqual({
      ...{ versions: all(4), 'case files': 1, releases: all(2), submissions: all(1), executions: all(2) },
    })
    const told = Map.groupBy(problems, (problem) => problem.replace(/!\d+|gone \d+/, 'n'))
    expect([...told].map(([problem, { length }]) => [problem, length])).toEqual([
      ['release n does not pin what its hash says', page],
      ['submission n does not have the params of its hash', page],
      ['execution n is completed, and its last event is missing', page],
      ['step validate of execution n has lost its execution', page],
    ])
    expect(new Set(problems).size).toBe(problems.length)
  })

  test('reports parts that are empty without the tombstone of a removal', async () => {
    expect(await problemsAfter("update submissions set raw_input = ''", removed('raw_input'))).toHaveLength(1)
    const summary = "update steps set summary = '{}' where id = 'render'"
    expect(await problemsAfter(summary, removed('steps'))).toHaveLength(1)
    expect(
      await problemsAfter("update executions set output = '{}' where id = 'child'", removed('output')),
    ).toHaveLength(1)
  })

  test('names an object that is missing, and one that was changed', async () => {
    const copy = changedCopy(folder)
    const place = (name: 'docx' | 'pdf') => {
      const hash = hashOf(name)
      return join(copy, 'quire-data/objects', hash.slice(0, 2), hash.slice(2, 4), hash)
    }
    rmSync(place('docx'))
    writeFileSync(place('pdf'), 'A page')
    expect(await runVerify([], contextIn(copy))).toBe(1)
    expect(printed.stderr.trimEnd().split('\n').toSorted()).toEqual(
      [
        `quire: the object ${hashOf('docx')}, which a row names, is missing`,
        `quire: the stored object ${hashOf('pdf')} does not have the content its name promises`,
      ].toSorted(),
    )
  })

  test('saves no head of a store that has none, and of one with a problem it says the problem alone', async () => {
    const head = join(temporaryFolder(), 'heads.jsonl')
    expect(await rejectionOf(runVerify(['--save-head', head], contextIn(folder)))).toEqual(
      new CommandFailure('there is no signed head to save: let this version serve the store once'),
    )
    const copy = changedCopy(folder, "update submissions set params = '{ }'")
    expect(await runVerify(['--save-head', head], contextIn(copy))).toBe(1)
    expect(existsSync(head)).toBe(false)
  })

  test('prints what somebody wrote into the database without what moves a cursor or turns the text around', async () => {
    const sent = "char(27) || '[2J' || char(10) || char(155) || char(8238)"
    const copy = changedCopy(
      folder,
      `update steps set name = ${sent} where id = 'validate'; update events set aggregate_id = ${sent} where aggregate_id = 'child'`,
      `insert into erasures (id, object_reference_hash, reason, counts, erased_by, correlation_id, erased_at)
        values (${sent}, '', ${sent}, '{"submissions":1,"executions":1}', ${sent}, 'c', '2026-11-21T09:30:00.000000000Z')`,
      `insert into audit_heads (position, store, hash, at, public_key, signature)
        values (1, ${sent}, ${sent}, '2026-11-21T09:30:00.000000000Z', '', '')`,
    )
    expect(await runVerify([], contextIn(copy))).toBe(1)
    const { stdout, stderr } = printed
    expect(stderr).toContain('step  [2J  of execution parent is no step that Quire has')
    expect(stderr).toContain('there are events of execution/ [2J , which is not there')
    expect(stdout).toContain('by  [2J : 1 submission with 1 execution, because of " [2J " (erasure  [2J )')
    expect(stdout).toContain('"store":"\\u001b[2J\\n\\u009b\\u202e"')
    for (const text of [stdout, stderr]) expect(text.split('\n').filter((line) => plain(line) !== line)).toEqual([])
  })

  test('says what it does not compare where somebody says that a newer version has expanded the schema', async () => {
    const copy = changedCopy(
      folder,
      `insert into quire_migrations (name, applied_at, sha256, kind, makes)
        values ('9999_forged', '2026-11-21T09:30:00.000000000Z', 'x', 'expands', '')`,
      'create trigger forged after insert on users begin delete from leases; end',
    )
    expect(await runVerify([], contextIn(copy))).toBe(0)
    expect(printed.stdout).toContain(
      'not compared: tables, columns and triggers that a newer version may have added (9999_forged)\n',
    )
    printed.stdout = ''
    await runVerify(['--json'], contextIn(copy))
    expect(JSON.parse(printed.stdout).later).toEqual(['9999_forged'])
  })

  test.each<[statement: string, ...named: string[]]>([
    ["update artifacts set byte_size = 9223372036854775807 where kind = 'pdf'", 'steps: a value', 'objects: a value'],
    ["update artifacts set content_hash = x'00ff' where kind = 'pdf'", 'which is no hash'],
    [
      `insert into audit_heads (position, store, hash, at, public_key, signature)
        values (9223372036854775807, '', '', '2026-11-21T09:30:00.000000000Z', '', '')`,
      'the newest head of the audit trail: a value',
      'records of the audit trail: a value',
    ],
    [
      `insert into erasures (id, object_reference_hash, reason, counts, erased_by, correlation_id, erased_at)
        values ('e', '', x'00ff', 'null', x'00ff', 'c', '2026-11-21T09:30:00.000000000Z')`,
    ],
  ])('names what no Quire has written, and what else is wrong: %s', async (statement, ...named) => {
    const copy = changedCopy(folder, statement, "update submissions set params = '{ }'")
    expect(await runVerify([], contextIn(copy))).toBe(1)
    for (const words of [...named, 'submission submission does not have the params of its hash'])
      expect(printed.stderr).toContain(words)
    expect(printed.stdout).toMatch(/: \d+ problems\n$/)
  })

  test('names an unreadable note of the ledger, and still reports everything else', async () => {
    const copy = changedCopy(folder, "update submissions set params = '{ }'")
    const name = `erasure.${crypto.randomUUID()}`
    mkdirSync(join(copy, 'quire-data.erasures'))
    writeFileSync(join(copy, 'quire-data.erasures', name), '{')
    expect(await runVerify([], contextIn(copy))).toBe(1)
    expect(printed.stderr).toContain(`quire: the note ${name} of the ledger can't be read`)
    expect(printed.stdout).toBe(`${uncovered}${counted}: 2 problems\n`)
  })

  test('lists erasures, newest first, with what they took, why, and under which policies', async () => {
    const erasure = (id: string, rule: string, counts: string, reason: string) =>
      `insert into erasures (id, object_reference_hash, rule, reason, counts, erased_by, correlation_id, erased_at)
       values ('${id}', '', ${rule}, '${reason}', '${counts}', 'ada', 'c', '2026-11-2${id}T09:30:00.000000000Z')`
    const counts = (submissions: number, executions: number) => JSON.stringify({ submissions, executions })
    const copy = changedCopy(
      folder,
      erasure('1', 'null', counts(1, 2), 'asked "for" it'),
      erasure('2', `'{"retention":7,"keep_days":30,"part":"output"}'`, counts(2, 0), 'kept for 30 days'),
      erasure('3', `'{"retention":8,"keep_days":90}'`, counts(3, 1), 'kept'),
    )
    await runVerify([], contextIn(copy))
    expect(printed.stdout.split('\n').filter((line) => line.startsWith('erased'))).toEqual([
      'erased at 2026-11-23T09:30:00Z by ada under set 8 of the retention policies: 3 submissions with 1 execution, because of "kept" (erasure 3)',
      'erased at 2026-11-22T09:30:00Z by ada under set 7 of the retention policies: the output of 2 submissions, because of "kept for 30 days" (erasure 2)',
      'erased at 2026-11-21T09:30:00Z by ada: 1 submission with 2 executions, because of "asked \\"for\\" it" (erasure 1)',
    ])
    printed.stdout = ''
    await runVerify(['--json'], contextIn(copy))
    const { erasures } = JSON.parse(printed.stdout)
    expect(erasures.map(({ id, rule }: { id: string; rule?: object }) => [id, rule])).toEqual([
      ['3', { retention: 8, keep_days: 90 }],
      ['2', { retention: 7, keep_days: 30, part: 'output' }],
      ['1', undefined],
    ])
    expect(erasures[2]).toMatchObject({ erased_at: '2026-11-21T09:30:00Z', erased_by: 'ada', reason: 'asked "for" it' })
  })
})

test.each([
  [['a.tar', 'b.tar'], 'verify takes one backup or proof, or nothing to check the store in use'],
  [['a.tar', '--head', 'h'], 'verify takes --head for the store in use and for proofs, not for a backup'],
  [['a.tar', '--save-head', 'h'], '--save-head is for the store in use'],
  [['proof.zip', '--save-head', 'h'], '--save-head is for the store in use'],
  [
    ['--save-head', '-'],
    '- is standard input or output, and this takes a file, which is read before it is appended to; ./- is one that is called so',
  ],
  [['--key', '0'.repeat(64)], '--key is for a proof'],
  [['a.tar', '--key', '0'.repeat(64)], '--key is for a proof'],
  [['proof.zip', '--key', '0'.repeat(63)], '--key takes 64 hexadecimal digits'],
  [['proof.ZIP', '--key', 'A'.repeat(64)], '--key takes 64 hexadecimal digits'],
  [['--identity', 'i'], '--identity is for a backup'],
  [['proof.zip', '--identity', 'i'], '--identity is for a backup'],
  [
    ['-'],
    '- is standard input or output, and this takes a folder or file, which is read twice; ./- is one that is called so',
  ],
])('verify with %p is refused before anything is opened', async (args, words) => {
  expect(await rejectionOf(runVerify(args, noContext))).toEqual(new UsageError(words))
})

test('a file that is no proof is refused with its problems, as lines or as JSON', async () => {
  const path = join(temporaryFolder(), 'proof.ZIP')
  writeFileSync(path, 'no archive')
  expect(await runVerify([path], contextIn(temporaryFolder()))).toBe(1)
  const [line, ...rest] = printed.stderr.split('\n')
  expect([line?.startsWith(`quire: ${path}: `), rest, printed.stdout]).toEqual([true, [''], ''])
  expect(await runVerify([path, '--json'], contextIn(temporaryFolder()))).toBe(1)
  expect(JSON.parse(printed.stdout)).toEqual({
    path,
    problems: [line?.slice(`quire: ${path}: `.length)],
    differences: [],
  })
  expect(readFileSync(path, 'utf8')).toBe('no archive')
})

describe('what is told of a proof', () => {
  const facts = {
    ...{
      execution: 'E',
      status: 'completed',
      objectReference: 'P\u202e-1',
      submittedAt: '2026-11-20T09:30:00.000000000Z',
    },
    ...{ madeBy: { product_version: '0.1\u001b', engine_revision: REVISION }, keys: ['aa', 'bb'], files: 7, remade: 5 },
    ...{ notRemade: [], removed: [] },
  }
  const whole = { problems: [], differences: [], facts }
  const given = { path: 'p.zip', json: false, hasKey: false }
  const first =
    'execution E, completed, of P -1, submitted at 2026-11-20T09:30:00Z\n7 files as they were recorded, signed with the public key aa, bb\n'
  const compare = 'compare that key with the one you know, or name it with --key\n'
  const same = 'made again by this build: 5 hashes, all the same\n'
  const rule = { retention: 7, keep_days: 30 }
  const removedAt = '2026-12-20T09:30:00.000000000Z'
  const removed: RemovedFromProof[] = [
    { part: 'raw_input', removedAt, rule, hashes: ['11', '22'] },
    { part: 'steps', removedAt, rule, hashes: [] },
  ]
  const notRemade: ProofFacts['notRemade'] = [
    { execution: 'E', step: 'validate' },
    { execution: 'F', step: 'compose' },
    { execution: 'E', step: 'render' },
  ]
  const told = (...args: Parameters<typeof tellProof>) => {
    Object.assign(printed, { stdout: '', stderr: '' })
    return [tellProof(...args), printed.stdout, printed.stderr]
  }

  test('is what it is of and who signed it, and to compare the key where none was named', () => {
    expect(told(whole, given)).toEqual([0, `${first}${compare}${same}`, ''])
    expect(told(whole, { ...given, hasKey: true })).toEqual([0, `${first}${same}`, ''])
  })

  test('is every problem, and nothing else where it has one', () => {
    const broken = { ...whole, problems: ['a\u001b is broken', 'b too'], differences: ['c'] }
    const lines = 'quire: p.zip: a is broken\nquire: p.zip: b too\nquire: p.zip: c\n'.replace('a is', 'a  is')
    expect(told(broken, given)).toEqual([1, '', lines])
    const json = { path: 'p.zip', problems: broken.problems, differences: ['c'] }
    const [code, stdout, stderr] = told(broken, { ...given, json: true })
    expect([code, JSON.parse(String(stdout)), stderr]).toEqual([1, json, lines])
  })

  test('is what this build makes differently, with code 3, and which other build made it', () => {
    const other = { ...whole, differences: ['the PDF is another'] }
    const line = 'quire: p.zip: the PDF is another\nquire: p.zip: this build makes other bytes'
    expect(told(other, given)).toEqual([3, `${first}${compare}`, `${line}\n`])
    const madeBy = { ...facts.madeBy, engine_revision: 'x' }
    const by = `; it was made by 0.1 , this is ${PRODUCT_VERSION}\n`
    expect(told({ ...other, facts: { ...facts, madeBy } }, given)).toEqual([3, `${first}${compare}`, `${line}${by}`])
    expect(told(other, { ...given, json: true })[0]).toBe(3)
  })

  test('is what a policy has removed, and which steps could not be made again for it', () => {
    const went = 'went at 2026-12-20T09:30:00Z under set 7 of the retention policies, after 30 days'
    const lacking = { ...whole, facts: { ...facts, removed, notRemade } }
    expect(told(lacking, { ...given, hasKey: true })).toEqual([
      0,
      `${first}its raw input ${went}: SHA-256 11, 22\nits details of steps ${went}\n${same}` +
        'not made again, because what they read was removed: validate, render of E\n' +
        'not made again, because what they read was removed: compose of F\n',
      '',
    ])
    const about = {
      ...{ path: 'p.zip', execution: 'E', status: 'completed', object_reference: 'P\u202e-1' },
      ...{ submitted_at: '2026-11-20T09:30:00Z', made_by: facts.madeBy, keys: ['aa', 'bb'], files: 7, remade: 5 },
      ...{ problems: [], differences: [] },
    }
    const [code, json] = told(lacking, { ...given, json: true })
    const left = removed.map(({ part, hashes }) => ({
      ...{ part, removed_at: '2026-12-20T09:30:00Z', policy: rule, hashes },
    }))
    expect([code, JSON.parse(String(json))]).toEqual([0, { ...about, removed: left, not_remade: notRemade }])
    expect(JSON.parse(String(told(whole, { ...given, json: true })[1]))).toEqual(about)
  })
})

test('what the trail does not cover is told with its reason, and every key that came later with its place', () => {
  const since = instantOf('2026-11-20T09:30:00.000000000Z')
  const coverage = { covered: 3, uncovered: {}, ofOtherKey: 0, otherKeys: [] }
  expect([notesOf({ ...coverage, since }), notesOf(coverage)]).toEqual([[], []])
  const uncovered = { family: 2, policy: 1, batch: 3 }
  expect(notesOf({ ...coverage, uncovered, since })).toEqual([
    'not covered by the audit trail, because written before 2026-11-20T09:30:00Z: 2 families, 1 policy, 3 batches',
  ])
  const otherKeys = [{ id: 'k', position: 9, at: since }]
  expect(notesOf({ ...coverage, since, ofOtherKey: 1, otherKeys })).toEqual([
    'not checked, because their key is not here: the tags of 1 row that no head covers',
    'the audit trail has been signed with the key k, too, since its position 9 (2026-11-20T09:30:00Z); if nobody changed the key or restored the store then, somebody else wrote it',
  ])
  expect(coverageToTell({ ...coverage, uncovered, since, ofOtherKey: 1, otherKeys })).toEqual({
    ...{ covered_since: '2026-11-20T09:30:00Z', not_covered: uncovered, of_other_key: 1 },
    other_keys: [{ id: 'k', position: 9, at: '2026-11-20T09:30:00Z' }],
  })
})

test('a changed schema, and an erasure that only the ledger knows, are reported as problems of the store', async () => {
  const copy = changedCopy(folder, 'alter table submissions add column rogue text')
  const context = contextIn(copy)
  const store = await openObjectStore(context.readConfig().objectsUrl)
  const ledger = openLedger(context.readConfig(), store)
  const id = '0198c3d2-7a10-7c00-8000-00000000000a'
  await ledger.write('erasure', id, {
    ...{ format: 'quire-erasure-1', store: 'another', id, object_reference_hash: 'x', rule: null, reason: 'asked' },
    ...{
      counts: { ...noCounts() },
      erased_by: 'ada',
      correlation_id: 'c',
      erased_at: '2026-11-20T09:30:00.000000000Z',
    },
    ...{ submissions: ['submission'], executions: [], objects: [] },
  })
  const told = async () => {
    Object.assign(printed, { stdout: '', stderr: '' })
    expect([await runVerify([], context), printed.stdout]).toEqual([1, expect.stringContaining(': 2 problems\n')])
    return printed.stderr.split('\n')
  }
  const changed = "quire: the schema was changed: the column submissions.rogue is not Quire's"
  expect(await told()).toEqual([
    ...[changed, `quire: the erasure ${id} is in the ledger and not in the store; the next start makes it again`, ''],
  ])
  // What is damaged is a problem like others, and keeps none of them from being told.
  await ledger.write('erasure', id, { id })
  expect(await told()).toEqual([
    ...[
      changed,
      expect.stringContaining(`quire: the note erasure.${id} of the ledger can't be read, so a restore `),
      '',
    ],
  ])
  await store.close()
})
