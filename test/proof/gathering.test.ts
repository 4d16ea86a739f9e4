import { Database as Sqlite } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../src/core/limits.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { readHeads, signHead } from '../../src/modules/audit/audit.heads.ts'
import type { AuditHeadRow } from '../../src/modules/audit/audit.store.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { checkProof } from '../../src/proof/check.ts'
import { gatherProof, ProofRefused, packed } from '../../src/proof/gather.ts'
import { temporaryFolder } from '../support/database.ts'
import { type Json, required, rewritten } from './altered.ts'
import { filesOf, type ProvedStore, proofOf, storeToProve } from './forging.ts'

/** What a proof is made of, and what its form refuses. */
let store: ProvedStore
/** Of the notice, in whose lineage the letter is. */
let proof: Uint8Array
beforeAll(async () => {
  store = await storeToProve()
  proof = await proofOf(store, store.notice)
}, 120_000)

const key = signingKeyOf('a'.repeat(64))
const otherHash = 'f'.repeat(64)
const otherId = '0198c3d2-7a10-7c00-8000-000000000001'
const nothingRuns = () => Promise.reject(new Error('nothing is made again of what is not proved'))
const problemsOf = async (bytes: Uint8Array) => (await checkProof(bytes, { run: nothingRuns, heads: [] })).problems

describe('proof.json', () => {
  const long = 'a'.repeat(64)
  const rows: [place: string, ...bad: unknown[]][] = [
    ['format', 'quire-proof-2', '', null],
    ['made_by', {}, null],
    ['made_by.product_version', 1],
    ['made_by.engine_revision', 1],
    ['execution', '', 'x', otherId.toUpperCase().replace('0198', 'ABCD'), `${otherId}0`, `0${otherId}`],
    ['submission.position', 0, 1.5, '1', 2 ** 53],
    ['submission.path', -1, 0.5],
    ['submission.more', 1],
    ['submission.record.resource_id', '', 'x'],
    ['submission.record.more', 1],
    ['submission.record.detail', 'x'],
    ['submission.state.submission.id', 'x'],
    ['submission.state.submission.model_version_id', 'x'],
    ['submission.state.submission.raw_input_hash', '', 'x', `${long}a`, `g${long.slice(1)}`, long.toUpperCase()],
    ['submission.state.submission.params_hash', 'x', 1],
    ['submission.state.submission.object_reference', null],
    ['submission.state.submission.created_at', 1],
    ['submission.state.executions.0.release_hash', 'x'],
    ['submission.state.executions.0.parent_execution_id', 'x'],
    ['executions', [], 'x'],
    ['executions.0.state.execution.status', 'processing', ''],
    ['executions.0.state.execution.input_hash', 'x', null],
    ['executions.0.state.execution.output_hash', 'x'],
    ['executions.0.state.steps.0.position', 0],
    ['executions.0.state.steps.0.summary', 1],
    ['executions.0.state.steps.0.failure', 1],
    ['executions.0.state.artifacts.0.content_hash', 'x'],
    ['executions.0.state.artifacts.0.byte_size', 'x', 1.5],
    ['executions.0.more', 1],
    ['model.kind', 'x'],
    ['model.more', 1],
    ['model.state.versions.0.id', 'x'],
    ['model.state.versions.0.content_hash', 'x'],
    ['paths', []],
    ['paths.0.from', 0],
    ['paths.0.previous_hash', 'x'],
    ['paths.0.links', []],
    ['paths.0.links.0.0', 'x', null],
    ['paths.0.links.0.1', 'x'],
    ['paths.0.more', 1],
    ['files.0.name', 1, 'x'.repeat(257)],
    ['files.0.role', 'x', ''],
    ['files.0.sha256', 'x'],
    ['files.0.execution', 'x', null],
    ['files.0.format', 'x', ''],
    ['files.0.reading', 0, 1.5],
    ['files.0.more', 1],
    ['more', 1],
  ]
  const state = 'submission.state'
  const execution = 'executions.0.state'
  test.each<[of: string, ...members: string[]]>([
    ['', 'format', 'made_by', 'execution', 'submission', 'executions', 'paths', 'files'],
    ['made_by', 'product_version', 'engine_revision'],
    ['submission', 'record', 'position', 'path', 'state'],
    [
      'submission.record',
      ...['id', 'actor_id', 'action', 'resource_kind', 'resource_id', 'correlation_id', 'at', 'detail'],
    ],
    [state, 'submission', 'executions'],
    [
      `${state}.submission`,
      ...['id', 'model_version_id', 'object_reference', 'raw_input_hash', 'params_hash', 'created_at'],
    ],
    [`${state}.executions.0`, 'id', 'parent_execution_id', 'release_hash', 'raw_input_hash'],
    [execution, 'execution', 'steps', 'artifacts'],
    [`${execution}.execution`, 'id', 'status', 'input_hash', 'output_hash'],
    [`${execution}.steps.0`, 'position', 'name', 'status', 'summary', 'failure'],
    [`${execution}.artifacts.0`, 'kind', 'content_hash', 'byte_size'],
    ['model', 'kind', 'record', 'position', 'path', 'state'],
    ['model.state.versions.0', 'id', 'content_hash'],
    ['paths.0', 'from', 'previous_hash', 'links'],
    ['files.0', 'name', 'role', 'sha256'],
  ])('is refused where %p has not all of its members', async (of, ...members) => {
    for (const member of members) {
      const bytes = rewritten(proof, (json) => {
        // biome-ignore lint/suspicious/noExplicitAny: forgers change any field
        const holder = of === '' ? json : of.split('.').reduce((at: any, key) => at[key], json)
        expect(Object.keys(holder)).toContain(member)
        delete holder[member]
      })
      const problems = await problemsOf(bytes)
      expect([member, problems.length > 0 && problems.every((one) => one.startsWith('proof.json: '))]).toEqual([
        member,
        true,
      ])
    }
  })

  test.each(rows)('is refused with another value of %s than the format has', async (place, ...bad) => {
    for (const value of bad) {
      const bytes = rewritten(proof, (json) => {
        const keys = place.split('.')
        const last = keys.pop() ?? ''
        // biome-ignore lint/suspicious/noExplicitAny: forgers change any field
        const holder = keys.reduce((at: any, key) => at[key], json)
        holder[last] = value
      })
      const problems = await problemsOf(bytes)
      expect([value, problems]).toEqual([value, problems.map(() => expect.stringMatching(/^proof\.json: /))])
      expect([value, problems.length > 0]).toEqual([value, true])
    }
  })
})

/** A copy of the store whose database a statement has changed. */
async function gather(id: string, statement: string, options: { heads?: AuditHeadRow[]; isEmptied?: boolean } = {}) {
  const folder = temporaryFolder()
  cpSync(join(store.folder, 'quire-data'), join(folder, 'quire-data'), { recursive: true })
  const path = join(folder, 'quire-data/quire.db')
  const sqlite = new Sqlite(path)
  sqlite.exec(statement)
  sqlite.close()
  const database = await openDatabase(`file:${path}`, { readOnly: true })
  const emptied = await openObjectStore(`file:${join(folder, 'none')}`)
  const objects =
    options.isEmptied === true ? emptied : await openObjectStore(`file:${join(folder, 'quire-data/objects')}`)
  try {
    const heads = options.heads ?? []
    return await database.snapshot((connection) => gatherProof({ connection, objects, heads }, id))
  } catch (error) {
    if (error instanceof ProofRefused) return error.message
    throw error
  } finally {
    await database.close()
  }
}

const keptHeads = (): AuditHeadRow[] => {
  const heads = readHeads(readFileSync(join(store.folder, 'heads.jsonl'), 'utf8'))
  return heads.ok ? heads.value : []
}

describe('a proof can’t be made', () => {
  test.each<[what: string, of: 'letter' | 'notice', statement: (store: ProvedStore) => string, reason: RegExp]>([
    [
      'is at work',
      'notice',
      ({ notice }) => `update executions set status = 'processing' where id = '${notice}'`,
      /is processing; prove it when it has ended$/,
    ],
    [
      'never began',
      'notice',
      ({ letter }) => `update executions set status = 'failed' where id = '${letter}'`,
      /never began, because its parent failed; prove the parent [0-9a-f-]{36}$/,
    ],
    [
      'is its own ancestor',
      'notice',
      ({ letter, notice }) => `update executions set parent_execution_id = '${notice}' where id = '${letter}'`,
      /^the execution [0-9a-f-]{36} is the 15th above, and no model is so deep; see quire verify$/,
    ],
    [
      'has a record that is not sealed',
      'letter',
      ({ letter }) => `update audit_records set position = null where resource_id = '${letter}'`,
      /does not cover the execution [0-9a-f-]{36} yet/,
    ],
    [
      'has a record without a state',
      'letter',
      ({ letter }) => `update audit_records set digest = null where resource_id = '${letter}'`,
      /covers nothing of the execution [0-9a-f-]{36}: a version before 0\.34/,
    ],
    [
      'has no record at all',
      'letter',
      ({ letter }) => `delete from audit_records where resource_id = '${letter}'`,
      /covers nothing of the execution/,
    ],
    [
      'has another state',
      'letter',
      ({ letter }) => `update executions set output_hash = '${otherHash}' where id = '${letter}'`,
      /^the execution [0-9a-f-]{36} is not what the audit trail covers at position \d+; see quire verify$/,
    ],
    [
      'has a record that nobody can read',
      'letter',
      ({ letter }) => `update audit_records set detail = '{' where resource_id = '${letter}'`,
      /^the record of the execution [0-9a-f-]{36} at position \d+ can't be read; see quire verify$/,
    ],
    [
      'lies after the last head',
      'letter',
      () => 'delete from audit_heads',
      /^no signed head covers position \d+ of the audit trail yet$/,
    ],
    [
      'has records of an older version before its head',
      'letter',
      ({ failed }) =>
        `update audit_records set content_hash = null where resource_id = '${failed}'; delete from audit_heads where position < (select max(position) from audit_heads)`,
      /^a version before 0\.34 wrote records after position \d+$/,
    ],
  ])('of an execution that %s', async (_what, of, statement, reason) => {
    expect(await gather(store[of], statement(store))).toMatch(reason)
  })

  test('without the files that it is about', async () => {
    expect(await gather(store.letter, 'select 1', { isEmptied: true })).toMatch(
      /^the (docx|pdf) of the execution [0-9a-f-]{36} is not in the object store$/,
    )
  })

  test('up to a head of another trail', async () => {
    const last = required(keptHeads().at(-1))
    const other = signHead({ ...last, hash: otherHash }, key)
    expect(await gather(store.letter, 'select 1', { heads: [other] })).toBe(
      `the kept head at position ${last.position} is not one of this audit trail; see quire verify`,
    )
  })
})

test('what deflates too well for a reader is stored', () => {
  const large = new Uint8Array(limits.zipRatioFreeBytes + 1)
  const small = new Uint8Array(limits.zipRatioFreeBytes)
  const zip = readZip(writeZip([packed('large', large), packed('small', small)]))
  expect(zip.ok && [zip.value.read('large'), zip.value.read('small')].map((one) => one?.ok)).toEqual([true, true])
  expect([packed('large', large).method, packed('small', small).method]).toEqual([0, 8])
  expect(readZip(writeZip([{ name: 'large', data: large }])).ok).toBe(false)
})

describe('a proof leads', () => {
  const pathsOf = (proof: Uint8Array | string) =>
    (JSON.parse(new TextDecoder().decode(filesOf(proof as Uint8Array).get('proof.json'))) as Json).paths

  test('to the next head of the store, by one path for all that it covers', async () => {
    const paths = pathsOf(
      await gather(store.notice, 'delete from audit_heads where position < (select max(position) from audit_heads)'),
    )
    const last = required(keptHeads().at(-1))
    expect(paths.map(({ head }) => head.position)).toEqual(paths.map(() => last.position))
    for (const { from, links } of paths) expect(from + links.length - 1).toBe(last.position)
    // A path from before a position covers it.
    expect(paths.map(({ from }) => from)).toEqual(paths.map(({ from }) => from).toSorted((a, b) => b - a))
  })

  test('to the first kept head that covers it, whatever their order, and to no earlier one', async () => {
    const heads = keptHeads()
    const usual = pathsOf(await gather(store.letter, 'select 1'))
    const kept = pathsOf(await gather(store.letter, 'select 1', { heads }))
    const reversed = pathsOf(await gather(store.letter, 'select 1', { heads: heads.toReversed() }))
    expect(kept).toEqual(reversed)
    for (const { from, head } of kept) {
      const covering = heads.filter(({ position }) => position >= from).map(({ position }) => position)
      expect(head.position).toBe(Math.min(...covering))
    }
    // Heads from before all of it keep nothing.
    const earliest = Math.min(...usual.map(({ from }) => from))
    const before = heads.filter(({ position }) => position < earliest)
    expect(pathsOf(await gather(store.letter, 'select 1', { heads: before }))).toEqual(usual)
  })
})
