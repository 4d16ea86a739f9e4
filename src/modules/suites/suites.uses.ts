/** Finds the models that use a family, whose suites test a change of it. */
import type { Instant } from '../../core/instant.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import type { Connection } from '../../db/database.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { including } from '../activations/activations.fragments.service.ts'
import { findInForce } from '../activations/activations.service.ts'
import { draftContent } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { type FamilyRow, findFamilyByReference, listFamilyHeads } from '../families/families.reads.ts'
import { loadModel } from '../versions/compiled.service.ts'

/** A family as models refer to it. */
export interface UsedFamily {
  id: string
  kind: FamilyKind
  /** The family's slug; for a template also the slugs of templates in force that include it. */
  slugs: ReadonlySet<string>
}

export async function usedFamily(connection: Connection, id: string, at: Instant): Promise<UsedFamily> {
  const [family] = await listFamilyHeads(connection, [id])
  if (family === undefined) return { id, kind: 'ingestion_model', slugs: new Set() }
  const { kind, slug } = family
  const others = kind === 'template' ? await including(connection, [slug], at) : []
  return { id, kind, slugs: new Set([slug, ...others.map((each) => each.slug)]) }
}

/** Whether a model names a family, in its draft or in its version in force. */
export async function uses(
  { connection, judge, at }: { connection: Connection; judge: Judge; at: Instant },
  model: FamilyRow,
  used: UsedFamily,
): Promise<boolean> {
  if (used.kind === 'ingestion_model') return model.id === used.id
  const names = async ({ contract, nodes }: { contract: { name: string }; nodes: readonly ModelNode[] }) => {
    if (used.kind !== 'contract') return isNamed(nodes, used)
    return (await findFamilyByReference(connection, 'contract', contract.name))?.id === used.id
  }
  const draft = model.draftFormat === null ? undefined : draftContent(model)
  const read = draft !== undefined && 'source' in draft ? await judge.ask('model', draft) : undefined
  if (read?.ok && (await names(read.value))) return true
  const inForce = await findInForce(connection, model.id, at)
  return inForce !== undefined && names(await loadModel(connection, inForce.versionId))
}

function isNamed(nodes: readonly ModelNode[], used: UsedFamily): boolean {
  return nodes.some(({ transformer, template, children }) => {
    const slug = used.kind === 'transformer' ? transformer : template
    return (slug !== undefined && used.slugs.has(slug)) || isNamed(children, used)
  })
}
