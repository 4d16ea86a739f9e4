import type { Actor } from '../../core/actor.ts'
import { otherLineEnds } from '../../core/checked-out.ts'
import { Fault } from '../../core/faults.ts'
import { errorsOf, type Finding } from '../../core/finding.ts'
import { contentHashOf, sha256Hex } from '../../core/hash.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { activationsFile, projectFileOf } from '../../core/project-layout.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type Activated, checkTogether, findInForce, scheduleActivation } from '../activations/activations.service.ts'
import { freezeOrReuse, makeFamily, putDraft } from '../configuration/changes.service.ts'
import { contentVerdict } from '../drafts/compile.service.ts'
import { draftContent } from '../drafts/drafts.service.ts'
import { judgeKnown } from '../drafts/judge-known.service.ts'
import { type FamilyHead, type FamilyRow, findFamilyBySlug } from '../families/families.reads.ts'
import { holdFamily } from '../families/families.service.ts'
import { recordPublished } from '../versions/approval.service.ts'
import {
  findNewestPublished,
  findVersionByHash,
  readVersion,
  type VersionHead,
  type VersionRow,
} from '../versions/versions.reads.ts'
import { bytesOf, type Content, publishVersion } from '../versions/versions.service.ts'
import type { ProjectArchive, ProjectFile } from './projects.files.ts'
import type { KnownContents } from './projects.known.ts'
import type { AppliedChange } from './projects.model.ts'
import { type NamedNumber, numberFor } from './projects.numbers.ts'
import type { FamilyTexts } from './projects.texts.ts'

/** A project's archive, and the versions that its sources name. */
export interface ReadProject extends ProjectArchive {
  known: KnownContents
  numbers: ReadonlyMap<ProjectFile, readonly NamedNumber[]>
}

/** A change as applying reports it. A plan adds the differences, which take time to compute. */
export interface Change {
  change: AppliedChange
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
 * Brings all of a project into force at one instant: makes new families and versions, publishes contracts, and schedules
 * activations. What is in force already stays so. The whole is checked only at the end, because its parts fit each other but need
 * not fit what they replace. The caller rolls back if there are findings.
 *
 * @throws Unjudged if the check needs verdicts that weren't asked beforehand
 */
export async function bringIntoForce(
  tx: Transaction,
  actor: Actor,
  { files, scheduled, numbers }: ReadProject,
  at: Instant,
): Promise<ProjectOutcome> {
  const outcome: ProjectOutcome = { changes: [], unchanged: 0, findings: [] }
  const begun = scheduled.filter(({ from = at }) => from <= at)
  outcome.findings.push(...begun.map((file) => hasBegun(file, at)))
  if (begun.length > 0) return outcome
  /** What begins at the same instant, by instant. */
  const activated = new Map<Instant, Activated[]>([[at, []]])
  const kept: Activated[] = []
  await bringEach([...files, ...scheduled], outcome, async (file) => {
    const from = file.from ?? at
    const brought = await bringFile(tx, actor, { file, named: numbers.get(file) ?? [], at: from })
    if (brought.activated !== undefined) activated.set(from, [...(activated.get(from) ?? []), brought.activated])
    if (brought.kept !== undefined && file.from === undefined) kept.push(brought.kept)
    return brought
  })
  if (outcome.findings.length > 0) return outcome
  // Sources refer to contracts and templates by name, so a renaming can break unchanged ones: check these, too.
  const isRenamed = outcome.changes.some(({ change }) => change.renames)
  const judging = { connection: tx, judge: judgeKnown, reach: actor.families }
  for (const [from, begin] of activated) {
    const together = isRenamed && from === at ? [...begin, ...kept] : begin
    for (const { family, finding } of await checkTogether(judging, together, from)) {
      const isOf = ({ kind, slug }: ProjectFile) => kind === family.kind && slug === family.slug
      const file = scheduled.find((each) => each.from === from && isOf(each)) ?? files.find(isOf)
      // A model that is in force but not in the project may use what the project replaces.
      outcome.findings.push(
        file === undefined
          ? { ...finding, path: projectFileOf(family.kind, family.slug, 'yaml') }
          : inFile(finding, file),
      )
    }
  }
  return outcome
}

/** Brings in one file after the other and notes the results; a refused file becomes a finding. */
export async function bringEach(
  files: readonly ProjectFile[],
  outcome: ProjectOutcome,
  bring: (file: ProjectFile) => Promise<Brought>,
): Promise<void> {
  for (const file of files) {
    try {
      const { change, findings } = await bring(file)
      outcome.findings.push(...findings)
      if (change === undefined) outcome.unchanged++
      else outcome.changes.push(change)
      // Lets other work run although a transaction is open: only writers wait for it.
      await othersTurn()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      outcome.findings.push(...findingsOf(error, file))
    }
  }
}

function hasBegun({ path, from }: ProjectFile, at: Instant): Finding {
  const message = `It comes into force at ${formatInstant(from ?? at)}, which is not after ${formatInstant(at)}.`
  const hint = `Put it in the place of the file that it replaces, and take it out of ${activationsFile}; or let quire export write both.`
  return { code: 'project.begun', severity: 'error', path, message, hint }
}

export interface FileToBring {
  file: ProjectFile
  named: readonly NamedNumber[]
  at: Instant
}

export interface Brought {
  change?: Change
  activated?: Activated
  /** What is in force and stays so, if it names other sources. */
  kept?: Activated
  findings: Finding[]
}

async function bringFile(tx: Transaction, actor: Actor, { file, named, at }: FileToBring): Promise<Brought> {
  const { kind, slug, content, texts } = file
  const ownHash = contentHashOf(bytesOf(content))
  let found = await findStored(tx, file, ownHash, at)
  const isCalledOtherwise = ({ head }: Stored) => head !== undefined && texts !== undefined && !isCalled(head, texts)
  let made: FamilyRow | undefined
  if (found.head !== undefined && (!isAsItShouldBe(found) || isCalledOtherwise(found))) {
    made = await mustHold(tx, kind, found.head.id)
    // Read again: it may have changed before this transaction held the family.
    found = await findStored(tx, file, ownHash, at)
  }
  const { head, same, before } = found
  const contentHash = same?.contentHash ?? ownHash
  const { number, findings } = numberFor(file, named, { known: same?.number, latest: head?.latestNumber ?? 0 })
  if (findings.length > 0) return { findings: [...(await ownErrors(file)), ...findings] }
  if (same?.status === 'deprecated') return { findings: [deprecated(file, same.number)] }
  const isInForce = same !== undefined && before !== undefined && isAsItShouldBe(found)
  const differs = head !== undefined && texts !== undefined && isCalledOtherwise(found)
  const renames = differs && head.name !== texts.name
  const kept = isInForce && head !== undefined && kind !== 'contract' ? { kept: { family: head, version: before } } : {}
  if (isInForce && !differs) return { findings: [], ...kept }
  made ??= await makeFamily(tx, actor, kind, { slug, name: file.name, description: texts?.description ?? '' })
  const replacesDraft = await hasUnfrozenDraft(tx, made, contentHash)
  const held = differs && same !== undefined ? await describe(tx, actor, made, texts) : made
  if (isInForce) {
    const change: AppliedChange = {
      ...{ path: file.path, kind, slug, action: 'describe', from_version: before.number, to_version: before.number },
      ...{ content_hash: contentHash, replaces_draft: false, renames },
    }
    return { change: { change, before, after: content }, findings: [], ...kept }
  }
  const version = await versionOf(tx, actor, { file, held, number, same: same?.id })
  const published = await publishVersion(tx, actor, version)
  if (kind !== 'contract') await scheduleActivation(tx, actor, held, published, at)
  else if (version.status === 'versioned') await recordPublished(tx, actor, version)
  const change: AppliedChange = {
    path: file.path,
    kind,
    slug,
    action:
      head === undefined ? 'create' : same === undefined ? 'new_version' : kind === 'contract' ? 'publish' : 'activate',
    ...(before === undefined ? {} : { from_version: before.number }),
    to_version: version.number,
    content_hash: contentHash,
    ...(file.from === undefined || kind === 'contract' ? {} : { effective_from: formatInstant(file.from) }),
    replaces_draft: same === undefined && replacesDraft,
    renames,
  }
  return {
    change: { change, before, after: content },
    findings: [],
    ...(kind === 'contract' ? {} : { activated: { family: held, version: published } }),
  }
}

/** What the store has of a file's family. */
interface Stored {
  head: FamilyHead | undefined
  /** The version with the file's content. */
  same: VersionHead | undefined
  /** The version that the file's replaces. */
  before: VersionRow | undefined
}

export async function findStored(
  tx: Transaction,
  { kind, slug, content }: ProjectFile,
  contentHash: string,
  at: Instant,
): Promise<Stored> {
  const head = await findFamilyBySlug(tx, kind, slug)
  const same = head && (await findSame(tx, head, content, contentHash))
  // Any published version of a contract may be used, so a published one replaces no other.
  const isPublished = kind === 'contract' && same?.status === 'published'
  const before = head && (isPublished ? await readVersion(tx, same.id) : await currentVersion(tx, head, at))
  return { head, same, before }
}

/** The version with this content. Line ends don't count: texts with and without carriage returns are the same. */
async function findSame(
  tx: Transaction,
  { id }: FamilyHead,
  content: Content,
  contentHash: string,
): Promise<VersionHead | undefined> {
  const same = await findVersionByHash(tx, id, contentHash, content.format)
  if (same !== undefined || 'bytes' in content) return same
  for (const source of otherLineEnds(content.source)) {
    const found = await findVersionByHash(tx, id, sha256Hex(source), content.format)
    if (found !== undefined) return found
  }
  return undefined
}

function isAsItShouldBe({ same, before }: Stored): boolean {
  return same !== undefined && before?.id === same.id && same.status === 'published'
}

const unconditional = { ifMatch: undefined, ifNoneMatch: false }

function isCalled(family: FamilyHead, { name, description }: FamilyTexts): boolean {
  return family.name === name && family.description === description
}

/** Gives a family that has a draft a new name or description. */
function describe(tx: Transaction, actor: Actor, family: FamilyRow, about: FamilyTexts): Promise<FamilyRow> {
  return putDraft(tx, actor, family, unconditional, { content: draftContent(family), about })
}

/** The version with this content: an existing one, else a new one with this number. */
export async function versionOf(
  tx: Transaction,
  actor: Actor,
  wanted: { file: ProjectFile; held: FamilyRow; number: number; same: string | undefined },
): Promise<VersionRow> {
  const { file, held, number, same } = wanted
  if (same !== undefined) return readVersion(tx, same)
  const saved = await putDraft(tx, actor, held, unconditional, { content: file.content, about: file.texts ?? {} })
  const { version } = await freezeOrReuse(tx, actor, { ...saved, latestNumber: number - 1 })
  return readVersion(tx, version.id)
}

/** The version in force at the instant; for a contract, the newest usable one. */
async function currentVersion(
  connection: Connection,
  family: FamilyHead,
  at: Instant,
): Promise<VersionRow | undefined> {
  if (family.kind !== 'contract') {
    const inForce = await findInForce(connection, family.id, at)
    return inForce && readVersion(connection, inForce.versionId)
  }
  const newest = await findNewestPublished(connection, family.id)
  return newest && readVersion(connection, newest.id)
}

/** Whether the draft has changes that neither a version nor the project's file has. */
export async function hasUnfrozenDraft(tx: Transaction, family: FamilyRow, contentHash: string): Promise<boolean> {
  const { draftBytes, draftSource, draftFormat } = family
  if (draftFormat === null) return false
  const hash = sha256Hex(draftBytes ?? draftSource ?? '')
  return hash !== contentHash && (await findVersionByHash(tx, family.id, hash, draftFormat)) === undefined
}

export async function mustHold(tx: Transaction, kind: FamilyKind, id: string): Promise<FamilyRow> {
  const family = await holdFamily(tx, kind, id)
  if (family === undefined) throw new Error(`family ${id} is missing from the database`)
  return family
}

function findingsOf(fault: Fault, file: ProjectFile): Finding[] {
  const { findings = [] } = fault.extras
  if (findings.length > 0) return findings.map((finding) => inFile(finding, file))
  return [{ code: fault.code, severity: 'error', path: file.path, message: fault.detail }]
}

/** Errors of the file by itself; the verdict is known from asking beforehand. */
export async function ownErrors(file: ProjectFile): Promise<Finding[]> {
  const { findings } = await contentVerdict({ kind: file.kind, content: file.content })
  return errorsOf(findings).map((finding) => inFile(finding, file))
}

/** Puts a finding at its place in the file: `models/letter.yaml#/nodes/0`, `templates/letter.docx#word/document.xml#12:5`. */
function inFile(finding: Finding, { path }: ProjectFile): Finding {
  return { ...finding, path: finding.path === undefined || finding.path === '' ? path : `${path}#${finding.path}` }
}

export function deprecated({ path }: ProjectFile, number: number): Finding {
  const message = `Its content is version ${number}, which is deprecated.`
  return {
    code: 'project.deprecated',
    severity: 'error',
    path,
    message,
    hint: 'Change it, or use a version that may be used.',
  }
}
