import { limits } from '../../../../core/limits.ts'
import { type Frame, type GroupFrame, type Matrix, moveFrames, type Outline } from '../../frame/frame.ts'
import { apply, identity, multiply } from '../../frame/matrix.ts'
import { Pen as OutlinePen, polyline, rectangleOutline, transformOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { strokeOf } from '../drawing/paint.ts'
import { type Bitmap, bitmapFile } from './dib.ts'
import { type Area, areaOf, type Bounds, type Point } from './figures.ts'
import type { Pen } from './objects.ts'
import { initialState, mappingOf, type State } from './state.ts'
import { type MetafileText, setMetafileText } from './text.ts'

/** A metafile and the box that it fills, in points. */
export interface Metafile {
  readonly bytes: Uint8Array
  /** Its package part; the bitmaps in it become media named after that. */
  readonly part: string
  readonly width: number
  readonly height: number
  /** The node of the structure tree that its frames belong to. */
  readonly node: number
}

/** The device that a metafile was recorded for. */
export interface Device {
  /** From device units to the metafile's box, in points. */
  readonly matrix: Matrix
  readonly unitsPerMillimetre: number
}

/** Whether an outline is drawn with the brush, the pen or both. */
export type Painting = 'fill' | 'stroke' | 'both'

/** Ternary raster operations ([MS-WMF] 2.1.1.31) that are told apart. */
export const RasterOperation = {
  /** Keeps pixels that are black in either picture: how a mask is drawn. */
  sourceAnd: 0x8800c6,
  patternCopy: 0xf00021,
  whiteness: 0xff0062,
  blackness: 0x42,
} as const

/** The drawing surface that both kinds of metafile play on: Windows' GDI as far as documents use it. */
export class Gdi {
  state: State = initialState()
  private readonly frames: Frame[] = []
  /** The path between its begin and its end; undefined outside one. */
  private path: OutlinePen | undefined
  private finished: Outline | undefined
  private mask: { place: string; draw: () => void } | undefined
  private saved: State[] = []
  private target: Frame[] = this.frames
  private targetClip: Outline | undefined
  private pictures = 0

  constructor(
    private readonly context: Context,
    private readonly metafile: Metafile,
    private readonly device: Device,
  ) {}

  /** From logical units to points. */
  private matrix(): Matrix {
    const { matrix, unitsPerMillimetre } = this.device
    return multiply(multiply(matrix, mappingOf(this.state, unitsPerMillimetre)), this.state.world)
  }

  save(): void {
    if (this.saved.length < limits.renderMetafileSaved) this.saved.push({ ...this.state })
  }

  /** Back to a saved state: the last one for -1, the first one for 1. */
  restore(which: number): void {
    const at = which < 0 ? this.saved.length + which : which - 1
    const state = this.saved[at]
    if (!state) return
    this.state = state
    this.saved = this.saved.slice(0, at)
  }

  private emit(frame: Frame): void {
    const { clip } = this.state
    if (clip !== this.targetClip) {
      this.targetClip = clip
      if (clip) {
        const group: GroupFrame = { kind: 'group', x: 0, y: 0, matrix: identity, clip, frames: [] }
        this.frames.push(group)
        this.target = group.frames
      } else this.target = this.frames
    }
    this.target.push(frame)
  }

  /** Draws an outline in logical units, or adds it to the path that is being made. */
  draw(outline: Outline, painting: Painting): void {
    const placed = transformOutline(outline, this.matrix())
    if (this.path) append(this.path, placed)
    else this.paint(placed, painting)
  }

  moveTo(position: Point): void {
    this.state.position = position
    this.path?.move(...apply(this.matrix(), position.x, position.y))
  }

  /** Strokes an outline that begins at the current position; `position`, where it ends, becomes the current one. */
  drawTo(outline: Outline, position: Point): void {
    this.draw(outline, 'stroke')
    this.state.position = position
  }

  lineTo(position: Point): void {
    const { x, y } = this.state.position
    this.drawTo(polyline([x, y, position.x, position.y]), position)
  }

  /** Draws an outline that is in points already. */
  private paint(outline: Outline, painting: Painting): void {
    const { pen, brush, evenOdd } = this.state
    const fill =
      painting !== 'stroke' && brush.color !== undefined
        ? { kind: 'solid' as const, color: brush.color, opacity: 1 }
        : undefined
    const stroke = painting !== 'fill' && pen.color !== undefined ? this.stroke(pen, pen.color) : undefined
    if (!fill && !stroke) return
    this.emit({
      kind: 'path',
      x: 0,
      y: 0,
      outline,
      evenOdd,
      ...(fill ? { fill } : {}),
      ...(stroke ? { stroke } : {}),
      node: this.metafile.node,
    })
  }

  private stroke(pen: Pen, color: string) {
    const [a, b, c, d] = this.matrix()
    const scale = Math.sqrt(Math.abs(a * d - b * c))
    const [deviceX, , , deviceY] = this.device.matrix
    const hairline = Math.sqrt(Math.abs(deviceX * deviceY))
    const width = Math.max(pen.width * scale, Math.min(0.75, hairline))
    return strokeOf({ color, opacity: 1, width, dash: pen.dash, cap: pen.cap, join: pen.join })
  }

  beginPath(): void {
    this.path = new OutlinePen()
    this.finished = undefined
  }

  closeFigure(): void {
    this.path?.close()
  }

  endPath(): void {
    this.finished = this.path?.outline
    this.path = undefined
  }

  abortPath(): void {
    this.path = undefined
  }

  paintPath(painting: Painting): void {
    const { finished } = this
    this.finished = undefined
    if (finished) this.paint(finished, painting)
  }

  clipPath(): void {
    if (this.finished) this.state.clip = this.finished
    this.finished = undefined
  }

  /** Clips at a rectangle in logical units as well. */
  clipRectangle(bounds: Bounds): void {
    this.clipAt(bounds, this.matrix())
  }

  /** Clips at a rectangle in device units as well. */
  clipDeviceRectangle(bounds: Bounds): void {
    this.clipAt(bounds, this.device.matrix)
  }

  private clipAt(bounds: Bounds, matrix: Matrix): void {
    this.state.clip = intersect(this.state.clip, transformOutline(rectangle(areaOf(bounds)), matrix))
  }

  /** The background of a text that has a rectangle of its own. */
  fillBackground(bounds: Bounds): void {
    const { left, top, right, bottom } = bounds
    if (right > left && bottom > top) this.fillRectangle(areaOf(bounds), this.state.backColor)
  }

  /** Does a raster operation that needs no picture: paints with the brush, white or black. */
  fillByOperation(operation: number, area: Area): void {
    const color = this.colorOf(operation)
    if (color !== undefined) this.fillRectangle(area, color)
  }

  private colorOf(operation: number): string | undefined {
    if (operation === RasterOperation.patternCopy) return this.state.brush.color
    if (operation === RasterOperation.whiteness) return 'FFFFFF'
    return operation === RasterOperation.blackness ? '000000' : undefined
  }

  private fillRectangle(area: Area, color: string): void {
    this.emit({
      kind: 'path',
      x: 0,
      y: 0,
      outline: transformOutline(rectangle(area), this.matrix()),
      evenOdd: false,
      fill: { kind: 'solid', color, opacity: 1 },
      node: this.metafile.node,
    })
  }

  /**
   * Draws a bitmap into an area of logical units. A mask (a bitmap that only blackens) waits for the picture that fills
   * the rest; it is drawn if none follows.
   */
  picture(bitmap: Bitmap, area: Area, operation: number): void {
    const { x, y, width, height } = area
    if (bitmap.header.length < 40 || bitmap.pixels.length === 0 || width === 0 || height === 0) return
    const part = `${this.metafile.part}#${++this.pictures}`
    this.context.model.media.set(part, bitmapFile(bitmap))
    const place = `${x} ${y} ${width} ${height}`
    const { mask } = this
    this.mask = undefined
    if (mask && mask.place !== place) mask.draw()
    const matrix = multiply(this.matrix(), [width, 0, 0, height, x, y])
    const draw = () => this.emitPicture(part, matrix)
    if (operation === RasterOperation.sourceAnd) this.mask = { place, draw }
    else draw()
  }

  private emitPicture(part: string, matrix: Matrix): void {
    const { node } = this.metafile
    const crop = { left: 0, top: 0, right: 0, bottom: 0 }
    const [a, b, c, d, e, f] = matrix
    if (a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < 1e-9) {
      this.emit({ kind: 'image', x: e, y: f, width: a, height: d, part, crop, rotation: 0, node })
      return
    }
    const image: Frame = { kind: 'image', x: 0, y: 0, width: 1, height: 1, part, crop, rotation: 0, node }
    this.emit({ kind: 'group', x: 0, y: 0, matrix, frames: [image] })
  }

  text(text: MetafileText): void {
    const set = setMetafileText(this.context, text, {
      state: this.state,
      matrix: this.matrix(),
      node: this.metafile.node,
    })
    if (!set) return
    const { frames, x, y, turn } = set
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    if (Math.abs(turn) < 1e-6) {
      moveFrames(frames, x, y)
      for (const frame of frames) this.emit(frame)
    } else this.emit({ kind: 'group', x, y, matrix: [cos, -sin, sin, cos, 0, 0], frames })
    this.state.position = set.position
  }

  /** Draws a mask that still waits; returns the frames of the whole picture. */
  finish(): Frame[] {
    this.mask?.draw()
    this.mask = undefined
    return this.frames
  }
}

/** Adds an outline to a path. Paths keep page coordinates, since the mapping may have changed when they are drawn. */
function append(path: OutlinePen, { ops, points }: Outline): void {
  let at = 0
  const next = () => points[at++] ?? 0
  for (const [index, op] of [...ops].entries()) {
    if (op === 'M') {
      const [x, y] = [next(), next()]
      // A line that begins where the path has ended continues its figure.
      if (index > 0 || path.isEmpty || Math.abs(path.x - x) > 1e-6 || Math.abs(path.y - y) > 1e-6) path.move(x, y)
    } else if (op === 'L') path.line(next(), next())
    else if (op === 'C') path.curve(next(), next(), next(), next(), next(), next())
    else path.close()
  }
}

function rectangle({ x, y, width, height }: Area): Outline {
  return rectangleOutline(x, y, width, height)
}

/** Where two rectangles overlap; the added one alone if either is turned or no rectangle. */
function intersect(current: Outline | undefined, added: Outline): Outline {
  const [first, second] = [current && uprightBounds(current), uprightBounds(added)]
  if (!first || !second) return added
  const [left, top] = [Math.max(first.left, second.left), Math.max(first.top, second.top)]
  const [right, bottom] = [Math.min(first.right, second.right), Math.min(first.bottom, second.bottom)]
  return rectangleOutline(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
}

function uprightBounds({ ops, points }: Outline): Bounds | undefined {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points
  const isUpright =
    (Math.abs(y1 - y2) < 1e-6 && Math.abs(x2 - x3) < 1e-6) || (Math.abs(x1 - x2) < 1e-6 && Math.abs(y2 - y3) < 1e-6)
  if (ops !== 'MLLLZ' || !isUpright) return undefined
  return { left: Math.min(x1, x3), top: Math.min(y1, y3), right: Math.max(x1, x3), bottom: Math.max(y1, y3) }
}
