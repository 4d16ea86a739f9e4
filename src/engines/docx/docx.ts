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
import { planPart } from './plan/plan.ts'
import { collectBindings } from './program/bindings.ts'
import { buildProgram, type CompiledPart } from './program/program.ts'
import { watchedPart } from './program/watched.ts'
import { reportForeignContent } from './scan/external.ts'
import { findNotes } from './scan/notes.ts'
import { placeOf } from './scan/paragraphs.ts'
import { textualParts } from './scan/parts.ts'
import { type CompileContext, scanPart, textsOf } from './scan/scan.ts'
import { readStyles } from './scan/styles.ts'
import { earlierReading, isComment, type TaggedText } from './scan/tags.ts'

export { earlierReading }

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
 * A compiled template. It is immutable; callers cache it by `contentHash`. Its parts are programs, and its skeleton all
 * else; nothing outside this folder reads either.
 */
export interface Template extends Composable {
  /** SHA-256 of the DOCX that was compiled. */
  readonly contentHash: string
  readonly tags: readonly Tag[]
  readonly bindings: readonly Binding[]
  /** Warnings that compiling gave. */
  readonly findings: readonly Finding[]
}

/**
 * Reads a DOCX, finds and checks its tags, and compiles every part that has some to a program of literal XML and holes:
 * scan → plan → program. A frozen version is read by the rules it was frozen under. Fails with every mistake at once, each with its place (`word/document.xml#12:5`) and its remedy.
 */
export function compileTemplate(bytes: Uint8Array, reading: Reading = newestReading): Outcome<Template> {
  return compile(bytes, reading, (template) => template)
}

/** A template that notes what its compositions reach; `coverage.take` gives what the last ones did. */
export interface WatchedTemplate {
  coverage: Coverage
  compose(data: JsonValue): Outcome<Uint8Array>
}

/**
 * Compiles a template that is slower, and notes what compositions reach of it.
 *
 * @param itemsAt how many items a list in the data has, by the tokens of its pointer, where that is known
 */
export function watchTemplate(
  bytes: Uint8Array,
  itemsAt: (tokens: readonly string[]) => ItemBounds | undefined = () => undefined,
): Outcome<WatchedTemplate> {
  return compile(bytes, newestReading, (template, texts, context) => {
    const parts = template.parts.map(watchedPart)
    const lists = new Map(
      template.bindings
        .filter(({ shape }) => shape === 'list')
        .map(({ pointer, part, paragraph, position }) => [`${part}#${paragraph}:${position}`, pointer]),
    )
    const watch = new TemplateWatch(parts, texts, (place) => {
      const pointer = lists.get(place)
      return pointer === undefined ? undefined : itemsAt(parsePointer(pointer) ?? [])
    })
    const watched = { parts, skeleton: skeletonOf(context, parts) }
    return { coverage: watch.coverage, compose: (data) => compose(watched, data, 'small', { watch }) }
  })
}

function compile<T>(
  bytes: Uint8Array,
  reading: Reading,
  make: (template: Template, texts: readonly TaggedText[], context: CompileContext) => T,
): Outcome<T> {
  const opened = openPackage(bytes)
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
  const bindings = collectBindings(parts, isPlaced ? findings : [])
  if (findings.some((finding) => finding.severity === 'error')) return fail(...inReadingOrder(findings, parts))
  const template: Template = {
    contentHash: sha256Hex(bytes),
    tags: listTags(texts, bindings),
    bindings,
    findings,
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
 * Fills a template. Gives the bytes of a DOCX, the same for the same template and data on every machine, or every
 * finding at once: missing values, values of the wrong kind, unusable pictures, each with the place of its tag.
 *
 * @param form `quick` for a document that is only read back: the same parts, most of them not compressed
 */
export function composeTemplate(template: Template, data: JsonValue, form: ArchiveForm = 'small'): Outcome<Uint8Array> {
  return compose(template, data, form)
}

/** A filled template to look at: every value carries the mark of its tag (see `core/marks.ts`). */
export interface MarkedComposition {
  bytes: Uint8Array
  /** Places of tags (`word/document.xml#12:5`); a value's mark is an index into them. */
  places: readonly string[]
  /** Marks of pictures, by their part. */
  pictures: ReadonlyMap<string, number>
}

/** Fills a template as `composeTemplate` does, and marks what each tag left. */
export function composeMarked(template: Template, data: JsonValue): Outcome<MarkedComposition> {
  const marking = new Marking()
  const composed = compose(template, data, 'quick', { marking })
  if (!composed.ok) return composed
  return succeed({ bytes: composed.value, places: [...marking.places.keys()], pictures: marking.pictures })
}
