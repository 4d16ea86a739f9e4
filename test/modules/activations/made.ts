import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { instantOf } from '../../../src/core/instant.ts'
import type { FamilyKind } from '../../../src/core/kinds.ts'
import type { Database } from '../../../src/db/database.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import type { FamilyRow } from '../../../src/modules/families/families.reads.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import type { VersionRow } from '../../../src/modules/versions/versions.reads.ts'
import { type Content, publishVersion } from '../../../src/modules/versions/versions.service.ts'

/** Who makes the families of these tests, and when. */
export const actor: Actor = {
  ...{ userId: SYSTEM_ACTOR_ID, correlationId: 'in-force-test', at: instantOf('2026-01-01T00:00:00Z') },
}

export interface Made {
  family: FamilyRow
  versions: VersionRow[]
}

/** A family with a published version for each content. */
export function make(database: Database, kind: FamilyKind, slug: string, contents: readonly Content[]): Promise<Made> {
  return database.write(async (tx) => {
    let family = await createFamily(tx, actor, { kind, slug, name: slug, description: '' })
    const versions: VersionRow[] = []
    for (const content of contents) {
      family = await saveDraft(tx, actor, family, content)
      versions.push(await publishVersion(tx, actor, await freezeDraft(tx, actor, family)))
      family = { ...family, latestNumber: versions.length }
    }
    return { family, versions }
  })
}
