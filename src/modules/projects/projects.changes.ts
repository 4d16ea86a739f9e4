import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { projectFileOf } from '../../core/project-layout.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type Activated, checkTogether, findInForce, scheduleActivation } from '../activations/activations.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { freezeOrReuse, makeFamily, putDraft } from '../configuration/changes.service.ts'
import { type FamilyHead, type FamilyRow, findFamilyBySlug } from '../families/families.reads.ts'
import { holdFamily } from '../families/families.service.ts'
import { findVersionByHash, listNewestVersions, readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { bytesOf, type Content, publishVersion } from '../versions/versions.service.ts'
import type { ProjectFile } from './projects.files.ts'
import type { ProjectChange } from './projects.model.ts'
import { type NamedNumber, numberFor } from './projects.numbers.ts'

/** A project's files, and which versions their sources name. */
export interface ReadProject {
  files: readonly ProjectFile[]
  numbers: ReadonlyMap<ProjectFile, readonly NamedNumber[]>
}

/** A change but for its changed lines, which take their time. */
export interface Change {
  change: Omit<ProjectChange, 'difference'>
  before: VersionRow | undefined
  after: Content
}

/** What bringing a project into force did, or would do. */
export interface ProjectOutcome {
  changes: Change[]
  unchanged: number
  findings: Finding[]
}

/**
 * Brings all of a project into force at one instant: new families and versions are made, and each family's activation
 * scheduled; contracts are published. What is in force already stays as it is. The whole is checked only when all of it
 * is there, because its parts fit each other and need not fit what they replace. The caller rolls back where there are
 * findings.
 */
export async function bringIntoForce(
  tx: Transaction,
  actor: Actor,
  { files, numbers }: ReadProject,
  at: Instant,
): Promise<ProjectOutcome> {
  const outcome: ProjectOutcome = { changes: [], unchanged: 0, findings: [] }
  const activated: Activated[] = []
  for (const file of files) {
    try {
      const brought = await bringFile(tx, actor, { file, named: numbers.get(file) ?? [], at })
      outcome.findings.push(...brought.findings)
      if (brought.change === undefined) outcome.unchanged++
      else outcome.changes.push(brought.change)
      if (brought.activated !== undefined) activated.push(brought.activated)
      // Others get their turn, although a transaction is open: only writers wait for it.
      await new Promise((resolve) => setImmediate(resolve))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      outcome.findings.push(...findingsOf(error, file))
    }
  }
  if (outcome.findings.length > 0) return outcome
  for (const { family, finding } of await checkTogether(tx, activated, at)) {
    const file = files.find(({ kind, slug }) => kind === family.kind && slug === family.slug)
    // A model that is in force and not in the project may need what the project replaces.
    outcome.findings.push(
      file === undefined
        ? { ...finding, path: projectFileOf(family.kind, family.slug, 'yaml') }
        : inFile(finding, file),
    )
  }
  return outcome
}

interface FileToBring {
  file: ProjectFile
  named: readonly NamedNumber[]
  at: Instant
}

interface Brought {
  change?: Change
  activated?: Activated
  findings: Finding[]
}

async function bringFile(tx: Transaction, actor: Actor, { file, named, at }: FileToBring): Promise<Brought> {
  const { kind, slug, content } = file
  const contentHash = sha256Hex(bytesOf(content))
  const head = await findFamilyBySlug(tx, kind, slug)
  const same = head && (await findVersionByHash(tx, head.id, contentHash, content.format))
  const before = head && (await currentVersion(tx, head, at))
  const { number, findings } = numberFor(file, named, { known: same?.number, latest: head?.latestNumber ?? 0 })
  if (findings.length > 0) return { findings }
  if (same?.status === 'deprecated') return { findings: [deprecated(file, same.number)] }
  if (same !== undefined && before?.id === same.id && same.status === 'published') return { findings: [] }
  const held =
    head === undefined
      ? await makeFamily(tx, actor, kind, { slug, name: file.name, description: '' })
      : await mustHold(tx, kind, head.id)
  const replacesDraft = await hasUnfrozenDraft(tx, held, contentHash)
  const version = await versionOf(tx, actor, { file, held, number, same: same?.id })
  const published = await publishVersion(tx, actor, version)
  if (kind !== 'contract') await activate(tx, actor, { family: held, version: published, at })
  else if (version.status === 'versioned') {
    const detail = { version_id: version.id, number: version.number, content_hash: contentHash }
    await recordAudit(tx, actor, {
      action: 'contract.version_published',
      resourceKind: kind,
      resourceId: held.id,
      detail,
    })
  }
  const change: Change['change'] = {
    path: file.path,
    kind,
    slug,
    action:
      head === undefined ? 'create' : same === undefined ? 'new_version' : kind === 'contract' ? 'publish' : 'activate',
    ...(before === undefined ? {} : { from_version: before.number }),
    to_version: version.number,
    content_hash: contentHash,
    replaces_draft: same === undefined && replacesDraft,
  }
  return {
    change: { change, before, after: content },
    findings: [],
    ...(kind === 'contract' ? {} : { activated: { family: held, version: published } }),
  }
}

/** The version of this content: the one that is there, else a new one of this number. */
async function versionOf(
  tx: Transaction,
  actor: Actor,
  wanted: { file: ProjectFile; held: FamilyRow; number: number; same: string | undefined },
): Promise<VersionRow> {
  const { file, held, number, same } = wanted
  if (same !== undefined) return readVersion(tx, same)
  const conditions = { ifMatch: undefined, ifNoneMatch: false }
  const saved = await putDraft(tx, actor, held, conditions, { content: file.content, about: {} })
  const { version } = await freezeOrReuse(tx, actor, { ...saved, latestNumber: number - 1 })
  return readVersion(tx, version.id)
}

async function activate(
  tx: Transaction,
  actor: Actor,
  { family, version, at }: { family: FamilyHead; version: VersionRow; at: Instant },
): Promise<void> {
  const row = await scheduleActivation(tx, actor, family, version, at)
  const detail = {
    kind: family.kind,
    family_id: family.id,
    version: version.number,
    effective_from: formatInstant(at),
  }
  await recordAudit(tx, actor, {
    action: 'activation.scheduled',
    resourceKind: 'activation',
    resourceId: row.id,
    detail,
  })
}

/** What is in force at the instant; of a contract, the newest version that may be used. */
export async function currentVersion(
  connection: Connection,
  family: FamilyHead,
  at: Instant,
): Promise<VersionRow | undefined> {
  if (family.kind !== 'contract') {
    const inForce = await findInForce(connection, family.id, at)
    return inForce && readVersion(connection, inForce.versionId)
  }
  const versions = await listNewestVersions(connection, [family.id], limits.versionsShown)
  const newest = versions.findLast(({ status }) => status === 'published')
  return newest && readVersion(connection, newest.id)
}

/** Whether the draft holds changes that no version has, and that are not those which come. */
async function hasUnfrozenDraft(tx: Transaction, family: FamilyRow, contentHash: string): Promise<boolean> {
  const { draftBytes, draftSource, draftFormat } = family
  if (draftFormat === null) return false
  const hash = sha256Hex(draftBytes ?? draftSource ?? '')
  return hash !== contentHash && (await findVersionByHash(tx, family.id, hash, draftFormat)) === undefined
}

async function mustHold(tx: Transaction, kind: FamilyKind, id: string): Promise<FamilyRow> {
  const family = await holdFamily(tx, kind, id)
  if (family === undefined) throw new Error(`family ${id} is missing from the database`)
  return family
}

function findingsOf(fault: Fault, file: ProjectFile): Finding[] {
  const { findings = [] } = fault.extras
  if (findings.length > 0) return findings.map((finding) => inFile(finding, file))
  return [{ code: fault.code, severity: 'error', path: file.path, message: fault.detail }]
}

/** Places are those in the file: `models/letter.yaml#/nodes/0`, `templates/letter.docx#word/document.xml#12:5`. */
function inFile(finding: Finding, { path }: ProjectFile): Finding {
  return { ...finding, path: finding.path === undefined || finding.path === '' ? path : `${path}#${finding.path}` }
}

function deprecated({ path }: ProjectFile, number: number): Finding {
  const message = `Its content is version ${number}, which is deprecated.`
  return {
    code: 'project.deprecated',
    severity: 'error',
    path,
    message,
    hint: 'Change it, or use a version that may be used.',
  }
}
