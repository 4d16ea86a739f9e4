import { type RetainedPart, retainedParts } from '../../src/core/retained-parts.ts'
import type { EndState } from './model.ts'

const DAY_MS = 86_400_000
/** Rounds, and clocks that were set by hours: close to its day a part may be there or gone. */
const CLOSE_DAYS = 0.25

/** Whether something must be gone, must be there, or may be either. */
export type Due = 'gone' | 'there' | 'either'

type Rules = Pick<EndState, 'epochMs' | 'isHeld' | 'plan'>

/** What the policies say of a submission of that age: of all of it, or of one part that is left of it. */
export function dueOf(rules: Rules, key: string, createdAtMs: number, part?: RetainedPart): Due {
  const { retention } = rules.plan
  const days = part === undefined ? retention?.keepDays : retention?.parts[part]
  if (days === undefined || (rules.isHeld && key === 'submission-0')) return 'there'
  const over = (rules.epochMs - createdAtMs) / DAY_MS - days
  if (over < -CLOSE_DAYS) return 'there'
  return over > CLOSE_DAYS ? 'gone' : 'either'
}

/** Whether a stopped receiver may keep the events, because it has not had them. */
function mayKeepEvents({ memory }: EndState): boolean {
  return memory.all("select 1 from webhooks where status <> 'active'").length > 0
}

interface Submission {
  id: string
  reference: string
  rawInput: string
  createdAt: string
}

/** What policies let go is gone and has its tombstones; what they don't, or a hold keeps, is there. */
export function removalProblems(end: EndState): string[] {
  if (end.plan.retention === undefined) return []
  const { memory, acknowledged, repeated } = end
  const problems: string[] = []
  const told = [
    ...acknowledged,
    ...[...repeated].flatMap(([key, ids]) => (ids === 'erased' ? [] : [[key, ids] as const])),
  ]
  const rows = memory.all<Submission>(
    'select id, object_reference as reference, raw_input as rawInput, created_at as createdAt from submissions',
  )
  const tombs = new Set(
    memory
      .all<{ kind: string; id: string }>('select kind, item_id as id from erased_items')
      .map(({ kind, id }) => `${kind} ${id}`),
  )
  for (const [key, { submissionId, executionIds, createdAtMs }] of told) {
    const row = rows.find(({ id }) => id === submissionId)
    const whole = dueOf(end, key, createdAtMs)
    if (row === undefined) {
      if (whole === 'there') problems.push(`${key} was removed before its time, or from under a hold`)
      const missing = [`submission ${submissionId}`, ...executionIds.map((id) => `execution ${id}`)]
      for (const one of missing) if (!tombs.has(one)) problems.push(`${key} is gone, and ${one} has no tombstone`)
      continue
    }
    if (whole === 'gone') {
      problems.push(`${key} should be gone`)
      continue
    }
    for (const part of retainedParts) {
      const isGone = tombs.has(`${part} ${submissionId}`)
      let due = dueOf(end, key, createdAtMs, part)
      if (part === 'events' && due === 'gone' && mayKeepEvents(end)) due = 'either'
      if (due === 'gone' && !isGone) problems.push(`${part} of ${key} should be gone`)
      if (due === 'there' && isGone)
        problems.push(`${part} of ${key} was removed before its time, or from under a hold`)
      problems.push(...partProblems(end, { key, row, part, isGone }))
    }
  }
  return [...problems, ...erasureProblems(end), ...expiryProblems(end)]
}

interface Part {
  key: string
  row: Submission
  part: RetainedPart
  /** Whether there is a tombstone of it. */
  isGone: boolean
}

/** A part is there, or all of it is gone; hashes stay. */
function partProblems({ memory, plan, stored }: EndState, { key, row, part, isGone }: Part): string[] {
  const count = (text: string) => memory.all<{ n: number }>(text, row.id)[0]?.n ?? 0
  const ofOwn = 'execution_id in (select id from executions where submission_id = ?)'
  const half = `${part} of ${key} ${isGone ? 'was not wholly removed' : 'is not there any more'}`
  switch (part) {
    case 'raw_input': {
      const planned = plan.submissions.find((one) => one.key === key)
      return row.rawInput === (isGone ? '' : planned?.rawInput) ? [] : [half]
    }
    case 'output': {
      // Its hash stays.
      const left = count('select count(*) as n from executions where submission_id = ? and output is not null')
      const hashed = count('select count(*) as n from executions where submission_id = ? and output_hash is not null')
      return left === (isGone ? 0 : hashed) ? [] : [half]
    }
    case 'artifacts': {
      const all = memory.all<{ hash: string; removedAt: string | null }>(
        `select content_hash as hash, removed_at as removedAt from artifacts where ${ofOwn}`,
        row.id,
      )
      if (all.some(({ removedAt }) => (removedAt !== null) !== isGone)) return [half]
      return all.some(({ hash }) => stored.has(hash) === isGone && !isShared(memory, hash)) ? [half] : []
    }
    case 'events': {
      const left = count(
        `select count(*) as n from events where aggregate = 'execution'
         and aggregate_id in (select id from executions where submission_id = ?)`,
      )
      const executions = count('select count(*) as n from executions where submission_id = ?')
      return isGone === (left === executions) || executions === 0 ? [] : [half]
    }
    case 'steps': {
      const left = count(`select count(*) as n from steps where started_at is not null and ${ofOwn}`)
      return isGone === (left === 0) ? [] : [half]
    }
  }
}

/** True at any time where an object is durable once the store has taken it. */
export function missingObjects(memory: EndState['memory'], stored: EndState['stored']): string[] {
  return memory
    .all<{ hash: string }>('select distinct content_hash as hash from artifacts where removed_at is null')
    .filter(({ hash }) => !stored.has(hash))
    .map(({ hash }) => `the object ${hash} is named, and is not in the store`)
}

function isShared(memory: EndState['memory'], hash: string): boolean {
  const [row] = memory.all<{ n: number }>(
    'select count(*) as n from artifacts where content_hash = ? and removed_at is null',
    hash,
  )
  return (row?.n ?? 0) > 0
}

/** Every removal is told of once in the trail, is noted outside of the database, and is finished: its objects are gone. */
function erasureProblems({ memory, ledger, stored }: EndState): string[] {
  const problems: string[] = []
  const erasures = memory.all<{ id: string; completedAt: string | null }>(
    'select id, completed_at as completedAt from erasures',
  )
  for (const { id, completedAt } of erasures) {
    if (completedAt === null) problems.push(`the removal ${id} was not finished`)
    if (!ledger.has(`erasure.${id}`)) problems.push(`the removal ${id} is not in the ledger`)
    const times = memory.all(
      "select 1 from audit_records where action = 'retention.removed' and resource_id = ?",
      id,
    ).length
    if (times !== 1) problems.push(`the trail tells ${times} times of the removal ${id}`)
  }
  const gone = memory.all<{ hash: string }>("select item_id as hash from erased_items where kind = 'object'")
  for (const { hash } of gone)
    if (stored.has(hash) && !isShared(memory, hash)) problems.push(`the object ${hash} was to be removed`)
  for (const hold of memory.all<{ id: string; notedAt: string | null }>('select id, noted_at as notedAt from holds'))
    if (!ledger.has(`hold.${hold.id}`) || hold.notedAt === null) problems.push('the hold is not in the ledger')
  return problems
}

/** How long a key is kept, in days. */
const KEPT_DAYS = 7

/** A repeated key gets the first answer for a week, and its row goes then. */
function expiryProblems({ memory, epochMs, acknowledged, repeated, repeatedAtMs }: EndState): string[] {
  const problems: string[] = []
  const ageOf = (atMs: number, createdAtMs: number) => (atMs - createdAtMs) / DAY_MS
  for (const { key, createdAt } of memory.all<{ key: string; createdAt: string }>(
    'select key, created_at as createdAt from idempotency',
  )) {
    if (ageOf(epochMs, Date.parse(createdAt)) > KEPT_DAYS + CLOSE_DAYS)
      problems.push(`the answer of ${key} is kept too long`)
  }
  for (const [key, again] of repeated) {
    const first = acknowledged.get(key)
    if (first === undefined || repeatedAtMs === undefined) continue
    const days = ageOf(repeatedAtMs, first.createdAtMs)
    const isSame = again !== 'erased' && again.submissionId === first.submissionId
    if (days < KEPT_DAYS - CLOSE_DAYS && again !== 'erased' && !isSame)
      problems.push(`${key} was made twice within a week`)
    if (days > KEPT_DAYS + CLOSE_DAYS && (again === 'erased' || isSame))
      problems.push(`${key} was still known after a week`)
  }
  return problems
}
