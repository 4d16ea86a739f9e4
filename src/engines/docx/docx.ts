import type { Binding } from '../../core/binding.ts'
import type { Coverage, ItemBounds } from '../../core/coverage.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { JsonValue } from '../../core/json.ts'
import { parsePointer } from '../../core/pointer.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import { openPackage } from '../ooxml/package.ts'
import { type ArchiveForm, type Composable, compose } from './compose/compose.ts'
import { Marking } from './compose/marking.ts'
import { skeletonOf } from './compose/skeleton.ts'
import { TemplateWatch } from './compose/watch.ts'
import { linkTemplate } from './fragments/link.ts'
import { type FragmentUse, missingFragment, withoutFragments } from './fragments/uses.ts'
import { planPart } from './plan/plan.ts'
import { collectBindings } from './program/bindings.ts'
import { buildProgram, type CompiledPart } from './program/program.ts'
import { watchedPart } from './program/watched.ts'
import { parsePlace } from './scan/document-place.ts'
import { reportForeignContent } from './scan/external.ts'
import { findNotes } from './scan/notes.ts'
import { placeOf } from './scan/paragraphs.ts'
import { textualParts } from './scan/parts.ts'
import { type CompileContext, scanPart, textsOf } from './scan/scan.ts'
import { readStyles } from './scan/styles.ts'
import { earlierReading, isComment, type TaggedText } from './scan/tags.ts'

export type { FragmentUse }
export { earlierReading, missingFragment }

/** A tag of the template, for authors and tools. */
export interface Tag {
  kind: string
  /** With braces, as in the document. */
  raw: string
  /** Full JSON Pointer, `*` for the items of a list; absent for tags that read no data. */
  pointer?: string
  shape?: Binding['shape']
  part: string
  paragraph: number
  position: number
}

/**
 * A compiled template: immutable, cached by callers under `contentHash`. `parts` are programs, `skeleton` is all the
 * rest; only this folder reads either.
 */
export interface Template extends Composable {
  /** SHA-256 of the DOCX that was compiled. */
  readonly contentHash: string
  readonly tags: readonly Tag[]
  readonly bindings: readonly Binding[]
  /** Warnings that compiling gave. */
  readonly findings: readonly Finding[]
  /** Included templates that it was compiled without. It can't be filled while there are any. */
  readonly fragments: readonly FragmentUse[]
  /** The place in the file that an author has, of a place in what was compiled. */
  placeOf(path: string): string
}

/** The files of templates that one includes, and that these include, by their slugs. */
export type Fragments = ReadonlyMap<string, Uint8Array>

/**
 * Reads a DOCX, checks its tags, and compiles every part that has some to a program of literal XML and holes: scan → plan → program. A
 * frozen version is read by the rules it was frozen under. Fails with every mistake at once, each with its place (`word/document.xml#12:5`)
 * and its remedy.
 *
 * @param fragments the templates it includes; without them it is only checked, and can't be filled if it includes any
 */
export function compileTemplate(
  bytes: Uint8Array,
  reading: Reading = newestReading,
  fragments?: Fragments,
): Outcome<Template> {
  return compileLinked(bytes, { reading, fragments }, (template) => template)
}

/** A template that notes what its compositions reach; `coverage.take` returns what the last ones did. */
export interface WatchedTemplate {
  coverage: Coverage
  compose(data: JsonValue): Outcome<Uint8Array>
}

/**
 * Compiles a slower template that notes what compositions reach.
 *
 * @param itemsAt bounds of a list's length in the data, by the tokens of its pointer, where known
 */
export function watchTemplate(
  bytes: Uint8Array,
  itemsAt: (tokens: readonly string[]) => ItemBounds | undefined = () => undefined,
  fragments?: Fragments,
): Outcome<WatchedTemplate> {
  return compileLinked(bytes, { reading: newestReading, fragments }, (template, texts, context) => {
    const parts = template.parts.map(watchedPart)
    const lists = new Map(
      template.bindings
        .filter(({ shape }) => shape === 'list')
        .map(({ pointer, part, paragraph, position }) => [`${part}#${paragraph}:${position}`, pointer]),
    )
    const watch = new TemplateWatch(parts, texts, (place) => {
      const pointer = lists.get(template.placeOf(place))
      return pointer === undefined ? undefined : itemsAt(parsePointer(pointer) ?? [])
    })
    for (const point of watch.coverage.points) point.place = template.placeOf(point.place)
    const watched = { parts, skeleton: skeletonOf(context, parts) }
    return { coverage: watch.coverage, compose: (data) => compose(watched, data, 'small', { watch }) }
  })
}

type Make<T> = (template: Template, texts: readonly TaggedText[], context: CompileContext) => T

interface Reader {
  reading: Reading
  fragments: Fragments | undefined
}

/** Links the included templates into a template before compiling it; without them, their places stay empty. */
function compileLinked<T>(bytes: Uint8Array, { reading, fragments }: Reader, make: Make<T>): Outcome<T> {
  // A version that was frozen under earlier rules has no such tags: they were refused.
  const opened = openPackage(bytes)
  const alone = opened.ok && reading >= fragmentsSince ? withoutFragments(opened.value) : undefined
  if (alone === undefined) return compile(bytes, reading, make, opened)
  if (fragments === undefined) {
    return compile(alone.bytes, reading, (template, ...rest) =>
      make({ ...template, contentHash: sha256Hex(bytes), fragments: alone.fragments }, ...rest),
    )
  }
  const linked = linkTemplate(bytes, (slug) => fragments.get(slug))
  if (!linked.ok) return linked
  const { placeOf } = linked.value
  const compiled = compile(linked.value.bytes, reading, (template, ...rest) => make(placed(template, placeOf), ...rest))
  const findings = compiled.findings.map((finding) => replaced(finding, placeOf))
  return compiled.ok ? succeed(compiled.value, findings) : fail(...findings)
}

/** The rules under which templates may include others. */
const fragmentsSince: Reading = 3

/** A template whose places are those of the files that it was put together from. */
function placed(template: Template, placeOf: Template['placeOf']): Template {
  const inFile = <T extends { part: string; paragraph: number; position: number }>(one: T): T => {
    const place = parsePlace(placeOf(`${one.part}#${one.paragraph}:${one.position}`))
    return place === undefined ? one : { ...one, ...place }
  }
  return {
    ...template,
    placeOf,
    tags: template.tags.map(inFile),
    bindings: template.bindings.map(inFile),
    findings: template.findings.map((finding) => replaced(finding, placeOf)),
  }
}

function replaced(finding: Finding, placeOf: Template['placeOf']): Finding {
  return finding.path === undefined ? finding : { ...finding, path: placeOf(finding.path) }
}

function compile<T>(bytes: Uint8Array, reading: Reading, make: Make<T>, opened = openPackage(bytes)): Outcome<T> {
  if (!opened.ok) return opened
  const findings = [...opened.findings]
  reportForeignContent(opened.value, findings)
  const context: CompileContext = {
    opened: opened.value,
    styles: readStyles(opened.value),
    notes: findNotes(opened.value),
    copiedNotes: new Set(),
    commentedNotes: new Set(),
    findings,
    reading,
  }
  const parts: CompiledPart[] = []
  const texts: TaggedText[] = []
  for (const { part, kind } of textualParts(opened.value)) {
    const scanned = scanPart(context, part, kind)
    const plan = scanned === undefined ? undefined : planPart(scanned, context)
    if (scanned === undefined || plan === undefined) continue
    parts.push(buildProgram(scanned, plan, findings))
    texts.push(...textsOf(scanned))
  }
  // A tag in a block that could not be placed would wrongly seem to be outside every loop.
  const isPlaced = !findings.some(({ code }) => structural.has(code))
  const bindings = collectBindings(parts, isPlaced ? findings : [], reading)
  if (findings.some((finding) => finding.severity === 'error')) return fail(...inReadingOrder(findings, parts))
  const template: Template = {
    contentHash: sha256Hex(bytes),
    tags: listTags(texts, bindings),
    bindings,
    findings,
    fragments: [],
    placeOf: (path) => path,
    parts,
    skeleton: skeletonOf(context, parts),
  }
  return succeed(make(template, texts, context), findings)
}

const structural = new Set(['docx.unbalanced', 'docx.misplaced', 'docx.too_deep'])

/** The order in which an author meets the mistakes: by part, paragraph, position. */
function inReadingOrder(findings: Finding[], parts: CompiledPart[]): Finding[] {
  const ranks = new Map(parts.map(({ part }, index) => [part, index]))
  const keyOf = (finding: Finding) => {
    const [part = '', place = ''] = (finding.path ?? '').split('#')
    const [paragraph = 0, position = 0] = place.split(':').map(Number)
    return [ranks.get(part) ?? -1, paragraph, position] as const
  }
  const keyed = findings.map((finding) => ({ finding, key: keyOf(finding) }))
  keyed.sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.key[2] - b.key[2])
  return keyed.map(({ finding }) => finding)
}

function listTags(texts: readonly TaggedText[], bindings: readonly Binding[]): Tag[] {
  const byPlace = new Map<string, Binding>()
  for (const binding of bindings) {
    const place = `${binding.part}#${binding.paragraph}:${binding.position}`
    if (!byPlace.has(place)) byPlace.set(place, binding)
  }
  return texts.flatMap(({ part, tags }) =>
    tags
      .filter((tag) => !isComment(tag))
      .map(({ paragraph, from, raw, syntax }) => {
        const tag: Tag = { kind: syntax.kind, raw, part, paragraph: paragraph.number, position: from }
        const binding = byPlace.get(placeOf(part, paragraph, from))
        return binding === undefined ? tag : { ...tag, pointer: binding.pointer, shape: binding.shape }
      }),
  )
}

/**
 * Fills a template. Returns the bytes of a DOCX, the same for the same template and data on every machine. Otherwise returns
 * every finding at once, each with the place of its tag: missing values, values of the wrong kind, unusable pictures.
 *
 * @param form `quick` for a document that is only read back: the same parts, mostly uncompressed; `none` to learn only
 * whether composing succeeds
 */
export function composeTemplate(template: Template, data: JsonValue, form: ArchiveForm = 'small'): Outcome<Uint8Array> {
  return composed(template, (composable) => compose(composable, data, form))
}

/** A filled template to look at: every value carries the mark of its tag (see `core/marks.ts`). */
export interface MarkedComposition {
  bytes: Uint8Array
  /** Places of tags (`word/document.xml#12:5`); a value's mark is an index into them. */
  places: readonly string[]
  /** By mark: the JSON Pointer of its value in the data, for its turn of the loops; undefined if it has no single place. */
  pointers: readonly (string | undefined)[]
  /** Marks of pictures, by their part. */
  pictures: ReadonlyMap<string, number>
}

/** Fills a template as `composeTemplate` does, and marks what each tag left. */
export function composeMarked(template: Template, data: JsonValue): Outcome<MarkedComposition> {
  const marking = new Marking()
  const filled = composed(template, (composable) => compose(composable, data, 'quick', { marking }))
  if (!filled.ok) return filled
  const places = marking.marked.map(({ place }) => template.placeOf(place))
  const pointers = marking.marked.map(({ pointer }) => pointer)
  return succeed({ bytes: filled.value, places, pointers, pictures: marking.pictures })
}

/** Composes, with the places of findings as the template's files have them. */
function composed(template: Template, run: (template: Composable) => Outcome<Uint8Array>): Outcome<Uint8Array> {
  const { fragments, placeOf } = template
  if (fragments.length > 0) return fail(...fragments.map(missingFragment))
  const outcome = run(template)
  const findings = outcome.findings.map((finding) => replaced(finding, placeOf))
  return outcome.ok ? succeed(outcome.value, findings) : fail(...findings)
}
