/**
 * Families, that is, pieces of configuration over time, of all four kinds: their names, which are unique within a kind. These
 * functions work in the caller's transaction, so that seeding is one commit.
 */
import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { newId, slugify } from '../../core/ids.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type FamilyRow, findFamilyByName, findFamilyBySlug } from './families.reads.ts'
import { insertFamily } from './families.store.ts'

export { holdFamily } from './families.store.ts'

export interface FamilyNames {
  slug: string
  name: string
  description: string
}

export interface NewFamily extends FamilyNames {
  kind: FamilyKind
}

/** The kinds as people call them. */
export const kindNames: Record<FamilyKind, string> = {
  contract: 'contract',
  ingestion_model: 'ingestion model',
  transformer: 'transformer',
  template: 'template',
}

/** @throws Fault conflict if the kind already has the slug or name, as far as this transaction can see */
export async function requireFreeNames(
  connection: Connection,
  kind: FamilyKind,
  names: { slug?: string | undefined; name?: string | undefined },
): Promise<void> {
  if (names.slug !== undefined && (await findFamilyBySlug(connection, kind, names.slug)) !== undefined) {
    throw new Fault('conflict', `Body field slug: there is ${aKind(kind)} "${names.slug}" already. Choose another.`)
  }
  if (names.name !== undefined && (await findFamilyByName(connection, kind, names.name)) !== undefined) {
    throw new Fault(
      'conflict',
      `Body field name: there is ${aKind(kind)} named "${names.name}" already. Choose another.`,
    )
  }
}

function aKind(kind: FamilyKind): string {
  return kind === 'ingestion_model' ? `an ${kindNames[kind]}` : `a ${kindNames[kind]}`
}

/**
 * A free slug for a family made through the older surface, which gives only a name.
 * @throws Fault conflict if all numbered forms are taken, too
 */
export async function deriveSlug(connection: Connection, kind: FamilyKind, name: string): Promise<string> {
  for (let suffix = 1; suffix <= limits.slugSuffixes; suffix++) {
    const end = suffix === 1 ? '' : `-${suffix}`
    const slug = `${slugify(name, limits.slugChars - end.length)}${end}`
    if ((await findFamilyBySlug(connection, kind, slug)) === undefined) return slug
  }
  throw new Fault('conflict', 'Too many others have nearly the same name. Choose one that differs more.')
}

/** @throws a database error that `isUniqueViolation` knows when the kind already has the slug or the name */
export async function createFamily(tx: Transaction, actor: Actor, family: NewFamily): Promise<FamilyRow> {
  const row: FamilyRow = {
    id: newId(),
    ...family,
    draftRevision: 0,
    draftSource: null,
    draftFormat: null,
    draftBytes: null,
    draftFileId: null,
    draftUpdatedAt: null,
    latestNumber: 0,
    createdBy: actor.userId,
    createdAt: actor.at,
    updatedAt: actor.at,
  }
  await insertFamily(tx, row)
  await appendEvent(tx, actor.at, {
    aggregate: 'family',
    aggregateId: row.id,
    type: 'created',
    data: { kind: family.kind, slug: family.slug, name: family.name },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  })
  return row
}
