/**
 * What the digest of a resource's state covers: its row and the rows that belong to it, as canonical JSON. Columns are listed one
 * by one, so that the digest stays the same when a later version adds columns. Left out are values that change with time or by an
 * instance's work (leases, an activation's status, `published_at`), and long content: its hash is included, and `verify` compares
 * the content with that.
 */
import { and, asc, getTableColumns, inArray } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Canonical, canonicalHash } from '../../core/canonical.ts'
import { sha256Hex } from '../../core/hash.ts'
import { familyKinds } from '../../core/kinds.ts'
import type { ExecutionStatus } from '../../core/steps.ts'
import type { Connection } from '../../db/database.ts'
import { readLargeFile } from '../../db/large-files.ts'
import { prepareByIds } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'

type Rows<Name extends keyof Tables> = Tables[Name]['$inferSelect']
type Listed<Name extends keyof Tables> = readonly (keyof Rows<Name> & string)[]

/** Joins several lists, so that each keeps its own line in this file. */
const listed = <Name extends keyof Tables>(...lines: Listed<Name>[]): Listed<Name> => lines.flat()

const columns = {
  submissions: listed<'submissions'>(
    ['id', 'modelSlug', 'modelVersionId', 'objectReference', 'objectTime', 'rawInputHash', 'paramsHash'],
    ['metadata', 'submittedBy', 'correlationId', 'createdAt'],
  ),
  /** An execution's columns that are fixed when it is made. */
  planned: listed<'executions'>(
    ['id', 'submissionId', 'processingNodeId', 'nodeLabel', 'nodeAddress', 'parentExecutionId', 'releaseId'],
    ['releaseHash', 'processingKind', 'rawInputHash', 'submittedBy', 'correlationId', 'traceparent', 'createdAt'],
  ),
  plannedSteps: listed<'steps'>(['id', 'executionId', 'position', 'name']),
  /** An execution's columns that are fixed when it is over. */
  ended: listed<'executions'>(['id', 'status', 'inputHash', 'outputHash', 'updatedAt', 'completedAt']),
  steps: listed<'steps'>(
    ['id', 'executionId', 'position', 'name', 'status', 'attempt', 'stateVersion', 'availableAt', 'startedAt'],
    ['finishedAt', 'durationMs', 'summary', 'failure'],
  ),
  artifacts: listed<'artifacts'>(
    ['id', 'executionId', 'submissionId', 'kind', 'byteSize', 'contentHash', 'objectReference', 'modelSlug'],
    ['nodeLabel', 'nodeAddress', 'createdAt'],
  ),
  events: listed<'events'>(
    ['id', 'aggregate', 'aggregateId', 'sequence', 'type', 'data', 'correlationId'],
    ['traceparent', 'createdAt'],
  ),
  users: listed<'users'>(
    ['id', 'username', 'displayName', 'roles', 'passwordHash', 'mustChangePassword', 'disabled', 'createdAt'],
    ['updatedAt', 'isService'],
  ),
  apiTokens: listed<'apiTokens'>(
    ['id', 'tokenHash', 'userId', 'name', 'scopes', 'families', 'createdBy', 'createdAt'],
    ['expiresAt', 'revokedAt'],
  ),
  /** A passkey alone opens the account, so its key is covered; the key of an app isn't, because it is re-encrypted at times. */
  factors: listed<'factors'>(['id', 'kind', 'name', 'credentialId', 'host', 'createdAt']),
  families: listed<'families'>(
    ['id', 'kind', 'slug', 'name', 'description', 'draftRevision', 'draftSource', 'draftFormat', 'draftBytes'],
    ['draftUpdatedAt', 'latestNumber', 'createdBy', 'createdAt', 'updatedAt'],
  ),
  versions: listed<'versions'>(
    ['id', 'familyId', 'kind', 'number', 'contentHash', 'sourceRevision', 'status', 'format', 'byteSize'],
    ['bindings', 'reading', 'createdBy', 'createdAt', 'publishedAt', 'deprecatedAt'],
  ),
  activations: listed<'activations'>(
    ['id', 'kind', 'familyId', 'familySlug', 'versionId', 'version', 'contentHash', 'effectiveFrom', 'scheduledBy'],
    ['correlationId', 'scheduledAt', 'cancelledAt', 'cancellationCode'],
  ),
  suitePolicies: listed<'suitePolicies'>(
    ['familyId', 'requires', 'liftedUntil', 'liftReason', 'setBy'],
    ['correlationId', 'setAt'],
  ),
  releases: listed<'releases'>(
    ['id', 'name', 'releaseHash', 'processingKind', 'contractVersionId', 'transformVersionId'],
    ['templateVersionId', 'automaticPin', 'createdBy', 'createdAt'],
  ),
  erasures: listed<'erasures'>(
    ['id', 'objectReferenceHash', 'reason', 'counts', 'erasedBy'],
    ['correlationId', 'erasedAt'],
  ),
  erasedItems: listed<'erasedItems'>(['kind', 'itemId', 'contentHash']),
  holds: listed<'holds'>(
    ['id', 'objectReferenceHash', 'modelSlug', 'reason', 'placedBy', 'correlationId', 'placedAt', 'releaseReason'],
    ['releasedBy', 'releasedAt'],
  ),
  retention: listed<'retention'>(['id', 'number', 'policies', 'setBy', 'correlationId', 'setAt']),
  /** A batch as it was submitted; its progress is in its rows. */
  batches: listed<'batches'>(
    ['id', 'name', 'modelSlug', 'format', 'contentHash', 'byteSize', 'rows', 'officialTime', 'params', 'createdBy'],
    ['correlationId', 'createdAt'],
  ),
  cases: listed<'cases'>(
    ['id', 'contractId', 'contractVersionId', 'contractVersionNumber', 'contractHash', 'kind', 'seed', 'provider'],
    ['invalidPath', 'invalidKeyword', 'payload', 'contentHash', 'correlationId', 'createdBy', 'createdAt'],
  ),
}

/** Columns of long content, drafts and payloads: the state has only their hash. */
const HASHED = new Set(['draftSource', 'draftBytes', 'payload'])

/** Values of the listed columns by their names in the database. JSON counts as its text, whatever value it has. */
function plain(table: SQLiteTable, listed: readonly string[], row: Readonly<Record<string, unknown>>): Canonical {
  const known = getTableColumns(table)
  const members = listed.map((property): [string, Canonical] => {
    const name = known[property]?.name
    if (name === undefined) throw new Error(`there is no column ${property}`)
    const value = row[property] ?? null
    if (HASHED.has(property) && value !== null) return [name, sha256Hex(value as string | Uint8Array)]
    return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Canonical)]
  })
  return Object.fromEntries(members)
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export type State = { readonly [part: string]: Canonical }

type PlannedSteps = Pick<Rows<'steps'>, 'id' | 'executionId' | 'position' | 'name'>
type SubmissionColumns = Omit<Rows<'submissions'>, 'rawInput' | 'params'>
type PlannedExecution = Omit<Rows<'executions'>, 'output'>

/** A submission with everything planned for it: none of this changes afterwards. */
export function submissionState(
  { t }: Pick<Connection, 't'>,
  submission: SubmissionColumns,
  executions: readonly PlannedExecution[],
  steps: readonly PlannedSteps[],
): State {
  const { corrects } = submission
  const row = plain(t.submissions, columns.submissions, submission)
  return {
    // Left out if empty: rows from before migration 0005 had no such column, and must keep their digests.
    submission: corrects === null || corrects === undefined ? row : { ...(row as object), corrects },
    executions: byId(executions).map((row) => plain(t.executions, columns.planned, row)),
    steps: byId(steps).map((row) => plain(t.steps, columns.plannedSteps, row)),
  }
}

/** False for a running execution: it gets its digest when it is over. */
export function isFinal({ execution }: State): boolean {
  if (execution === undefined) return true
  const { status } = execution as { status: ExecutionStatus }
  return status === 'completed' || status === 'failed'
}

export const digestOfState = (state: State): string => canonicalHash(state)

type Read<Name extends keyof Tables> = (connection: Connection, ids: readonly string[]) => Promise<Rows<Name>[]>

/** Reads the listed columns of the rows whose `key` is one of some ids. */
function reading<Name extends keyof Tables>(
  name: Name,
  key: keyof Rows<Name> & string,
  listed: Listed<Name>,
): Read<Name> {
  return prepareByIds(({ q, t }, ids) => {
    const table: SQLiteTable = t[name]
    const known: Record<string, SQLiteColumn> = getTableColumns(table)
    const wanted = (property: string): SQLiteColumn => {
      const column = known[property]
      if (column === undefined) throw new Error(`there is no column ${property}`)
      return column
    }
    const selected = Object.fromEntries(listed.map((property) => [property, wanted(property)]))
    const statement = q
      .select(selected)
      .from(table)
      .where(inArray(wanted(key), ids))
      .prepare()
    // Only this file's types know which columns a list names.
    return statement as unknown as { execute(values: Record<string, unknown>): Promise<Rows<Name>[]> }
  })
}

/** The states of some resources of one kind, by id; unknown ones are left out. */
type ReadStates = (connection: Connection, ids: readonly string[]) => Promise<Map<string, State>>

const submissionsById = reading('submissions', 'id', [...columns.submissions, 'corrects'])
const plannedExecutions = reading('executions', 'submissionId', columns.planned)
const plannedSteps = reading('steps', 'executionId', columns.plannedSteps)

async function submissionStates(connection: Connection, ids: readonly string[]): Promise<Map<string, State>> {
  const submissions = await submissionsById(connection, ids)
  const executions = await plannedExecutions(connection, ids)
  const steps = await plannedSteps(
    connection,
    executions.map(({ id }) => id),
  )
  const stepsOf = Map.groupBy(steps, ({ executionId }) => executionId)
  const executionsOf = Map.groupBy(executions, ({ submissionId }) => submissionId)
  return new Map(
    submissions.map((row) => {
      const own = executionsOf.get(row.id) ?? []
      return [
        row.id,
        submissionState(
          connection,
          row,
          own,
          own.flatMap(({ id }) => stepsOf.get(id) ?? []),
        ),
      ]
    }),
  )
}

const endedExecutions = reading('executions', 'id', [...columns.ended, 'submissionId'])
const stepsOfExecutions = reading('steps', 'executionId', columns.steps)
const artifactsOfExecutions = reading('artifacts', 'executionId', columns.artifacts)

/** An execution with its steps, artifacts and events, and those of its submission. */
async function executionStates(connection: Connection, ids: readonly string[]): Promise<Map<string, State>> {
  const { t } = connection
  const executions = await endedExecutions(connection, ids)
  const [steps, artifacts, events] = [
    await stepsOfExecutions(connection, ids),
    await artifactsOfExecutions(connection, ids),
    await eventsOf(connection, [...ids, ...executions.map(({ submissionId }) => submissionId)]),
  ]
  const stepsOf = Map.groupBy(steps, ({ executionId }) => executionId)
  const artifactsOf = Map.groupBy(artifacts, ({ executionId }) => executionId)
  return new Map(
    executions.map((row) => [
      row.id,
      {
        execution: plain(t.executions, columns.ended, row),
        steps: byId(stepsOf.get(row.id) ?? []).map((step) => plain(t.steps, columns.steps, step)),
        artifacts: byId(artifactsOf.get(row.id) ?? []).map((file) => plain(t.artifacts, columns.artifacts, file)),
        events: [...(events.get(row.submissionId) ?? []), ...(events.get(row.id) ?? [])],
      },
    ]),
  )
}

const identity: Listed<'users'> = ['oidcIssuer', 'oidcSubject']
const usersById = reading('users', 'id', [...columns.users, ...identity])
const factorsOfUsers = reading('factors', 'userId', [...columns.factors, 'userId', 'key'])

/** A user with what opens the account beside the password: an identity at a provider, and second factors. */
const userStates: ReadStates = async (connection, ids) => {
  const { t } = connection
  const users = await usersById(connection, ids)
  const factors = await factorsOfUsers(connection, ids)
  const events = await eventsOf(connection, ids)
  const factorsOf = Map.groupBy(factors, ({ userId }) => userId)
  return new Map(
    users.map((user) => {
      const row = plain(t.users, columns.users, user)
      const own = byId(factorsOf.get(user.id) ?? []).map((factor) =>
        plain(t.factors, factor.kind === 'passkey' ? [...columns.factors, 'key'] : columns.factors, factor),
      )
      const state = {
        // Left out if empty: before migrations 0008 and 0010 nobody had either, and digests must stay the same.
        row: user.oidcSubject === null ? row : { ...(row as object), ...(plain(t.users, identity, user) as object) },
        ...(own.length === 0 ? {} : { factors: own }),
        events: events.get(user.id) ?? [],
      }
      return [user.id, state]
    }),
  )
}

const familiesById = reading('families', 'id', [...columns.families, 'draftFileId'])
const versionsOfFamilies = reading('versions', 'familyId', [...columns.versions, 'fragments'])
const policiesOfFamilies = reading('suitePolicies', 'familyId', columns.suitePolicies)

/** By id. Families are read one after the other, so that only one draft's large file is in memory at a time. */
async function plainFamilies(connection: Connection, ids: readonly string[]): Promise<Map<string, Canonical>> {
  const found = new Map<string, Canonical>()
  for (const row of await familiesById(connection, ids)) {
    const draftBytes = await draftFile(connection, row)
    found.set(row.id, plain(connection.t.families, columns.families, { ...row, draftBytes }))
  }
  return found
}

/**
 * The draft's bytes. A damaged file counts with what is left of it; bytes in both places, which Quire never writes, count, too.
 */
async function draftFile(
  connection: Connection,
  { draftFileId, draftBytes: beside }: Rows<'families'>,
): Promise<Uint8Array | null> {
  if (draftFileId === null) return beside
  const { bytes } = await readLargeFile(connection, draftFileId)
  return beside === null ? bytes : Buffer.concat([bytes, beside])
}

/** A contract, transformer, template or ingestion model with its draft, its versions, its events and what its suite requires. */
async function familyStates(connection: Connection, ids: readonly string[]): Promise<Map<string, State>> {
  const { t } = connection
  const families = await plainFamilies(connection, ids)
  const versions = await versionsOfFamilies(connection, ids)
  const policies = await policiesOfFamilies(connection, ids)
  const events = await eventsOf(connection, ids)
  const policyOf = new Map(policies.map((row) => [row.familyId, plain(t.suitePolicies, columns.suitePolicies, row)]))
  const versionsOf = Map.groupBy(versions, ({ familyId }) => familyId)
  return new Map(
    Array.from(families, ([id, family]) => [
      id,
      {
        family,
        versions: byId(versionsOf.get(id) ?? []).map((version) =>
          withFragments(plain(t.versions, columns.versions, version), version.fragments),
        ),
        events: events.get(id) ?? [],
        // Left out if empty: before migration 0021 no family had a policy, and digests must stay the same.
        ...(policyOf.has(id) ? { policy: policyOf.get(id) ?? null } : {}),
      },
    ]),
  )
}

/** Adds fragments, unless empty: rows from before migration 0011 had no such column, and must keep their digests. */
function withFragments(row: Canonical, fragments: unknown): Canonical {
  return fragments === null || fragments === undefined
    ? row
    : { ...(row as object), fragments: JSON.stringify(fragments) }
}

const releasesById = reading('releases', 'id', [...columns.releases, 'fragments'])

const releaseStates: ReadStates = async (connection, ids) => {
  const { t } = connection
  const releases = await releasesById(connection, ids)
  const events = await eventsOf(connection, ids)
  return new Map(
    releases.map((row) => [
      row.id,
      {
        row: withFragments(plain(t.releases, columns.releases, row), row.fragments),
        events: events.get(row.id) ?? [],
      },
    ]),
  )
}

/** An erasure with its tombstones: covers what was erased, and that nothing else was. */
export function erasureState(
  { t }: Pick<Connection, 't'>,
  erasure: Rows<'erasures'>,
  items: readonly Rows<'erasedItems'>[],
): State {
  const place = ({ kind, itemId }: Rows<'erasedItems'>) => `${kind} ${itemId}`
  const row = plain(t.erasures, columns.erasures, erasure)
  return {
    // Left out if empty: rows from before migration 0013 had no such column, and must keep their digests.
    erasure:
      erasure.rule === null || erasure.rule === undefined
        ? row
        : { ...(row as object), rule: JSON.stringify(erasure.rule) },
    items: items
      .toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
      .map((item) => plain(t.erasedItems, columns.erasedItems, item)),
  }
}

const erasuresById = reading('erasures', 'id', [...columns.erasures, 'rule'])
const itemsOfErasures = reading('erasedItems', 'erasureId', ['erasureId', ...columns.erasedItems])

async function erasureStates(connection: Connection, ids: readonly string[]): Promise<Map<string, State>> {
  const erasures = await erasuresById(connection, ids)
  const items = await itemsOfErasures(connection, ids)
  const itemsOf = Map.groupBy(items, ({ erasureId }) => erasureId)
  return new Map(erasures.map((row) => [row.id, erasureState(connection, row, itemsOf.get(row.id) ?? [])]))
}

/** One row with its events. */
function rowStates<Name extends 'activations' | 'apiTokens' | 'batches' | 'releases' | 'cases' | 'holds' | 'retention'>(
  name: Name,
  listed: Listed<Name>,
): ReadStates {
  const rowsById = reading(name, 'id', listed)
  return async (connection, ids) => {
    const table = connection.t[name]
    const rows: readonly { id: string }[] = await rowsById(connection, ids)
    const events = await eventsOf(connection, ids)
    return new Map(rows.map((row) => [row.id, { row: plain(table, listed, row), events: events.get(row.id) ?? [] }]))
  }
}

/** Events by the resource that they are about, in order. */
async function eventsOf(connection: Connection, ids: readonly string[]): Promise<Map<string, Canonical[]>> {
  const rows = await eventsByIds(connection, ids)
  const { events } = connection.t
  const grouped = Map.groupBy(rows, ({ aggregateId }) => aggregateId)
  return new Map([...grouped].map(([id, own]) => [id, own.map((row) => plain(events, columns.events, row))]))
}

const eventsByIds = prepareByIds(({ q, t: { events } }, ids) =>
  q
    .select()
    .from(events)
    .where(
      and(
        inArray(events.aggregate, ['execution', 'submission', 'release', 'family', 'activation', 'user']),
        inArray(events.aggregateId, ids),
      ),
    )
    .orderBy(asc(events.sequence))
    .prepare(),
)

/** The kinds of resources whose records cover their state, by the interface's word. */
const readers: Readonly<Record<string, ReadStates>> = {
  submission: submissionStates,
  execution: executionStates,
  user: userStates,
  api_token: rowStates('apiTokens', columns.apiTokens),
  activation: rowStates('activations', columns.activations),
  release: releaseStates,
  case: rowStates('cases', columns.cases),
  batch: rowStates('batches', columns.batches),
  erasure: erasureStates,
  hold: rowStates('holds', columns.holds),
  retention: rowStates('retention', columns.retention),
  ...Object.fromEntries(familyKinds.map((kind) => [kind, familyStates])),
}

/** Kinds whose older records don't cover the state: a record without a digest is from that time. */
export function coversSinceLater(resourceKind: string): boolean {
  return resourceKind === 'api_token'
}

export function isCovered(resourceKind: string): boolean {
  return Object.hasOwn(readers, resourceKind)
}

/** States by id; an unknown resource has none. */
export function readStates(
  connection: Connection,
  resourceKind: string,
  ids: readonly string[],
): Promise<Map<string, State>> {
  const reader = readers[resourceKind]
  if (reader === undefined) throw new Error(`records of ${resourceKind} cover no state`)
  return reader(connection, ids)
}
