import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Row } from '../model/document.ts'
import { present } from '../model/present.ts'
import type { CellProps, Edge, Measure, RowProps, TableLook, TableProps } from '../model/properties.ts'
import { readBorders, readShading } from './properties.ts'
import type { Theme } from './theme.ts'
import { childValue, integer, isOn, toggle, twips } from './values.ts'

function readMeasure(element: XmlElement | undefined): Measure | undefined {
  if (!element) return undefined
  const text = element.attributes['w:w']
  const type = element.attributes['w:type'] ?? 'dxa'
  if (type === 'auto' || type === 'nil' || text === undefined) return { type: 'auto', value: 0 }
  if (text.endsWith('%')) return { type: 'fraction', value: Math.max(0, Number.parseFloat(text) / 100 || 0) }
  if (type === 'pct') return { type: 'fraction', value: Math.max(0, (Number.parseFloat(text) || 0) / 5000) }
  const value = twips(text)
  return value === undefined || value <= 0 ? { type: 'auto', value: 0 } : { type: 'points', value }
}

function readMargins(element: XmlElement | undefined): Partial<Record<Edge, number>> | undefined {
  if (!element) return undefined
  const side = (...names: string[]) => {
    for (const name of names) {
      const child = childNamed(element, `w:${name}`)
      if (child) return Math.max(0, twips(child.attributes['w:w']) ?? 0)
    }
    return undefined
  }
  return present<Partial<Record<Edge, number>>>({
    top: side('top'),
    bottom: side('bottom'),
    left: side('left', 'start'),
    right: side('right', 'end'),
  })
}

export function readTableProps(element: XmlElement | undefined, theme: Theme): TableProps {
  if (!element) return {}
  const align = childValue(element, 'w:jc')
  const layout = childNamed(element, 'w:tblLayout')?.attributes['w:type']
  const indent = readMeasureSigned(childNamed(element, 'w:tblInd'))
  const spacing = childNamed(element, 'w:tblCellSpacing')
  return present<TableProps>({
    style: childValue(element, 'w:tblStyle'),
    width: readMeasure(childNamed(element, 'w:tblW')),
    indent,
    align:
      align === undefined
        ? undefined
        : align === 'center'
          ? 'center'
          : align === 'right' || align === 'end'
            ? 'right'
            : 'left',
    fixed: layout === undefined ? undefined : layout === 'fixed',
    bidi: toggle(element, 'w:bidiVisual'),
    borders: readBorders(childNamed(element, 'w:tblBorders'), theme),
    shading: readShading(childNamed(element, 'w:shd'), theme),
    cellMargins: readMargins(childNamed(element, 'w:tblCellMar')),
    cellSpacing: spacing && twips(spacing.attributes['w:w']),
    rowBand: integer(childValue(element, 'w:tblStyleRowBandSize')),
    columnBand: integer(childValue(element, 'w:tblStyleColBandSize')),
    look: readLook(childNamed(element, 'w:tblLook')),
  })
}

function readMeasureSigned(element: XmlElement | undefined): number | undefined {
  const type = element?.attributes['w:type'] ?? 'dxa'
  return element && type === 'dxa' ? twips(element.attributes['w:w']) : undefined
}

function readLook(element: XmlElement | undefined): TableLook | undefined {
  if (!element) return undefined
  const bits = Number.parseInt(element.attributes['w:val'] ?? '0', 16) || 0
  const flag = (name: string, bit: number) => {
    const own = element.attributes[`w:${name}`]
    return own === undefined ? (bits & bit) !== 0 : isOn(own)
  }
  return {
    firstRow: flag('firstRow', 0x20),
    lastRow: flag('lastRow', 0x40),
    firstColumn: flag('firstColumn', 0x80),
    lastColumn: flag('lastColumn', 0x100),
    rowBands: !flag('noHBand', 0x200),
    columnBands: !flag('noVBand', 0x400),
  }
}

/** Values of ST_TextDirection (17.18.93) whose lines are turned, with the names of the transitional and of the strict form. */
export const lineDirections: Readonly<Record<string, CellProps['direction']>> = {
  tbRl: 'down',
  rl: 'down',
  tbRlV: 'down',
  rlV: 'down',
  tbLrV: 'down',
  tbV: 'down',
  btLr: 'up',
  lr: 'up',
}

export function readCellProps(element: XmlElement | undefined, theme: Theme): CellProps {
  if (!element) return {}
  const merge = childNamed(element, 'w:vMerge')
  const vertical = childValue(element, 'w:vAlign')
  const span = integer(childValue(element, 'w:gridSpan'))
  return present<CellProps>({
    width: readMeasure(childNamed(element, 'w:tcW')),
    span: span === undefined ? undefined : Math.max(1, Math.min(63, span)),
    merge: merge && (merge.attributes['w:val'] === 'restart' ? 'start' : 'continue'),
    borders: readBorders(childNamed(element, 'w:tcBorders'), theme),
    shading: readShading(childNamed(element, 'w:shd'), theme),
    margins: readMargins(childNamed(element, 'w:tcMar')),
    vertical: vertical === 'center' || vertical === 'bottom' || vertical === 'top' ? vertical : undefined,
    direction: lineDirections[childValue(element, 'w:textDirection') ?? ''],
    noWrap: toggle(element, 'w:noWrap'),
  })
}

export function readRowProps(element: XmlElement | undefined): RowProps {
  if (!element) return {}
  const height = childNamed(element, 'w:trHeight')
  return present<RowProps>({
    height: height && twips(height.attributes['w:val']),
    heightRule: height && (height.attributes['w:hRule'] === 'exact' ? 'exact' : 'atLeast'),
    cantSplit: toggle(element, 'w:cantSplit'),
    header: toggle(element, 'w:tblHeader'),
    before: integer(childValue(element, 'w:gridBefore')),
    after: integer(childValue(element, 'w:gridAfter')),
  })
}

/**
 * Turns a cell that continues a vertical merge into its beginning if there is none above it, as in a table whose row
 * with the beginning was removed: its content would be lost.
 */
export function beginMerges(rows: readonly Row[]): void {
  let above = new Set<number>()
  for (const { props, cells } of rows) {
    const merged = new Set<number>()
    let column = Math.max(0, props.before ?? 0)
    for (const cell of cells) {
      const { merge, span = 1 } = cell.props
      if (merge === 'continue' && !above.has(column)) cell.props = { ...cell.props, merge: 'start' }
      if (merge) merged.add(column)
      column += span
    }
    above = merged
  }
}
