import type { Finding } from '../../../core/finding.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { markText, maxMarks } from '../../../core/marks.ts'
import { relationshipType, strictRelationshipType } from '../../ooxml/namespaces.ts'
import { escapeAttribute, escapeText, hasIllegalCharacter } from '../../ooxml/xml.ts'
import type { NoteKind, Test } from '../plan/items.ts'
import type { Op } from '../program/program.ts'
import { isSafeAddress } from '../scan/links.ts'
import type { Form } from '../scan/scan.ts'
import type { Styles } from '../scan/styles.ts'
import type { PictureSize } from '../scan/tags.ts'
import { NumberingGains, type NumberingSource } from './numbering.ts'
import { mediaPart } from './output.ts'
import { drawingXml, type LoadedPicture, loadPicture, type PictureResult, type PictureTag } from './pictures.ts'
import { type RichFormat, type RichResult, readRichText } from './rich/blocks.ts'
import { type RichSink, writeRichBlocks, writeRichRuns } from './rich/write.ts'
import {
  describeExpression,
  evaluate,
  type Frame,
  formatScalar,
  holds,
  isMissing,
  isTruthy,
  type Scope,
  scalarText,
} from './values.ts'

/** What a composition needs to know of its template beside the programs. */
export interface CompositionTemplate {
  greatestIds: { drawing: number; bookmark: number; footnote: number; endnote: number }
  numbering: NumberingSource
  styles: Styles
  /** Namespace of the template's WordprocessingML. */
  uri: string
  /** What the main document writes before WordprocessingML names: `w:`. */
  prefix: string
  /** Programs of notes, with the part each belongs to. */
  notes: ReadonlyMap<string, { part: string; ops: Op[] }>
}

/** The numbers of marks by the place of the tag, and those of pictures by their package part. */
export interface Marks {
  places: Map<string, number>
  pictures: Map<string, number>
}

/** What all parts of one composition share: findings, numbering, and the pictures that were added. */
export class Composition {
  readonly findings: Finding[] = []
  private iterations = 0
  private readonly seen = new Set<Op>()
  private readonly bookmarks = new Map<string, number>()
  private readonly bookmarkNames = new Map<string, number>()
  /** New pictures by content hash. */
  readonly media = new Map<string, LoadedPicture>()

  /** Notes that loops have copied, in order. */
  readonly notes: Record<NoteKind, string[]> = { footnote: [], endnote: [] }
  readonly numbering: NumberingGains

  /** @param marks takes in the places of tags, where the values they leave are to be marked */
  constructor(
    readonly data: JsonValue,
    readonly template: CompositionTemplate,
    private readonly marks?: Marks,
  ) {
    this.counters = { ...template.greatestIds }
    this.numbering = new NumberingGains(template.numbering, template.uri)
  }

  private readonly counters: CompositionTemplate['greatestIds']

  nextNoteId(kind: NoteKind): number {
    return ++this.counters[kind]
  }

  report(code: string, path: string, message: string, hint: string): void {
    if (this.findings.length < limits.configurationIssues) {
      this.findings.push({ code, severity: 'error', message, hint, path })
    }
  }

  private markOf(place: string): number | undefined {
    const { marks } = this
    if (marks === undefined) return undefined
    const known = marks.places.get(place)
    if (known !== undefined || marks.places.size >= maxMarks) return known
    marks.places.set(place, marks.places.size)
    return marks.places.size - 1
  }

  /** Text and markup between two tags of a `w:t`, or whole runs and paragraphs, with the text marked if asked for. */
  marked(xml: string, place: string, isInText: boolean): string {
    const mark = this.markOf(place)
    if (mark === undefined) return xml
    let isText = isInText
    return xml
      .split(/(<[^>]*>)/)
      .map((piece) => {
        if (!piece.startsWith('<')) return isText && piece !== '' ? markText(piece, mark) : piece
        if (/^<(?:\w+:)?t[ >]/.test(piece)) isText = !piece.endsWith('/>')
        else if (/^<\/(?:\w+:)?t>/.test(piece)) isText = false
        return piece
      })
      .join('')
  }

  markPicture(picture: LoadedPicture, place: string): void {
    const mark = this.markOf(place)
    const part = mediaPart(picture)
    if (mark !== undefined && this.marks?.pictures.has(part) === false) this.marks.pictures.set(part, mark)
  }

  private chars = 0

  /** Counts what is written; false when it became too much, which is reported once. */
  mayWrite(length: number): boolean {
    const before = this.chars
    this.chars += length
    if (this.chars <= limits.composeChars) return true
    if (before <= limits.composeChars) {
      const message = `The document grows over ${limits.composeChars} characters.`
      this.report('docx.too_large', '', message, 'Hand in shorter lists.')
    }
    return false
  }

  /** By what is drawn, then by the value itself: a key made of both would copy megabytes. */
  private readonly pictures = new Map<string, Map<string | undefined, PictureResult>>()
  private codeChars = 0

  /** The picture of a value; loops often show the same one, which is then read and drawn once. */
  loadPicture(tag: PictureTag, value: JsonValue): PictureResult {
    const text = scalarText(value)
    const key = `${tag.kind} ${tag.symbology ?? ''}`
    const known = this.pictures.get(key) ?? new Map<string | undefined, PictureResult>()
    this.pictures.set(key, known)
    let loaded = known.get(text)
    if (loaded !== undefined) return loaded
    if (tag.kind !== 'image') this.codeChars += Math.max(60, text?.length ?? 0)
    if (this.codeChars > limits.composeCodeChars) {
      const hint = 'Hand in fewer or shorter ones.'
      loaded = { ok: false, message: 'is one code too many for a document', hint }
    } else loaded = loadPicture(tag, value)
    known.set(text, loaded)
    return loaded
  }

  /** Loops often show the same clause, which is then read once. */
  private readonly richTexts = new Map<string, Map<RichFormat | undefined, RichResult>>()
  private richElements = 0
  private richChars = 0

  /** Rich text within what one composition may take of it; each use counts, since each is written. */
  readRichText(text: string, format: RichFormat | undefined): RichResult {
    const isTooMuch = () =>
      this.richElements > limits.composeRichTextElements || this.richChars > limits.composeRichTextChars
    const refused: RichResult = { ok: false, message: 'is more rich text than a document takes', hint: 'Shorten it.' }
    this.richChars += text.length
    if (isTooMuch()) return refused
    const read = this.richTexts.get(text)?.get(format) ?? readRichText(text, format)
    const known = this.richTexts.get(text) ?? new Map<RichFormat | undefined, RichResult>()
    this.richTexts.set(text, known.set(format, read))
    if (read.ok) this.richElements += read.elements
    return isTooMuch() ? refused : read
  }

  /** Counts turns of loops; false when there were too many, which is reported once. */
  mayIterate(place: string): boolean {
    // What failed for good, or told all it can tell, need not go on.
    if (this.findings.length >= limits.configurationIssues || this.chars > limits.composeChars) return false
    if (++this.iterations <= limits.composeIterations) return true
    if (this.iterations === limits.composeIterations + 1) {
      const message = `The data makes the loops turn more than ${limits.composeIterations} times.`
      this.report('docx.too_many_items', place, message, 'Hand in shorter lists.')
    }
    return false
  }

  /** Whether the op runs for the first time in this composition. */
  isFirst(op: Op): boolean {
    if (this.seen.has(op)) return false
    this.seen.add(op)
    return true
  }

  nextDrawingId(): number {
    return ++this.counters.drawing
  }

  /** A bookmark's start takes a number, its end the same one; names count up from the second copy on. */
  freshText(counter: 'drawing' | 'bookmark' | 'bookmarkEnd' | 'bookmarkName', slot: string, text: string): string {
    if (counter === 'drawing') return String(this.nextDrawingId())
    if (counter === 'bookmarkName') {
      const copy = (this.bookmarkNames.get(slot) ?? 0) + 1
      this.bookmarkNames.set(slot, copy)
      // Word's names have at most 40 characters.
      return escapeAttribute(copy === 1 ? text : `${text.slice(0, 32)}_${copy}`)
    }
    if (counter === 'bookmark') this.bookmarks.set(slot, ++this.counters.bookmark)
    return String(this.bookmarks.get(slot) ?? slot)
  }
}

/** Relationships that one part gains: ids by the picture's hash, and by the address. */
export interface PartRelationships {
  pictures: Map<string, string>
  links: Map<string, string>
  isStrict: boolean
}

/** Runs a part's program; the chunks in order are the part's XML. */
export function composePart(
  ops: Op[],
  composition: Composition,
  part: string,
  relationships: ReadonlyMap<string, PartRelationships>,
): string[] {
  const runner = new Runner(composition, part, relationships)
  runner.run(ops)
  return runner.chunks
}

/** A million small strings take ten times the memory of their characters; so many are joined. */
const maxChunks = 16_384

class Runner {
  chunks: string[] = []
  private readonly scope: Scope

  private noteId = ''
  private relationships: PartRelationships

  constructor(
    private readonly composition: Composition,
    part: string,
    private readonly allRelationships: ReadonlyMap<string, PartRelationships>,
  ) {
    this.relationships = allRelationships.get(part)!
    this.scope = { data: composition.data, frame: undefined }
  }

  /** Adds to the part's XML; beyond the bound nothing is kept, and the composition has failed. */
  private put(text: string): void {
    if (!this.composition.mayWrite(text.length)) return
    this.chunks.push(text)
    if (this.chunks.length - this.joined > maxChunks && this.tables === 0) {
      this.chunks.push(this.chunks.splice(this.joined).join(''))
      this.joined++
    }
  }

  /** How many chunks at the front have been joined. */
  private joined = 0

  /** Tables that are being written, which may have to be taken back chunk by chunk. */
  private tables = 0

  run(ops: Op[]): void {
    for (const op of ops) {
      if (typeof op === 'string') this.put(op)
      else this.step(op)
    }
  }

  private step(op: Exclude<Op, string>): void {
    switch (op.op) {
      case 'text':
        this.writeText(op)
        break
      case 'link':
        this.writeLink(op)
        break
      case 'break':
        this.writeBreak(op.prefix)
        break
      case 'picture':
        this.writePicture(op)
        break
      case 'rich':
        this.writeRich(op)
        break
      case 'note':
        this.copyNote(op.note)
        break
      case 'noteId':
        this.put(this.noteId)
        break
      case 'notes':
        for (const note of this.composition.notes[op.kind]) this.chunks.push(note)
        break
      case 'number':
        this.put(op.before + this.restartedList(op.numId) + op.after)
        break
      case 'each':
        this.runEach(op)
        break
      case 'if':
        this.run(holds(op.condition, this.scope) ? op.body : op.otherwise)
        break
      case 'any':
        if (op.tests.some((test) => this.mayProduce(test))) this.run(op.body)
        break
      case 'table':
        this.runTable(op.body)
        break
      case 'tail':
        if (!/<\/(?:\w+:)?p>$|<(?:\w+:)?p(?:\s[^<]*)?\/>$/.test(this.lastChunk())) this.put(op.text)
        break
      case 'once':
        if (this.composition.isFirst(op)) this.put(op.text)
        break
      case 'fresh':
        this.put(this.composition.freshText(op.counter, op.slot, op.text))
        break
    }
  }

  /** A list that is missing counts as producing something, so that its own loop gets to report it. */
  private mayProduce(test: Test): boolean {
    if (test.kind === 'if') return holds(test.condition, this.scope)
    const list = evaluate(test.list, this.scope)
    return !Array.isArray(list) || list.length > 0
  }

  private lastChunk(): string {
    for (let index = this.chunks.length - 1; index >= 0; index--) {
      if (this.chunks[index] !== '') return this.chunks[index]!
    }
    return ''
  }

  private runEach(op: Extract<Op, { op: 'each' }>): void {
    const list = evaluate(op.list, this.scope)
    const pointer = describeExpression(op.list, this.scope)
    if (!Array.isArray(list)) {
      const code = isMissing(list) ? 'docx.missing_value' : 'docx.not_a_list'
      const what = isMissing(list) ? 'is missing' : 'is not a list'
      const hint = 'Give a list (an empty one for no items), or put #if around the block.'
      this.composition.report(code, op.place, `${pointer} ${what}, and #each repeats over it.`, hint)
      return
    }
    if (list.length === 0) {
      this.run(op.otherwise)
      return
    }
    const parent = this.scope.frame
    const frame: Frame = { item: null, index: 0, count: list.length, parent, pointer }
    this.scope.frame = frame
    for (; frame.index < list.length; frame.index++) {
      if (!this.composition.mayIterate(op.place)) break
      if (op.restarts) frame.restarted = new Map()
      frame.item = list[frame.index]!
      this.run(op.body)
    }
    this.scope.frame = parent
  }

  private runTable(body: Op[]): void {
    const from = this.chunks.length
    this.tables++
    this.run(body)
    this.tables--
    for (let index = from; index < this.chunks.length; index++) {
      if (/<(?:\w+:)?tr[\s>]/.test(this.chunks[index]!)) return
    }
    this.chunks.length = from
  }

  private writeText(op: Extract<Op, { op: 'text' }>): void {
    const value = evaluate(op.value, this.scope)
    if (isMissing(value) || value === '') {
      const fallback = op.filters.find((filter) => filter.name === 'default')
      if (fallback !== undefined) this.put(this.write(fallback.text, op.form, op.place))
      else if (value !== '') this.reportMissing(op)
      return
    }
    if (typeof value === 'string' && op.filters.length === 0) {
      this.put(this.write(value, op.form, op.place))
      return
    }
    const formatted = formatScalar(value, op.filters)
    if (formatted.ok) this.put(this.write(formatted.text, op.form, op.place))
    else {
      const message = `${describeExpression(op.value, this.scope)} ${formatted.message}.`
      this.composition.report('docx.bad_value', op.place, message, formatted.hint)
    }
  }

  private reportMissing(op: { value: Extract<Op, { op: 'text' }>['value']; place: string }): void {
    const message = `${describeExpression(op.value, this.scope)} is missing.`
    const hint = 'Give the value, write | default "…" in the tag, or put #if around it.'
    this.composition.report('docx.missing_value', op.place, message, hint)
  }

  private write(text: string, form: Form, place: string): string {
    const written = this.written(text, form, place)
    return form.kind === 'run' ? this.composition.marked(written, place, true) : written
  }

  private written(text: string, form: Form, place: string): string {
    if (form.kind !== 'address' && form.kind !== 'field' && !special.test(text)) return text
    const lines = text.replace(/\r\n?/g, '\n')
    if (hasIllegalCharacter(lines)) {
      const message = 'The value holds a control character that a document cannot carry.'
      this.composition.report('docx.illegal_character', place, message, 'Remove it from the data.')
      return ''
    }
    if (form.kind === 'address' || form.kind === 'field') {
      const encoded = form.isWhole ? encodeWhole(lines) : encodeURIComponent(lines)
      if (form.kind === 'address') return encoded
      if (form.isWhole && !isSafeAddress(lines + form.after)) {
        this.composition.report('docx.bad_link', place, unsafeLink, linkHint)
        return ''
      }
      return escapeAttribute(encoded)
    }
    if (form.kind === 'attribute') return escapeAttribute(lines)
    const escaped = escapeText(lines)
    if (form.kind !== 'run' || !/[\n\t]/.test(escaped)) return escaped
    const { prefix } = form
    return escaped.replace(/[\n\t]/g, (character) => {
      return `</${prefix}t><${prefix}${character === '\n' ? 'br' : 'tab'}/><${prefix}t xml:space="preserve">`
    })
  }

  /** The reference gets an id of its own, and the note is filled with what the loop is at. */
  private copyNote(name: string): void {
    const note = this.composition.template.notes.get(name)
    const kind = name.startsWith('footnote') ? 'footnote' : 'endnote'
    // A note whose part could not be compiled was reported then.
    if (note === undefined) return
    const { chunks, joined, relationships, noteId } = this
    this.chunks = []
    this.joined = 0
    this.relationships = this.allRelationships.get(note.part)!
    this.noteId = String(this.composition.nextNoteId(kind))
    this.run(note.ops)
    this.composition.notes[kind].push(this.chunks.join(''))
    const id = this.noteId
    Object.assign(this, { chunks, joined, relationships, noteId })
    this.put(id)
  }

  private restartedList(numId: string): string {
    let frame = this.scope.frame
    while (frame !== undefined && frame.restarted === undefined) frame = frame.parent
    if (frame?.restarted === undefined) return numId
    let copy = frame.restarted.get(numId)
    if (copy === undefined) {
      copy = this.composition.numbering.restart(numId)
      frame.restarted.set(numId, copy)
    }
    return copy
  }

  private writeRich(op: Extract<Op, { op: 'rich' }>): void {
    const value = evaluate(op.value, this.scope)
    if (isMissing(value)) {
      this.reportMissing(op)
      return
    }
    const pointer = describeExpression(op.value, this.scope)
    const text = scalarText(value)
    const report = (message: string, hint: string) =>
      this.composition.report('docx.bad_rich_text', op.place, `${pointer} ${message}.`, hint)
    if (text === undefined) {
      report('is not a single text', 'Give HTML or Markdown as one text.')
      return
    }
    if (hasIllegalCharacter(text.replace(/\r\n?/g, '\n'))) {
      report('holds a control character that a document cannot carry', 'Remove it from the data.')
      return
    }
    const read = this.composition.readRichText(text, op.format)
    if (!read.ok) {
      report(read.message, read.hint)
      return
    }
    const { composition } = this
    const { place, close, open } = op.form
    const sink = this.richSink(op.place, pointer)
    if (place.paragraph !== undefined) {
      const isAfterTable = /<\/(?:\w+:)?tbl>$/.test(this.lastChunk())
      const blocks = writeRichBlocks(read.blocks, place, place.paragraph, sink, isAfterTable)
      this.put(composition.marked(blocks, op.place, false))
      return
    }
    const runs = writeRichRuns(read.blocks, place, sink)
    if (runs !== undefined) this.put(close + composition.marked(runs, op.place, false) + open)
    else
      report('has paragraphs, lists or tables, for which a line has no place', 'Write the tag alone into a paragraph.')
  }

  private richSink(path: string, pointer: string): RichSink {
    const { composition, relationships } = this
    const report = (code: string, message: string, hint: string) => composition.report(code, path, message, hint)
    return {
      styles: composition.template.styles,
      numbering: composition.numbering,
      openLink: (address) => {
        if (!isSafeAddress(address) || address.startsWith('#')) {
          report('docx.bad_link', `${pointer} has a link to “${address.slice(0, 80)}”, which is not allowed.`, linkHint)
          return undefined
        }
        const encoded = encodeWhole(address)
        const id = idFor(relationships.links, encoded, 'rIdQuireLink')
        const uri = relationshipsNamespace(relationships.isStrict)
        return `<w:hyperlink xmlns:r="${uri}" r:id="${id}" w:history="1">`
      },
      drawing: (image) => {
        const loaded = composition.loadPicture({ kind: 'image' }, image.source)
        if (!loaded.ok) {
          report('docx.bad_picture', `A picture in ${pointer} ${loaded.message}.`, loaded.hint)
          return undefined
        }
        const { picture } = loaded
        composition.media.set(picture.hash, picture)
        const id = idFor(relationships.pictures, picture.hash, 'rIdQuire')
        const size: PictureSize = {}
        if (image.widthPx !== undefined) size.widthEmu = Math.round(image.widthPx * 9_525)
        if (image.heightPx !== undefined) size.heightEmu = Math.round(image.heightPx * 9_525)
        const { isStrict } = relationships
        return drawingXml(picture, size, id, composition.nextDrawingId(), isStrict, 'w:', image.alternative)
      },
    }
  }

  private writeBreak(prefix: string): void {
    this.put(`</${prefix}t><${prefix}br ${prefix}type="page"/><${prefix}t xml:space="preserve">`)
  }

  private writeLink(op: Extract<Op, { op: 'link' }>): void {
    const { chunks: outer, joined } = this
    this.chunks = []
    this.joined = 0
    this.run(op.address)
    const address = this.chunks.join('')
    this.chunks = outer
    this.joined = joined
    if (!isSafeAddress(address)) {
      this.composition.report('docx.bad_link', op.place, unsafeLink, linkHint)
      return
    }
    this.put(idFor(this.relationships.links, address, 'rIdQuireLink'))
  }

  private writePicture(op: Extract<Op, { op: 'picture' }>): void {
    const value = evaluate(op.picture.value, this.scope)
    if (isMissing(value) || !isTruthy(value)) {
      this.reportMissing({ value: op.picture.value, place: op.place })
      return
    }
    const loaded = this.composition.loadPicture(op.picture, value)
    if (!loaded.ok) {
      const message = `${describeExpression(op.picture.value, this.scope)} ${loaded.message}.`
      this.composition.report('docx.bad_picture', op.place, message, loaded.hint)
      return
    }
    const { picture } = loaded
    this.composition.media.set(picture.hash, picture)
    this.composition.markPicture(picture, op.place)
    const { pictures, isStrict } = this.relationships
    const id = idFor(pictures, picture.hash, 'rIdQuire')
    if (op.form.kind === 'embed') this.put(id)
    else if (op.form.kind === 'run') {
      const { prefix } = op.form
      const drawing = drawingXml(picture, op.picture.size, id, this.composition.nextDrawingId(), isStrict, prefix)
      this.put(`</${prefix}t>${drawing}<${prefix}t xml:space="preserve">`)
    }
  }
}

const unsafeLink = 'The link leads to an address that readers cannot safely open.'
const linkHint = 'Give an address that begins with https:, http:, mailto: or tel:.'

/** An address with what it may not hold encoded; what is encoded already stays. */
function encodeWhole(address: string): string {
  return encodeURI(address).replace(/%25([0-9A-Fa-f]{2})/g, '%$1')
}

function relationshipsNamespace(isStrict: boolean): string {
  const type = isStrict ? strictRelationshipType('') : relationshipType('')
  return type.slice(0, -1)
}

function idFor(ids: Map<string, string>, key: string, prefix: string): string {
  let id = ids.get(key)
  if (id === undefined) {
    id = `${prefix}${ids.size + 1}`
    ids.set(key, id)
  }
  return id
}

/** Characters that need a closer look: mark-up, line breaks and tabs, controls, surrogates (which may be lone). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const special = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/
