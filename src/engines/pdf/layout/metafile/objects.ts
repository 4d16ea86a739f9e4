import { mixColors } from '../../frame/color.ts'
import type { Line } from '../../model/paint.ts'

/** The tools that a metafile creates, selects, draws with and deletes. */

export interface Pen {
  readonly kind: 'pen'
  /** Undefined draws nothing. */
  readonly color: string | undefined
  readonly width: number
  readonly dash: readonly number[]
  readonly cap: Line['cap']
  readonly join: Line['join']
}

export interface Brush {
  readonly kind: 'brush'
  /** Undefined fills nothing. */
  readonly color: string | undefined
}

export interface Font {
  readonly kind: 'font'
  readonly family: string
  /** Negative: height of the letters; positive: height of the line. */
  readonly height: number
  readonly bold: boolean
  readonly italic: boolean
  readonly underline: boolean
  /** Tenths of a degree, anticlockwise. */
  readonly escapement: number
}

/** Palettes and regions take a handle, but nothing is drawn with them. */
export type GdiObject = Pen | Brush | Font | { readonly kind: 'unused' }

export const blackPen: Pen = { kind: 'pen', color: '000000', width: 0, dash: [], cap: 'butt', join: 'round' }
export const whiteBrush: Brush = { kind: 'brush', color: 'FFFFFF' }
/** Bitmap patterns are filled with the gray that they look like from afar. */
export const patternBrush: Brush = { kind: 'brush', color: 'C0C0C0' }
export const systemFont: Font = {
  kind: 'font',
  family: 'Arial',
  height: 0,
  bold: false,
  italic: false,
  underline: false,
  escapement: 0,
}

/** By the low four bits of a pen's style, in line widths: solid, dash, dot, dash-dot, dash-dot-dot. */
const penDashes: readonly (readonly number[])[] = [[], [3, 1], [1, 1], [3, 1, 1, 1], [3, 1, 1, 1, 1, 1]]
const PEN_NULL = 5

/** A pen by its PenStyle ([MS-EMF] 2.1.25: line in the lowest four bits, then end cap and join), width and colour. */
export function penOf(style: number, width: number, color: string): Pen {
  const cap = (style & 0xf00) >> 8
  const join = (style & 0xf000) >> 12
  return {
    kind: 'pen',
    color: (style & 0xf) === PEN_NULL ? undefined : color,
    width: Math.abs(width),
    dash: penDashes[style & 0xf] ?? [],
    cap: cap === 1 ? 'square' : cap === 2 ? 'butt' : 'round',
    join: join === 1 ? 'bevel' : join === 2 ? 'miter' : 'round',
  }
}

/** A brush by its BrushStyle ([MS-WMF] 2.1.1.4): solid, none, hatched or a pattern. Hatches become a mixed colour. */
export function brushOf(style: number, color: string): Brush {
  if (style === 0) return { kind: 'brush', color }
  if (style === 1) return { kind: 'brush', color: undefined }
  return style === 2 ? { kind: 'brush', color: mixColors('FFFFFF', color, 0.4) } : patternBrush
}

/** Fonts of this weight or more are bold. */
const BOLD_WEIGHT = 600

/** A font by those members of a LogFont that matter here. */
export function fontOf(font: Omit<Font, 'kind' | 'bold'> & { weight: number }): Font {
  const { weight, ...rest } = font
  return {
    kind: 'font',
    ...rest,
    family: font.family === '' ? systemFont.family : font.family,
    bold: weight >= BOLD_WEIGHT,
  }
}

/** StockObject ([MS-EMF] 2.1.31), by the handle without its highest bit: tools that need not be created. */
const stock: readonly GdiObject[] = [
  whiteBrush,
  brushOf(0, 'C0C0C0'),
  brushOf(0, '808080'),
  brushOf(0, '404040'),
  brushOf(0, '000000'),
  brushOf(1, '000000'),
  { ...blackPen, color: 'FFFFFF' },
  blackPen,
  { ...blackPen, color: undefined },
  { kind: 'unused' },
  { ...systemFont, family: 'Courier New' },
  { ...systemFont, family: 'Courier New' },
  systemFont,
  systemFont,
  systemFont,
]
const STOCK_BIT = 0x80000000

/** The objects of an EMF, under the handles that its records state. */
export class HandleTable {
  private readonly objects = new Map<number, GdiObject>()

  put(handle: number, object: GdiObject): void {
    this.objects.set(handle, object)
  }

  delete(handle: number): void {
    this.objects.delete(handle)
  }

  get(handle: number): GdiObject | undefined {
    return handle >= STOCK_BIT ? stock[handle - STOCK_BIT] : this.objects.get(handle)
  }
}

/** The objects of a WMF: each takes the first free place, and records refer to it by that place. */
export class PlaceTable {
  private readonly objects: (GdiObject | undefined)[] = []
  /** No place before this one is free. */
  private firstFree = 0

  add(object: GdiObject): void {
    while (this.objects[this.firstFree]) this.firstFree++
    this.objects[this.firstFree] = object
  }

  delete(place: number): void {
    if (place >= this.objects.length) return
    this.objects[place] = undefined
    this.firstFree = Math.min(this.firstFree, place)
  }

  get(place: number): GdiObject | undefined {
    return this.objects[place]
  }
}
