import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import type { FamilyKind } from '../../db/schema.ts'
import { validationFault } from '../../http/body.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Content } from './configuration.check.ts'
import {
  createFamily,
  deprecateVersion,
  deriveSlug,
  type FamilyHead,
  type FamilyRow,
  findVersionByNumber,
  freezeVersion,
  holdFamily,
  kindNames,
  publishVersion,
  requireFreeNames,
  saveDraft,
  type VersionHead,
  type VersionRow,
} from './configuration.service.ts'

/**
 * The older surface's way of changing families: a name instead of a slug, `expected_revision` in the body instead of
 * If-Match, and no Idempotency-Key. Contracts and transforms are two kinds of it; the rows are those of the canonical
 * surface. Every function is one transaction's worth, audit record included.
 */
export interface OlderDraft {
  name: string
  description: string
  content: Content
}

/** @throws Fault conflict for a name that is taken */
export async function createOlderFamily(
  database: Database,
  actor: Actor,
  kind: FamilyKind,
  { name, description, content }: OlderDraft,
): Promise<FamilyRow> {
  return writeNamed(database, kind, async (tx) => {
    await requireFreeNames(tx, kind, { name })
    const slug = await deriveSlug(tx, kind, name)
    const family = await createFamily(tx, actor, { kind, slug, name, description })
    const saved = await saveDraft(tx, actor, family, content)
    await recordFamily(tx, actor, saved, 'created', { name, slug })
    return saved
  })
}

/** @throws Fault not_found, precondition_failed for a stale revision, conflict for a name that is taken */
export async function updateOlderDraft(
  database: Database,
  actor: Actor,
  kind: FamilyKind,
  id: string,
  revision: number,
  { name, description, content }: OlderDraft,
): Promise<FamilyRow> {
  return writeNamed(database, kind, async (tx) => {
    const family = await holdAtRevision(tx, kind, id, revision)
    const saved = await saveDraft(tx, actor, family, content, { name, description })
    await recordFamily(tx, actor, saved, 'draft_saved', { name, draft_revision: saved.draftRevision })
    return saved
  })
}

/** @throws Fault not_found, precondition_failed, validation_failed for a draft its engine refuses, with the findings */
export async function freezeOlderVersion(
  database: Database,
  actor: Actor,
  kind: FamilyKind,
  id: string,
  revision: number,
): Promise<VersionRow> {
  return database.write(async (tx) => {
    const family = await holdAtRevision(tx, kind, id, revision)
    const version = await freezeVersion(tx, actor, family).catch(showFindings)
    await recordVersion(tx, actor, version, 'version_frozen')
    return version
  })
}

/** Lets releases use the version; a second time changes nothing. @throws Fault not_found, conflict when deprecated */
export async function publishOlderVersion(
  database: Database,
  actor: Actor,
  kind: FamilyKind,
  id: string,
  number: number,
): Promise<VersionRow> {
  return database.write(async (tx) => {
    const version = await mustHoldVersion(tx, kind, id, number)
    if (version.status === 'published') return version
    if (version.status === 'deprecated') {
      throw new Fault('conflict', `Version ${number} is deprecated and stays so. Freeze and publish a new one.`)
    }
    const published = await publishVersion(tx, actor, version)
    await recordVersion(tx, actor, published, 'version_published')
    return published
  })
}

/** Closes the version to new releases; a second time changes nothing. @throws Fault not_found, conflict */
export async function deprecateOlderVersion(
  database: Database,
  actor: Actor,
  kind: FamilyKind,
  id: string,
  number: number,
): Promise<VersionRow> {
  return database.write(async (tx) => {
    const version = await mustHoldVersion(tx, kind, id, number)
    if (version.status === 'deprecated') return version
    if (version.status === 'versioned') {
      throw new Fault('conflict', `Version ${number} was never published, so there is nothing to deprecate.`)
    }
    const deprecated = await deprecateVersion(tx, actor, version)
    await recordVersion(tx, actor, deprecated, 'version_deprecated')
    return deprecated
  })
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

async function mustHoldVersion(tx: Transaction, kind: FamilyKind, id: string, number: number): Promise<VersionRow> {
  if ((await holdFamily(tx, kind, id)) === undefined) throw unknownFamily(kind)
  const version = await findVersionByNumber(tx, id, number)
  if (version === undefined) throw unknownVersion(kind, number)
  return version
}

export function unknownFamily(kind: FamilyKind): Fault {
  return new Fault('not_found', `There is no such ${kindNames[kind]}.`)
}

export function unknownVersion(kind: FamilyKind, number: number): Fault {
  return new Fault('not_found', `The ${kindNames[kind]} has no version ${number}.`)
}

/** Two writers may choose one name at the same moment; the later one then meets the unique index. */
async function writeNamed<T>(database: Database, kind: FamilyKind, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.write(work).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new Fault('conflict', `Another ${kindNames[kind]} has just taken this name. Choose another.`, {
      cause: error,
    })
  })
}

/** The older surface's problems have no `errors`, so that `detail` itself must name place and remedy. */
function showFindings(error: unknown): never {
  if (!(error instanceof Fault) || error.extras.findings === undefined) throw error
  const { stage, resourceKind, resourceId } = error.extras
  throw validationFault(error.extras.findings, {
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

/** What the older surface's lists and reads say of a family, and of a version, beside their content. */
export function familyToWire(row: FamilyHead) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    draft_revision: row.draftRevision,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

export function versionToWire(row: VersionHead) {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    content_hash: row.contentHash,
    source_revision: row.sourceRevision,
    byte_size: row.byteSize,
    created_by: row.createdBy,
    created_at: formatInstant(row.createdAt),
    ...(row.publishedAt === null ? {} : { published_at: formatInstant(row.publishedAt) }),
    ...(row.deprecatedAt === null ? {} : { deprecated_at: formatInstant(row.deprecatedAt) }),
  }
}
