import { isJsonObject } from '../../../core/json.ts'
import type { Test } from '../plan/items.ts'
import type { Op, Step, StepOf } from '../program/ops.ts'
import { isSafeAddress, linkHint, unsafeLink } from './addresses.ts'
import { mergeCell, shadeCell } from './cell-changes.ts'
import { newCell } from './cells.ts'
import { fillChart } from './chart-data.ts'
import type { Composition } from './composition.ts'
import { Grid } from './grid.ts'
import { keptTogether } from './keeping.ts'
import { Output } from './output.ts'
import { pictureXml } from './picture.ts'
import type { PartRelationships } from './relationships.ts'
import { richTextXml } from './rich-text.ts'
import type { StepContext } from './step-context.ts'
import { textXml } from './text.ts'
import { describeExpression, evaluate, type Frame, holds, isMissing, type Scope, turnsOf } from './values.ts'

/** Runs a part's program, and returns the part's XML. */
export function runProgram(ops: Op[], composition: Composition, part: string): string {
  const runner = new Runner(composition, part)
  runner.run(ops)
  return runner.text()
}

/** Where the runner writes: the part itself, a note of its own, or the address of a link. */
interface Target {
  output: Output
  relationships: PartRelationships
  /** The id of the note that is being written; empty outside notes. */
  noteId: string
}

class Runner implements StepContext {
  readonly scope: Scope
  private target: Target

  constructor(
    readonly composition: Composition,
    part: string,
  ) {
    this.scope = { data: composition.data, frame: undefined }
    const relationships = composition.relationshipsOf(part)
    this.target = { output: new Output(composition), relationships, noteId: '' }
  }

  get relationships(): PartRelationships {
    return this.target.relationships
  }

  text(): string {
    return this.target.output.text()
  }

  run(ops: Op[]): void {
    for (const op of ops) {
      if (typeof op === 'string') this.put(op)
      else this.step(op)
    }
  }

  private put(xml: string | undefined): void {
    if (xml !== undefined) this.target.output.put(xml)
  }

  private step(op: Step): void {
    const { output, noteId } = this.target
    switch (op.op) {
      case 'text':
        this.put(textXml(op, this))
        break
      case 'link':
        this.put(this.linkId(op))
        break
      case 'break':
        this.put(pageBreak(op))
        break
      case 'picture':
        this.put(pictureXml(op, this))
        break
      case 'rich':
        this.put(richTextXml(op, this, output.last()))
        break
      case 'note':
        this.put(this.copyNote(op.note))
        break
      case 'noteId':
        this.put(noteId)
        break
      case 'notes':
        for (const note of this.composition.notes[op.kind]) output.putCounted(note)
        break
      case 'number':
        this.put(op.before + this.restartedList(op.numId) + op.after)
        break
      case 'each':
        this.runEach(op)
        break
      case 'with':
        this.runWith(op)
        break
      case 'if':
        this.run(holds(op.condition, this.scope) ? op.body : op.otherwise)
        break
      case 'check':
        this.put(this.checked(op))
        break
      case 'any':
        if (op.tests.some((test) => this.mayProduce(test))) this.run(op.body)
        break
      case 'grid':
        this.runGrid(op)
        break
      case 'columns':
        this.table?.add(this.flush())
        this.table?.addColumns()
        break
      case 'row':
        this.runRow(op)
        break
      case 'cell':
        this.runCell(op)
        break
      case 'chart':
        fillChart(op, this)
        break
      case 'shade':
        shadeCell(op, this, this.table)
        break
      case 'merge':
        mergeCell(op, this, this.table)
        break
      case 'keep':
        if (this.table?.isBetweenRows === true) {
          this.keepRows(op, this.table)
          break
        }
        // One inside of another asks for nothing more.
        output.rewrite(
          () => this.run(op.body),
          (xml) => keptTogether(xml, op.prefix),
        )
        break
      case 'table':
        output.keepIf(holdsRow, () => this.run(op.body))
        break
      case 'tail':
        if (!paragraphEnd.test(output.last((chunk) => !onlyMarks.test(chunk)))) this.put(op.text)
        break
      case 'once':
        if (this.composition.isFirst(op)) this.put(op.text)
        break
      case 'fresh':
        this.put(this.composition.ids.text(op.counter, op.slot, op.text))
        break
      case 'watch':
        this.composition.watch?.see(op.step, this.scope)
        break
    }
  }

  private checked({ condition, ticked, empty, isInText, place }: StepOf<'check'>): string {
    const { marking } = this.composition
    const xml = holds(condition, this.scope) ? ticked : empty
    if (marking === undefined) return xml
    return isInText ? marking.value(xml, place) : marking.runs(xml, place)
  }

  /** A missing list counts as producing something, so that its own loop runs and reports it. */
  private mayProduce(test: Test): boolean {
    if (test.kind === 'if') return holds(test.condition, this.scope)
    if (test.kind === 'keep') return true
    if (test.kind === 'with') return !test.isOptional || !isMissing(evaluate(test.value, this.scope))
    return turnsOf(evaluate(test.list, this.scope))?.items.length !== 0
  }

  /** The innermost table that is put together cell by cell. */
  private table: Grid | undefined

  private runGrid(op: StepOf<'grid'>): void {
    const outer = this.table
    const grid = new Grid(op.form)
    this.table = grid
    grid.add(this.runApart(op.body, this.target))
    this.table = outer
    const { composition } = this
    if (composition.findings.length > 0) return
    const xml = grid.xml((code, place, message, hint) => composition.report(code, place, message, hint))
    grid.mergedTexts.tell(composition)
    this.target.output.putCounted(xml)
  }

  private runRow(op: StepOf<'row'>): void {
    const grid = this.table
    if (grid === undefined) return
    grid.add(this.flush())
    const row = grid.startRow(op.form)
    this.run(op.body)
    row.add(this.flush())
    grid.endRow()
  }

  private runCell(op: StepOf<'cell'>): void {
    const grid = this.table
    const row = grid?.row
    if (grid === undefined || row === undefined) return
    row.add(this.flush())
    const cell = newCell(op.form)
    row.parts.push(cell)
    grid.cell = cell
    cell.content = this.runApart(op.body, this.target)
    grid.cell = undefined
  }

  private keepRows({ body, prefix }: StepOf<'keep'>, grid: Grid): void {
    grid.add(this.flush())
    const from = grid.length
    this.run(body)
    grid.add(this.flush())
    grid.keep(from, prefix)
  }

  /** What was written since the last cell or row. */
  private flush(): string {
    const text = this.target.output.text()
    this.target.output = new Output(this.composition)
    return text
  }

  private runEach(op: StepOf<'each'>): void {
    const value = evaluate(op.list, this.scope)
    const list = turnsOf(value)
    const pointer = describeExpression(op.list, this.scope)
    if (list === undefined) {
      const code = isMissing(value) ? 'docx.missing_value' : 'docx.not_a_list'
      const what = isMissing(value) ? 'is missing' : 'is neither a list nor an object'
      const hint = 'Give a list (an empty one for no items), or put #if around the block.'
      this.composition.report(code, op.place, `${pointer} ${what}, and #each repeats over it.`, hint)
      return
    }
    const { items, turns } = list
    if (items.length === 0) {
      this.run(op.otherwise)
      return
    }
    const parent = this.scope.frame
    const frame: Frame = { item: null, index: 0, count: items.length, parent, pointer, turns }
    this.scope.frame = frame
    for (const [index, item] of items.entries()) {
      if (!this.composition.mayIterate(op.place)) break
      frame.index = index
      frame.item = item
      if (op.restarts) frame.restarted = new Map()
      this.run(op.body)
    }
    this.scope.frame = parent
  }

  private runWith(op: StepOf<'with'>): void {
    const item = evaluate(op.value, this.scope)
    if (isMissing(item) && op.isOptional) {
      this.run(op.otherwise)
      return
    }
    const pointer = describeExpression(op.value, this.scope)
    if (!isJsonObject(item)) {
      const code = isMissing(item) ? 'docx.missing_value' : 'docx.not_an_object'
      const what = isMissing(item) ? 'is missing' : 'is not an object'
      const hint = 'Give an object, or say with {{#else}} what comes in its place if it is missing.'
      this.composition.report(code, op.place, `${pointer} ${what}, and #with looks into it.`, hint)
      return
    }
    const parent = this.scope.frame
    this.scope.frame = { item, index: 0, count: 1, parent, pointer, turns: 'none' }
    this.run(op.body)
    this.scope.frame = parent
  }

  /** Runs a program into a text of its own, and then resumes where it was. */
  private runApart(ops: Op[], target: Omit<Target, 'output'>): string {
    const outer = this.target
    this.target = { ...target, output: new Output(this.composition) }
    this.run(ops)
    const text = this.target.output.text()
    this.target = outer
    return text
  }

  /** Fills a note with the values of this turn; returns the id of its own that the reference gets. */
  private copyNote(name: string): string | undefined {
    const { template, notes, ids } = this.composition
    const note = template.notes.get(name)
    // A note whose part could not be compiled was reported then.
    if (note === undefined) return undefined
    const kind = name.startsWith('footnote') ? 'footnote' : 'endnote'
    const noteId = String(ids.note(kind))
    notes[kind].push(this.runApart(note.ops, { relationships: this.composition.relationshipsOf(note.part), noteId }))
    return noteId
  }

  /** The id of the list's copy in this turn of the innermost loop that restarts lists. */
  private restartedList(numId: string): string {
    let { frame } = this.scope
    while (frame !== undefined && frame.restarted === undefined) frame = frame.parent
    if (frame?.restarted === undefined) return numId
    const known = frame.restarted.get(numId)
    if (known !== undefined) return known
    const copy = this.composition.numbering.restart(numId)
    frame.restarted.set(numId, copy)
    return copy
  }

  private linkId(op: StepOf<'link'>): string | undefined {
    const address = this.runApart(op.address, this.target)
    if (isSafeAddress(address)) return this.relationships.linkId(address)
    this.composition.report('docx.bad_link', op.place, unsafeLink, linkHint)
    return undefined
  }
}

function pageBreak({ prefix, declares, names }: StepOf<'break'>): string {
  const mark = `<${prefix}br${declares}${names.declares} ${names.prefix}type="page"/>`
  return `</${prefix}t>${mark}<${prefix}t${declares} xml:space="preserve">`
}

function holdsRow(xml: string): boolean {
  return /<(?:\w+:)?tr[\s>]/.test(xml)
}

/** Ends of bookmarks and the like, which may be behind the last paragraph of a cell. */
const marks = /(?:<(?:\w+:)?(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)(?:\s[^<>]*)?\/>)*$/
  .source
const onlyMarks = new RegExp(`^${marks}`)
const paragraphEnd = new RegExp(`(?:</(?:\\w+:)?p>|<(?:\\w+:)?p(?:\\s[^<]*)?/>)${marks}`)
