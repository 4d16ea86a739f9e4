/** Proofs of executions of which policies have removed parts: of what is left, with what says that the rest was there. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { createLog } from '../../src/core/log.ts'
import { type RetainedPart, retainedParts } from '../../src/core/retained-parts.ts'
import { findSigningKey } from '../../src/data-folder.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { startSealer } from '../../src/modules/audit/audit.sealer.ts'
import { removePartByPolicy } from '../../src/modules/erasures/erasures.service.ts'
import { sortDue } from '../../src/modules/retention/retention.due.service.ts'
import { type Against, checkProof } from '../../src/proof/check.ts'
import { openPool } from '../../src/runner/pool.ts'
import { runCommand } from '../support/command.ts'
import { required, rewritten } from './altered.ts'
import { filesOf, type ProvedStore, proofOf, storeToProve } from './forging.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

let store: ProvedStore
beforeAll(async () => {
  store = await storeToProve()
}, 120_000)

/** As the service does when its days are over, and seals what says so. */
async function remove(part: RetainedPart): Promise<void> {
  const dataFolder = join(store.folder, 'quire-data')
  const key = required(findSigningKey({ secret: undefined, signingKey: undefined, dataFolder }))
  const database = await openDatabase(`file:${join(dataFolder, 'quire.db')}`)
  database.attestWith?.(key.attest)
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: newId(), at: systemClock.now() }
  const rule = { retention: 3, ingestion_model: 'greeting', keep_days: 30, part }
  await database.write((tx) => tx.rows(sql`update events set published_at = created_at, for_webhooks = null`))
  const rows = await database.read.rows<{ id: string }>(sql`select id from submissions`)
  const submissionIds = rows.map(({ id }) => id)
  const again = (tx: Parameters<typeof sortDue>[0], ids: readonly string[]) => sortDue(tx, ids, part)
  await database.write((tx) => removePartByPolicy(tx, actor, { rule, submissionIds, sortDue: again }))
  const ports = { database, log, owner: newId(), key, clock: systemClock, isSoleInstance: true }
  await startSealer(ports).drain()
  await database.close()
}

const here: Against = { run: (job) => pool.run(job), heads: [] }
const namesIn = (proof: Uint8Array) => [...filesOf(proof).keys()].filter((name) => name.startsWith('executions/1/'))
// biome-ignore lint/suspicious/noExplicitAny: forgers change any field
type Changed = any
const altered = (proof: Uint8Array, change: (json: Changed, files: ReturnType<typeof filesOf>) => void) =>
  rewritten(proof, (json, files) => change(json, files))

test('prove what is left after each removal, make of it what can be made again, and say what is gone, when and by which rule', async () => {
  const whole = await proofOf(store, store.notice)
  const before = required((await checkProof(whole, here)).facts)
  expect([before.removed, before.notRemade]).toEqual([[], []])
  const { letter, notice, failed } = store
  const left: Record<RetainedPart, { steps: string[]; files: string[] }> = {
    raw_input: {
      steps: ['validate', 'transform.declarative'],
      files: ['output.json', 'document.docx', 'document.pdf'],
    },
    output: { steps: ['validate', 'transform.declarative', 'compose'], files: ['document.docx', 'document.pdf'] },
    artifacts: { steps: ['validate', 'transform.declarative', 'compose', 'render'], files: [] },
    events: { steps: ['validate', 'transform.declarative', 'compose', 'render'], files: [] },
    steps: { steps: ['validate', 'transform.declarative', 'compose', 'render'], files: [] },
  }
  let [proof, withoutInput] = [whole, whole]
  for (const [index, part] of retainedParts.entries()) {
    await remove(part)
    proof = await proofOf(store, letter)
    if (part === 'raw_input') withoutInput = proof
    const { problems, differences, facts } = await checkProof(proof, here)
    expect([part, problems, differences]).toEqual([part, [], []])
    const gone = retainedParts.slice(0, index + 1)
    expect(facts?.removed.map((one) => one.part)).toEqual(gone)
    expect(facts?.removed.at(-1)?.rule).toEqual({ retention: 3, ingestion_model: 'greeting', keep_days: 30 })
    expect(facts?.notRemade).toEqual(left[part].steps.map((step) => ({ execution: letter, step }) as never))
    expect(facts?.remade).toBeLessThan(before.remade)
    expect(namesIn(proof).filter((name) => /output|document/.test(name))).toEqual(
      left[part].files.map((file) => `executions/1/${file}`),
    )
    // A child and one that failed can be proved, too.
    for (const id of [notice, failed]) {
      const other = await checkProof(await proofOf(store, id), here)
      expect([part, other.problems, other.differences]).toEqual([part, [], []])
    }
  }
  // By what the states say, what is gone had these hashes.
  const { facts } = await checkProof(proof, here)
  const originals = JSON.parse(new TextDecoder().decode(filesOf(whole).get('proof.json'))) as Changed
  const hashOf = (role: string, execution?: string) =>
    originals.files.find((one: Changed) => one.role === role && one.execution === execution).sha256
  expect(facts?.removed.map(({ hashes }) => hashes)).toEqual([
    [hashOf('raw_input'), hashOf('params')],
    [hashOf('output', letter)],
    expect.arrayContaining([hashOf('docx', letter), hashOf('pdf', letter)]),
    [],
    [],
  ])
  await Bun.write(join(store.folder, 'proof.zip'), proof)
  const { code, stdout, stderr } = await runCommand(store.folder, ['verify', 'proof.zip'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(
    `not made again, because what they read was removed: validate, transform.declarative, compose, render of ${letter}\n`,
  )
  expect(stdout).toMatch(
    /\nits raw input went at \S+ under set 3 of the retention policies, after 30 days: SHA-256 [0-9a-f]{64}, /,
  )
  expect(stdout).toContain('\nits events went at ')
  const json = JSON.parse((await runCommand(store.folder, ['verify', 'proof.zip', '--json'])).stdout)
  expect(json.removed.map((one: { part: string }) => one.part)).toEqual([...retainedParts])
  expect(json.not_remade).toHaveLength(4)

  // What nobody removed has to be there, and a removal has to be one.
  const cases: [what: string, change: (json: Changed, files: ReturnType<typeof filesOf>) => void, said: RegExp][] = [
    [
      'a removal that is not told of',
      (json) => json.removals.shift(),
      /^the raw input is not the one that was recorded$/m,
    ],
    [
      'no removal at all',
      (json) => {
        delete json.removals
        json.format = 'quire-proof-1'
      },
      /is not in the state that the trail covers/,
    ],
    ['the other format', (json) => (json.format = 'quire-proof-1'), /removals are in proofs of the format/],
    ['none in their format', (json) => delete json.removals, /removals are in proofs of the format/],
    ['an empty list of them', (json) => (json.removals = []), /^proof\.json: /],
    [
      'another rule',
      (json) => {
        const { erasure } = json.removals[0].state
        erasure.rule = erasure.rule.replace('"retention":3', '"retention":4')
      },
      /^the erasure .* is not in the state that the trail covers$/m,
    ],
    [
      'a rule that is none',
      (json) => (json.removals[0].state.erasure.rule = '{}'),
      /took no part of this submission under a policy/,
    ],
    [
      'the removal of another',
      (json) => {
        for (const item of json.removals[0].state.items) item.item_id = item.item_id.replace(/^./, '9')
      },
      /took no part of this submission under a policy/,
    ],
    [
      'another time',
      (json) => (json.removals[2].state.erasure.erased_at = '2020-01-01T00:00:00.000000000Z'),
      /is not in the state that the trail covers/,
    ],
    [
      'no time',
      (json) => (json.removals[2].state.erasure.erased_at = 'some day'),
      /^the removal .* does not say when it was$/,
    ],
    [
      'another state that is left',
      (json) => (json.executions[0].state.steps[0].summary = '{}'),
      /^the execution .* is not in the state that the trail covers$/m,
    ],
    [
      'the state before the last removal',
      (json) => json.removals.pop(),
      /^the execution .* is not in the state that the trail covers$/m,
    ],
    [
      'a record of something else',
      (json) => (json.removals[0].record.action = 'object.erased'),
      /took no part of this submission under a policy/,
    ],
  ]
  for (const [what, change, reason] of cases) {
    const { problems } = await checkProof(altered(proof, change), here)
    expect([what, problems.some((problem) => reason.test(problem))]).toEqual([what, true])
  }
  const { problems } = await checkProof(
    altered(withoutInput, (json, files) => {
      json.files = json.files.filter(({ name }: Changed) => name !== 'executions/1/document.docx')
      files.delete('executions/1/document.docx')
    }),
    here,
  )
  expect(problems).toEqual([`the docx of the execution ${letter} is not the one that was recorded`])
}, 300_000)
