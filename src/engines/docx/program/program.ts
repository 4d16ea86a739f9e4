import type { Finding } from '../../../core/finding.ts'
import type { BlockItem, HoleForm, HoleTag, Item, Opening, Seam, Stretch } from '../plan/items.ts'
import type { PartPlan } from '../plan/plan.ts'
import type { LinkTemplate } from '../scan/links.ts'
import { attributeNames } from '../scan/own-declarations.ts'
import { type Paragraph, placeOf } from '../scan/paragraphs.ts'
import type { ScannedPart } from '../scan/scan.ts'
import { lastIndexFrom } from '../scan/source.ts'
import type { LocatedTag } from '../scan/tags.ts'
import type { Op, Step } from './ops.ts'

/** A part whose bytes depend on the data. */
export interface CompiledPart {
  part: string
  ops: Op[]
  /** Programs of the notes that loops copy, by name (`footnote:2`). */
  notes: ReadonlyMap<string, Op[]>
  /** Relationships that composing replaces with its own. */
  links: LinkTemplate[]
  /** Ids of relationships to external content, which are removed. */
  external: ReadonlySet<string>
  /** Whether the text of the last section may vanish, which leaves two section properties side by side. */
  mayLoseSection: boolean
}

/** Turns the planned changes of a part into its program: literal fragments of the source with steps between them. */
export function buildProgram(scanned: ScannedPart, plan: PartPlan, findings: Finding[]): CompiledPart {
  const { part, source, links, external } = scanned
  const builder = new ProgramBuilder(part, source, plan.items, findings)
  return { part, ops: builder.build(), notes: builder.notes, links, external, mayLoseSection: plan.mayLoseSection }
}

class ProgramBuilder {
  private next = 0
  /** Programs of the notes that loops copy. */
  readonly notes = new Map<string, Op[]>()
  /** The seam whose opening tags were the last thing written. */
  private opened: Seam | undefined

  private readonly items: readonly Item[]

  constructor(
    private readonly part: string,
    private readonly source: string,
    items: readonly Item[],
    private readonly findings: Finding[],
  ) {
    this.items = inOrder(withoutVoid(items))
  }

  build(): Op[] {
    return this.range(0, this.source.length)
  }

  /** Ops for one stretch of the source; consumes the items that lie in it. */
  private range(start: number, end: number): Op[] {
    const ops: Op[] = []
    this.fill(ops, start, end)
    return ops
  }

  /** The same for what is in a cell, and the paragraph that it may need at its very end. */
  private cell(start: number, end: number): Op[] {
    const ops = this.range(start, end)
    for (let item = this.items[this.next]; item?.start === end && item.kind === 'tail'; item = this.items[this.next])
      this.emit(ops, item)
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

  /** Copies source. Leaves out a run that a seam opened and the source closes at once. */
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
    this.opened = seam.open === '' || seam.close === '' ? undefined : seam
  }

  /** Appends the item's steps, and returns the source offset to go on from. */
  private emit(ops: Op[], item: Item): number {
    this.next++
    switch (item.kind) {
      case 'cut':
        push(ops, item.text)
        break
      case 'hole':
        ops.push(holeStep(item.tag, item.form, this.placeOf(item.tag)))
        break
      case 'rich': {
        const { value, format } = item.tag.syntax
        ops.push({ op: 'rich', value, format, form: item.form, place: this.placeOf(item.tag) })
        break
      }
      case 'check': {
        const { ticked, empty, isInText, tag } = item
        ops.push({ op: 'check', condition: tag.syntax.condition, ticked, empty, isInText, place: this.placeOf(tag) })
        break
      }
      case 'chart': {
        const { list, category, values } = item.tag.syntax
        ops.push({ op: 'chart', list, category, values, form: item.form, place: this.placeOf(item.tag) })
        break
      }
      case 'cellChange': {
        const { tag } = item
        const place = this.placeOf(tag)
        if (tag.syntax.kind === 'shade') ops.push({ op: 'shade', color: tag.syntax.color, of: tag.syntax.of, place })
        else ops.push({ op: 'merge', way: tag.syntax.way, by: tag.syntax.by, place })
        break
      }
      case 'grid':
      case 'row':
        ops.push(partOfTable(item, this.range(item.start, item.end)))
        break
      case 'columns':
        ops.push({ op: 'columns' })
        break
      case 'cell':
        this.skipTo(item.from)
        ops.push({
          op: 'cell',
          form: item.form,
          body: this.cell(item.from, item.end - `</${item.form.written}>`.length),
        })
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
      case 'link':
        ops.push({ op: 'link', address: addressOps(item.template), place: item.template.place })
        break
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
    const { opening, closing, middles, test } = item
    closeSeam(ops, opening.close, opening.open)
    const [body = [], ...others] = this.branchesOf(item)
    let otherwise: Op[] = []
    for (const [index, { tag }] of [...middles.entries()].reverse()) {
      const branch = others[index] ?? []
      const { syntax } = tag
      if (syntax.kind === 'else') otherwise = branch
      else {
        const place = this.placeOf(tag)
        otherwise = [{ op: 'if', condition: syntax.condition, body: branch, otherwise, place }]
      }
    }
    const place = this.placeOf(item.tag)
    if (test.kind === 'each') ops.push({ op: 'each', list: test.list, restarts: test.restarts, body, otherwise, place })
    else if (test.kind === 'if') ops.push({ op: 'if', condition: test.condition, body, otherwise, place })
    else if (test.kind === 'keep') ops.push({ op: 'keep', prefix: test.prefix, body })
    else ops.push({ op: 'with', value: test.value, isOptional: test.isOptional, body, otherwise, place })
    this.open(ops, closing)
    return item.end
  }

  /** What is between the tags of a block, from each to the next. */
  private branchesOf({ start, end, opening, closing, middles }: BlockItem): Op[][] {
    const branches: Op[][] = []
    let at: Opening & { end: number } = { ...opening, end: start }
    for (const next of [...middles, { ...closing, shut: '', start: end, end }]) {
      const branch: Op[] = []
      this.open(branch, at)
      this.fill(branch, at.end, next.start)
      // Equal texts may be in differently nested elements: then one tag closes more than the other has opened.
      if (next.close === at.shut) closeSeam(branch, next.close, at.open)
      else push(branch, next.close)
      branches.push(branch)
      this.skipTo(next.end)
      at = next
    }
    return branches
  }

  private skipTo(offset: number): void {
    while ((this.items[this.next]?.start ?? offset) < offset) this.next++
  }

  private reportCrossing(item: BlockItem): void {
    this.findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${item.tag.raw} overlaps with another block instead of being inside of it.`,
      hint: 'Close the inner block before the outer one, in the same cell or paragraph.',
      path: this.placeOf(item.tag),
    })
  }

  private placeOf({ paragraph, from }: LocatedTag): string {
    return placeOf(this.part, paragraph, from)
  }
}

/** Drops items inside a range that is cut in pieces, except those within the marks between the pieces. */
function withoutVoid(items: readonly Item[]): readonly Item[] {
  const pieces = Map.groupBy(items, stretchOf)
  const stretches = [...pieces.keys()].filter((stretch) => stretch !== undefined)
  stretches.sort((a, b) => a.start - b.start || b.end - a.end)
  const outermost: Stretch[] = []
  for (const stretch of stretches)
    if (stretch.end > (outermost[outermost.length - 1]?.end ?? -1)) outermost.push(stretch)
  return items.filter((item) => {
    const stretch = outermost[lastIndexFrom(outermost, ({ start }) => start, item.start)]
    if (stretch === undefined || stretchOf(item) === stretch || item.end > stretch.end) return true
    const { start, end } = item
    if (start === stretch.end || (start === stretch.start && end === stretch.end && containers.has(item.kind)))
      return true
    const own = pieces.get(stretch) ?? []
    const before = lastIndexFrom(own, (piece) => piece.start, start)
    return (own[before]?.end ?? 0) <= start && end <= (own[before + 1]?.start ?? stretch.end)
  })
}

function stretchOf(item: Item): Stretch | undefined {
  return item.kind === 'cut' || item.kind === 'rich' ? item.of : undefined
}

/** Outer before inner; of equal ranges, containers first; then in the order of planning. */
function inOrder(items: readonly Item[]): Item[] {
  const ranked = items.map((item, order) => ({ item, rank: containers.has(item.kind) ? order - items.length : order }))
  ranked.sort((a, b) => a.item.start - b.item.start || b.item.end - a.item.end || a.rank - b.rank)
  return ranked.map(({ item }) => item)
}

const containers: ReadonlySet<Item['kind']> = new Set(['block', 'any', 'table', 'extract', 'grid', 'row', 'cell'])

function partOfTable(item: Extract<Item, { kind: 'grid' | 'row' }>, body: Op[]): Step {
  return item.kind === 'grid' ? { op: 'grid', form: item.form, body } : { op: 'row', form: item.form, body }
}

function holeStep({ syntax, paragraph }: HoleTag, form: HoleForm, place: string): Step {
  switch (syntax.kind) {
    case 'text':
      return { op: 'text', value: syntax.value, filters: syntax.filters, form, place }
    case 'pagebreak':
      return breakStep(form.kind === 'run' ? form.prefix : '', declaredBy(form), paragraph)
    default:
      return { op: 'picture', picture: syntax, form, place }
  }
}

function breakStep(prefix: string, declares: string, { element }: Paragraph): Step {
  return { op: 'break', prefix, declares, names: attributeNames(prefix, element.uri) }
}

/** What an element in the place of the tag's text has to declare. */
function declaredBy(form: HoleForm): string {
  return form.kind === 'run' ? (form.declares ?? '') : ''
}

/** The literals and values of a link's address. */
function addressOps({ address, text, values }: LinkTemplate): Op[] {
  const ops: Op[] = []
  let at = 0
  for (const { syntax, paragraph, from, to } of values) {
    push(ops, address.slice(at, from))
    const form = { kind: 'address', isWhole: from === 0 } as const
    ops.push({
      op: 'text',
      value: syntax.value,
      filters: syntax.filters,
      form,
      place: placeOf(text.part, paragraph, from),
    })
    at = to
  }
  push(ops, address.slice(at))
  return ops
}

/** Neighbouring literals become one. */
function push(ops: Op[], text: string): void {
  if (text === '') return
  const last = ops[ops.length - 1]
  if (typeof last === 'string') ops[ops.length - 1] = last + text
  else ops.push(text)
}

/** Closes what is open. A run that was just opened and is still empty is taken back instead. */
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
