import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import type { Reach } from '../../http/reach.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { makeFamily } from '../configuration/changes.service.ts'
import { mustFindHead, mustHold, noVersion, refuseTakenNames } from '../configuration/refusals.service.ts'
import { judgeContent, requireSameToday } from '../drafts/compile.service.ts'
import { freezeDraft, saveDraft } from '../drafts/drafts.service.ts'
import { unknownFragments } from '../drafts/fragments.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { withVerdicts } from '../drafts/judge-known.service.ts'
import type { FamilyRow } from '../families/families.reads.ts'
import { deriveSlug, requireFreeNames } from '../families/families.service.ts'
import { recordPublished } from '../versions/approval.service.ts'
import { requireGreenDraft, type SuiteGate } from '../versions/suite-gate.service.ts'
import { findVersionByHash, findVersionByNumber, type VersionRow } from '../versions/versions.reads.ts'
import { publishVersion } from '../versions/versions.service.ts'
import type { Template, TemplateVersion } from './templates.model.ts'
import { templateToWire, templateVersionToWire } from './templates.wire.ts'

export interface UploadPorts {
  database: Database
  judge: Judge
  suites: SuiteGate
}

/** Templates through the older surface: a multipart file becomes a version at once, and the Idempotency-Key is optional. */
export function createTemplateUploads({ database, judge, suites }: UploadPorts) {
  return {
    /** Makes the family, its draft and version 1 at once. */
    async upload(
      actor: Actor,
      request: IdempotentRequest | undefined,
      about: { name: string; description: string },
      bytes: Uint8Array,
    ): Promise<Mutated<{ template: Template }>> {
      await requireTemplate(database, judge, bytes, actor.families)
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          await requireFreeNames(tx, 'template', { name: about.name })
          const slug = await deriveSlug(tx, 'template', about.name)
          const family = await makeFamily(tx, actor, 'template', { slug, ...about })
          const { family: saved, version } = await storeVersion(tx, actor, family, bytes)
          return { status: 201, body: { template: templateToWire(saved, [version]) } }
        }),
      )
      return answer
    },

    /** Stores the file as the next version. @throws Fault conflict for the bytes of another version */
    async uploadVersion(
      id: string,
      actor: Actor,
      request: IdempotentRequest | undefined,
      bytes: Uint8Array,
    ): Promise<Mutated<{ version: TemplateVersion }>> {
      await mustFindHead(database, 'template', id)
      await requireTemplate(database, judge, bytes, actor.families)
      const upload = async (tx: Transaction) => {
        const family = await mustHold(tx, 'template', id)
        const same = await findVersionByHash(tx, id, contentHashOf(bytes), 'docx')
        if (same !== undefined) {
          throw new Fault('conflict', `Version ${same.number} has the same bytes as the file. Upload a changed one.`)
        }
        const { version } = await storeVersion(tx, actor, family, bytes)
        await requireGreenDraft(suites, tx, actor, family)
        return { status: 201, body: { version: templateVersionToWire(version) } }
      }
      const { answer } = await suites.guard(actor, () => mutate(database, actor.at, request, upload))
      return answer
    },

    /** Opens the version to releases, without activating anything. */
    async publish(
      id: string,
      number: number,
      actor: Actor,
      request: IdempotentRequest | undefined,
    ): Promise<Mutated<{ version: TemplateVersion }>> {
      const publish = async (tx: Transaction) => {
        await mustHold(tx, 'template', id)
        const version = await findVersionByNumber(tx, id, number)
        if (version === undefined) throw noVersion('template', id, number)
        await requireSameToday(version)
        const published = await publishVersion(tx, actor, version)
        if (published !== version) await recordPublished(tx, actor, version)
        return { status: 200, body: { version: templateVersionToWire(published) } }
      }
      const { answer } = await withVerdicts(judge, () => mutate(database, actor.at, request, publish))
      return answer
    },
  }
}

/** @throws Fault validation_failed whose detail names every mistake, because this surface's problems have no `errors` */
async function requireTemplate(database: Database, judge: Judge, bytes: Uint8Array, reach: Reach): Promise<void> {
  const checked = await judgeContent(judge, { kind: 'template', content: { bytes, format: 'docx' } })
  const findings = checked.ok
    ? await unknownFragments(database.read, { bytes, slugs: checked.value.fragments }, reach, (question) =>
        judge.ask('missingFragments', question),
      )
    : checked.findings
  if (!checked.ok || findings.length > 0) {
    throw validationFault(findings, { stage: 'validate', resourceKind: 'template' })
  }
}

async function storeVersion(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  bytes: Uint8Array,
): Promise<{ family: FamilyRow; version: VersionRow }> {
  const saved = await saveDraft(tx, actor, family, { bytes, format: 'docx' })
  const version = await freezeDraft(tx, actor, saved)
  await recordAudit(tx, actor, {
    action: 'template.version_uploaded',
    resourceKind: 'template',
    resourceId: family.id,
    detail: { version_id: version.id, number: version.number, content_hash: version.contentHash },
  })
  return { family: saved, version }
}
