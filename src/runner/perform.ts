import { canonicalJson } from '../core/canonical.ts'
import { describeSurroundings, type Finding, fail, type Outcome } from '../core/finding.ts'
import { sha256Hex } from '../core/hash.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson, setMember } from '../core/json.ts'
import { limits } from '../core/limits.ts'
import { newestReading } from '../core/reading.ts'
import { formatMadeBy, type StepName } from '../core/steps.ts'
import type { StepFailure } from '../db/schema.ts'
import { compileTransformer, evaluateTransformer, type Transformer } from '../engines/declarative/declarative.ts'
import { compileTemplate, composeMarked, composeTemplate, earlierReading, type Template } from '../engines/docx/docx.ts'
import { withSurroundings } from '../engines/docx/surroundings.ts'
import type { InputFormat } from '../engines/ingestion/input-format.ts'
import { placedIn, type ReadInput, readInput } from '../engines/ingestion/read-input.ts'
import { packageText } from '../engines/ooxml/document-text.ts'
import { type OoxmlPackage, openPackage } from '../engines/ooxml/package.ts'
import type { TreeCache } from '../engines/ooxml/trees.ts'
import { createRenderCache } from '../engines/pdf/cache.ts'
import type { FontLibrary } from '../engines/pdf/font/library.ts'
import { drawDocx, renderPackage } from '../engines/pdf/pdf.ts'
import type { PdfForm } from '../engines/pdf/render/write.ts'
import type { DrawnFont } from '../engines/pdf/report.ts'
import { type CompiledSchema, compileSchema, validatePayload } from '../engines/schema/schema.ts'
import {
  type DrawnPages,
  fragmentsOf,
  type Source,
  type StepJob,
  type StepResult,
  type StepSuccess,
  sourceKey,
} from './job.ts'
import { withPages } from './template-pages.ts'

/** Collects a long document's garbage before the engine continues. */
const collect = () => Bun.gc(true)

/**
 * Runs steps over plain values: the same job gives the same result on any machine. A refusal of an engine becomes a located
 * failure; an exception is a defect, and passes to the caller.
 */
export interface Performer {
  /** The results in order, ending with the first failure. Each step's result is passed to the steps after it. */
  perform(job: StepJob): StepResult[]
  /** Drops what was compiled from a source. */
  forget(key: string): void
}

export interface PerformerOptions {
  /** Called by the first rendering. */
  fonts: () => FontLibrary
  /** Hash of the additional fonts; those in the executable are identified by its revision. */
  fontsHash?: () => string | undefined
}

interface Made extends Pick<StepSuccess, 'summary' | 'output' | 'drawn' | 'text'> {
  file?: Uint8Array
  /** The file, opened: parsing its parts again would take as long as composing it. */
  opened?: Outcome<OoxmlPackage>
}

/** A job with what its steps have made so far. */
interface JobSoFar extends StepJob {
  opened?: Outcome<OoxmlPackage>
}

/** Ends a step; stays inside this file. */
class Refusal extends Error {
  constructor(readonly failure: StepFailure) {
    super(failure.message)
  }
}

export function createPerformer(options: PerformerOptions): Performer {
  const compiled = new Map<string, unknown>()
  const cache = createRenderCache({ maxBytes: limits.renderCacheBytes })
  const trees = createRenderCache({ maxBytes: limits.xmlSharedBytes })

  function once<T>(key: string, compile: () => Outcome<T>, code: string): T {
    const known = compiled.get(key)
    if (known !== undefined) return known as T
    const outcome = compile()
    if (!outcome.ok) throw refusal(code, 'The pinned configuration can not be used', outcome.findings)
    compiled.set(key, outcome.value)
    return outcome.value
  }

  function contractOf(job: StepJob): CompiledSchema {
    const source = sourceOf(job, 'contract')
    return once(sourceKey('contract', source), () => compileSchema(textOf(source)), 'contract_unusable')
  }

  /**
   * The program, typed by the contract if its source names one: the same source under two contracts is two programs. Never typed
   * for a child, because the contract describes the raw input; checkChain does the same.
   */
  function transformerOf(job: StepJob): Transformer {
    const source = sourceOf(job, 'transformer')
    const key = sourceKey('transformer', source)
    const format = source.format === 'json' ? 'json' : 'yaml'
    const rules = { reading: source.reading ?? newestReading }
    const untyped = once(key, () => compileTransformer(textOf(source), format, rules), 'transformer_unusable')
    if (untyped.contract === undefined || job.readsParent === true) return untyped
    const typed = () => compileTransformer(textOf(source), format, { ...rules, contract: contractOf(job).root })
    return once(`${key} ${sourceKey('contract', sourceOf(job, 'contract'))}`, typed, 'transformer_unusable')
  }

  function templateOf(job: StepJob): Template {
    const source = sourceOf(job, 'template')
    return once(
      sourceKey('template', source),
      () => compileTemplate(bytesOf(source), source.reading, fragmentsOf(source)),
      'template_unusable',
    )
  }

  function validate(job: StepJob): Made {
    const text = given(job.rawInput, 'raw input')
    const input = inputOf(text, job.inputFormat)
    const found = validatePayload(contractOf(job), input.value, { maxFindings: limits.stepIssues })
    const findings = placedIn(input, found)
    if (findings.length > 0) throw refusal('contract_violated', 'The input does not satisfy its contract', findings)
    return { summary: { input_bytes: Buffer.byteLength(text), contract_hash: sourceOf(job, 'contract').hash } }
  }

  function transform(job: StepJob): Made {
    const input = inputOf(given(job.input, 'input'), job.readsParent === true ? undefined : job.inputFormat)
    const transformer = transformerOf(job)
    const outcome = evaluateTransformer(transformer, input.value, { params: paramsOf(job, transformer) })
    const { output } = accepted(outcome, 'transform_failed', 'The transformer could not make its output')
    const text = canonicalJson(output)
    const byteSize = Buffer.byteLength(text)
    if (byteSize > limits.payloadBytes) {
      throw refusal(
        'output_too_large',
        `The output has ${byteSize} bytes; at most ${limits.payloadBytes} are allowed`,
        [],
      )
    }
    const hash = sha256Hex(text)
    const transformerHash = sourceOf(job, 'transformer').hash
    const summary = { output_bytes: byteSize, transformer_hash: transformerHash, ...remarks(transformer.earlier) }
    return { summary, output: { text, hash } }
  }

  function compose(job: StepJob): Made {
    const data = accepted(
      readJson(given(job.output, 'output')),
      'output_unreadable',
      'The stored output can not be read',
    )
    if (job.draws === true) return { summary: {}, drawn: draw(job, data) }
    const template = templateOf(job)
    const outcome = located(job, composeTemplate(template, data, job.discardsFiles === true ? 'quick' : 'small'))
    const bytes = bounded(accepted(outcome, ...unfilled))
    const earlier = template.findings.filter(({ code }) => code === earlierReading)
    return {
      summary: {
        template_hash: sourceOf(job, 'template').hash,
        ...remarks([...earlier, ...outcome.findings]),
      },
      file: bytes,
      ...(job.tellsText === true ? textOfDocx(bytes, trees) : {}),
    }
  }

  function draw(job: StepJob, data: JsonValue): DrawnPages {
    const outcome = located(job, composeMarked(templateOf(job), data))
    if (!outcome.ok) {
      const findings = withPages(bytesOf(sourceOf(job, 'template')), outcome.findings, options.fonts)
      throw refusal(...unfilled, findings)
    }
    const marked = outcome.value
    const { bytes, places, pointers, pictures } = marked
    const drawn = drawDocx(bytes, { fonts: options.fonts(), cache, collect }, pictures)
    const { pages, totalPages } = accepted(drawn, 'render_failed', 'The document could not be rendered')
    return {
      pages: pages.map(({ marks, ...page }) => ({
        ...page,
        marks: marks.map(({ mark, ...box }) => ({ place: places[mark] ?? '', pointer: pointers[mark], ...box })),
      })),
      totalPages,
    }
  }

  function render(job: JobSoFar): Made {
    const open = () => openPackage(given(job.docx, 'docx'), 'ignored', trees)
    const rendered = (container: Outcome<OoxmlPackage>, form: PdfForm) => {
      const outcome = renderPackage(container, { fonts: options.fonts(), cache, collect, form })
      return accepted(outcome, 'render_failed', 'The document could not be rendered')
    }
    const form = job.discardsFiles === true ? 'quick' : 'small'
    const made = rendered(job.opened ?? open(), form)
    // Only the small form shows whether the file exceeds the limit.
    const isTold = form === 'small' || made.pdf.length <= limits.artifactBytes
    const { pdf, pages, report, fonts } = isTold ? made : rendered(open(), 'small')
    const fontsHash = options.fontsHash?.()
    const drawnWith = fontsHash === undefined ? {} : { fonts_hash: fontsHash }
    return { summary: { pages, ...drawnWith, fonts: fonts.map(fontToWire), ...remarks(report) }, file: bounded(pdf) }
  }

  const makers: Record<StepName, (job: JobSoFar) => Made> = {
    validate,
    'transform.declarative': transform,
    compose,
    render,
  }

  return {
    perform(job) {
      const results: StepResult[] = []
      const soFar: JobSoFar = { ...job }
      for (const step of job.steps) {
        const startedMs = performance.now()
        const durationMs = () => performance.now() - startedMs
        try {
          const made = makers[step](soFar)
          const { file, opened: _opened, ...told } = made
          const kept = file === undefined || job.discardsFiles === true ? {} : { file: hashed(file) }
          results.push({ step, ok: true, durationMs: durationMs(), ...told, ...kept })
          passOn(soFar, step, made)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          results.push({ step, ok: false, durationMs: durationMs(), failure: error.failure })
          return results
        }
      }
      return results
    },
    forget(key) {
      for (const known of compiled.keys()) if (known.split(' ').includes(key)) compiled.delete(known)
    },
  }
}

/** A submission's params are for all its transformers; each gets those that it declares. */
function paramsOf(job: StepJob, transformer: Transformer): JsonObject {
  if (job.params === undefined) return {}
  const given = accepted(readJson(job.params), 'params_unreadable', 'The stored params can not be read')
  const taken: JsonObject = {}
  for (const name of Object.keys(transformer.params)) {
    const value = isJsonObject(given) && Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined) setMember(taken, name, value)
  }
  return taken
}

/** The value that a contract describes. */
function inputOf(text: string, format: InputFormat | undefined): ReadInput {
  const read = readInput(text, format)
  return format === undefined
    ? accepted(read, 'input_not_json', 'The input is not JSON as Quire reads it')
    : accepted(read, `input_not_${format.format}`, `The input is not ${format.format.toUpperCase()} as its model says`)
}

/** Passes a step's result to the steps after it. */
function passOn(job: JobSoFar, step: StepName, { output, file, opened }: Made): void {
  const format = formatMadeBy(step)
  if (output !== undefined) job.output = output.text
  if (file !== undefined && format !== undefined) job[format] = file
  if (opened !== undefined) job.opened = opened
}

function bounded(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= limits.artifactBytes) return bytes
  const message = `The file has ${bytes.length} bytes; at most ${limits.artifactBytes} are allowed`
  throw refusal('artifact_too_large', message, [])
}

function hashed(bytes: Uint8Array): NonNullable<StepSuccess['file']> {
  return { bytes, hash: sha256Hex(bytes) }
}

/**
 * The text of a document, and the document opened for rendering. A very long one is opened again for that, because its tree would
 * take much memory during layout.
 */
function textOfDocx(docx: Uint8Array, trees: TreeCache): Pick<Made, 'text' | 'opened'> {
  const opened = openPackage(docx, 'ignored', trees)
  if (!opened.ok) return { opened }
  const { archive, mainPart } = opened.value
  const text = packageText(opened.value)
  if (!text.ok) return {}
  const isLong = (archive.entry(mainPart)?.inflatedBytes ?? 0) > limits.packageKeptPartBytes
  return { text: text.value, ...(isLong ? {} : { opened }) }
}

const unfilled = ['compose_failed', 'The template could not be filled'] as const

/** The outcome, with findings about the data placed as the template's author sees them. */
function located<T>(job: StepJob, outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok) return outcome
  const source = sourceOf(job, 'template')
  return fail(...withSurroundings(bytesOf(source), outcome.findings, fragmentsOf(source)))
}

function accepted<T>(outcome: Outcome<T>, code: string, message: string): T {
  if (!outcome.ok) throw refusal(code, message, outcome.findings)
  return outcome.value
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the job lacks its ${name}`)
  return value
}

function sourceOf(job: StepJob, role: keyof StepJob['sources']): Source {
  return given(job.sources[role], role)
}

function textOf(source: Source): string {
  return typeof source.content === 'string' ? source.content : new TextDecoder().decode(source.content)
}

function bytesOf(source: Source): Uint8Array {
  return typeof source.content === 'string' ? new TextEncoder().encode(source.content) : source.content
}

/** The interface's bounds: 20 issues, 240 characters of message, 512 of path, 64 of keyword. */
function refusal(code: string, message: string, findings: readonly Finding[]): Refusal {
  const errors = findings.filter((finding) => finding.severity === 'error')
  const issues = errors.slice(0, limits.stepIssues).map((finding) => ({
    path: shorten(placeOf(finding), limits.issuePathChars),
    ...(finding.keyword === undefined ? {} : { keyword: shorten(finding.keyword, limits.issueKeywordChars) }),
    message: withPlace(finding),
  }))
  const count =
    errors.length < 2 ? '' : `: ${errors.length}${errors.length >= limits.stepIssues ? ' or more' : ''} issues`
  return new Refusal({ code, message: shorten(`${message}${count}.`, limits.stepIssueMessageChars), issues })
}

/** The message, followed by as much of the author's place as fits: the interface's issues have no member for it. */
function withPlace({ message, near }: Finding): string {
  const seen = near === undefined ? '' : describeSurroundings(near)
  const room = limits.stepIssueMessageChars - message.length - ' ()'.length
  if (seen === '' || room < limits.placeCharsTold) return shorten(message, limits.stepIssueMessageChars)
  return `${message.toWellFormed()} (${shorten(seen, room)})`
}

function placeOf(finding: Finding): string {
  if (finding.path !== undefined && finding.path !== '') return finding.path
  return finding.line === undefined ? '' : `line ${finding.line}, column ${finding.column ?? 1}`
}

function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text.toWellFormed()
  return `${text.slice(0, maxChars - 1).toWellFormed()}…`
}

/** In the form of the step's summary and the manifest. */
function fontToWire({ family, drawnWith, use }: DrawnFont): JsonObject {
  return { family, drawn_with: drawnWith, match: fontMatches[use] }
}

const fontMatches = {
  family: 'itself',
  twin: 'twin',
  measured: 'measured',
  lookalike: 'guessed',
  borrowed: 'borrowed',
} as const

function remarks(findings: readonly Finding[]): Record<string, JsonValue> {
  if (findings.length === 0) return {}
  const listed = findings.slice(0, limits.stepIssues).map(({ code, message, path }) => ({
    code,
    message: shorten(message, limits.stepIssueMessageChars),
    ...(path === undefined ? {} : { path: shorten(path, limits.issuePathChars) }),
  }))
  return { remarks: listed, remark_count: findings.length }
}
