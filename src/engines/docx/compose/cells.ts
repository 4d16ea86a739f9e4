/** Cells of tables that are put together cell by cell. */
import type { CellForm, RowForm } from '../plan/items.ts'
import { writeProperties } from '../plan/properties.ts'

/** What a tag asks for its cell: to be merged with its neighbours. */
export type Directive =
  | { kind: 'count'; count: number; place: string }
  /** `key` is equal for equal values. */
  | { kind: 'same'; key: string; place: string }

export interface Fill {
  /** Six hexadecimal digits. */
  digits: string
  /** The colour's name in the theme. */
  theme?: string
}

export interface Cell {
  form: CellForm
  content: string
  merges: { down?: Directive; across?: Directive }
  fill?: Fill
  /** Its first column in the grid, and how many it takes. */
  start: number
  span: number
  width: CellForm['width']
  /** The cell above that it is merged with. */
  root?: Cell
  /** Whether cells below are merged with it. */
  isRoot?: boolean
}

export class GridRow {
  /** Cells, and the XML between them. */
  parts: (string | Cell)[] = []
  fill?: Fill

  constructor(readonly form: RowForm) {}

  /** Adds what is between cells. */
  add(xml: string): void {
    if (xml !== '') this.parts.push(xml)
  }

  get cells(): Cell[] {
    return this.parts.filter((part): part is Cell => typeof part === 'object')
  }

  drop(gone: ReadonlySet<Cell>): void {
    if (gone.size > 0) this.parts = this.parts.filter((part) => typeof part === 'string' || !gone.has(part))
  }
}

/** A cell as the template has it, until loops and tags change it. */
export function newCell(form: CellForm): Cell {
  return { form, content: '', merges: {}, start: form.column, span: form.span, width: form.width }
}

/** `rowFill` is for cells without a fill of their own. */
export function writeCell(cell: Cell, rowFill: Fill | undefined): string {
  const { form, root, isRoot } = cell
  const prefix = form.written.slice(0, form.written.indexOf(':') + 1)
  const content = root === undefined ? cell.content : `<${prefix}p/>`
  const head = cellHead(cell, prefix, (root ?? cell).fill ?? rowFill, isRoot === true)
  return `${head}${content}</${form.written}>`
}

function cellHead({ form, span, width, root }: Cell, prefix: string, fill: Fill | undefined, isRoot: boolean): string {
  const changes = new Map<string, string | undefined>()
  const { declares, prefix: own } = form.attributes
  if (span !== form.span) {
    changes.set('w:gridSpan', span > 1 ? `<${prefix}gridSpan${declares} ${own}val="${span}"/>` : undefined)
  }
  if (width !== form.width) {
    const stated = width && `<${prefix}tcW${declares} ${own}w="${Math.round(width.value)}" ${own}type="${width.type}"/>`
    changes.set('w:tcW', stated)
  }
  if (root !== undefined) changes.set('w:vMerge', `<${prefix}vMerge/>`)
  else if (isRoot) changes.set('w:vMerge', `<${prefix}vMerge${declares} ${own}val="restart"/>`)
  if (fill !== undefined) {
    const theme = fill.theme === undefined ? '' : ` ${own}themeFill="${fill.theme}"`
    changes.set(
      'w:shd',
      `<${prefix}shd${declares} ${own}val="clear" ${own}color="auto" ${own}fill="${fill.digits}"${theme}/>`,
    )
  }
  if (changes.size === 0) return form.head
  const properties = new Map(form.properties)
  for (const [name, xml] of changes) {
    if (xml === undefined) properties.delete(name)
    else properties.set(name, xml)
  }
  return form.tag + writeProperties('cell', properties, prefix)
}
