/** Freezes a project's files as versions without putting them in force, for somebody else to approve. */
import type { Actor } from '../../core/actor.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { Instant } from '../../core/instant.ts'
import type { Transaction } from '../../db/database.ts'
import { makeFamily } from '../configuration/changes.service.ts'
import { bytesOf } from '../versions/versions.service.ts'
import {
  type Brought,
  bringEach,
  deprecated,
  type FileToBring,
  findStored,
  hasUnfrozenDraft,
  mustHold,
  ownErrors,
  type ProjectOutcome,
  type ReadProject,
  versionOf,
} from './projects.changes.ts'
import { numberFor } from './projects.numbers.ts'

/**
 * Makes new families, and freezes contents that no version has, with the numbers that applying would give. Publishes and
 * activates nothing, and doesn't rename existing families. The caller checks whether the whole fits together.
 *
 * @param at each file is compared with its family's version in force at this instant
 */
export async function freezeFiles(
  tx: Transaction,
  actor: Actor,
  { files, scheduled, numbers }: ReadProject,
  at: Instant,
): Promise<ProjectOutcome> {
  const outcome: ProjectOutcome = { changes: [], unchanged: 0, findings: [] }
  await bringEach([...files, ...scheduled], outcome, (file) =>
    freezeFile(tx, actor, { file, named: numbers.get(file) ?? [], at: file.from ?? at }),
  )
  return outcome
}

async function freezeFile(tx: Transaction, actor: Actor, { file, named, at }: FileToBring): Promise<Brought> {
  const { kind, slug, content, texts } = file
  const contentHash = contentHashOf(bytesOf(content))
  const isThere = (await findStored(tx, file, contentHash, at)).head
  const held = isThere && (await mustHold(tx, kind, isThere.id))
  const { head, same, before } = await findStored(tx, file, contentHash, at)
  const { number, findings } = numberFor(file, named, { known: same?.number, latest: head?.latestNumber ?? 0 })
  if (findings.length > 0) return { findings: [...(await ownErrors(file)), ...findings] }
  if (same?.status === 'deprecated') return { findings: [deprecated(file, same.number)] }
  if (same !== undefined) return { findings: [] }
  const family =
    held ?? (await makeFamily(tx, actor, kind, { slug, name: file.name, description: texts?.description ?? '' }))
  const replacesDraft = await hasUnfrozenDraft(tx, family, contentHash)
  const own = held === undefined ? file : { ...file, texts: undefined }
  const version = await versionOf(tx, actor, { file: own, held: family, number, same: undefined })
  return {
    change: {
      change: {
        ...{ path: file.path, kind, slug, action: held === undefined ? 'create' : 'new_version' },
        ...(before === undefined ? {} : { from_version: before.number }),
        ...{ to_version: version.number, content_hash: contentHash, replaces_draft: replacesDraft, renames: false },
      },
      before,
      after: content,
    },
    findings: [],
  }
}
