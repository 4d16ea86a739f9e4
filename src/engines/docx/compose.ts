import type { Finding } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { escapeAttribute, escapeText, hasIllegalCharacter } from '../ooxml/xml.ts'
import type { Test } from './items.ts'
import { isSafeAddress } from './links.ts'
import { drawingXml, type LoadedPicture, loadPicture } from './pictures.ts'
import type { Op } from './program.ts'
import type { Form } from './scan.ts'
import {
  describeExpression,
  evaluate,
  type Frame,
  formatScalar,
  holds,
  isMissing,
  isTruthy,
  type Scope,
} from './values.ts'

/** What all parts of one composition share: findings, numbering, and the pictures that were added. */
export class Composition {
  readonly findings: Finding[] = []
  private iterations = 0
  private readonly seen = new Set<Op>()
  private readonly bookmarks = new Map<string, number>()
  private readonly bookmarkNames = new Map<string, number>()
  /** New pictures by content hash. */
  readonly media = new Map<string, LoadedPicture>()

  constructor(
    readonly data: JsonValue,
    private readonly counters: { drawing: number; bookmark: number },
  ) {}

  report(code: string, path: string, message: string, hint: string): void {
    if (this.findings.length < limits.configurationIssues) {
      this.findings.push({ code, severity: 'error', message, hint, path })
    }
  }

  /** Counts turns of loops; false when there were too many, which is reported once. */
  mayIterate(place: string): boolean {
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
export function composePart(ops: Op[], composition: Composition, relationships: PartRelationships): string[] {
  const runner = new Runner(composition, relationships)
  runner.run(ops)
  return runner.chunks
}

class Runner {
  chunks: string[] = []
  private readonly scope: Scope

  constructor(
    private readonly composition: Composition,
    private readonly relationships: PartRelationships,
  ) {
    this.scope = { data: composition.data, frame: undefined }
  }

  run(ops: Op[]): void {
    for (const op of ops) {
      if (typeof op === 'string') this.chunks.push(op)
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
        if (!/<\/(?:\w+:)?p>$|<(?:\w+:)?p(?:\s[^<]*)?\/>$/.test(this.lastChunk())) this.chunks.push(op.text)
        break
      case 'once':
        if (this.composition.isFirst(op)) this.chunks.push(op.text)
        break
      case 'fresh':
        this.chunks.push(this.composition.freshText(op.counter, op.slot, op.text))
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
      frame.item = list[frame.index]!
      this.run(op.body)
    }
    this.scope.frame = parent
  }

  private runTable(body: Op[]): void {
    const from = this.chunks.length
    this.run(body)
    for (let index = from; index < this.chunks.length; index++) {
      if (/<(?:\w+:)?tr[\s>]/.test(this.chunks[index]!)) return
    }
    this.chunks.length = from
  }

  private writeText(op: Extract<Op, { op: 'text' }>): void {
    const value = evaluate(op.value, this.scope)
    if (isMissing(value) || value === '') {
      const fallback = op.filters.find((filter) => filter.name === 'default')
      if (fallback !== undefined) this.chunks.push(this.write(fallback.text, op.form, op.place))
      else if (value !== '') this.reportMissing(op)
      return
    }
    if (typeof value === 'string' && op.filters.length === 0) {
      this.chunks.push(this.write(value, op.form, op.place))
      return
    }
    const formatted = formatScalar(value, op.filters)
    if (formatted.ok) this.chunks.push(this.write(formatted.text, op.form, op.place))
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
    if (form.kind !== 'address' && !special.test(text)) return text
    const lines = text.replace(/\r\n?/g, '\n')
    if (hasIllegalCharacter(lines)) {
      const message = 'The value holds a control character that a document cannot carry.'
      this.composition.report('docx.illegal_character', place, message, 'Remove it from the data.')
      return ''
    }
    if (form.kind === 'address')
      return form.isWhole ? encodeURI(lines).replace(/%25([0-9A-Fa-f]{2})/g, '%$1') : encodeURIComponent(lines)
    if (form.kind === 'attribute') return escapeAttribute(lines)
    const escaped = escapeText(lines)
    if (form.kind !== 'run' || !/[\n\t]/.test(escaped)) return escaped
    const { prefix } = form
    return escaped.replace(/[\n\t]/g, (character) => {
      return `</${prefix}t><${prefix}${character === '\n' ? 'br' : 'tab'}/><${prefix}t xml:space="preserve">`
    })
  }

  private writeBreak(prefix: string): void {
    this.chunks.push(`</${prefix}t><${prefix}br ${prefix}type="page"/><${prefix}t xml:space="preserve">`)
  }

  private writeLink(op: Extract<Op, { op: 'link' }>): void {
    const outer = this.chunks
    this.chunks = []
    this.run(op.address)
    const address = this.chunks.join('')
    this.chunks = outer
    if (!isSafeAddress(address)) {
      const message = 'The link leads to an address that readers cannot safely open.'
      const hint = 'Give an address that begins with https:, http:, mailto: or tel:.'
      this.composition.report('docx.bad_link', op.place, message, hint)
      return
    }
    this.chunks.push(idFor(this.relationships.links, address, 'rIdQuireLink'))
  }

  private writePicture(op: Extract<Op, { op: 'picture' }>): void {
    const value = evaluate(op.picture.value, this.scope)
    if (isMissing(value) || !isTruthy(value)) {
      this.reportMissing({ value: op.picture.value, place: op.place })
      return
    }
    const loaded = loadPicture(op.picture, value)
    if (!loaded.ok) {
      const message = `${describeExpression(op.picture.value, this.scope)} ${loaded.message}.`
      this.composition.report('docx.bad_picture', op.place, message, loaded.hint)
      return
    }
    const { picture } = loaded
    this.composition.media.set(picture.hash, picture)
    const { pictures, isStrict } = this.relationships
    const id = idFor(pictures, picture.hash, 'rIdQuire')
    if (op.form.kind === 'embed') this.chunks.push(id)
    else if (op.form.kind === 'run') {
      const { prefix } = op.form
      const drawing = drawingXml(picture, op.picture.size, id, this.composition.nextDrawingId(), isStrict, prefix)
      this.chunks.push(`</${prefix}t>${drawing}<${prefix}t xml:space="preserve">`)
    }
  }
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
