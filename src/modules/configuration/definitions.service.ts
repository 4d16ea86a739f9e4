import type { Actor } from '../../core/actor.ts'
import { canonicalHash, canonicalJson } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { type IfMatch, requireRevision } from '../../http/conditional.ts'
import type { IdempotentRequest } from '../../http/idempotency.ts'
import { cutPage } from '../../http/paging.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import type { ConfigurationIssue } from '../../http/wire.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { compileNamedTransformer, errorsOf } from './configuration.chain.ts'
import type {
  ConfigurationKind,
  DefinitionFamilyRead,
  DefinitionVersion,
  MutationResult,
  SourceDraft,
  TransformerTestResult,
  TransformerToTest,
} from './configuration.model.ts'
import {
  bytesOf,
  type Content,
  compileSource,
  createFamily,
  draftContent,
  type FamilyHead,
  type FamilyRow,
  familiesPage,
  findFamily,
  findFamilyHead,
  findVersionByHash,
  findVersionByNumber,
  findVersionHead,
  freezeVersion,
  holdFamily,
  kindNames,
  listNewestVersions,
  paramFindings,
  requireFreeNames,
  saveDraft,
  type VersionHead,
  versionsPage,
} from './configuration.service.ts'
import { familyToWire, sourceDraftToWire, versionOutcomeOf, versionToWire } from './configuration.wire.ts'
import { type Mutated, mutate, mutateConfiguration, mutationResult } from './mutations.service.ts'
import { runProbe } from './probe.service.ts'

export { canonicalStatus, familyToWire, versionOutcomeOf } from './configuration.wire.ts'

/** What a draft's PUT says about the state it wants to change. */
export interface DraftConditions {
  ifMatch: IfMatch | undefined
  /** `If-None-Match: *`: there must not be a draft yet. */
  ifNoneMatch: boolean
}

export interface PageRequest {
  limit?: number | undefined
  cursor?: string | undefined
}

export interface ValidationResult {
  valid: boolean
  errors: ConfigurationIssue[]
  correlation_id: string
}

/** Findings as the interface's "Configuration validation result": warnings alone don't make anything invalid. */
export function validationResult(
  findings: readonly Finding[],
  subject: { stage: string; resourceKind: string; resourceId: string; correlationId: string },
): ValidationResult {
  const errors = errorsOf(findings).slice(0, limits.configurationIssues)
  return {
    valid: errors.length === 0,
    errors: errors.map((finding) => configurationIssueOf(finding, subject)),
    correlation_id: subject.correlationId,
  }
}

/** A kind's families, by id, with the refusals that every operation on one shares. */
export async function mustFindHead(database: Database, kind: ConfigurationKind, id: string): Promise<FamilyHead> {
  return found(kind, id, await findFamilyHead(database.read, kind, id))
}

export async function mustHold(tx: Transaction, kind: ConfigurationKind, id: string): Promise<FamilyRow> {
  return found(kind, id, await holdFamily(tx, kind, id))
}

export function found<Row>(kind: ConfigurationKind, id: string, row: Row | undefined): Row {
  if (row !== undefined) return row
  throw new Fault('not_found', `There is no ${kindNames[kind]} ${id}.`, { resourceKind: kind, resourceId: id })
}

/** @throws Fault precondition_required before anything is written, when a PUT names no state at all */
export function requireSomeCondition(conditions: DraftConditions, draftRevision: number): void {
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch) return
  const remedy =
    draftRevision === 0 ? 'There is no draft yet: send If-None-Match: *.' : `Send If-Match: "${draftRevision}".`
  throw new Fault('precondition_required', `If-Match is missing. ${remedy}`)
}

/** @throws Fault precondition_failed when the draft is not in the state the PUT names */
export function requireDraftState(conditions: DraftConditions, draftRevision: number): void {
  if (conditions.ifNoneMatch && draftRevision > 0) {
    throw new Fault(
      'precondition_failed',
      `If-None-Match: * is for the first draft, and there is one. Send If-Match: "${draftRevision}".`,
    )
  }
  if (conditions.ifMatch !== undefined) requireRevision(conditions.ifMatch, draftRevision)
}

/** A freeze without a revision to freeze is refused before it is looked at which one is meant. */
export function requireDraft(family: FamilyHead): void {
  if (family.draftRevision > 0) return
  throw new Fault('not_found', `There is no draft of ${family.slug} yet. Write one first.`, {
    resourceKind: family.kind,
    resourceId: family.id,
  })
}

/** Names that were taken between the look and the write. */
export async function refuseTakenNames<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new Fault('conflict', 'The slug or the name was taken at the same moment. Choose another.', {
        cause: error,
      })
    }
    throw error
  }
}

/** Freezes a held family's draft, or gives the version that has the very same content already. */
export async function freezeDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
): Promise<{ version: VersionHead; reused: boolean }> {
  const content = draftContent(family)
  const same = await findVersionByHash(tx, family.id, sha256Hex(bytesOf(content)), content.format)
  if (same !== undefined) return { version: same, reused: true }
  const version = await freezeVersion(tx, actor, family)
  await recordAudit(tx, actor, {
    action: `${family.kind}.version_frozen`,
    resourceKind: family.kind,
    resourceId: family.id,
    detail: { version_id: version.id, number: version.number, content_hash: version.contentHash },
  })
  return { version, reused: false }
}

/** Writes a held family's draft under the conditions of its PUT. */
export async function putDraft(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  conditions: DraftConditions,
  content: Content,
  about: { name?: string | undefined; description?: string | undefined },
): Promise<FamilyRow> {
  requireDraftState(conditions, family.draftRevision)
  const saved = await saveDraft(tx, actor, family, content, about)
  await recordAudit(tx, actor, {
    action: `${family.kind}.draft_saved`,
    resourceKind: family.kind,
    resourceId: family.id,
    detail: { revision: saved.draftRevision, content_hash: sha256Hex(bytesOf(content)) },
  })
  return saved
}

export async function makeFamily(
  tx: Transaction,
  actor: Actor,
  kind: ConfigurationKind,
  names: { slug: string; name: string; description: string },
): Promise<FamilyRow> {
  await requireFreeNames(tx, kind, names)
  const family = await createFamily(tx, actor, { kind, ...names })
  await recordAudit(tx, actor, {
    action: `${kind}.created`,
    resourceKind: kind,
    resourceId: family.id,
    detail: { slug: family.slug, name: family.name },
  })
  return family
}

export type ConfigurationService = ReturnType<typeof createConfigurationService>

/** Ingestion models and transformers through the canonical surface; templates share what they have in common. */
export function createConfigurationService({ database, pool }: { database: Database; pool: EnginePool }) {
  return {
    create(
      kind: ConfigurationKind,
      actor: Actor,
      request: IdempotentRequest,
      names: { slug: string; name: string; description: string },
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
      const limit = query.limit ?? limits.pageSizeDefault
      const after =
        query.cursor === undefined ? undefined : await findFamilyHead(database.read, kind, query.cursor.toLowerCase())
      if (query.cursor !== undefined && after === undefined) throw foreignCursor()
      const page = cutPage(await familiesPage(database.read, kind, after, limit + 1), limit)
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
      kind: ConfigurationKind,
      id: string,
      actor: Actor,
      request: IdempotentRequest,
      conditions: DraftConditions,
      draft: { source: string; format: TextFormat; name?: string | undefined; description?: string | undefined },
    ): Promise<SourceDraft> {
      requireSomeCondition(conditions, (await mustFindHead(database, kind, id)).draftRevision)
      const { source, format, ...about } = draft
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await mustHold(tx, kind, id)
          const saved = await putDraft(tx, actor, family, conditions, { source, format }, about)
          return { status: 200, body: sourceDraftToWire(saved) }
        }),
      )
      return answer.body
    },

    /** Deterministic, and writes nothing. */
    async validate(
      kind: ConfigurationKind,
      id: string,
      { source, format }: { source: string; format: TextFormat },
      correlationId: string,
    ): Promise<ValidationResult> {
      await mustFindHead(database, kind, id)
      const { findings } =
        kind === 'transformer'
          ? await compileNamedTransformer(database.read, source, format)
          : compileSource(kind, source, format)
      return validationResult(findings, { stage: 'validate', resourceKind: kind, resourceId: id, correlationId })
    },

    /** Runs a transformer's draft on data, and keeps nothing. */
    async test(
      id: string,
      { data, params = {} }: TransformerToTest,
      correlationId: string,
    ): Promise<TransformerTestResult> {
      const family = found('transformer', id, await findFamily(database.read, 'transformer', id))
      const content = draftContent(family)
      if ('bytes' in content) throw new Error(`transformer ${id} has a file for a draft`)
      const subject = { stage: 'test', resourceKind: 'transformer', resourceId: id, correlationId }
      const { findings, contract, transformer } = await compileNamedTransformer(
        database.read,
        content.source,
        content.format,
      )
      const compiled = validationResult(findings, { ...subject, stage: 'validate' })
      if (!compiled.valid) return compiled
      const declaring = { name: family.slug, params: transformer!.params }
      const unfit = paramFindings(params, [declaring])
      if (unfit.length > 0) return validationResult(unfit, subject)
      const input = canonicalJson(data as JsonValue)
      const hash = sha256Hex(content.source)
      const made = await runProbe(pool, {
        steps: contract === undefined ? ['transform.declarative'] : ['validate', 'transform.declarative'],
        sources: {
          transformer: { hash, format: content.format, content: content.source },
          ...(contract === undefined
            ? {}
            : { contract: { hash: contract.hash, format: 'json', content: contract.schema } }),
        },
        rawInput: input,
        input,
        params: canonicalJson(params),
      })
      if (!made.ok) return validationResult(made.findings, subject)
      const output = made.value.at(-1)?.output
      const value = readJson(output?.text ?? '')
      if (output === undefined || !value.ok) throw new Error(`the transformer ${id} made an output that is not JSON`)
      return {
        ...compiled,
        result: {
          transformer_id: id,
          draft_revision: family.draftRevision,
          transformer_hash: hash,
          input_hash: canonicalHash(data as JsonValue),
          output: value.value,
          output_hash: output.hash,
        },
      }
    },

    async freeze(
      kind: ConfigurationKind,
      id: string,
      actor: Actor,
      request: IdempotentRequest,
      ifMatch: IfMatch | undefined,
    ): Promise<Mutated<MutationResult>> {
      const head = await mustFindHead(database, kind, id)
      requireDraft(head)
      // What is stale is known only inside, where a replay has been ruled out.
      if (ifMatch === undefined) requireRevision(ifMatch, head.draftRevision)
      const answer = await mutateConfiguration(database, actor.at, request, async (tx) => {
        const family = await mustHold(tx, kind, id)
        requireRevision(ifMatch, family.draftRevision)
        const { version, reused } = await freezeDraft(tx, actor, family)
        const result = versionOutcomeOf(version, reused)
        return {
          status: reused ? 200 : 201,
          body: mutationResult({ kind, id: version.id }, result, actor.correlationId),
        }
      })
      return answer.body.idempotent_replay ? { ...answer, status: 200 } : answer
    },

    /** A page, newest first; the cursor is the id of the page's last version. */
    async listVersions(
      kind: ConfigurationKind,
      id: string,
      query: PageRequest,
    ): Promise<{ rows: VersionHead[]; next: string | undefined }> {
      await mustFindHead(database, kind, id)
      const limit = query.limit ?? limits.pageSizeDefault
      const after =
        query.cursor === undefined ? undefined : await findVersionHead(database.read, query.cursor.toLowerCase())
      if (query.cursor !== undefined && after?.familyId !== id) throw foreignCursor()
      const page = cutPage(await versionsPage(database.read, id, after?.number, limit + 1), limit)
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

export function noVersion(kind: ConfigurationKind, id: string, number: number): Fault {
  return new Fault('not_found', `The ${kindNames[kind]} ${id} has no version ${number}.`, {
    resourceKind: kind,
    resourceId: id,
  })
}

export function foreignCursor(): Fault {
  return new Fault('validation_failed', 'Query field cursor is not one that this list gave out. Leave it out.')
}
