import { sha256Hex } from '../../src/core/hash.ts'
import type { Delivery } from './broker.ts'
import { filesOf, madeOf } from './engines.ts'
import { batchProblems, type ToldBatch } from './model-batches.ts'
import { removalProblems } from './model-removal.ts'
import { type Registered, webhookProblems } from './model-webhooks.ts'
import type { Plan, PlannedSubmission } from './plan.ts'
import type { Arrival } from './receivers.ts'
import type { MemoryDatabase } from './sqlite.ts'

/**
 * What must be true once the faults are over, told without any of the product's code: from what was handed in follows what must
 * be in the rows, in the object store and at the broker.
 */
export interface EndState {
  memory: MemoryDatabase
  taken: readonly Delivery[]
  stored: ReadonlyMap<string, Uint8Array>
  plan: Plan
  acknowledged: ReadonlyMap<string, Acknowledged>
  /** What came of the same requests days later, and when they were made. */
  repeated: ReadonlyMap<string, Acknowledged | 'erased'>
  repeatedAtMs: number | undefined
  batch: ToldBatch | undefined
  arrivals: readonly Arrival[]
  registered: readonly Registered[]
  /** How long the database takes for an answer, at most, where no fault makes it later. */
  slowestAnswerMs: number
  /** Whether the hold, where one is planned, was placed and not released. */
  isHeld: boolean
  /** Names of the notes outside of the database. */
  ledger: ReadonlySet<string>
  /** What the clock on the wall shows. */
  epochMs: number
  /** Submissions and executions whose events are gone, wholly or but for the last. */
  removed: ReadonlySet<string>
  /** The position of the trail's last record before the history. */
  head: number
  /** How often a worker began with each step; undefined where nobody counts. */
  begun: ReadonlyMap<string, number> | undefined
}

export interface Acknowledged {
  submissionId: string
  executionIds: string[]
  createdAtMs: number
}

export function problemsAtTheEnd(end: EndState): string[] {
  return [
    ...[...submissionProblems(end), ...stepProblems(end), ...eventProblems(end), ...trailProblems(end)],
    ...[...batchProblems(end), ...webhookProblems(end), ...removalProblems(end)],
  ]
}

interface ExecutionRow {
  id: string
  label: string
  status: string
  output: string | null
}

/** No submission is lost, none is made twice, and each has come to the end that its input calls for. */
function submissionProblems(end: EndState): string[] {
  const { memory, plan, acknowledged } = end
  const problems: string[] = []
  const submissions: readonly PlannedSubmission[] = [...plan.submissions, ...(plan.batch?.rows ?? [])]
  const rows = memory.all<{ id: string; reference: string }>(
    'select id, object_reference as reference from submissions',
  )
  const made = rows.filter(({ reference }) => !reference.startsWith('row-'))
  const again = [...end.repeated].filter(
    ([key, ids]) => ids !== 'erased' && ids.submissionId !== acknowledged.get(key)?.submissionId,
  )
  const isRemoved = (id: string | undefined) =>
    id !== undefined && end.removed.has(id) && !rows.some((row) => row.id === id)
  const gone = [...acknowledged.values(), ...again.flatMap(([, ids]) => (ids === 'erased' ? [] : [ids]))].filter(
    ({ submissionId }) => isRemoved(submissionId),
  ).length
  if (made.length + gone !== plan.submissions.length + again.length)
    problems.push(`${made.length} submissions were made of ${plan.submissions.length + again.length - gone}`)
  for (const submission of plan.submissions) {
    const { key } = submission
    const told = acknowledged.get(key)
    if (told === undefined) {
      problems.push(`${key} was never acknowledged`)
      continue
    }
    if (isRemoved(told.submissionId)) continue
    if (!rows.some(({ id, reference }) => id === told.submissionId && reference === key)) {
      problems.push(`${key} was acknowledged as ${told.submissionId}, which is not there`)
      continue
    }
    const executions = executionsOf(memory, told.submissionId)
    const ids = executions.map(({ id }) => id).sort()
    if (ids.join() !== told.executionIds.toSorted().join())
      problems.push(`${key} has other executions than were told of`)
  }
  for (const { id, reference } of rows) {
    const submission = submissions.find(({ key }) => key === reference)
    if (submission === undefined) problems.push(`${reference} was never handed in`)
    else
      for (const one of executionsOf(memory, id))
        problems.push(...executionProblems(end, submission, one, partsOf(memory, id)))
  }
  return problems
}

function executionsOf(memory: MemoryDatabase, submissionId: string): ExecutionRow[] {
  return memory.all<ExecutionRow>(
    'select id, node_label as label, status, output from executions where submission_id = ? order by id',
    submissionId,
  )
}

/** Parts of a submission that were removed; whether they should be is model-removal.ts's. */
function partsOf(memory: MemoryDatabase, submissionId: string): ReadonlySet<string> {
  return new Set(
    memory
      .all<{ kind: string }>('select kind from erased_items where item_id = ?', submissionId)
      .map(({ kind }) => kind),
  )
}

function executionProblems(
  end: EndState,
  submission: PlannedSubmission,
  execution: ExecutionRow,
  removed: ReadonlySet<string>,
): string[] {
  const { memory, stored } = end
  const name = `${submission.key}, ${execution.label}`
  const isChild = execution.label === 'Summary' && submission.path === 'model'
  const problems: string[] = []
  const wanted = submission.refused === undefined ? 'completed' : 'failed'
  if (execution.status !== wanted) problems.push(`${name} is ${execution.status} instead of ${wanted}`)
  const failures = memory.all<{ failure: string }>(
    'select failure from steps where execution_id = ? and failure is not null',
    execution.id,
  )
  for (const { failure } of failures) {
    const { code } = JSON.parse(failure) as { code: string }
    if (code !== (isChild ? 'parent_failed' : 'refused')) problems.push(`${name} failed by ${code}`)
  }
  const artifacts = memory.all<{ kind: string; hash: string }>(
    'select kind, content_hash as hash from artifacts where execution_id = ? order by kind',
    execution.id,
  )
  const letter = madeOf('transform.declarative', submission.rawInput)
  const output = isChild ? madeOf('transform.declarative', letter) : letter
  const hasFiles = wanted === 'completed' && !isChild && submission.path !== 'summary'
  const hashes = hasFiles ? filesOf(submission.rawInput).map(sha256Hex) : []
  if (artifacts.map(({ hash }) => hash).join() !== hashes.join()) {
    problems.push(`${name} has ${artifacts.length} artifacts, or others than its input makes`)
  }
  if (!removed.has('artifacts'))
    for (const hash of hashes) if (!stored.has(hash)) problems.push(`${name}: the object ${hash} is not in the store`)
  if (wanted === 'completed' && !removed.has('output') && execution.output !== output)
    problems.push(`${name} has another output`)
  return problems
}

/** Each step succeeded or failed once, under its newest attempt; and nothing was counted that was not begun. */
function stepProblems({ memory, begun }: EndState): string[] {
  const problems: string[] = []
  const steps = memory.all<{
    id: string
    execution: string
    name: string
    attempt: number
    status: string
    owner: string | null
  }>('select id, execution_id as execution, name, attempt, status, lease_owner as owner from steps')
  for (const { id, execution, name, attempt, status, owner } of steps) {
    const where = `${name} of ${execution}`
    if (status === 'running' || status === 'queued') problems.push(`${where} is left ${status}`)
    if (owner !== null) problems.push(`${where} still has an owner`)
    const times = begun?.get(id)
    // Steps that were made with the one before it were begun as a part of that.
    if (times !== undefined && attempt > Math.max(1, times)) {
      problems.push(`${where} counts ${attempt} attempts, and was begun ${times} times`)
    }
  }
  return problems
}

interface EventRow {
  id: string
  aggregate: string
  aggregateId: string
  sequence: number
  type: string
  data: string
  publishedAt: string | null
}

/** Events have no gap, tell one story, and reached the broker: all of them, in order, under their ids. */
function eventProblems({ memory, taken, removed }: EndState): string[] {
  const problems: string[] = []
  const rows = memory.all<EventRow>(
    `select id, aggregate, aggregate_id as aggregateId, sequence, type, data, published_at as publishedAt
     from events order by aggregate, aggregate_id, sequence`,
  )
  const bySubject = Map.groupBy(rows, ({ aggregate, aggregateId }) => `${aggregate}/${aggregateId}`)
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const [subject, events] of bySubject) {
    if (removed.has(events[0]?.aggregateId ?? '')) continue
    if (events.some(({ sequence }, index) => sequence !== index + 1))
      problems.push(`${subject} has a gap in its events`)
    if (subject.startsWith('execution/')) problems.push(...storyProblems(subject, events))
  }
  const sent = new Map<string, string>()
  const lastOf = new Map<string, number>()
  for (const { topic, payload } of taken) {
    const { id, subject: about } = JSON.parse(payload) as { id: string; subject: string }
    if (removed.has(about)) continue
    const row = known.get(id)
    if (row === undefined) {
      problems.push(`${topic} was published as ${id}, and never committed`)
      continue
    }
    const before = sent.get(id)
    if (before !== undefined && before !== payload) problems.push(`${topic}: ${id} was sent with two contents`)
    const subject = `${row.aggregate}/${row.aggregateId}`
    const last = lastOf.get(subject) ?? 0
    if (before === undefined && row.sequence !== last + 1) {
      problems.push(`${subject}: event ${row.sequence} came after ${last}`)
    }
    lastOf.set(subject, Math.max(last, row.sequence))
    sent.set(id, payload)
  }
  for (const { id, aggregate, aggregateId, type, publishedAt } of rows) {
    if (publishedAt === null) problems.push(`${aggregate} ${type} was left unpublished`)
    else if (!sent.has(id) && !removed.has(aggregateId))
      problems.push(`${aggregate} ${type} counts as published, and the broker never took it`)
  }
  return problems
}

/** An execution ends once; each of its steps succeeds once at most, under the attempt that was begun last. */
function storyProblems(subject: string, events: readonly EventRow[]): string[] {
  const problems: string[] = []
  const begun = new Map<string, number>()
  const ended = new Set<string>()
  let isOver = false
  for (const { type, data } of events) {
    const { step = '', attempt = 0 } = JSON.parse(data) as { step?: string; attempt?: number }
    if (isOver) problems.push(`${subject}: ${type} came after the end`)
    if (type === 'step.started') {
      if (ended.has(step)) problems.push(`${subject}: ${step} was begun again after it had succeeded`)
      begun.set(step, attempt)
    }
    if (type === 'step.succeeded') {
      if (ended.has(step)) problems.push(`${subject}: ${step} succeeded twice`)
      if (begun.get(step) !== attempt)
        problems.push(`${subject}: ${step} succeeded under an attempt that was not its last`)
      ended.add(step)
    }
    if (type === 'completed' || type === 'failed') isOver = true
  }
  if (!isOver) problems.push(`${subject} never ended`)
  return problems
}

interface RecordRow {
  position: number | null
  hash: string | null
  previousHash: string | null
  action: string
  resourceId: string
}

/** Every record is in the chain, at the next place, after the one before it; each end of an execution has one. */
function trailProblems({ memory, head, acknowledged }: EndState): string[] {
  const problems: string[] = []
  const records = memory.all<RecordRow>(
    `select position, hash, previous_hash as previousHash, action, resource_id as resourceId from audit_records
     where position >= ${head} or position is null order by position`,
  )
  let before: RecordRow | undefined
  for (const record of records) {
    if (record.position === null) {
      problems.push(`a record of ${record.action} was left out of the chain`)
      continue
    }
    if (
      before !== undefined &&
      (record.position !== (before.position ?? 0) + 1 || record.previousHash !== before.hash)
    ) {
      problems.push(`the chain is broken at ${record.position}`)
    }
    before = record
  }
  const [newest] = memory.all<{ position: number; hash: string }>(
    'select position, hash from audit_heads order by position desc limit 1',
  )
  if (newest?.position !== before?.position || newest?.hash !== before?.hash)
    problems.push('the newest head is not the end of the chain')
  for (const { executionIds, submissionId } of acknowledged.values()) {
    for (const [id, pattern] of [
      [submissionId, /^submission\.created$/] as const,
      ...executionIds.map((one) => [one, /^execution\.(completed|failed)$/] as const),
    ]) {
      const times = records.filter(({ action, resourceId }) => resourceId === id && pattern.test(action)).length
      if (times !== 1) problems.push(`the trail tells ${times} times of ${pattern.source} of ${id}`)
    }
  }
  return problems
}
