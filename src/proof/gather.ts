import { sha256Hex } from '../core/hash.ts'
import { formatInstant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { RetainedPart } from '../core/retained-parts.ts'
import { Unreadable } from '../core/unreadable.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { contentOf } from '../db/audit-log.ts'
import type { Connection } from '../db/database.ts'
import { readZip } from '../engines/ooxml/zip.ts'
import type { ZipEntry } from '../engines/ooxml/zip-format.ts'
import { deflateEntry, storeEntry, writeZip } from '../engines/ooxml/zip-writer.ts'
import { newestRecords, recordKey } from '../modules/audit/audit.coverage.reads.ts'
import { withRemoval } from '../modules/audit/audit.coverage.ts'
import { signedHead } from '../modules/audit/audit.heads.ts'
import { digestOfState, readStates } from '../modules/audit/audit.states.reads.ts'
import { type AuditHeadRow, findHead, listSealed } from '../modules/audit/audit.store.ts'
import { type ExecutionRow, findExecution, listArtifacts } from '../modules/executions/executions.store.ts'
import { findErasureOf, listRemovedParts, statesAfterRemoval } from '../modules/tombstones/tombstones.reads.ts'
import { findVersion } from '../modules/versions/versions.reads.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { loadInputs, loadPins, loadSource } from '../runner/executions.store.ts'
import { entryNameOf, type ProofFile, type ProofPath, partlyFormat, proofEntry, proofFormat } from './format.ts'
import { proofReadme } from './readme.ts'

/** Why an execution can't be proved as it is now: a sentence for the person who asked. */
export class ProofRefused extends Error {}

export interface Gathering {
  /** One state of the database. */
  connection: Connection
  objects: ObjectStore
  /** Heads kept outside: paths lead to the first of them that covers the record, otherwise to the store's next head. */
  heads: readonly AuditHeadRow[]
}

type Unnamed = Omit<ProofFile, 'name' | 'sha256'> & { bytes: Uint8Array }

/**
 * Packs a zip that proves an execution's inputs and outputs, from the submission's raw input down: every file, the states
 * that name their hashes, and for each state the path through the audit trail to a signed head. For parts that policies have
 * removed, it has the removals, which the trail covers as well; the states keep the hashes of removed files.
 *
 * @throws ProofRefused for an execution that doesn't exist, hasn't ended, or isn't covered by a signed head
 */
export async function gatherProof(gathering: Gathering, id: string): Promise<Uint8Array> {
  const { connection } = gathering
  const lineage = await lineageOf(connection, id)
  const paths: ProofPath[] = []
  const prove = (kind: string, resourceId: string) => coverOf(gathering, paths, { kind, resourceId })
  const { submissionId } = lineage[0]
  const removed = await listRemovedParts(connection, [submissionId])
  const gone = new Set(removed.map(({ part }) => part))
  const submission = await prove('submission', submissionId)
  const executions = []
  for (const execution of lineage) executions.push(await prove('execution', execution.id))
  const removals = []
  for (const erasureId of new Set(removed.map(({ erasureId }) => erasureId))) {
    removals.push(await prove('erasure', erasureId))
  }
  removals.sort((one, other) => one.position - other.position)
  const inputs = gone.has('raw_input') ? [] : await inputFiles(connection, lineage[0].id)
  const made = [...inputs, ...(await filesOf(gathering, lineage, gone))]
  const versionId = modelVersionOf(submission.state)
  const version = versionId === undefined ? undefined : await findVersion(connection, versionId)
  if (version !== undefined) {
    const bytes = new TextEncoder().encode(version.source ?? '')
    made.push({ role: 'model', format: version.format, bytes })
  }
  const ids = lineage.map((execution) => execution.id)
  const files = made.map((file) => named(file, ids))
  const model =
    version === undefined ? {} : { model: { kind: version.kind, ...(await prove(version.kind, version.familyId)) } }
  const proof = {
    format: removals.length === 0 ? proofFormat : partlyFormat,
    made_by: { product_version: PRODUCT_VERSION, engine_revision: REVISION },
    execution: id,
    ...{ submission, executions, ...model, ...(removals.length === 0 ? {} : { removals }), paths },
    files: files.map(({ bytes: _bytes, ...file }) => file),
  }
  const text = (content: string) => new TextEncoder().encode(content)
  const zip = writeZip([
    { name: proofEntry, data: text(`${JSON.stringify(proof, null, 2)}\n`) },
    { name: 'README.txt', data: text(proofReadme) },
    ...files.map(({ name, bytes }) => packed(name, bytes)),
  ])
  const read = readZip(zip)
  if (!read.ok) throw new ProofRefused(`the proof of ${id} can't be read again: ${read.findings[0]?.message}`)
  return zip
}

/** As an entry that readers take: one that deflates too well looks like a bomb to them. */
export function packed(name: string, bytes: Uint8Array): ZipEntry {
  const entry = deflateEntry(name, bytes)
  const isTooSmall = bytes.length > entry.compressed.length * limits.zipRatio
  return bytes.length > limits.zipRatioFreeBytes && isTooSmall ? storeEntry(name, bytes) : entry
}

/**
 * Executions from the one without a parent down to the given one. Depth is limited, because someone with write access to the
 * database may have made an execution its own ancestor.
 */
async function lineageOf(connection: Connection, id: string, below = 0): Promise<[ExecutionRow, ...ExecutionRow[]]> {
  if (below === limits.modelDepth) {
    throw new ProofRefused(`the execution ${id} is the ${below}th above, and no model is so deep; see quire verify`)
  }
  const execution = await findExecution(connection, id)
  if (execution === undefined) {
    const erasure = await findErasureOf(connection, 'execution', id)
    if (erasure === undefined) throw new ProofRefused(`there is no execution ${id}`)
    throw new ProofRefused(`the execution ${id} was erased at ${formatInstant(erasure.erasedAt)}`)
  }
  if (execution.status !== 'completed' && execution.status !== 'failed') {
    throw new ProofRefused(`the execution ${id} is ${execution.status}; prove it when it has ended`)
  }
  const { parentExecutionId: parent } = execution
  if (parent === null) return [execution]
  const before = await lineageOf(connection, parent, below + 1)
  if (before.at(-1)?.status === 'failed') {
    throw new ProofRefused(`the execution ${id} never began, because its parent failed; prove the parent ${parent}`)
  }
  return [...before, execution]
}

function modelVersionOf(state: object): string | undefined {
  const { submission } = state as { submission: { model_version_id: string | null } }
  return submission.model_version_id ?? undefined
}

/** A resource's state, its newest record, and its path to a head; adds the path to `paths` unless one covers it. */
async function coverOf(
  { connection, heads }: Gathering,
  paths: ProofPath[],
  { kind, resourceId }: { kind: string; resourceId: string },
) {
  const name = `the ${kind} ${resourceId}`
  const newest = (await newestRecords(connection, [resourceId])).get(recordKey(kind, resourceId))
  if (newest?.hasUnsealed === true) {
    throw new ProofRefused(`the audit trail does not cover ${name} yet; let Quire run for a moment`)
  }
  const position = newest?.position ?? 0
  const [row] = await listSealed(connection, position, position + 1)
  const state = (await readStates(connection, kind, [resourceId])).get(resourceId)
  const after = kind === 'execution' ? (await statesAfterRemoval(connection, [resourceId])).get(resourceId) : undefined
  if (row === undefined || row.digest === null || state === undefined) {
    throw new ProofRefused(`the audit trail covers nothing of ${name}: a version before 0.34 wrote it`)
  }
  if (digestOfState(state) !== withRemoval(row, after).digest) {
    throw new ProofRefused(`${name} is not what the audit trail covers at position ${position}; see quire verify`)
  }
  if (row.detail instanceof Unreadable) {
    throw new ProofRefused(`the record of ${name} at position ${position} can't be read; see quire verify`)
  }
  const known = paths.findIndex(({ from, links }) => from <= position && position < from + links.length)
  const path = known === -1 ? paths.push(await pathFrom(connection, heads, position)) - 1 : known
  return { record: contentOf(row), position, path, state }
}

async function pathFrom(connection: Connection, kept: readonly AuditHeadRow[], from: number): Promise<ProofPath> {
  const [wanted] = kept.filter((head) => head.position >= from).sort((one, other) => one.position - other.position)
  const head = await findHead(connection, wanted?.position ?? from)
  if (head === undefined) throw new ProofRefused(`no signed head covers position ${from} of the audit trail yet`)
  if (wanted !== undefined && head.hash !== wanted.hash) {
    throw new ProofRefused(
      `the kept head at position ${wanted.position} is not one of this audit trail; see quire verify`,
    )
  }
  if (head.position - from >= limits.proofLinks) {
    throw new ProofRefused(
      `the path from position ${from} to the head at ${head.position} has more than ${limits.proofLinks} links; name a head that is nearer`,
    )
  }
  const links: ProofPath['links'] = []
  let previousHash = ''
  for (let at = from; at <= head.position; at += limits.auditSealBatch) {
    const rows = await listSealed(connection, at, Math.min(at + limits.auditSealBatch, head.position + 1))
    for (const { contentHash, digest, previousHash: previous } of rows) {
      if (contentHash === null) throw new ProofRefused(`a version before 0.34 wrote records after position ${from}`)
      if (links.length === 0) previousHash = previous ?? ''
      links.push([contentHash, digest])
    }
  }
  return { from, previous_hash: previousHash, links, head: signedHead(head) }
}

function named({ bytes, ...file }: Unnamed, executions: readonly string[]): ProofFile & { bytes: Uint8Array } {
  const name = entryNameOf(file, executions)
  if (name === undefined) throw new Error(`a proof has no place for the ${file.role} of ${file.execution}`)
  return { name, ...file, sha256: sha256Hex(bytes), bytes }
}

async function inputFiles(connection: Connection, id: string): Promise<Unnamed[]> {
  const { rawInput, params } = await loadInputs(connection, id)
  const bytes = (text: string) => new TextEncoder().encode(text)
  return [
    { role: 'raw_input', bytes: bytes(rawInput) },
    ...(params === undefined ? [] : [{ role: 'params', bytes: bytes(params) }]),
  ]
}

/** What each execution pinned and made, except for what policies have removed of it. */
async function filesOf(
  { connection, objects }: Gathering,
  lineage: readonly ExecutionRow[],
  gone: ReadonlySet<RetainedPart>,
): Promise<Unnamed[]> {
  const files: Unnamed[] = []
  for (const { id, output } of lineage) {
    const { contractVersionId, transformVersionId, templateVersionId, fragments } = await loadPins(connection, id)
    const pins = { contract: contractVersionId, transformer: transformVersionId, template: templateVersionId }
    for (const [role, versionId] of Object.entries(pins)) {
      if (versionId === undefined) continue
      const { content, format, reading } = await loadSource(connection, versionId)
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      const rules = reading === undefined ? {} : { reading }
      files.push({ role, execution: id, format, ...rules, bytes })
    }
    for (const { slug, versionId } of fragments) {
      const { content, format } = await loadSource(connection, versionId)
      if (typeof content === 'string') throw new Error(`version ${versionId} of a template has no file`)
      files.push({ role: 'fragment', execution: id, format, slug, bytes: content })
    }
    if (output !== null) {
      const bytes = new TextEncoder().encode(output)
      files.push({ role: 'output', execution: id, bytes })
    }
    if (gone.has('artifacts')) continue
    for (const { kind, contentHash } of await listArtifacts(connection, [id])) {
      const bytes = await objects.get(contentHash)
      if (bytes === undefined) throw new ProofRefused(`the ${kind} of the execution ${id} is not in the object store`)
      files.push({ role: kind, execution: id, bytes })
    }
  }
  return files
}
