import type { Finding } from '../../../core/finding.ts'
import type { RichFormat } from '../compose/rich/blocks.ts'
import type { BlockItem, FreshCounter, Item, NoteKind, Seam, Test } from '../plan/items.ts'
import { type Form, type LocatedTag, placeOf } from '../scan/scan.ts'
import type { BarcodeType, Condition, Expression, Filter, PictureSize } from '../scan/tags.ts'

/** A step of a compiled part: a literal stretch of XML, or something that depends on the data. */
export type Op =
  | string
  | { op: 'text'; value: Expression; filters: Filter[]; form: Form; place: string }
  | { op: 'break'; prefix: string }
  | { op: 'link'; address: Op[]; place: string }
  | { op: 'picture'; picture: Picture; form: Form; place: string }
  | { op: 'rich'; value: Expression; format: RichFormat | undefined; form: RichForm; place: string }
  | { op: 'each'; list: Expression; restarts: boolean; body: Op[]; otherwise: Op[]; place: string }
  | { op: 'if'; condition: Condition; body: Op[]; otherwise: Op[]; place: string }
  | { op: 'any'; tests: Test[]; body: Op[] }
  | { op: 'table'; body: Op[] }
  | { op: 'once'; text: string }
  | { op: 'tail'; text: string }
  | { op: 'fresh'; counter: FreshCounter; slot: string; text: string }
  /** `note` names a program of the template's notes: `footnote:2`. */
  | { op: 'note'; note: string }
  | { op: 'noteId' }
  | { op: 'notes'; kind: NoteKind }
  | { op: 'number'; numId: string; before: string; after: string }

export type RichForm = Extract<Form, { kind: 'rich' }>

export type Picture =
  | { kind: 'image'; value: Expression; size: PictureSize }
  | { kind: 'qr'; value: Expression; size: PictureSize }
  | { kind: 'barcode'; value: Expression; size: PictureSize; symbology: BarcodeType }

/** Turns the planned changes of a part into its program: literal fragments of the source with ops between them. */
export function buildProgram(
  part: string,
  source: string,
  items: Item[],
  findings: Finding[],
): { ops: Op[]; notes: Map<string, Op[]> } {
  const sorted = items.map((item, order) => ({ item, order: isContainer(item) ? order - items.length : order }))
  // Outer before inner; of equal ranges the one that can hold the other comes first, then in the order planned.
  sorted.sort((a, b) => a.item.start - b.item.start || b.item.end - a.item.end || a.order - b.order)
  const builder = new Builder(
    part,
    source,
    sorted.map(({ item }) => item),
    findings,
  )
  return { ops: builder.build(), notes: builder.notes }
}

function isContainer(item: Item): boolean {
  return ['block', 'any', 'table', 'extract'].includes(item.kind)
}

class Builder {
  private next = 0
  /** Programs of the notes that loops copy. */
  readonly notes = new Map<string, Op[]>()
  /** The seam whose opening tags were the last thing written. */
  private opened: Seam | undefined

  constructor(
    private readonly part: string,
    private readonly source: string,
    private readonly items: Item[],
    private readonly findings: Finding[],
  ) {}

  build(): Op[] {
    return this.range(0, this.source.length)
  }

  /** Ops for one stretch of the source; consumes the items that lie in it. */
  private range(start: number, end: number): Op[] {
    const ops: Op[] = []
    this.fill(ops, start, end)
    return ops
  }

  private fill(ops: Op[], start: number, end: number): void {
    let at = start
    for (let item = this.items[this.next]; item !== undefined && item.start < end; item = this.items[this.next]) {
      if (item.start < at) {
        if (item.kind === 'block' && item.end > at) this.reportCrossing(item)
        this.next++
        continue
      }
      if (item.end > end) {
        if (item.kind === 'block') this.reportCrossing(item)
        this.next++
        continue
      }
      this.copy(ops, at, item.start)
      at = Math.max(item.end, this.emit(ops, item))
    }
    this.copy(ops, at, end)
  }

  /** Copies source; a run that a seam opened and the source closes at once is left out. */
  private copy(ops: Op[], start: number, end: number): void {
    if (start >= end) return
    const { opened } = this
    this.opened = undefined
    const last = ops[ops.length - 1]
    if (opened !== undefined && typeof last === 'string' && last.endsWith(opened.open)) {
      if (this.source.startsWith(opened.close, start) && start + opened.close.length <= end) {
        ops.pop()
        push(ops, last.slice(0, last.length - opened.open.length))
        push(ops, this.source.slice(start + opened.close.length, end))
        return
      }
    }
    push(ops, this.source.slice(start, end))
  }

  private open(ops: Op[], seam: Seam): void {
    push(ops, seam.open)
    this.opened = seam.open === '' ? undefined : seam
  }

  /** Appends what stands for the item, and returns the source offset to go on from. */
  private emit(ops: Op[], item: Item): number {
    this.next++
    switch (item.kind) {
      case 'cut':
        push(ops, item.text)
        break
      case 'hole':
        ops.push(this.holeOp(item.tag))
        break
      case 'block':
        return this.emitBlock(ops, item)
      case 'any':
        ops.push({ op: 'any', tests: item.tests, body: this.range(item.start, item.end) })
        break
      case 'table':
        ops.push({ op: 'table', body: this.range(item.start, item.end) })
        break
      case 'tail':
        ops.push({ op: 'tail', text: item.text })
        break
      case 'link': {
        const { ops: address, scanned } = item.template
        ops.push({ op: 'link', address, place: placeOf(scanned.part, scanned.paragraphs[0]!, 0) })
        break
      }
      case 'once':
        ops.push({ op: 'once', text: item.text })
        break
      case 'fresh':
        ops.push({ op: 'fresh', counter: item.counter, slot: item.slot, text: item.text })
        break
      case 'note':
        ops.push({ op: 'note', note: item.note })
        break
      case 'extract':
        this.notes.set(item.note, this.range(item.start, item.end))
        break
      case 'noteId':
        ops.push({ op: 'noteId' })
        break
      case 'notes':
        ops.push({ op: 'notes', kind: item.noteKind })
        break
      case 'number':
        ops.push({ op: 'number', numId: item.numId, before: item.before, after: item.after })
        break
    }
    return item.end
  }

  private emitBlock(ops: Op[], item: BlockItem): number {
    const { opening, closing, middle } = item
    closeSeam(ops, opening.close, opening.open)
    const body: Op[] = []
    this.open(body, opening)
    this.fill(body, item.start, middle?.start ?? item.end)
    const otherwise: Op[] = []
    if (middle === undefined) {
      closeSeam(body, closing.close, opening.open)
    } else {
      closeSeam(body, middle.close, opening.open)
      this.skipTo(middle.end)
      this.open(otherwise, middle)
      this.fill(otherwise, middle.end, item.end)
      closeSeam(otherwise, closing.close, middle.open)
    }
    const place = placeOf(this.part, item.tag.paragraph, item.tag.from)
    const { test } = item
    if (test.kind === 'each') ops.push({ op: 'each', list: test.list, restarts: test.restarts, body, otherwise, place })
    else ops.push({ op: 'if', condition: test.condition, body, otherwise, place })
    this.open(ops, closing)
    return item.end
  }

  private skipTo(offset: number): void {
    while (this.next < this.items.length && this.items[this.next]!.start < offset) this.next++
  }

  private reportCrossing(item: BlockItem): void {
    this.findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${item.tag.raw} overlaps with another block instead of standing inside of it.`,
      hint: 'Close the inner block before the outer one, in the same cell or paragraph.',
      path: placeOf(this.part, item.tag.paragraph, item.tag.from),
    })
  }

  private holeOp(tag: LocatedTag): Op {
    const { syntax } = tag
    const { form } = tag.paragraph
    const place = placeOf(this.part, tag.paragraph, tag.from)
    switch (syntax.kind) {
      case 'text':
        return { op: 'text', value: syntax.value, filters: syntax.filters, form, place }
      case 'image':
      case 'qr':
      case 'barcode':
        return { op: 'picture', picture: syntax, form, place }
      case 'rich':
        if (form.kind !== 'rich') throw new Error(`${tag.raw} was given no place`)
        return { op: 'rich', value: syntax.value, format: syntax.format, form, place }
      case 'pagebreak':
        return { op: 'break', prefix: form.kind === 'run' ? form.prefix : '' }
      default:
        throw new Error(`${tag.raw} is a block and leaves no hole`)
    }
  }
}

/** Neighbouring literals become one. */
function push(ops: Op[], text: string): void {
  if (text === '') return
  const last = ops[ops.length - 1]
  if (typeof last === 'string') ops[ops.length - 1] = last + text
  else ops.push(text)
}

/** Closes what is open; a run that was only just opened and holds nothing is taken back instead. */
function closeSeam(ops: Op[], close: string, opened: string): void {
  const last = ops[ops.length - 1]
  if (close !== '' && opened !== '' && typeof last === 'string' && last.endsWith(opened)) {
    const rest = last.slice(0, last.length - opened.length)
    if (rest === '') ops.pop()
    else ops[ops.length - 1] = rest
    return
  }
  push(ops, close)
}
