import { type Instant, instantFromEpochMs, instantOf } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Connection } from '../../db/database.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { type FamilyHead, findFamilyByReference, findFamilyBySlug } from '../families/families.reads.ts'
import { loadModel, modelOf } from '../versions/compiled.service.ts'
import {
  findVersionByNumber,
  listFragmentsOf,
  listNewestVersions,
  readVersion,
  type VersionRow,
} from '../versions/versions.reads.ts'
import type { SetRequest } from './activations.sets.model.ts'
import { type ActivationRow, findInForce, findJustBefore } from './activations.store.ts'

/** A family of a set, and its wanted version. */
export interface Member {
  kind: FamilyKind
  /** As the model names it. */
  slug: string
  family: FamilyHead | undefined
  version: VersionRow | undefined
  /** Addresses of the nodes that use it. */
  nodes: string[]
}

interface Choosing {
  connection: Connection
  request: SetRequest
  /** The instant from which the state "before" looks back. */
  now: Instant
}

/** What a family had in force at the time to which the set goes back. */
type InForceThen = (family: FamilyHead) => Promise<ActivationRow | undefined>

/** The model, its contract and the parts of its nodes, each once and after those it builds on. */
export async function membersOf(choosing: Choosing, model: FamilyHead): Promise<Member[]> {
  const { connection } = choosing
  const then = await goingBack(choosing, model)
  const version = await versionFor(choosing, model, then)
  const own: Member = { kind: 'ingestion_model', slug: model.slug, family: model, version, nodes: [] }
  if (version === undefined) return [own]
  const { contract, nodes } = await modelOf(version)
  const contractFamily = await findFamilyByReference(connection, 'contract', contract.name)
  const contractVersion = contractFamily && (await findVersionByNumber(connection, contractFamily.id, contract.version))
  const members: Member[] = [
    {
      kind: 'contract',
      slug: contractFamily?.slug ?? contract.name,
      family: contractFamily,
      version: contractVersion,
      nodes: [],
    },
  ]
  for (const kind of ['transformer', 'template'] as const) {
    for (const [slug, addresses] of named(nodes, kind, model.slug)) {
      const family = await findFamilyBySlug(connection, kind, slug)
      const wanted = family && (await versionFor(choosing, family, then))
      members.push({ kind, slug, family, version: wanted, nodes: addresses })
    }
  }
  await addFragments(choosing, members, then)
  return [...members, own]
}

/** Adds the templates that the nodes' templates include, directly or through others: they come into force together. */
async function addFragments(choosing: Choosing, members: Member[], then: InForceThen | undefined): Promise<void> {
  for (const { kind, version, nodes } of members) {
    if (kind !== 'template') continue
    for (const slug of version?.fragments ?? []) {
      const known = members.find((member) => member.kind === 'template' && member.slug === slug)
      if (known !== undefined) continue
      const family = await findFamilyBySlug(choosing.connection, 'template', slug)
      // The list grows inside the loop, which goes on with the new members.
      members.push({
        kind: 'template',
        slug,
        family,
        version: family && (await versionFor(choosing, family, then)),
        nodes: [...nodes],
      })
    }
  }
}

function named(
  nodes: readonly ModelNode[],
  kind: 'transformer' | 'template',
  parent: string,
  found = new Map<string, string[]>(),
): Map<string, string[]> {
  for (const node of nodes) {
    const address = `${parent}:${node.key}`
    const slug = node[kind]
    if (slug !== undefined) {
      const addresses = found.get(slug)
      if (addresses === undefined) found.set(slug, [address])
      else addresses.push(address)
    }
    named(node.children, kind, address, found)
  }
  return found
}

/** How the states that go back in time (`past`, `before`) find a version; undefined for the other states. */
async function goingBack({ connection, request, now }: Choosing, model: FamilyHead): Promise<InForceThen | undefined> {
  const { state, as_of: asOf } = request
  if (state === 'past' && asOf !== undefined) {
    const at = instantOf(asOf)
    return ({ id }) => findInForce(connection, id, at)
  }
  if (state !== 'before') return undefined
  const changed = await lastChange(connection, model, now)
  return async ({ id }) => changed && (await findJustBefore(connection, id, changed))
}

async function versionFor(
  { connection, request }: Choosing,
  family: FamilyHead,
  then: InForceThen | undefined,
): Promise<VersionRow | undefined> {
  const asked = request.versions?.find(({ family_id: id }) => id.toLowerCase() === family.id)
  if (asked !== undefined) return findVersionByNumber(connection, family.id, asked.version)
  if (then !== undefined) {
    const row = await then(family)
    return row && readVersion(connection, row.versionId)
  }
  const [newest] = (await listNewestVersions(connection, [family.id], 1)).slice(-1)
  return newest && readVersion(connection, newest.id)
}

/** When a part of the model's set last came into force; undefined if the model is not in force. */
async function lastChange(connection: Connection, model: FamilyHead, now: Instant): Promise<Instant | undefined> {
  const inForce = await findInForce(connection, model.id, now)
  if (inForce === undefined) return undefined
  const { nodes } = await loadModel(connection, inForce.versionId)
  const rows: (ActivationRow | undefined)[] = [inForce]
  for (const kind of ['transformer', 'template'] as const) {
    const slugs = new Set(named(nodes, kind, model.slug).keys())
    for (const slug of slugs) {
      const family = await findFamilyBySlug(connection, kind, slug)
      const row = family && (await findInForce(connection, family.id, now))
      rows.push(row)
      if (kind !== 'template' || row === undefined) continue
      const [found] = await listFragmentsOf(connection, [row.versionId])
      for (const included of found?.fragments ?? []) slugs.add(included)
    }
  }
  return rows.reduce<Instant>(
    (latest, row) => (row !== undefined && row.effectiveFrom > latest ? row.effectiveFrom : latest),
    instantFromEpochMs(0),
  )
}
