/** Where tags are in tables. */
import type { XmlElement } from '../../ooxml/xml.ts'
import { chainOf, type LocatedTag } from '../scan/tags.ts'

/** The innermost cell around a tag, with its row and table. */
export function cellAround(tag: LocatedTag): { cell: XmlElement; row: XmlElement; table: XmlElement } | undefined {
  const chain = chainOf(tag)
  const found = (name: string) => chain.find((element) => element.name === name)
  const [cell, row, table] = [found('w:tc'), found('w:tr'), found('w:tbl')]
  return cell === undefined || row === undefined || table === undefined ? undefined : { cell, row, table }
}

/** The cells at both ends of a loop over columns; undefined if they are not directly in one row. */
export function loopedCells(
  open: LocatedTag,
  end: LocatedTag,
): { row: XmlElement; first: XmlElement; last: XmlElement } | undefined {
  const [from, to] = [cellAround(open), cellAround(end)]
  if (from === undefined || to === undefined || from.row !== to.row) return undefined
  const { row } = from
  if (!row.children.includes(from.cell) || !row.children.includes(to.cell)) return undefined
  return { row, first: from.cell, last: to.cell }
}
