/** Drafts of a set: those of an ingestion model and of all that it names, frozen before they come into force together. */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding, Outcome } from '../../core/finding.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { freezeOrReuse } from '../configuration/changes.service.ts'
import { contentVerdict, type Judging, judgeContent } from '../drafts/compile.service.ts'
import type { ContentQuestion } from '../drafts/content.service.ts'
import { draftContent } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { judgeKnown } from '../drafts/judge-known.service.ts'
import { type FamilyRow, findFamily, findFamilyByReference, findFamilyBySlug } from '../families/families.reads.ts'
import { holdFamily } from '../families/families.service.ts'
import { findVersionByNumber, listNewestVersions, readVersion } from '../versions/versions.reads.ts'
import { type Content, contentOf, type Read } from '../versions/versions.service.ts'
import type { SetRequest } from './activations.sets.model.ts'

/** Versions that were frozen for a set, by their family. */
export interface Frozen {
  versions: NonNullable<SetRequest['versions']>
  /** Draft revisions from which the new versions were made. */
  revisions: ReadonlyMap<string, number>
  findings: Finding[]
}

/** Asks the judge about a set's drafts beforehand, so that the transaction which freezes them need not wait for it. */
export async function judgeDrafts(connection: Connection, judge: Judge, request: SetRequest): Promise<void> {
  const verdict = (question: ContentQuestion) => judgeContent(judge, question)
  for (const { kind, content } of await draftsOf({ connection, judge }, verdict, request)) {
    await judgeContent(judge, { kind, content })
  }
}

/** Freezes the drafts of a set that have changed; versions that the request names stay as they are. */
export async function freezeDrafts(tx: Transaction, actor: Actor, request: SetRequest): Promise<Frozen> {
  const frozen: Frozen = { versions: [], revisions: new Map(), findings: [] }
  const revisions = new Map<string, number>()
  for (const { family } of await draftsOf({ connection: tx, judge: judgeKnown }, contentVerdict, request)) {
    try {
      const held = await holdFamily(tx, family.kind, family.id)
      if (held === undefined) continue
      const { version, reused } = await freezeOrReuse(tx, actor, held)
      frozen.versions.push({ family_id: family.id, version: version.number })
      if (!reused) revisions.set(family.id, held.draftRevision)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      frozen.findings.push(...findingsOf(error, family.slug))
    }
    await othersTurn()
  }
  return { ...frozen, revisions }
}

function findingsOf({ extras: { findings = [] }, code, detail }: Fault, slug: string): Finding[] {
  if (findings.length > 0) return findings.map((finding) => ({ ...finding, path: `${slug}#${finding.path ?? ''}` }))
  return [{ code, severity: 'error', path: slug, message: detail }]
}

interface SetDraft {
  family: FamilyRow
  kind: FamilyKind
  content: Content
}

/**
 * The drafts of a model and of what it names, each after those it builds on. A contract's draft belongs to them only if the model
 * names the contract's next version. A model that can't be read names nothing; freezing it reports why.
 */
async function draftsOf(
  { connection, judge }: Omit<Judging, 'reach'>,
  verdict: (question: ContentQuestion) => Promise<Outcome<Read>>,
  request: SetRequest,
): Promise<SetDraft[]> {
  const named = new Set((request.versions ?? []).map(({ family_id: id }) => id.toLowerCase()))
  const model = await findFamily(connection, 'ingestion_model', request.ingestion_model_id.toLowerCase())
  const source = model && (await contentFor(connection, model, request))
  if (model === undefined || source === undefined || !('source' in source)) return []
  const own = draftOf(model, named)
  const compiled = await judge.ask('model', source)
  if (!compiled.ok) return own
  const { contract, nodes } = compiled.value
  const found = await findFamilyByReference(connection, 'contract', contract.name)
  const isNext = found !== undefined && found.latestNumber + 1 === contract.version
  const contractFamily = isNext ? await findFamily(connection, 'contract', found.id) : undefined
  const drafts = contractFamily === undefined ? [] : draftOf(contractFamily, named)
  const { transformers, templates } = slugsOf(nodes)
  for (const slug of transformers) drafts.push(...draftOf(await familyOf(connection, 'transformer', slug), named))
  // The set grows inside the loop: included templates follow.
  for (const slug of templates) {
    const family = await familyOf(connection, 'template', slug)
    const content = family && (await contentFor(connection, family, request))
    const read = content && (await verdict({ kind: 'template', content }))
    for (const included of (read?.ok && read.value.fragments) || []) templates.add(included)
    drafts.push(...draftOf(family, named))
  }
  return [...drafts, ...own]
}

function draftOf(family: FamilyRow | undefined, named: ReadonlySet<string>): SetDraft[] {
  if (family === undefined || family.draftFormat === null || named.has(family.id)) return []
  return [{ family, kind: family.kind, content: draftContent(family) }]
}

async function familyOf(connection: Connection, kind: FamilyKind, slug: string): Promise<FamilyRow | undefined> {
  const head = await findFamilyBySlug(connection, kind, slug)
  return head && findFamily(connection, kind, head.id)
}

/** The requested version, else the draft, else the newest version. */
async function contentFor(
  connection: Connection,
  family: FamilyRow,
  { versions = [] }: SetRequest,
): Promise<Content | undefined> {
  const asked = versions.find(({ family_id: id }) => id.toLowerCase() === family.id)
  if (asked === undefined && family.draftFormat !== null) return draftContent(family)
  if (asked !== undefined) {
    const version = await findVersionByNumber(connection, family.id, asked.version)
    return version && contentOf(version)
  }
  const [newest] = (await listNewestVersions(connection, [family.id], 1)).slice(-1)
  return newest && contentOf(await readVersion(connection, newest.id))
}

/** Slugs of the transformers and templates that nodes name. */
export function slugsOf(
  nodes: readonly ModelNode[],
  found = { transformers: new Set<string>(), templates: new Set<string>() },
): typeof found {
  for (const { transformer, template, children } of nodes) {
    found.transformers.add(transformer)
    if (template !== undefined) found.templates.add(template)
    slugsOf(children, found)
  }
  return found
}
