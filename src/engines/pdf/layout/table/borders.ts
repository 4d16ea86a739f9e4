import type { Border, Borders, Edge, TableProps } from '../../model/properties.ts'

/** A cell's four edges on their own, before those of its neighbours count. */
export type CellEdges = Record<Edge, Border | undefined>

/** The cell's own borders over the style's conditions over the table's outer and inner ones (17.4.66). */
export function cellEdges(
  own: Borders | undefined,
  conditional: Borders,
  table: TableProps,
  place: { top: boolean; bottom: boolean; left: boolean; right: boolean },
): CellEdges {
  const outer = table.borders ?? {}
  return {
    top: own?.top ?? conditional.top ?? (place.top ? outer.top : outer.insideH),
    bottom: own?.bottom ?? conditional.bottom ?? (place.bottom ? outer.bottom : outer.insideH),
    left: own?.left ?? conditional.left ?? (place.left ? outer.left : outer.insideV),
    right: own?.right ?? conditional.right ?? (place.right ? outer.right : outer.insideV),
  }
}

/** Which of two borders on one edge is drawn: any before none, then the heavier, then the darker (17.4.66). */
export function stronger(a: Border | undefined, b: Border | undefined): Border | undefined {
  if (a === b) return drawn(a)
  const first = drawn(a)
  const second = drawn(b)
  if (!first || !second) return first ?? second
  const difference = weight(first) - weight(second)
  if (difference !== 0) return difference > 0 ? first : second
  return darkness(first.color) <= darkness(second.color) ? first : second
}

function drawn(border: Border | undefined): Border | undefined {
  return border && border.width > 0 && border.style !== 'none' ? border : undefined
}

function weight(border: Border): number {
  if (border.style === 'single') return border.width
  return border.width * (/double|thinThick|thickThin/i.test(border.style) ? 3 : /triple/i.test(border.style) ? 5 : 1)
}

function darkness(color: string): number {
  if (color === 'auto') return 0
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) || 0
  return channel(0) + channel(4) + 2 * channel(2)
}
