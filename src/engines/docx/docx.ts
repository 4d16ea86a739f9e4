import type { Binding } from '../../core/binding.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { openPackage } from '../ooxml/package.ts'
import { writeZip } from '../ooxml/zip.ts'
import { Composition, composePart, type Marks, type PartRelationships } from './compose/compose.ts'
import { withContents } from './compose/contents.ts'
import { assemble, type ComposedPart, type Skeleton, skeletonOf } from './compose/output.ts'
import { withLastSection } from './compose/sections.ts'
import { type CompileContext, type CompiledPart, compilePart, textualParts } from './plan/parts.ts'
import { collectBindings } from './program/bindings.ts'
import { reportForeignContent } from './scan/external.ts'
import { findNotes } from './scan/notes.ts'
import { placeOf, type ScannedPart } from './scan/scan.ts'
import { readStyles } from './scan/styles.ts'

/** One tag as it stands in the template, for authors and tools. */
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

/** A compiled template. It is immutable; callers cache it by `contentHash`. */
export interface Template {
  /** SHA-256 of the DOCX that was compiled. */
  readonly contentHash: string
  readonly tags: readonly Tag[]
  readonly bindings: readonly Binding[]
  /** Warnings that compiling gave. */
  readonly findings: readonly Finding[]
  /** The parts that tags touch, as programs; nothing outside of this folder looks inside. */
  readonly parts: readonly CompiledPart[]
  /** All other parts, with the compressed bytes they came with. */
  readonly skeleton: Skeleton
}

/**
 * Reads a DOCX, finds and checks its tags, and compiles every part that has some to a program of literal XML and holes:
 * package → paragraphs → tags → blocks placed → program. Fails with every mistake at once, each with its place
 * (`word/document.xml#12:5`) and its remedy.
 */
export function compileTemplate(bytes: Uint8Array): Outcome<Template> {
  const opened = openPackage(bytes)
  if (!opened.ok) return opened
  const findings = [...opened.findings]
  reportForeignContent(opened.value, findings)
  const context: CompileContext = {
    opened: opened.value,
    styles: readStyles(opened.value),
    notes: findNotes(opened.value),
    copiedNotes: new Set(),
    findings,
  }
  const parts: CompiledPart[] = []
  const scanned: ScannedPart[] = []
  for (const { part, kind } of textualParts(opened.value)) {
    const compiled = compilePart(context, part, kind)
    if (compiled === undefined) continue
    parts.push(compiled.part)
    scanned.push(...compiled.scanned)
  }
  // What stands in a block that could not be placed would only seem to stand outside of every loop.
  const isPlaced = !findings.some(({ code }) => structural.has(code))
  const bindings = collectBindings(parts, isPlaced ? findings : [])
  if (findings.some((finding) => finding.severity === 'error')) return fail(...inReadingOrder(findings, parts))
  const template: Template = {
    contentHash: sha256Hex(bytes),
    tags: listTags(scanned, bindings),
    bindings,
    findings,
    parts,
    skeleton: skeletonOf(context, parts),
  }
  return succeed(template, findings)
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

function listTags(scanned: ScannedPart[], bindings: Binding[]): Tag[] {
  const byPlace = new Map<string, Binding>()
  for (const binding of bindings) {
    const place = `${binding.part}#${binding.paragraph}:${binding.position}`
    if (!byPlace.has(place)) byPlace.set(place, binding)
  }
  return scanned.flatMap(({ part, tags }) =>
    tags.map((tag) => {
      const { paragraph, from, raw, syntax } = tag
      const located: Tag = { kind: syntax.kind, raw, part, paragraph: paragraph.number, position: from }
      const binding = byPlace.get(placeOf(part, paragraph, from))
      if (binding !== undefined) Object.assign(located, { pointer: binding.pointer, shape: binding.shape })
      return located
    }),
  )
}

/**
 * Fills a template. Gives the bytes of a DOCX, the same for the same template and data on every machine, or every
 * finding at once: missing values, values of the wrong kind, pictures that are none, each with the place of its tag.
 */
export function composeTemplate(template: Template, data: JsonValue): Outcome<Uint8Array> {
  return compose(template, data)
}

/** A filled template for looking at: every value carries the mark of its tag (see `core/marks.ts`). */
export interface MarkedComposition {
  bytes: Uint8Array
  /** Places of tags (`word/document.xml#12:5`); a value's mark is an index into them. */
  places: readonly string[]
  /** Marks of pictures, by their part. */
  pictures: ReadonlyMap<string, number>
}

/** Fills a template as `composeTemplate` does, and marks what each tag left. */
export function composeMarked(template: Template, data: JsonValue): Outcome<MarkedComposition> {
  const marks: Marks = { places: new Map(), pictures: new Map() }
  const composed = compose(template, data, marks)
  if (!composed.ok) return composed
  return succeed({ bytes: composed.value, places: [...marks.places.keys()], pictures: marks.pictures })
}

function compose(template: Template, data: JsonValue, marks?: Marks): Outcome<Uint8Array> {
  const { skeleton } = template
  const composition = new Composition(data, skeleton, marks)
  const gained = gainedRelationships(template)
  const composed: ComposedPart[] = template.parts.map(({ part, ops, mayLoseSection }) => {
    let text = composePart(ops, composition, part, gained).join('')
    if (mayLoseSection) text = withLastSection(text, skeleton.prefix)
    if (part === skeleton.mainPart && skeleton.hasContents && composition.findings.length === 0) {
      const { numbering } = composition
      text = withContents(text, {
        styles: skeleton.styles,
        prefix: skeleton.prefix,
        numbering: () => (numbering.isEmpty ? skeleton.numbering.text : numbering.text()),
      })
    }
    return { part, text, gained: gained.get(part)! }
  })
  if (composed.every(({ part }) => part !== skeleton.mainPart)) {
    composed.push({ part: skeleton.mainPart, text: undefined, gained: gained.get(skeleton.mainPart)! })
  }
  if (composition.findings.length > 0) return fail(...composition.findings)
  const bytes = writeZip(assemble(skeleton, composed, composition.media, composition.numbering))
  if (bytes.length > limits.artifactBytes) {
    composition.report(
      'docx.too_large',
      '',
      `The document has more than ${limits.artifactBytes} bytes.`,
      'Use smaller data.',
    )
    return fail(...composition.findings)
  }
  return succeed(bytes)
}

function gainedRelationships({ parts, skeleton }: Template): Map<string, PartRelationships> {
  const isStrict = skeleton.uri.startsWith('http://purl.oclc.org/')
  const gained = new Map<string, PartRelationships>()
  for (const part of parts.map(({ part }) => part).concat(skeleton.mainPart)) {
    gained.set(part, { pictures: new Map(), links: new Map(), isStrict })
  }
  return gained
}
