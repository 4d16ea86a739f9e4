import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { sha256Hex } from '../core/hash.ts'
import { formatInstant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { partTitles } from '../core/retained-parts.ts'
import { type ExecutionStatus, formatMadeBy, stepKinds } from '../core/steps.ts'
import { unlessUnreadable } from '../core/unreadable.ts'
import { findSigningKey } from '../data-folder.ts'
import { openDatabase } from '../db/connect.ts'
import type { Connection, Database } from '../db/database.ts'
import { changedSchema, laterMigrations, requireCurrentSchema } from '../db/migrate.ts'
import { type Coverage, verifyCoverage } from '../modules/audit/audit.coverage.ts'
import { headLine, signedHead } from '../modules/audit/audit.heads.ts'
import { verifyKeptHeads } from '../modules/audit/audit.kept-heads.ts'
import { verifyChain } from '../modules/audit/audit.service.ts'
import { type AuditHeadRow, findHead } from '../modules/audit/audit.store.ts'
import { listUndone } from '../modules/erasures/erasures.reconcile.service.ts'
import { listErasures } from '../modules/erasures/erasures.store.ts'
import { LedgerDamaged, openLedger } from '../modules/ledger/ledger.service.ts'
import { releaseHashOf } from '../modules/releases/releases.service.ts'
import { findVersionHead } from '../modules/versions/versions.reads.ts'
import { isHash } from '../objects/content.ts'
import { isDamage, ObjectDamaged, type ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { checkBackup } from './backup-check.ts'
import { readIdentities } from './backup-encryption.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { folderNamed, readInput } from './files.ts'
import { artifactHashes, isNamed } from './move.store.ts'
import { plain } from './plain.ts'
import { forTerminal, printJson } from './print-json.ts'
import { createProgress, type Progress, told } from './progress.ts'
import { openReplica } from './replica-place.ts'
import {
  caseFilesOf,
  executionsOf,
  integrityProblems,
  releasesOf,
  stepsOf,
  submissionsOf,
  versionsOf,
  wrongArtifacts,
  wrongEvents,
} from './verify.store.ts'
import { keepHead, readHeadFiles } from './verify-heads.ts'

/** Says what is wrong; the first hundred are shown, and all are counted. */
type Report = (problem: string) => void

/**
 * `quire verify`: checks that the database is whole; that every hash in it matches what it names, from stored versions through releases,
 * inputs and outputs to the artifacts' bytes; that the audit chain holds; and that everything is as the chain covers it. It only reads,
 * page by page, keeps no state of the database open for longer, and may run while Quire serves. With `--head`, the chain has to lead to
 * heads that were kept elsewhere. `quire verify FOLDER|FILE.tar` checks a backup instead, and `quire verify PROOF.zip` a proof.
 */
export const runVerify: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      head: { type: 'string', multiple: true },
      'save-head': { type: 'string' },
      key: { type: 'string' },
      identity: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [path, ...more] = positionals
  if (more.length > 0) throw new UsageError('verify takes one backup or proof, or nothing to check the store in use')
  if (path !== undefined) folderNamed(path, 'a folder or file, which is read twice')
  const { 'save-head': saveHead, key, identity } = values
  const isProof = path?.toLowerCase().endsWith('.zip') === true
  if (path !== undefined && !isProof && values.head !== undefined) {
    throw new UsageError('verify takes --head for the store in use and for proofs, not for a backup')
  }
  if (path !== undefined && saveHead !== undefined) throw new UsageError('--save-head is for the store in use')
  if (saveHead !== undefined) folderNamed(saveHead, 'a file, which is read before it is appended to')
  if (!isProof && key !== undefined) throw new UsageError('--key is for a proof')
  if (key !== undefined && !/^[0-9a-f]{64}$/.test(key)) throw new UsageError('--key takes 64 hexadecimal digits')
  if ((isProof || path === undefined) && identity !== undefined) throw new UsageError('--identity is for a backup')
  const heads = readHeadFiles(values.head)
  const json = values.json === true
  if (path === undefined)
    return verifyStore(context.prepare(), { heads, json, ...(saveHead === undefined ? {} : { saveHead }) })
  if (!isProof) {
    context.prepare()
    const replica = await openReplica(path)
    if (replica === undefined) return verifyBackup(path, identity, json)
    if (identity !== undefined) throw new UsageError('--identity is for a backup: a replica is not encrypted')
    const { verifyReplica } = await import('./verify-replica.ts')
    return verifyReplica(replica, path, json)
  }
  const { verifyProof } = await import('./verify-proof.ts')
  return verifyProof({ path, bytes: readInput(path), heads, json, ...(key === undefined ? {} : { key }) }, context)
}

interface VerifyWanted {
  /** Kept outside of the store. */
  heads: readonly AuditHeadRow[]
  /** File that the newest head is appended to. */
  saveHead?: string
  json: boolean
}

/** @param identity file with the identities that open it */
async function verifyBackup(path: string, identity: string | undefined, json: boolean): Promise<ExitCode> {
  const key = identity === undefined ? undefined : await readIdentities(identity)
  const checked = await checkBackup(path, { key })
  if ('problems' in checked) {
    for (const problem of checked.problems) process.stderr.write(`quire: ${path}: ${plain(problem)}\n`)
    if (json) printJson({ path, problems: checked.problems })
    return 1
  }
  const { tables, objects, made_at: madeAt } = checked.manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  if (json) printJson({ path, made_at: madeAt, rows, objects: objects.count, problems: [] })
  else
    process.stdout.write(
      `${path}: ${rows} rows and ${objects.count} objects of ${plain(madeAt)}, all as they were written\n`,
    )
  return 0
}

async function verifyStore(config: Config, { heads, saveHead, json }: VerifyWanted): Promise<ExitCode> {
  const database = await openDatabase(config.databaseUrl, { readOnly: true })
  const objects = await openObjectStore(config.objectsUrl)
  let problems = 0
  const shown: string[] = []
  const progress = createProgress()
  const report: Report = (problem) => {
    progress.clear()
    if (++problems > limits.verifyProblemsShown) return
    shown.push(problem)
    process.stderr.write(`quire: ${plain(problem)}\n`)
  }
  try {
    await requireCurrentSchema(database)
    for (const difference of await changedSchema(database)) report(`the schema was changed: ${difference}`)
    const later = await laterMigrations(database.read)
    const key = findSigningKey(config)
    const { read } = database
    // Before the trail is read, so that no head is reported or kept that was not reached.
    const head = await unlessUnreadable({ report }, 'the newest head of the audit trail', () => findHead(read))
    const { coverage, erasures, ...counts } = {
      ...(await verifyRows(read, report, progress)),
      objects:
        (await unlessUnreadable({ report }, 'objects', () => verifyObjects(read, objects, { report, progress }))) ?? 0,
      ...(await unlessUnreadable({ report }, 'records of the audit trail', () => verifyAudit(read, report, progress))),
      coverage: await verifyCoverage({
        connection: read,
        inOneState: (work) => database.snapshot(work),
        report,
        ...(key === undefined ? {} : { key }),
      }),
      erasures: (await unlessUnreadable({ report }, 'erasures', () => erasuresOf(read))) ?? [],
      ...(heads.length === 0 ? {} : { 'kept heads': await verifyKeptHeads({ connection: read, heads, report }) }),
    }
    await verifyLedger(config, { database, objects, report })
    progress.clear()
    if (problems === 0 && saveHead !== undefined) await keepHead(saveHead, head)
    if (json) {
      const signed = head === undefined ? null : signedHead(head)
      const added = later.length === 0 ? {} : { later }
      const told = { counts: countsToTell(counts), ...coverageToTell(coverage), ...added, erasures, head: signed }
      printJson({ ...told, problems: shown, problem_count: problems })
      return problems === 0 ? 0 : 1
    }
    const counted = Object.entries(counts).map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
    for (const note of [...laterNotes(later), ...notesOf(coverage), ...erasureNotes(erasures)])
      process.stdout.write(`${plain(note)}\n`)
    if (head !== undefined) process.stdout.write(`head of the audit trail: ${forTerminal(headLine(head))}`)
    const verdict = problems === 0 ? 'all as they should be' : `${problems} problems`
    process.stdout.write(`${counted.join(', ')}: ${verdict}\n`)
    return problems === 0 ? 0 : 1
  } finally {
    progress.clear()
    await objects.close()
    await database.close()
  }
}

/** Reports erasures that only the ledger knows: a restore undid them, and the next start makes them again. */
async function verifyLedger(
  config: Config,
  { database, objects, report }: { database: Database; objects: ObjectStore; report: Report },
): Promise<void> {
  try {
    for (const id of await listUndone(database.read, openLedger(config, objects))) {
      report(`the erasure ${id} is in the ledger and not in the store; the next start makes it again`)
    }
  } catch (error) {
    // What else was found is told all the same.
    if (!(error instanceof LedgerDamaged)) throw error
    report(error.message)
  }
}

/** Counts by names as the interface has them: `sealed_audit_records`. */
function countsToTell(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name.replaceAll(' ', '_'), count]))
}

export function coverageToTell({ uncovered, since, ofOtherKey, otherKeys }: Coverage): object {
  const covered = since === undefined ? null : formatInstant(since)
  const keys = otherKeys.map(({ id, position, at }) => ({ id, position, at: formatInstant(at) }))
  return { covered_since: covered, not_covered: uncovered, of_other_key: ofOtherKey, other_keys: keys }
}

/** Named, since anybody who can write into the database can pass additions off as a newer version's. */
function laterNotes(later: readonly string[]): string[] {
  if (later.length === 0) return []
  return [`not compared: tables, columns and triggers that a newer version may have added (${later.join(', ')})`]
}

/** What could not be checked; that is nothing wrong, but nothing to be silent about either. */
export function notesOf({ uncovered, since, ofOtherKey, otherKeys }: Coverage): string[] {
  const notes: string[] = []
  const counted = Object.entries(uncovered).map(([what, count]) => `${count} ${plural(what, count)}`)
  if (counted.length > 0) {
    const when =
      since === undefined ? 'no version from 0.34 on has served this store' : `written before ${formatInstant(since)}`
    notes.push(`not covered by the audit trail, because ${when}: ${counted.join(', ')}`)
  }
  if (ofOtherKey > 0) {
    notes.push(
      `not checked, because their key is not here: the tags of ${ofOtherKey} ${plural('row', ofOtherKey)} that no head covers`,
    )
  }
  for (const { id, position, at } of otherKeys) {
    notes.push(
      `the audit trail has been signed with the key ${id}, too, since its position ${position} (${formatInstant(at)}); if nobody changed the key or restored the store then, somebody else wrote it`,
    )
  }
  return notes
}

/** Newest first; at most this many are listed one by one. */
async function erasuresOf(connection: Connection) {
  const rows = await listErasures(connection, undefined, limits.erasuresShown)
  return rows.map(({ id, erasedAt, erasedBy, reason, counts, rule }) => ({
    ...{ id, erased_at: formatInstant(erasedAt), erased_by: erasedBy, reason, counts },
    ...(rule === null ? {} : { rule }),
  }))
}

function erasureNotes(erasures: Awaited<ReturnType<typeof erasuresOf>>): string[] {
  return erasures.map(({ id, erased_at: at, erased_by: by, reason, counts, rule }) => {
    // A digest covers them, but anybody who can write into the database may have put anything here.
    const { submissions, executions } = Object(counts) as typeof counts
    const whole = `${submissions} ${plural('submission', submissions)}`
    const what =
      rule?.part === undefined
        ? `${whole} with ${executions} ${plural('execution', executions)}`
        : `the ${partTitles[rule.part]} of ${whole}`
    const under = rule === undefined ? '' : ` under set ${rule.retention} of the retention policies`
    return `erased at ${at} by ${by}${under}: ${what}, because of ${JSON.stringify(plain(String(reason)))} (erasure ${id})`
  })
}

function plural(what: string, count: number): string {
  if (count === 1) return what
  if (what.endsWith('y')) return `${what.slice(0, -1)}ies`
  return what.endsWith('ch') ? `${what}es` : `${what}s`
}

export async function verifyRows(connection: Connection, report: Report, progress: Progress) {
  for (const problem of await integrityProblems(connection)) report(`the database file is damaged: ${problem}`)
  const counts = { versions: 0, 'case files': 0, releases: 0, submissions: 0, executions: 0 }
  const cut: Report = (problem) => report(`${problem}; those behind it are not checked`)
  const readable = (what: string, work: () => Promise<void>) => unlessUnreadable({ report: cut }, what, work)
  await readable('versions', async () => {
    for await (const row of told(progress, 'checking versions', versionsOf(connection))) {
      counts.versions++
      const content = row.bytes ?? new TextEncoder().encode(row.source ?? '')
      if (sha256Hex(content) !== row.contentHash || content.length !== row.byteSize) {
        report(`version ${row.id} does not have the content of its hash`)
      }
    }
  })
  await readable('files of cases', async () => {
    for await (const row of told(progress, 'checking files of cases', caseFilesOf(connection))) {
      counts['case files']++
      if (sha256Hex(row.content) !== row.contentHash) report(`the file ${row.id} does not have the content of its hash`)
    }
  })
  await readable('releases', async () => {
    for await (const row of told(progress, 'checking releases', releasesOf(connection))) {
      counts.releases++
      for (const problem of await releaseProblems(connection, row)) report(`release ${row.id} ${problem}`)
    }
  })
  await readable('submissions', async () => {
    for await (const row of told(progress, 'checking submissions', submissionsOf(connection))) {
      counts.submissions++
      if (row.rawInput === '' && row.params === null && Number(row.inputRemoved) === 1) continue
      if (sha256Hex(row.rawInput) !== row.rawInputHash)
        report(`submission ${row.id} does not have the input of its hash`)
      const paramsHash = row.params === null ? null : sha256Hex(row.params)
      if (paramsHash !== row.paramsHash) report(`submission ${row.id} does not have the params of its hash`)
    }
  })
  await readable('executions', async () => {
    for await (const row of told(progress, 'checking executions', executionsOf(connection))) {
      counts.executions++
      for (const problem of executionProblems(row)) report(`execution ${row.id} ${problem}`)
    }
  })
  await readable('steps', async () => {
    for await (const row of told(progress, 'checking steps', stepsOf(connection))) {
      for (const problem of stepProblems(row)) report(`step ${row.name} of execution ${row.executionId} ${problem}`)
    }
  })
  for await (const { id, wrong } of wrongArtifacts(connection)) {
    if (wrong === 'removed') report(`artifact ${id} is without its bytes, and no policy has removed them`)
    else report(`artifact ${id} has lost its execution`)
  }
  for await (const { aggregate, wrong } of wrongEvents(connection)) {
    if (wrong === 'gap') report(`the events of ${aggregate} have a gap`)
    else report(`there are events of ${aggregate}, which is not there`)
  }
  return counts
}

type Rows<T> = T extends AsyncGenerator<infer Row> ? Row : never

async function releaseProblems(connection: Connection, row: Rows<ReturnType<typeof releasesOf>>): Promise<string[]> {
  const { contract, transformer, template, templateId, fragments } = row
  if (contract === null || transformer === null || (templateId !== null && template === null)) {
    return ['pins a version that is not there']
  }
  const problems: string[] = []
  const pin = (hash: string) => ({ id: '', contentHash: hash })
  const hash = releaseHashOf({
    contract: pin(contract),
    transformer: pin(transformer),
    template: template === null ? undefined : pin(template),
    fragments: fragments ?? [],
  })
  for (const { versionId, contentHash, slug } of fragments ?? []) {
    const included = await findVersionHead(connection, versionId)
    if (included?.contentHash !== contentHash) problems.push(`includes a template ${slug} that is not there`)
  }
  if (hash !== row.releaseHash) problems.push('does not pin what its hash says')
  return problems
}

function executionProblems(row: Rows<ReturnType<typeof executionsOf>>): string[] {
  const problems: string[] = []
  if (row.pinnedHash === null) problems.push('has lost its release')
  else if (row.pinnedHash !== row.releaseHash) problems.push('names another release than it was made with')
  if (row.submittedHash === null) problems.push('has lost its submission')
  else if (row.submittedHash !== row.rawInputHash) problems.push('names another input than its submission has')
  if (!isStatusAfter(row.status, row.lastEvent)) {
    problems.push(`is ${row.status}, and its last event is ${row.lastEvent ?? 'missing'}`)
  }
  const outputHash = row.output === null ? null : sha256Hex(row.output)
  const isRemoved = row.output === null && Number(row.outputRemoved) === 1
  if (outputHash !== row.outputHash && !isRemoved) problems.push('does not have the output of its hash')
  const hasParentsOutput = row.parentStatus === 'completed' && row.status !== 'failed'
  if (row.parentId !== null && hasParentsOutput && row.inputHash !== row.parentOutputHash) {
    problems.push("names another input than its parent's output")
  }
  return problems
}

/** The events record every change of an execution's state, so the last one says what it is. */
function isStatusAfter(status: ExecutionStatus, lastEvent: string | null): boolean {
  if (lastEvent === 'completed' || lastEvent === 'failed') return status === lastEvent
  if (lastEvent === null || status === 'completed' || status === 'failed') return false
  // A retry writes `retried` and then `queued`, whether or not its step had begun before.
  return status !== 'queued' || lastEvent === 'queued' || lastEvent === 'retried'
}

function stepProblems(row: Rows<ReturnType<typeof stepsOf>>): string[] {
  if (row.executionStatus === null) return ['has lost its execution']
  if (!Object.hasOwn(stepKinds, row.name)) return ['is no step that Quire has']
  if (row.executionStatus === 'completed' && row.status !== 'succeeded') return ['of a completed one has not succeeded']
  if (formatMadeBy(row.name) === undefined || row.status !== 'succeeded') return []
  if (row.artifactHash === null) return ['has lost its artifact']
  if (row.summary === null && Number(row.detailsRemoved) === 1) return []
  const isSame = row.summary?.content_hash === row.artifactHash && row.summary?.byte_size === row.artifactSize
  return isSame ? [] : ['recorded another file than its artifact names']
}

export async function verifyObjects(
  connection: Connection,
  objects: ObjectStore,
  { report, progress }: { report: Report; progress: Progress },
): Promise<number> {
  let count = 0
  for await (const { hash, size } of told(progress, 'checking objects', artifactHashes(connection))) {
    count++
    if (!isHash(hash)) {
      report(`a row names the object ${JSON.stringify(plain(String(hash)))}, which is no hash`)
      continue
    }
    try {
      const bytes = await objects.get(hash)
      // An erasure takes the row first, and may have done so since it was read.
      if (bytes === undefined && (await isNamed(connection, hash)))
        report(`the object ${hash}, which a row names, is missing`)
      else if (bytes !== undefined && bytes.length !== size)
        report(`the object ${hash} has ${bytes.length} bytes where its row says ${size}`)
    } catch (error) {
      if (!isDamage(error)) throw error
      report(error instanceof ObjectDamaged ? error.message : `the disk can't read the object ${hash}`)
    }
  }
  return count
}

async function verifyAudit(
  connection: Connection,
  report: Report,
  progress: Progress,
): Promise<Record<string, number>> {
  let from = 1
  for (;;) {
    const { broken, head_position: head, next_position: next, unsealed } = await verifyChain(connection, from)
    if (broken !== undefined) report(`the audit trail is broken at position ${broken.position}: ${broken.reason}`)
    if (next === undefined) return { 'sealed audit records': head, 'unsealed audit records': unsealed }
    from = next
    progress.tell(`checking the audit trail: ${next - 1} of ${head}`)
  }
}
