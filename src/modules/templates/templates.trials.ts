import type { Author } from '../../core/actor.ts'
import { type Binding, boundValue } from '../../core/binding.ts'
import { canonicalHash, canonicalInParts } from '../../core/canonical.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import { fileFormats } from '../../core/formats.ts'
import { contentHashOf, sha256Hex } from '../../core/hash.ts'
import type { Instant } from '../../core/instant.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { inTurns, ownTurn } from '../../core/turns.ts'
import type { Database } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { validationResult } from '../../http/problem.ts'
import type { Reach } from '../../http/reach.ts'
import type { DrawnPages, FragmentSource, Source, StepSuccess } from '../../runner/job.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { CaseService } from '../cases/cases.service.ts'
import { mustFindHead, noVersion } from '../configuration/refusals.service.ts'
import { type Judging, judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { runProbe, runTransformer, type TransformerOutput } from '../drafts/probe.service.ts'
import { loadDeclaring, paramFindings } from '../versions/params.service.ts'
import type { TransformerParams } from '../versions/versions.model.ts'
import { findVersion, findVersionByNumber, readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import { readDraftFile } from './templates.draft.ts'
import type {
  ArtifactProof,
  TemplateFonts,
  TemplatePages,
  TemplatePreview,
  TemplateTestResult,
  TemplateToPreview,
} from './templates.model.ts'
import { takenToWire, templatePagesToWire } from './templates.wire.ts'

export interface TrialPorts {
  database: Database
  pool: EnginePool
  judge: Judge
  cases: CaseService
  clock: Clock
  included: IncludedTemplates
}

/** A trial's result: both documents with a report, or pictures of the pages. */
export type Shown = 'documents' | 'pictures'

/** Trial runs of templates with data. Nothing is stored. */
export function createTemplateTrials({ database, pool, judge, cases, clock, included }: TrialPorts) {
  return {
    /** Composes and renders the draft, or an unsaved file, with data, as a submission would. */
    async test(
      id: string,
      { data, file }: { data: JsonValue; file?: Uint8Array },
      { families: reach, correlationId }: Author,
      shown: Shown,
    ): Promise<Filled<TemplateTestResult>> {
      const unsaved = file && { bytes: file, family: undefined }
      const { bytes, family } = unsaved ?? (await readDraftFile(database.read, id))
      if (family === undefined) await mustFindHead(database, 'template', id)
      const subject = { stage: 'validate', resourceKind: 'template', resourceId: id, correlationId }
      const checked = await judgeContent(judge, { kind: 'template', content: { bytes, format: 'docx' } })
      if (!checked.ok) return { result: validationResult(checked.findings, subject) }
      const hash = contentHashOf(bytes)
      const fragments = await fragmentsNow({ included, clock }, checked.value.fragments ?? [], reach)
      const input = await inTurns(canonicalInParts(data))
      const { bindings, fragments: includes } = checked.value
      const taken = file === undefined ? undefined : { bindings: bindings ?? [], fragments: includes ?? [] }
      const trial = await fill(pool, { hash, format: 'docx', content: bytes, fragments }, input.text, shown)
      if ('drawn' in trial) return { drawn: templatePagesToWire(trial.drawn, taken) }
      const told = takenToWire(taken)
      if ('findings' in trial) {
        return { result: { ...validationResult(trial.findings, { ...subject, stage: trial.stage }), ...told } }
      }
      // A proof refers to a draft, so an unsaved file has none.
      if (family === undefined) return { result: { ...validationResult([], subject), ...told }, pages: trial.pages }
      const result: TemplateTestResult = {
        ...validationResult([], subject),
        result: {
          template_id: id,
          draft_revision: family.draftRevision,
          template_hash: hash,
          input_hash: input.hash,
          bindings_hash: canonicalHash(bindings ?? []),
          docx: trial.docx,
          pdf: trial.pdf,
        },
      }
      return { result, pages: trial.pages }
    },

    /**
     * The fonts with which this instance draws the texts of the draft or of a version, known before any document is made.
     * @throws Fault not_found; validation_failed for a file that can't be rendered
     */
    async fonts(id: string, number: number | undefined): Promise<TemplateFonts> {
      const bytes =
        number === undefined
          ? (await readDraftFile(database.read, id)).bytes
          : (await requireVersion(database, id, number)).bytes
      const rendered = await runProbe(pool, {
        ...{ steps: ['render'], sources: {}, alike: contentHashOf(bytes), discardsFiles: true },
        // Copied, because the pool takes the bytes over.
        docx: bytes.slice(),
      })
      if (!rendered.ok) {
        throw validationFault(rendered.findings, { stage: 'render', resourceKind: 'template', resourceId: id })
      }
      return { fonts: (rendered.value.at(-1)?.summary.fonts ?? []) as TemplateFonts['fonts'] }
    },

    /**
     * Fills a version with a transformer's output for a case, and reports whether each binding finds its value.
     * @throws Fault not_found, and validation_failed for unknown ids and if the transformer refuses the case
     */
    async preview(
      id: string,
      number: number,
      wanted: TemplateToPreview,
      { families: reach }: Author,
      shown: Shown,
    ): Promise<Filled<TemplatePreview>> {
      const version = await requireVersion(database, id, number)
      const transformer = await findVersion(database.read, wanted.transform_version_id.toLowerCase())
      const input = await cases.find(wanted.case_id.toLowerCase())
      if (transformer?.kind !== 'transformer') {
        throw new Fault(
          'validation_failed',
          'Body field transform_version_id: there is no such version of a transform.',
        )
      }
      if (input === undefined) throw new Fault('validation_failed', 'Body field case_id: there is no such case.')
      const { params = {} } = wanted
      const name = `of version ${transformer.number}`
      const unfit = paramFindings(params, [
        await loadDeclaring(
          { connection: database.read, compile: (source) => judge.ask('transformer', source) },
          transformer.id,
          name,
        ),
      ])
      if (unfit.length > 0) throw validationFault(unfit, { stage: 'request', resourceKind: 'template', resourceId: id })
      const output = await transformCase({ database, pool }, transformer, input, params)
      const source = {
        hash: version.contentHash,
        format: 'docx',
        reading: version.reading,
        content: version.bytes,
        fragments: await fragmentsNow({ included, clock }, version.fragments ?? [], reach),
      } as const
      const trial = await fill(pool, source, output.text, shown)
      if ('drawn' in trial) return { drawn: templatePagesToWire(trial.drawn) }
      const bindings = (version.bindings ?? []).map((binding) => resolveBinding(binding, output.value))
      const result: TemplatePreview = {
        template_version_id: version.id,
        transform_version_id: transformer.id,
        case_id: wanted.case_id.toLowerCase(),
        input_hash: hashOfPayload(input.payload),
        output: output.value,
        output_hash: output.hash,
        resolved: bindings.every(({ required, resolved }) => resolved || !required),
        bindings,
        ...('findings' in trial ? {} : { docx: trial.docx, pdf: trial.pdf }),
        errors: ('findings' in trial
          ? trial.findings
          : await misuses({ connection: database.read, judge, reach }, transformer, version, input)
        )
          .slice(0, limits.stepIssues)
          .map(errorOf),
      }
      return 'findings' in trial ? { result } : { result, pages: trial.pages }
    },
  }
}

/** @throws Fault not_found */
async function requireVersion(database: Database, id: string, number: number) {
  await mustFindHead(database, 'template', id)
  await ownTurn()
  const version = await findVersionByNumber(database.read, id, number)
  if (version?.bytes == null) throw noVersion('template', id, number)
  return { ...version, bytes: version.bytes }
}

/** The templates that a trial includes: as in force now, else drafts. */
async function fragmentsNow(
  { included, clock }: Pick<TrialPorts, 'included' | 'clock'>,
  includes: readonly string[],
  reach: Reach,
): Promise<FragmentSource[]> {
  if (includes.length === 0) return []
  const files = await included.forTrial(clock.now(), includes, reach)
  return [...files].map(([slug, content]) => ({ slug, hash: sha256Hex(content), content }))
}

/** Which templates in force include which. Implemented by another module and passed in. */
export interface IncludedTemplates {
  /**
   * Files of all included templates, direct or not, by slug: versions in force, else drafts.
   * @throws Fault forbidden for one that the caller doesn't reach
   */
  forTrial(at: Instant, includes: readonly string[], reach: Reach): Promise<Map<string, Uint8Array>>
  /** Templates in force that include one, directly or through others. */
  including(
    slug: string,
    at: Instant,
  ): Promise<readonly { familyId: string; slug: string; version: number; chain: readonly string[] }[]>
}

/** A report on a filled template, with the PDF for clients that want it; or the drawn pages. Nothing is stored. */
export type Filled<Result> = { result: Result; pages?: Uint8Array } | { drawn: TemplatePages }

type Trial = Documents | Refused | { drawn: DrawnPages }

interface Documents {
  docx: ArtifactProof
  pdf: ArtifactProof
  /** The PDF itself. */
  pages: Uint8Array
}

interface Refused {
  stage: 'compose' | 'render'
  findings: Finding[]
}

/** Fills a template in a worker. `data` is JSON text. */
function fill(pool: EnginePool, template: Source, data: string, shown: Shown): Promise<Trial> {
  return shown === 'pictures' ? drawFilled(pool, template, data) : composeAndRender(pool, template, data)
}

/** Makes both documents, with proofs of them. */
async function composeAndRender(pool: EnginePool, template: Source, data: string): Promise<Documents | Refused> {
  const composed = await runProbe(pool, {
    steps: ['compose'],
    sources: { template },
    alike: template.hash,
    output: data,
  })
  if (!composed.ok) return { stage: 'compose', findings: composed.findings }
  const file = fileOf(composed.value)
  // Before rendering, because the pool takes the bytes over.
  const docx = {
    media_type: fileFormats.docx.mediaType,
    byte_size: file.bytes.byteLength,
    content_hash: file.hash,
  } as const
  const rendered = await runProbe(pool, {
    steps: ['render'],
    sources: {},
    alike: template.hash,
    dataChars: data.length,
    docx: file.bytes,
  })
  if (!rendered.ok) return { stage: 'render', findings: rendered.findings }
  const pdf = fileOf(rendered.value)
  return {
    docx,
    pdf: { media_type: fileFormats.pdf.mediaType, byte_size: pdf.bytes.byteLength, content_hash: pdf.hash },
    pages: pdf.bytes,
  }
}

/** Draws the pages, with the values' places. */
async function drawFilled(pool: EnginePool, template: Source, data: string): Promise<{ drawn: DrawnPages } | Refused> {
  const made = await runProbe(pool, {
    steps: ['compose'],
    sources: { template },
    alike: template.hash,
    output: data,
    draws: true,
  })
  if (!made.ok) return { stage: 'compose', findings: made.findings }
  const drawn = made.value.at(-1)?.drawn
  if (drawn === undefined) throw new Error('a preview drew no pages')
  return { drawn }
}

function fileOf(made: readonly StepSuccess[]) {
  const file = made.at(-1)?.file
  if (file === undefined) throw new Error('a step that makes a file made none')
  return file
}

/** @throws Fault validation_failed with the findings of the contract or the transformer about the case */
async function transformCase(
  { database, pool }: Pick<TrialPorts, 'database' | 'pool'>,
  transformer: VersionRow,
  input: CaseRow,
  params: TransformerParams,
): Promise<TransformerOutput> {
  const contract = await readVersion(database.read, input.contractVersionId)
  const made = await runTransformer(pool, {
    transformer: sourceForWorkers(transformer),
    contract: sourceForWorkers(contract),
    input: input.payload,
    params,
  })
  if (!made.ok) throw validationFault(made.findings, { stage: 'preview', resourceKind: 'transformer' })
  return made.value
}

/**
 * Findings about values whose types don't allow what the filled template does with them, such as conditions that can never be
 * true.
 */
async function misuses(
  { connection, judge }: Judging,
  transformer: VersionRow,
  template: VersionRow,
  input: CaseRow,
): Promise<Finding[]> {
  const source = sourceOf(transformer)
  const { reading } = transformer
  const alone = await judge.ask('transformer', { ...source, reading })
  const isTyped = alone.ok && alone.value.contract !== undefined
  const contract = isTyped ? sourceOf(await readVersion(connection, input.contractVersionId)).source : undefined
  return judge.ask('chain', { contract, transformer: source, bindings: template.bindings ?? [], reading })
}

function sourceForWorkers(version: VersionRow): Source {
  const { source, format } = sourceOf(version)
  return { hash: version.contentHash, format, reading: version.reading, content: source }
}

type CaseRow = NonNullable<Awaited<ReturnType<CaseService['find']>>>

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
