import type { AxisPosition } from '../../model/document.ts'
import type { AnchoredObject } from '../slice.ts'

/** The areas that an anchored object may be positioned against, in page coordinates. */
export interface PageGeometry {
  pageWidth: number
  pageHeight: number
  left: number
  right: number
  top: number
  bottom: number
  columnLeft: number
  columnRight: number
  paragraphTop: number
}

/** Where an anchored object's top left is on its page (20.4.3.4, 20.4.3.5). */
export function placeAnchored(object: AnchoredObject, page: PageGeometry): { x: number; y: number } {
  const { horizontal, vertical } = object.anchor
  const [left, right] = horizontalArea(horizontal.from, page)
  const [top, bottom] = verticalArea(vertical.from, page)
  return {
    x: place(horizontal, [left, right], object.width, sideways),
    y: place(vertical, [top, bottom], object.height, upright),
  }
}

const sideways = { near: 'left', far: 'right' }
const upright = { near: 'top', far: 'bottom' }

function place(
  { share, align, offset }: AxisPosition,
  [from, to]: readonly [number, number],
  size: number,
  { near, far }: { near: string; far: string },
): number {
  if (share !== undefined) return from + (to - from) * share
  if (align === 'center') return (from + to - size) / 2
  if (align === far || align === 'outside') return to - size
  return align === near || align === 'inside' ? from : from + offset
}

function horizontalArea(from: string, page: PageGeometry): [number, number] {
  switch (from) {
    case 'page':
      return [0, page.pageWidth]
    case 'margin':
      return [page.left, page.right]
    case 'leftMargin':
    case 'insideMargin':
      return [0, page.left]
    case 'rightMargin':
    case 'outsideMargin':
      return [page.right, page.pageWidth]
    default:
      return [page.columnLeft, page.columnRight]
  }
}

function verticalArea(from: string, page: PageGeometry): [number, number] {
  switch (from) {
    case 'page':
      return [0, page.pageHeight]
    case 'margin':
      return [page.top, page.bottom]
    case 'topMargin':
    case 'insideMargin':
      return [0, page.top]
    case 'bottomMargin':
    case 'outsideMargin':
      return [page.bottom, page.pageHeight]
    default:
      return [page.paragraphTop, page.bottom]
  }
}
