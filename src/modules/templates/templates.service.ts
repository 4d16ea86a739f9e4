import type { Actor } from '../../core/actor.ts'
import { type Binding, boundValue } from '../../core/binding.ts'
import { canonicalHash, canonicalJson } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { fileFormats } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import type { IdempotentRequest } from '../../http/idempotency.ts'
import type { Source, StepSuccess } from '../../runner/job.ts'
import type { EnginePool } from '../../runner/pool.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { CaseService } from '../cases/cases.service.ts'
import type { TransformerParams } from '../configuration/configuration.model.ts'
import {
  checkContent,
  deriveSlug,
  type FamilyRow,
  findFamily,
  findVersion,
  findVersionByHash,
  findVersionByNumber,
  freezeVersion,
  listNewestVersions,
  loadDeclaring,
  paramFindings,
  publishVersion,
  requireFreeNames,
  saveDraft,
  type VersionRow,
} from '../configuration/configuration.service.ts'
import {
  type ConfigurationService,
  type DraftConditions,
  found,
  makeFamily,
  mustFindHead,
  mustHold,
  noVersion,
  type PageRequest,
  putDraft,
  refuseTakenNames,
  requireDraft,
  requireSomeCondition,
  type ValidationResult,
  validationResult,
} from '../configuration/definitions.service.ts'
import { type Mutated, mutate } from '../configuration/mutations.service.ts'
import { runProbe } from '../configuration/probe.service.ts'
import type {
  ArtifactProof,
  Template,
  TemplateDraft,
  TemplatePages,
  TemplatePreview,
  TemplateTestResult,
  TemplateToPreview,
  TemplateVersion,
} from './templates.model.ts'
import { templateDraftToWire, templatePagesToWire, templateToWire, templateVersionToWire } from './templates.wire.ts'

/** What a preview needs of a stored case. */
type CaseInput = Pick<CaseRow, 'payload' | 'contractVersionId'>
type CaseRow = NonNullable<Awaited<ReturnType<CaseService['find']>>>

export interface TemplatePorts {
  database: Database
  pool: EnginePool
  configuration: ConfigurationService
  cases: CaseService
}

export type TemplateService = ReturnType<typeof createTemplateService>

/** Templates: the older surface's uploads, and what the canonical surface does differently for files. */
export function createTemplateService({ database, pool, configuration, cases }: TemplatePorts) {
  async function mustFind(id: string): Promise<FamilyRow> {
    return found('template', id, await findFamily(database.read, 'template', id))
  }

  async function draftBytesOf(id: string): Promise<{ family: FamilyRow; bytes: Uint8Array }> {
    const family = await mustFind(id)
    requireDraft(family)
    if (family.draftBytes === null) throw new Error(`template ${id} has a draft without a file`)
    return { family, bytes: family.draftBytes }
  }

  return {
    /** An empty family of the canonical surface. */
    async create(
      actor: Actor,
      request: IdempotentRequest | undefined,
      names: { slug: string; name: string; description: string },
    ): Promise<Mutated<{ template: Template }>> {
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await makeFamily(tx, actor, 'template', names)
          return { status: 201, body: { template: templateToWire(family, []) } }
        }),
      )
      return answer
    },

    /** The older surface: family, draft and version 1 in one go. */
    async upload(
      actor: Actor,
      request: IdempotentRequest | undefined,
      about: { name: string; description: string },
      bytes: Uint8Array,
    ): Promise<Mutated<{ template: Template }>> {
      requireTemplate(bytes)
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

    /** The older surface: always the next number, and never the bytes of another version. */
    async uploadVersion(
      id: string,
      actor: Actor,
      request: IdempotentRequest | undefined,
      bytes: Uint8Array,
    ): Promise<Mutated<{ version: TemplateVersion }>> {
      await mustFindHead(database, 'template', id)
      requireTemplate(bytes)
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        const family = await mustHold(tx, 'template', id)
        const same = await findVersionByHash(tx, id, sha256Hex(bytes), 'docx')
        if (same !== undefined) {
          throw new Fault('conflict', `Version ${same.number} has the same bytes as the file. Upload a changed one.`)
        }
        const { version } = await storeVersion(tx, actor, family, bytes)
        return { status: 201, body: { version: templateVersionToWire(version) } }
      })
      return answer
    },

    /** The older surface: lets releases use the version, and activates nothing. */
    async publish(
      id: string,
      number: number,
      actor: Actor,
      request: IdempotentRequest | undefined,
    ): Promise<Mutated<{ version: TemplateVersion }>> {
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        await mustHold(tx, 'template', id)
        const version = await findVersionByNumber(tx, id, number)
        if (version === undefined) throw noVersion('template', id, number)
        const published = await publishVersion(tx, actor, version)
        if (published !== version) {
          await recordAudit(tx, actor, {
            action: 'template.version_published',
            resourceKind: 'template',
            resourceId: id,
            detail: { version_id: version.id, number },
          })
        }
        return { status: 200, body: { version: templateVersionToWire(published) } }
      })
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

    async read(id: string): Promise<Template> {
      const family = await mustFindHead(database, 'template', id)
      return templateToWire(family, await listNewestVersions(database.read, [id], limits.versionsShown))
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
      const { family, bytes } = await draftBytesOf(id)
      return templateDraftToWire(family, bindingsIn(bytes))
    },

    async readDraftContent(id: string): Promise<{ bytes: Uint8Array; slug: string; revision: number }> {
      const { family, bytes } = await draftBytesOf(id)
      return { bytes, slug: family.slug, revision: family.draftRevision }
    },

    async saveDraft(
      id: string,
      actor: Actor,
      request: IdempotentRequest,
      conditions: DraftConditions,
      draft: { bytes: Uint8Array; name?: string | undefined; description?: string | undefined },
    ): Promise<TemplateDraft> {
      requireSomeCondition(conditions, (await mustFindHead(database, 'template', id)).draftRevision)
      const { bytes, ...about } = draft
      const bindings = bindingsIn(bytes)
      const { answer } = await refuseTakenNames(
        mutate(database, actor.at, request, async (tx) => {
          const family = await mustHold(tx, 'template', id)
          const saved = await putDraft(tx, actor, family, conditions, { bytes, format: 'docx' }, about)
          return { status: 200, body: templateDraftToWire(saved, bindings) }
        }),
      )
      return answer.body
    },

    /** Checks an uploaded file, or the draft where none is given; writes nothing. */
    async validate(id: string, file: Uint8Array | undefined, correlationId: string): Promise<ValidationResult> {
      const bytes = file ?? (await draftBytesOf(id)).bytes
      if (file !== undefined) await mustFindHead(database, 'template', id)
      const { findings } = checkContent('template', { bytes, format: 'docx' })
      return validationResult(findings, { stage: 'validate', resourceKind: 'template', resourceId: id, correlationId })
    },

    /** Composes and renders the draft with data, really, and keeps neither; `draws` makes pictures of the pages instead. */
    async test(id: string, data: unknown, correlationId: string, draws: boolean): Promise<Filled<TemplateTestResult>> {
      const { family, bytes } = await draftBytesOf(id)
      const subject = { stage: 'validate', resourceKind: 'template', resourceId: id, correlationId }
      const checked = checkContent('template', { bytes, format: 'docx' })
      if (!checked.ok) return { result: validationResult(checked.findings, subject) }
      const hash = sha256Hex(bytes)
      const text = canonicalJson(data as JsonValue)
      const source = { hash, format: 'docx', content: bytes } as const
      const probes = draws ? await drawFilled(pool, source, text) : await composeAndRender(pool, source, text)
      if ('drawn' in probes) return probes
      if ('findings' in probes) {
        return { result: validationResult(probes.findings, { ...subject, stage: probes.stage }) }
      }
      const result: TemplateTestResult = {
        ...validationResult([], subject),
        result: {
          template_id: id,
          draft_revision: family.draftRevision,
          template_hash: hash,
          input_hash: canonicalHash(data as JsonValue),
          bindings_hash: canonicalHash((checked.value.bindings ?? []) as unknown as JsonValue),
          docx: probes.docx,
          pdf: probes.pdf,
        },
      }
      return { result, pages: probes.pages }
    },

    /**
     * Fills a version with what a transformer makes of a case, and says of each binding whether it finds its value;
     * `draws` makes pictures of the pages instead.
     * @throws Fault not_found, and validation_failed for unknown ids and where the transformer refuses the case
     */
    async preview(
      id: string,
      number: number,
      wanted: TemplateToPreview,
      draws: boolean,
    ): Promise<Filled<TemplatePreview>> {
      await mustFindHead(database, 'template', id)
      const version = await findVersionByNumber(database.read, id, number)
      if (version?.bytes == null) throw noVersion('template', id, number)
      const transformer = await findVersion(database.read, wanted.transform_version_id.toLowerCase())
      const input = await cases.find(wanted.case_id.toLowerCase())
      if (transformer?.source == null || transformer.kind !== 'transformer') {
        throw new Fault(
          'validation_failed',
          'Body field transform_version_id: there is no such version of a transform.',
        )
      }
      if (input === undefined) throw new Fault('validation_failed', 'Body field case_id: there is no such case.')
      const params = wanted.params ?? {}
      const name = `of version ${transformer.number}`
      const unfit = paramFindings(params, [await loadDeclaring(database.read, transformer.id, name)])
      if (unfit.length > 0) throw validationFault(unfit, { stage: 'request', resourceKind: 'template', resourceId: id })
      const output = await transformCase(database, pool, transformer, input, params)
      const value = readJson(output.text)
      if (!value.ok) throw new Error(`transformer version ${transformer.id} made an output that is not JSON`)
      const source = { hash: version.contentHash, format: 'docx', content: version.bytes } as const
      const probes = draws
        ? await drawFilled(pool, source, output.text)
        : await composeAndRender(pool, source, output.text)
      if ('drawn' in probes) return probes
      const bindings = (version.bindings ?? []).map((binding) => resolveBinding(binding, value.value))
      const result: TemplatePreview = {
        template_version_id: version.id,
        transform_version_id: transformer.id,
        case_id: wanted.case_id.toLowerCase(),
        input_hash: hashOfPayload(input.payload),
        output: value.value,
        output_hash: output.hash,
        resolved: bindings.every(({ required, resolved }) => resolved || !required),
        bindings,
        ...('findings' in probes ? {} : { docx: probes.docx, pdf: probes.pdf }),
        errors: 'findings' in probes ? probes.findings.slice(0, limits.stepIssues).map(errorOf) : [],
      }
      return 'findings' in probes ? { result } : { result, pages: probes.pages }
    },
  }
}

/** What a file binds; undefined where it has mistakes. */
function bindingsIn(bytes: Uint8Array): Binding[] | undefined {
  const checked = checkContent('template', { bytes, format: 'docx' })
  return checked.ok ? (checked.value.bindings ?? undefined) : undefined
}

/** @throws Fault validation_failed that names every mistake, for the surface whose problems have no `errors` */
function requireTemplate(bytes: Uint8Array): void {
  const checked = checkContent('template', { bytes, format: 'docx' })
  if (!checked.ok) throw validationFault(checked.findings, { stage: 'validate', resourceKind: 'template' })
}

async function storeVersion(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  bytes: Uint8Array,
): Promise<{ family: FamilyRow; version: VersionRow }> {
  const saved = await saveDraft(tx, actor, family, { bytes, format: 'docx' })
  const version = await freezeVersion(tx, actor, saved)
  await recordAudit(tx, actor, {
    action: 'template.version_uploaded',
    resourceKind: 'template',
    resourceId: family.id,
    detail: { version_id: version.id, number: version.number, content_hash: version.contentHash },
  })
  return { family: saved, version }
}

/** The answer about a filled template, with the PDF for who would rather see it; or its pages, drawn. Nothing is kept. */
export type Filled<Result> = { result: Result; pages?: Uint8Array } | { drawn: TemplatePages }

type Probes =
  | { docx: ArtifactProof; pdf: ArtifactProof; pages: Uint8Array }
  | { stage: 'compose' | 'render'; findings: Finding[] }

/** Makes both documents in a worker and keeps only what proves that they were made. */
async function composeAndRender(pool: EnginePool, template: Source, data: string): Promise<Probes> {
  const composed = await runProbe(pool, { steps: ['compose'], sources: { template }, output: data })
  if (!composed.ok) return { stage: 'compose', findings: composed.findings }
  const file = fileOf(composed.value)
  // The pool takes the bytes over, so their proof is written first.
  const docx = {
    media_type: fileFormats.docx.mediaType,
    byte_size: file.bytes.byteLength,
    content_hash: file.hash,
  } as const
  const rendered = await runProbe(pool, { steps: ['render'], sources: {}, docx: file.bytes })
  if (!rendered.ok) return { stage: 'render', findings: rendered.findings }
  const pdf = fileOf(rendered.value)
  return {
    docx,
    pdf: { media_type: fileFormats.pdf.mediaType, byte_size: pdf.bytes.byteLength, content_hash: pdf.hash },
    pages: pdf.bytes,
  }
}

/** Draws the pages in a worker, with the places of the values. */
async function drawFilled(
  pool: EnginePool,
  template: Source,
  data: string,
): Promise<{ drawn: TemplatePages } | { stage: 'compose'; findings: Finding[] }> {
  const made = await runProbe(pool, { steps: ['compose'], sources: { template }, output: data, draws: true })
  if (!made.ok) return { stage: 'compose', findings: made.findings }
  const drawn = made.value.at(-1)?.drawn
  if (drawn === undefined) throw new Error('a preview drew no pages')
  return { drawn: templatePagesToWire(drawn) }
}

function fileOf(made: readonly StepSuccess[]) {
  const file = made.at(-1)?.file
  if (file === undefined) throw new Error('a step that makes a file made none')
  return file
}

/** @throws Fault validation_failed with what the contract or the transformer says against the case */
async function transformCase(
  database: Database,
  pool: EnginePool,
  transformer: VersionRow,
  input: CaseInput,
  params: TransformerParams,
): Promise<{ text: string; hash: string }> {
  const contract = await findVersion(database.read, input.contractVersionId)
  if (contract?.source == null) throw new Error(`contract version ${input.contractVersionId} has no schema`)
  const made = await runProbe(pool, {
    steps: ['validate', 'transform.declarative'],
    sources: {
      contract: { hash: contract.contentHash, format: 'json', content: contract.source },
      transformer: {
        hash: transformer.contentHash,
        format: transformer.format,
        content: transformer.source ?? '',
      },
    },
    rawInput: input.payload,
    input: input.payload,
    params: canonicalJson(params),
  })
  if (!made.ok) throw validationFault(made.findings, { stage: 'preview', resourceKind: 'transformer' })
  const output = made.value.at(-1)?.output
  if (output === undefined) throw new Error('the transform step made no output')
  return output
}

function hashOfPayload(payload: string): string {
  const value = readJson(payload)
  return value.ok ? canonicalHash(value.value) : sha256Hex(payload)
}

function resolveBinding(binding: Binding, data: JsonValue): TemplatePreview['bindings'][number] {
  const { pointer, part, paragraph, position, required } = binding
  const { resolved, text } = boundValue(data, pointer)
  return { pointer, part, paragraph, position, required, resolved, ...(text === undefined ? {} : { value: text }) }
}

function errorOf({ path, message }: Finding): { path: string; message: string } {
  return { path: path ?? '', message }
}
