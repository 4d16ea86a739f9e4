import type { Actor, Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Database } from '../../db/database.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import type { PageRequest } from '../../http/paging.ts'
import { validationResult } from '../../http/problem.ts'
import type { Reach } from '../../http/reach.ts'
import type { ValidationResult } from '../../http/wire.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { CaseService } from '../cases/cases.service.ts'
import { makeFamily, putDraft } from '../configuration/changes.service.ts'
import type { ConfigurationService } from '../configuration/configuration.service.ts'
import {
  type DraftConditions,
  mustFindHead,
  mustHold,
  noVersion,
  refuseTakenNames,
  requireSomeCondition,
} from '../configuration/refusals.service.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { FamilyTexts } from '../drafts/drafts.service.ts'
import { unknownFragments } from '../drafts/fragments.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import type { FamilyNames } from '../families/families.service.ts'
import type { SuiteGate } from '../versions/suite-gate.service.ts'
import { findVersionByNumber, listNewestVersions } from '../versions/versions.reads.ts'
import { readDraftFile } from './templates.draft.ts'
import type { Template, TemplateDraft, TemplateVersion } from './templates.model.ts'
import { createTemplateTrials, type IncludedTemplates } from './templates.trials.ts'
import { createTemplateUploads } from './templates.uploads.ts'
import { type Taken, templateDraftToWire, templateToWire, templateVersionToWire } from './templates.wire.ts'

export interface TemplatePorts {
  database: Database
  pool: EnginePool
  judge: Judge
  configuration: ConfigurationService
  cases: CaseService
  clock: Clock
  included: IncludedTemplates
  suites: SuiteGate
}

export type TemplateService = ReturnType<typeof createTemplateService>

/** Templates: the canonical surface's special handling of files, and the older surface's uploads. */
export function createTemplateService(ports: TemplatePorts) {
  const { database, pool, judge, configuration, cases, clock, included } = ports
  return {
    ...createTemplateUploads(ports),
    ...createTemplateTrials({ database, pool, judge, cases, clock, included }),

    /** Makes an empty family of the canonical surface. */
    async create(
      actor: Actor,
      request: IdempotentRequest | undefined,
      names: FamilyNames,
    ): Promise<Mutated<{ template: Template }>> {
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await makeFamily(tx, actor, 'template', names)
          return { status: 201, body: { template: templateToWire(family, []) } }
        }),
      )
      return answer
    },

    async list(query: PageRequest): Promise<{ templates: Template[]; next_cursor?: string }> {
      const { rows, next } = await configuration.list('template', query)
      const ids = rows.map(({ id }) => id)
      const versions = await listNewestVersions(database.read, ids, limits.versionsShown)
      const versionsOf = Map.groupBy(versions, ({ familyId }) => familyId)
      const templates = rows.map((row) => templateToWire(row, versionsOf.get(row.id) ?? []))
      return next === undefined ? { templates } : { templates, next_cursor: next }
    },

    async read(id: string, reach: Reach): Promise<Template> {
      const family = await mustFindHead(database, 'template', id)
      const template = templateToWire(family, await listNewestVersions(database.read, [id], limits.versionsShown))
      const including = await included.including(family.slug, clock.now())
      const users = including.filter(({ familyId }) => reach?.includes(familyId) !== false)
      if (users.length === 0) return template
      const usersToWire = users.map(({ familyId, slug, version, chain }) => {
        return { template_id: familyId, slug, version, chain: [...chain] }
      })
      return { ...template, included_by: usersToWire }
    },

    async readVersion(id: string, number: number): Promise<TemplateVersion> {
      await mustFindHead(database, 'template', id)
      const version = await findVersionByNumber(database.read, id, number)
      if (version === undefined) throw noVersion('template', id, number)
      return templateVersionToWire(version)
    },

    async listVersions(id: string, query: PageRequest): Promise<{ versions: TemplateVersion[]; next_cursor?: string }> {
      const { rows, next } = await configuration.listVersions('template', id, query)
      const versions = rows.map(templateVersionToWire)
      return next === undefined ? { versions } : { versions, next_cursor: next }
    },

    async readDraft(id: string): Promise<TemplateDraft> {
      const { family, bytes } = await readDraftFile(database.read, id)
      return templateDraftToWire(family, await takenBy(judge, bytes))
    },

    async readDraftContent(id: string): Promise<{ bytes: Uint8Array; slug: string; revision: number }> {
      const { family, bytes } = await readDraftFile(database.read, id)
      return { bytes, slug: family.slug, revision: family.draftRevision }
    },

    async saveDraft(
      id: string,
      actor: Actor,
      request: IdempotentRequest,
      conditions: DraftConditions,
      { bytes, ...about }: FamilyTexts & { bytes: Uint8Array },
    ): Promise<TemplateDraft> {
      requireSomeCondition(conditions, (await mustFindHead(database, 'template', id)).draftRevision)
      const taken = await takenBy(judge, bytes)
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await mustHold(tx, 'template', id)
          const saved = await putDraft(tx, actor, family, conditions, { content: { bytes, format: 'docx' }, about })
          return { status: 200, body: templateDraftToWire(saved, taken) }
        }),
      )
      return answer.body
    },

    /** Checks an uploaded file, or the draft by default; writes nothing. */
    async validate(
      id: string,
      file: Uint8Array | undefined,
      { families: reach, correlationId }: Author,
    ): Promise<ValidationResult> {
      const bytes = file ?? (await readDraftFile(database.read, id)).bytes
      if (file !== undefined) await mustFindHead(database, 'template', id)
      const verdict = await judgeContent(judge, { kind: 'template', content: { bytes, format: 'docx' } })
      const unknown = verdict.ok
        ? await unknownFragments(database.read, { bytes, slugs: verdict.value.fragments }, reach, (question) =>
            judge.ask('missingFragments', question),
          )
        : []
      return validationResult([...verdict.findings, ...unknown], {
        stage: 'validate',
        resourceKind: 'template',
        resourceId: id,
        correlationId,
      })
    },
  }
}

/** A file's bindings and includes; undefined if it has mistakes. */
async function takenBy(judge: Judge, bytes: Uint8Array): Promise<Taken | undefined> {
  const checked = await judgeContent(judge, { kind: 'template', content: { bytes, format: 'docx' } })
  if (!checked.ok || checked.value.bindings == null) return undefined
  return { bindings: checked.value.bindings, fragments: checked.value.fragments ?? [] }
}
