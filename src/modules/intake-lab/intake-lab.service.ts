import { type Actor, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { parseInstant } from '../../core/instant.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { demo } from '../../demo/demo.ts'
import { scheduleActivation } from '../activations/activations.service.ts'
import {
  createFamily,
  type FamilyRow,
  findFamilyBySlug,
  freezeVersion,
  publishVersion,
  saveDraft,
} from '../configuration/configuration.service.ts'
import { findPinnedRelease } from '../releases/releases.service.ts'
import { planSubmission } from '../submissions/submissions.service.ts'
import type { DemoCatalog } from './intake-lab.model.ts'

export type IntakeLabService = ReturnType<typeof createIntakeLabService>

export function createIntakeLabService(database: Database) {
  return {
    /** The four scenarios; `ready` says whether the demo configuration they need is in force. */
    async catalog(): Promise<DemoCatalog> {
      const catalog: DemoCatalog = {
        fixture_family: demo.fixtureFamily,
        ready: false,
        scenarios: demo.scenarios.map((scenario) => ({ ...scenario })),
      }
      const [first] = demo.scenarios
      try {
        const plan = await planSubmission(database.read, {
          modelSlug: demo.ingestionModel.slug,
          metadata: first!.metadata,
          input: JSON.parse(first!.raw_input),
        })
        catalog.ready = true
        const release = await findPinnedRelease(database.read, plan.nodes[0]!.pin)
        if (release !== undefined) catalog.release_id = release.id
      } catch (error) {
        if (!(error instanceof Fault)) throw error
      }
      return catalog
    },
  }
}

/**
 * Puts the demo configuration into the store: contract, transformer, template and ingestion model, frozen, published
 * and in force, all in one transaction. Does nothing where it is already there; false then.
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
    // Another instance seeded between our look and our insert.
    if (isUniqueViolation(error)) return false
    throw error
  }
}

async function seedContract(tx: Transaction, actor: Actor): Promise<void> {
  const { name, description, schema } = demo.contract
  const family = await createFamily(tx, actor, { kind: 'contract', slug: name, name, description })
  const draft = await saveDraft(tx, actor, family, { source: schema, format: 'json' })
  await publishVersion(tx, actor, await freezeVersion(tx, actor, draft))
}

async function seedActive(
  tx: Transaction,
  actor: Actor,
  kind: FamilyRow['kind'],
  { slug, name, description }: { slug: string; name: string; description: string },
  content: Parameters<typeof saveDraft>[3],
): Promise<void> {
  const family = await createFamily(tx, actor, { kind, slug, name, description })
  const draft = await saveDraft(tx, actor, family, content)
  const version = await publishVersion(tx, actor, await freezeVersion(tx, actor, draft))
  await scheduleActivation(tx, actor, draft, version, parseInstant(demo.effectiveFrom)!)
}
