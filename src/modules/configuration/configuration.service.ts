import type { Actor, Author } from '../../core/actor.ts'
import { canonicalInParts } from '../../core/canonical.ts'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { inTurns } from '../../core/turns.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { type IfMatch, requireRevision } from '../../http/conditional.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { type PageRequest, readPage } from '../../http/paging.ts'
import { validationResult } from '../../http/problem.ts'
import type { ValidationResult } from '../../http/wire.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { checkNamed, checkNamedTransformer } from '../drafts/compile.service.ts'
import { draftContent, judgeDraft } from '../drafts/drafts.service.ts'
import { requireKnownFragments } from '../drafts/fragments.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { runTransformer } from '../drafts/probe.service.ts'
import type { ConfigurationKind } from '../families/families.model.ts'
import { type FamilyHead, familiesPage, findFamily, findFamilyHead } from '../families/families.reads.ts'
import type { FamilyNames } from '../families/families.service.ts'
import { paramFindings } from '../versions/params.service.ts'
import { requireGreenDraft, type SuiteGate } from '../versions/suite-gate.service.ts'
import {
  findVersionByNumber,
  findVersionHead,
  listNewestVersions,
  type VersionHead,
  versionsPage,
} from '../versions/versions.reads.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { freezeOrReuse, makeFamily, putDraft } from './changes.service.ts'
import type {
  DefinitionFamilyRead,
  DefinitionVersion,
  MutationResult,
  NewDraft,
  SourceDraft,
  TransformerTestResult,
  TransformerToTest,
} from './configuration.model.ts'
import { familyToWire, sourceDraftToWire, versionOutcomeOf, versionToWire } from './configuration.wire.ts'
import { mutateConfiguration, mutationResult } from './mutations.service.ts'
import {
  type DraftConditions,
  type FamilyId,
  found,
  mustFindHead,
  mustHold,
  noVersion,
  refuseTakenNames,
  requireDraft,
  requireSomeCondition,
} from './refusals.service.ts'

export interface ConfigurationPorts {
  database: Database
  pool: EnginePool
  judge: Judge
  suites: SuiteGate
}

export type ConfigurationService = ReturnType<typeof createConfigurationService>

/** Ingestion models and transformers through the canonical surface; templates reuse the common parts. */
export function createConfigurationService({ database, pool, judge, suites }: ConfigurationPorts) {
  return {
    create(
      kind: ConfigurationKind,
      actor: Actor,
      request: IdempotentRequest,
      names: FamilyNames,
    ): Promise<Mutated<MutationResult>> {
      return refuseTakenNames(
        mutateConfiguration(database, actor.at, request, async (tx) => {
          const family = await makeFamily(tx, actor, kind, names)
          const result = mutationResult({ kind, id: family.id }, familyToWire(family), actor.correlationId)
          return { status: 201, body: result }
        }),
      )
    },

    /** A page, newest first; the cursor is the id of the page's last family. */
    async list(kind: ConfigurationKind, query: PageRequest): Promise<{ rows: FamilyHead[]; next: string | undefined }> {
      const page = await readPage(query, {
        find: (id) => findFamilyHead(database.read, kind, id),
        rowsAfter: (after, limit) => familiesPage(database.read, kind, after, limit),
      })
      return { rows: page.rows, next: page.last?.id }
    },

    async read(kind: ConfigurationKind, id: string): Promise<DefinitionFamilyRead> {
      const family = await mustFindHead(database, kind, id)
      const versions = await listNewestVersions(database.read, [id], limits.versionsShown)
      return { ...familyToWire(family), versions: versions.map(versionToWire) }
    },

    async readDraft(kind: ConfigurationKind, id: string): Promise<SourceDraft> {
      const family = found(kind, id, await findFamily(database.read, kind, id))
      requireDraft(family)
      return sourceDraftToWire(family)
    },

    async saveDraft(
      { kind, id }: FamilyId,
      actor: Actor,
      request: IdempotentRequest,
      conditions: DraftConditions,
      { source, format, ...about }: NewDraft,
    ): Promise<SourceDraft> {
      requireSomeCondition(conditions, (await mustFindHead(database, kind, id)).draftRevision)
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await mustHold(tx, kind, id)
          const saved = await putDraft(tx, actor, family, conditions, { content: { source, format }, about })
          return { status: 200, body: sourceDraftToWire(saved) }
        }),
      )
      return answer.body
    },

    /** Deterministic; writes nothing. */
    async validate(
      kind: ConfigurationKind,
      id: string,
      text: SourceText,
      { families, correlationId }: Author,
    ): Promise<ValidationResult> {
      await mustFindHead(database, kind, id)
      const findings = await checkNamed({ connection: database.read, judge, reach: families }, kind, text)
      return validationResult(findings, { stage: 'validate', resourceKind: kind, resourceId: id, correlationId })
    },

    /** Runs a transformer's draft on data, without storing anything. */
    async test(
      id: string,
      { data, params = {} }: TransformerToTest,
      { families, correlationId }: Author,
    ): Promise<TransformerTestResult> {
      const family = found('transformer', id, await findFamily(database.read, 'transformer', id))
      const content = draftContent(family)
      if ('bytes' in content) throw new Error(`transformer ${id} has a file for a draft`)
      const subject = { stage: 'test', resourceKind: 'transformer', resourceId: id, correlationId }
      const compiled = await checkNamedTransformer({ connection: database.read, judge, reach: families }, content)
      if (!compiled.ok) return validationResult(compiled.findings, { ...subject, stage: 'validate' })
      const { contract, params: declared } = compiled.value
      const unfit = paramFindings(params, [{ name: family.slug, params: declared }])
      if (unfit.length > 0) return validationResult(unfit, subject)
      const hash = sha256Hex(content.source)
      const source = { hash, format: content.format, content: content.source }
      const input = await inTurns(canonicalInParts(data))
      const made = await runTransformer(pool, { transformer: source, contract, input: input.text, params })
      if (!made.ok) return validationResult(made.findings, subject)
      return {
        ...validationResult([], subject),
        result: {
          transformer_id: id,
          draft_revision: family.draftRevision,
          transformer_hash: hash,
          input_hash: input.hash,
          output: made.value.value,
          output_hash: made.value.hash,
        },
      }
    },

    async freeze(
      { kind, id }: FamilyId,
      actor: Actor,
      request: IdempotentRequest,
      ifMatch: IfMatch | undefined,
    ): Promise<Mutated<MutationResult>> {
      const head = await mustFindHead(database, kind, id)
      requireDraft(head)
      // A stale revision is reported only here, after a replay has been ruled out.
      if (ifMatch === undefined) requireRevision(ifMatch, head.draftRevision)
      await judgeDraft(judge, await findFamily(database.read, kind, id))
      const freeze = async (tx: Transaction) => {
        const family = await mustHold(tx, kind, id)
        requireRevision(ifMatch, family.draftRevision)
        if (kind === 'template') await requireKnownFragments(tx, family, actor.families)
        const frozen = await freezeOrReuse(tx, actor, family)
        const { version, reused } = frozen
        if (!reused) await requireGreenDraft(suites, tx, actor, family)
        return {
          status: reused ? 200 : 201,
          body: mutationResult({ kind, id: version.id }, versionOutcomeOf(frozen), actor.correlationId),
        }
      }
      const answer = await suites.guard(actor, () => mutateConfiguration(database, actor.at, request, freeze))
      return answer.body.idempotent_replay ? { ...answer, status: 200 } : answer
    },

    /** A page, newest first; the cursor is the id of the page's last version. */
    async listVersions(
      kind: ConfigurationKind,
      id: string,
      query: PageRequest,
    ): Promise<{ rows: VersionHead[]; next: string | undefined }> {
      await mustFindHead(database, kind, id)
      const page = await readPage(query, {
        find: async (cursor) => {
          const version = await findVersionHead(database.read, cursor)
          return version?.familyId === id ? version : undefined
        },
        rowsAfter: (after, limit) => versionsPage(database.read, id, after?.number, limit),
      })
      return { rows: page.rows, next: page.last?.id }
    },

    async readVersion(kind: ConfigurationKind, id: string, number: number): Promise<DefinitionVersion> {
      await mustFindHead(database, kind, id)
      const version = await findVersionByNumber(database.read, id, number)
      if (version === undefined) throw noVersion(kind, id, number)
      return versionToWire(version)
    },
  }
}
