import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Page, type PageRequest, readPage } from '../../http/paging.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { requireSameToday } from '../drafts/compile.service.ts'
import { freezeDraft, judgeDraft, saveDraft } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { withVerdicts } from '../drafts/judge-known.service.ts'
import {
  type FamilyHead,
  type FamilyRow,
  familiesPage,
  findFamily,
  findFamilyHead,
} from '../families/families.reads.ts'
import { createFamily, deriveSlug, holdFamily, kindNames, requireFreeNames } from '../families/families.service.ts'
import { recordPublished } from '../versions/approval.service.ts'
import { requireGreenDraft, type SuiteGate } from '../versions/suite-gate.service.ts'
import {
  findVersionByNumber,
  listNewestVersions,
  type VersionHead,
  type VersionRow,
} from '../versions/versions.reads.ts'
import { type Content, deprecateVersion, publishVersion } from '../versions/versions.service.ts'

/**
 * The older surface of families: a name instead of a slug, `expected_revision` in the body instead of If-Match, and no
 * Idempotency-Key. Contracts and transforms are its two kinds; the rows are those of the canonical surface. Every method that
 * changes something is one transaction, audit record included.
 */
export type FamiliesByRevision = ReturnType<typeof createFamiliesByRevision>

export interface FamilyPorts {
  database: Database
  judge: Judge
  suites: SuiteGate
}

export interface DraftByRevision {
  name: string
  description: string
  content: Content
}

export function createFamiliesByRevision(kind: FamilyKind, { database, judge, suites }: FamilyPorts) {
  return {
    /** A page, newest first, without drafts. @throws Fault validation_failed for a cursor of another list */
    list(query: PageRequest): Promise<Page<FamilyHead>> {
      return readPage(query, {
        find: (id) => findFamilyHead(database.read, kind, id),
        rowsAfter: (after, limit) => familiesPage(database.read, kind, after, limit),
      })
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<FamilyRow> {
      const family = await findFamily(database.read, kind, id)
      if (family === undefined) throw unknownFamily(kind)
      return family
    },

    /** @throws Fault not_found */
    async requireFamily(id: string): Promise<void> {
      if ((await findFamilyHead(database.read, kind, id)) === undefined) throw unknownFamily(kind)
    },

    /** @throws Fault not_found */
    async readVersion(id: string, number: number): Promise<VersionRow> {
      if ((await findFamilyHead(database.read, kind, id)) === undefined) throw unknownFamily(kind)
      const version = await findVersionByNumber(database.read, id, number)
      if (version === undefined) throw unknownVersion(kind, number)
      return version
    },

    versionsOf: (id: string): Promise<VersionHead[]> => listNewestVersions(database.read, [id], limits.versionsShown),

    /** @throws Fault conflict for a name that is taken */
    create(actor: Actor, { name, description, content }: DraftByRevision): Promise<FamilyRow> {
      return writeNamed(database, kind, async (tx) => {
        await requireFreeNames(tx, kind, { name })
        const slug = await deriveSlug(tx, kind, name)
        const family = await createFamily(tx, actor, { kind, slug, name, description })
        const saved = await saveDraft(tx, actor, family, content)
        await recordFamily(tx, actor, saved, 'created', { name, slug })
        return saved
      })
    },

    /** @throws Fault not_found, precondition_failed for a stale revision, conflict for a name that is taken */
    update(actor: Actor, id: string, revision: number, draft: DraftByRevision): Promise<FamilyRow> {
      const { name, description, content } = draft
      return writeNamed(database, kind, async (tx) => {
        const family = await holdAtRevision(tx, kind, id, revision)
        const saved = await saveDraft(tx, actor, family, content, { name, description })
        await recordFamily(tx, actor, saved, 'draft_saved', { name, draft_revision: saved.draftRevision })
        return saved
      })
    },

    /** @throws Fault not_found, precondition_failed; validation_failed, with findings, for a draft that its engine refuses */
    async freeze(actor: Actor, id: string, revision: number): Promise<VersionRow> {
      const draft = await findFamily(database.read, kind, id)
      if (draft?.draftRevision === revision) await judgeDraft(judge, draft)
      const freeze = async (tx: Transaction) => {
        const family = await holdAtRevision(tx, kind, id, revision)
        const version = await freezeDraft(tx, actor, family).catch(showFindings)
        await requireGreenDraft(suites, tx, actor, family).catch(showFindings)
        await recordVersion(tx, actor, version, 'version_frozen')
        return version
      }
      return suites.guard(actor, () => database.write(freeze))
    },

    /** Opens the version to releases; repeating it changes nothing. @throws Fault not_found, conflict when deprecated */
    publish(actor: Actor, id: string, number: number): Promise<VersionRow> {
      const publish = async (tx: Transaction) => {
        const version = await holdVersion(tx, kind, id, number)
        if (version.status === 'published') return version
        if (version.status === 'deprecated') {
          throw new Fault('conflict', `Version ${number} is deprecated and stays so. Freeze and publish a new one.`)
        }
        await requireSameToday(version)
        const published = await publishVersion(tx, actor, version)
        await recordPublished(tx, actor, published)
        return published
      }
      return withVerdicts(judge, () => database.write(publish))
    },

    /** Closes the version to new releases; repeating it changes nothing. @throws Fault not_found, conflict */
    deprecate(actor: Actor, id: string, number: number): Promise<VersionRow> {
      return database.write(async (tx) => {
        const version = await holdVersion(tx, kind, id, number)
        if (version.status === 'deprecated') return version
        if (version.status === 'versioned') {
          throw new Fault('conflict', `Version ${number} was never published, so there is nothing to deprecate.`)
        }
        const deprecated = await deprecateVersion(tx, actor, version)
        await recordVersion(tx, actor, deprecated, 'version_deprecated')
        return deprecated
      })
    },
  }
}

async function holdAtRevision(tx: Transaction, kind: FamilyKind, id: string, revision: number): Promise<FamilyRow> {
  const family = await holdFamily(tx, kind, id)
  if (family === undefined) throw unknownFamily(kind)
  if (family.draftRevision !== revision) {
    throw new Fault(
      'precondition_failed',
      `Body field expected_revision is ${revision}, but the draft is at revision ${family.draftRevision}. Read the ${kindNames[kind]} again and repeat with that revision.`,
    )
  }
  return family
}

async function holdVersion(tx: Transaction, kind: FamilyKind, id: string, number: number): Promise<VersionRow> {
  if ((await holdFamily(tx, kind, id)) === undefined) throw unknownFamily(kind)
  const version = await findVersionByNumber(tx, id, number)
  if (version === undefined) throw unknownVersion(kind, number)
  return version
}

function unknownFamily(kind: FamilyKind): Fault {
  return new Fault('not_found', `There is no such ${kindNames[kind]}.`)
}

function unknownVersion(kind: FamilyKind, number: number): Fault {
  return new Fault('not_found', `The ${kindNames[kind]} has no version ${number}.`)
}

/** Two writers may choose the same name at once; the later one then violates the unique index. */
async function writeNamed<T>(database: Database, kind: FamilyKind, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.write(work).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new Fault('conflict', `Another ${kindNames[kind]} has just taken this name. Choose another.`, {
      cause: error,
    })
  })
}

/** Problems of the older surface have no `errors`, so their `detail` must name place and remedy. */
function showFindings(error: unknown): never {
  if (!(error instanceof Fault) || error.extras.findings === undefined) throw error
  const { findings, stage, resourceKind, resourceId } = error.extras
  throw validationFault(findings, {
    ...(stage === undefined ? {} : { stage }),
    ...(resourceKind === undefined ? {} : { resourceKind }),
    ...(resourceId === undefined ? {} : { resourceId }),
  })
}

function recordFamily(
  tx: Transaction,
  actor: Actor,
  family: FamilyHead,
  what: string,
  detail: Record<string, string | number>,
): Promise<void> {
  const entry = { action: `${family.kind}.${what}`, resourceKind: family.kind, resourceId: family.id, detail }
  return recordAudit(tx, actor, entry)
}

function recordVersion(tx: Transaction, actor: Actor, version: VersionHead, what: string): Promise<void> {
  const { kind, familyId, number, contentHash } = version
  const detail = { version_id: version.id, number, content_hash: contentHash }
  return recordAudit(tx, actor, { action: `${kind}.${what}`, resourceKind: kind, resourceId: familyId, detail })
}
