import { type Actor, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { instantOf } from '../../core/instant.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { demo } from '../../demo/demo.ts'
import { scheduleActivation } from '../activations/activations.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { insertImportedCase } from '../cases/cases.service.ts'
import { freezeDraft, saveDraft } from '../drafts/drafts.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { withVerdicts } from '../drafts/judge-known.service.ts'
import { type FamilyRow, findFamilyBySlug } from '../families/families.reads.ts'
import { createFamily, type NewFamily } from '../families/families.service.ts'
import { findPinnedRelease } from '../releases/releases.service.ts'
import { planSubmission } from '../submissions/submissions.service.ts'
import { recordPublished } from '../versions/approval.service.ts'
import type { VersionRow } from '../versions/versions.reads.ts'
import { bytesOf, type Content, publishVersion } from '../versions/versions.service.ts'
import type { DemoCatalog } from './intake-lab.model.ts'

export type IntakeLabService = ReturnType<typeof createIntakeLabService>

export function createIntakeLabService({ database, judge }: { database: Database; judge: Judge }) {
  return {
    /** The four scenarios; `ready` says whether the demo configuration that they need is in force. */
    async catalog(): Promise<DemoCatalog> {
      const catalog: DemoCatalog = {
        fixture_family: demo.fixtureFamily,
        ready: false,
        scenarios: demo.scenarios.map((scenario) => ({ ...scenario })),
      }
      const [first] = demo.scenarios
      try {
        const wanted = {
          modelSlug: demo.ingestionModel.slug,
          metadata: first.metadata,
          input: JSON.parse(first.raw_input),
        }
        const plan = await withVerdicts(judge, () => planSubmission(database.read, wanted))
        catalog.ready = true
        const [node] = plan.nodes
        const release = node && (await findPinnedRelease(database.read, node.pin))
        if (release !== undefined) catalog.release_id = release.id
      } catch (error) {
        if (!(error instanceof Fault)) throw error
      }
      return catalog
    },
  }
}

/**
 * Puts the demo configuration into the store: contract with a case, transformer, template and ingestion model, frozen, published
 * and in force, all in one transaction. False, without any change, if it is already there.
 */
export async function seedDemo(database: Database, clock: Clock): Promise<boolean> {
  const template = await demo.template.bytes()
  try {
    return await database.write(async (tx) => {
      if ((await findFamilyBySlug(tx, 'ingestion_model', demo.ingestionModel.slug)) !== undefined) return false
      const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: `demo-${newId()}`, at: clock.now() }
      await seedContract(tx, actor)
      const { transformer, ingestionModel } = demo
      await seedActive(tx, actor, 'transformer', transformer, transformer)
      await seedActive(tx, actor, 'template', demo.template, { bytes: template, format: 'docx' })
      await seedActive(tx, actor, 'ingestion_model', ingestionModel, ingestionModel)
      return true
    })
  } catch (error) {
    // Another instance seeded between our check and our insert.
    if (isUniqueViolation(error)) return false
    throw error
  }
}

async function seedContract(tx: Transaction, actor: Actor): Promise<void> {
  const { slug, name, description, schema } = demo.contract
  const wanted = { kind: 'contract', slug, name, description } as const
  const { version } = await seedPublished(tx, actor, wanted, { source: schema, format: 'json' })
  // With this input, the template can be filled and the transformer run from the start.
  const [first] = demo.scenarios
  await insertImportedCase(tx, actor, version, 'valid', first.raw_input)
}

async function seedActive(
  tx: Transaction,
  actor: Actor,
  kind: Exclude<FamilyRow['kind'], 'contract'>,
  { slug, name, description }: { slug: string; name: string; description: string },
  content: Content,
): Promise<void> {
  const { family, version } = await seedPublished(tx, actor, { kind, slug, name, description }, content)
  const from = instantOf(demo.effectiveFrom)
  await scheduleActivation(tx, actor, family, version, from)
}

/** Makes a family with one published version, with the same audit records as if a person had done so. */
async function seedPublished(
  tx: Transaction,
  actor: Actor,
  wanted: NewFamily,
  content: Content,
): Promise<{ family: FamilyRow; version: VersionRow }> {
  const { kind, slug, name } = wanted
  const family = await createFamily(tx, actor, wanted)
  const record = (what: string, detail: Record<string, string | number>) =>
    recordAudit(tx, actor, { action: `${kind}.${what}`, resourceKind: kind, resourceId: family.id, detail })
  await record('created', { slug, name })
  const draft = await saveDraft(tx, actor, family, content)
  await record('draft_saved', { revision: draft.draftRevision, content_hash: sha256Hex(bytesOf(content)) })
  const frozen = await freezeDraft(tx, actor, draft)
  const { id, number, contentHash } = frozen
  await record('version_frozen', { version_id: id, number, content_hash: contentHash })
  const version = await publishVersion(tx, actor, frozen)
  await recordPublished(tx, actor, version)
  return { family: draft, version }
}
