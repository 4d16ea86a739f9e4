import {
  ARTIFACT,
  type BoxFrame,
  type Frame,
  type GroupFrame,
  type ImageFrame,
  type LineFrame,
  type Matrix,
  type Outline,
  type PathFrame,
  type Stroke,
  type TextFrame,
} from '../layout/frame.ts'
import { boundsOf, identity, multiply, placeOf } from '../layout/matrix.ts'
import type { FontSet, UsedFont } from './fonts.ts'
import type { ImageSet } from './images.ts'
import { type PaintSet, rgb } from './paint.ts'
import type { StructureTree } from './structure.ts'
import { num, type PDFRef, textString } from './write.ts'

/** Writes one page's content stream. Frames count y downwards, PDF upwards; this is where it turns. */
export class ContentWriter {
  /** Structure node of each marked-content id on the page. */
  readonly nodesById: number[] = []
  private out = ''
  private open: number | undefined
  private fill = ''
  private stroke = ''
  private font = ''
  private scale = 100
  private lineWidth = ''
  /** Where y is 0: the page's upper edge, or the origin of the group that is being written. */
  private height: number
  /** From the coordinates being written to the page's, y downwards in both. */
  private matrix = identity

  constructor(
    private readonly page: PDFRef,
    private readonly pageHeight: number,
    private readonly fonts: FontSet,
    private readonly images: ImageSet,
    private readonly paints: PaintSet,
    private readonly tree: StructureTree,
  ) {
    this.height = pageHeight
  }

  write(frames: readonly Frame[]): void {
    for (const frame of frames) {
      switch (frame.kind) {
        case 'text':
          this.mark(frame.node)
          this.text(frame)
          break
        case 'box':
          this.mark(ARTIFACT)
          this.box(frame)
          break
        case 'line':
          this.mark(ARTIFACT)
          this.line(frame)
          break
        case 'image':
          this.mark(frame.node)
          this.image(frame)
          break
        case 'clip':
          this.clip(frame.x, frame.y, frame.width, frame.height, frame.frames)
          break
        case 'path':
          this.mark(frame.node)
          this.path(frame)
          break
        case 'group':
          this.group(frame)
          break
        default:
          break
      }
    }
  }

  finish(): string {
    this.mark(undefined)
    return this.out
  }

  /** Opens the marked-content sequence of a node, unless it is the one already open. */
  private mark(node: number | undefined): void {
    if (node === this.open) return
    if (this.open !== undefined) this.out += 'EMC\n'
    this.open = node
    if (node === undefined) return
    if (node === ARTIFACT) {
      this.out += '/Artifact BMC\n'
      return
    }
    const id = this.nodesById.push(node) - 1
    this.tree.addContent(node, this.page, id)
    this.out += `/${this.tree.type(node)}<</MCID ${id}>>BDC\n`
  }

  private text(frame: TextFrame): void {
    if (frame.glyphs.length === 0) return
    const { look } = frame
    const used = this.fonts.use(look.font)
    this.setFill(look.color)
    const font = `/${used.name} ${num(look.size)} Tf\n`
    if (font !== this.font) {
      this.out += font
      this.font = font
    }
    const scale = Math.round(look.scale * 10_000) / 100
    if (scale !== this.scale) {
      this.out += `${num(scale)} Tz\n`
      this.scale = scale
    }
    const embolden = look.font.syntheticBold
    if (embolden) {
      this.setStroke(look.color)
      this.setWidth(look.size * 0.03)
      this.out += '2 Tr\n'
    }
    const y = num(this.height - frame.y)
    this.out += look.font.syntheticItalic ? `BT 1 0 0.21 1 ${num(frame.x)} ${y} Tm ` : `BT ${num(frame.x)} ${y} Td `
    const { glyphs, text, shifts } = frame
    let at = 0
    let shown = ''
    if (frame.units) this.out += `${this.shaped(frame, used, frame.units, scale)} ET\n`
    else if (!shifts) {
      for (const glyph of glyphs) {
        const code = text.codePointAt(at)!
        at += code > 0xffff ? 2 : 1
        shown += used.code(glyph, code)
      }
      this.out += `(${shown})Tj ET\n`
    } else {
      const unit = -1000 / (look.size * (scale / 100))
      for (let index = 0; index < glyphs.length; index++) {
        const code = text.codePointAt(at)!
        at += code > 0xffff ? 2 : 1
        shown += used.code(glyphs[index]!, code)
        const shift = index === glyphs.length - 1 ? 0 : shifts[index]!
        if (shift !== 0) shown += `)${Math.round(shift * unit * 100) / 100}(`
      }
      this.out += `[(${shown})]TJ ET\n`
    }
    if (embolden) this.out += '0 Tr\n'
  }

  /** Shaped text: glyph by glyph, clusters of several glyphs with the characters they stand for (14.9.4). */
  private shaped(frame: TextFrame, used: UsedFont, units: readonly (string | undefined)[], scale: number): string {
    const { glyphs, shifts, rises } = frame
    const unit = -1000 / (frame.look.size * (scale / 100))
    let out = ''
    let shown = ''
    let rise = 0
    const flush = () => {
      if (shown !== '') out += `[(${shown})]TJ `
      shown = ''
    }
    // What the open span stands for; marks beside the letter that carries their text stand for nothing.
    let open: string | undefined
    for (let index = 0; index < glyphs.length; index++) {
      const text = units[index]
      const wanted = text === undefined ? '' : text === '' ? open : units[index + 1] === '' ? text : undefined
      if (wanted !== open || (text !== '' && text !== undefined && open !== undefined)) {
        flush()
        if (open !== undefined) out += 'EMC '
        if (wanted !== undefined) out += `/Span<</ActualText${textString(wanted)}>>BDC `
        open = wanted
      }
      const higher = rises?.[index] ?? 0
      if (higher !== rise) {
        flush()
        out += `${num(higher)} Ts `
        rise = higher
      }
      shown += used.shapedCode(glyphs[index]!, text ?? '')
      const shift = index === glyphs.length - 1 ? 0 : (shifts?.[index] ?? 0)
      const adjustment = Math.round(shift * unit * 100) / 100
      if (adjustment !== 0) shown += `)${adjustment}(`
    }
    flush()
    if (rise !== 0) out += '0 Ts '
    return open === undefined ? out.trimEnd() : `${out}EMC`
  }

  private box(frame: BoxFrame): void {
    this.setFill(frame.color)
    this.out += `${num(frame.x)} ${num(this.height - frame.y - frame.height)} ${num(frame.width)} ${num(frame.height)} re f\n`
  }

  private line(frame: LineFrame): void {
    this.setStroke(frame.color)
    this.setWidth(frame.width)
    if (frame.dash === 'wave') {
      this.wave(frame)
      return
    }
    const dash =
      frame.dash === 'dotted'
        ? [frame.width, frame.width]
        : frame.dash === 'dashed'
          ? [frame.width * 4, frame.width * 3]
          : undefined
    if (dash) this.out += `[${num(dash[0]!)} ${num(dash[1]!)}]0 d\n`
    this.out += `${num(frame.x1)} ${num(this.height - frame.y1)} m ${num(frame.x2)} ${num(this.height - frame.y2)} l S\n`
    if (dash) this.out += '[]0 d\n'
  }

  private wave(frame: LineFrame): void {
    const step = 2
    const count = Math.min(2_000, Math.floor((frame.x2 - frame.x1) / step))
    const y = this.height - frame.y1
    this.out += `${num(frame.x1)} ${num(y)} m\n`
    for (let index = 1; index <= count; index++)
      this.out += `${num(frame.x1 + index * step)} ${num(y + (index % 2 === 0 ? 0 : -1.2))} l\n`
    this.out += 'S\n'
  }

  private image(frame: ImageFrame): void {
    const placed = this.images.use(frame.part)
    const bottom = this.height - frame.y - frame.height
    if (frame.node !== ARTIFACT) this.setBox(frame.node, frame.x, frame.y, frame.width, frame.height)
    if (!placed) {
      this.setFill('F2F2F2')
      this.setStroke('A6A6A6')
      this.setWidth(0.5)
      this.out += `${num(frame.x)} ${num(bottom)} ${num(frame.width)} ${num(frame.height)} re B\n`
      return
    }
    const { crop } = frame
    const shareX = 1 - crop.left - crop.right
    const shareY = 1 - crop.top - crop.bottom
    const cropped =
      (crop.left !== 0 || crop.right !== 0 || crop.top !== 0 || crop.bottom !== 0) && shareX > 0.001 && shareY > 0.001
    this.out += 'q\n'
    if (frame.rotation !== 0) {
      const angle = (-frame.rotation * Math.PI) / 180
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      const cx = frame.x + frame.width / 2
      const cy = bottom + frame.height / 2
      this.out += `${num(cos)} ${num(sin)} ${num(-sin)} ${num(cos)} ${num(cx - cx * cos + cy * sin)} ${num(cy - cx * sin - cy * cos)} cm\n`
    }
    if (cropped) {
      this.out += `${num(frame.x)} ${num(bottom)} ${num(frame.width)} ${num(frame.height)} re W n\n`
      const width = frame.width / shareX
      const height = frame.height / shareY
      this.out += `${num(width)} 0 0 ${num(height)} ${num(frame.x - crop.left * width)} ${num(bottom - crop.bottom * height)} cm\n`
    } else this.out += `${num(frame.width)} 0 0 ${num(frame.height)} ${num(frame.x)} ${num(bottom)} cm\n`
    this.out += `/${placed.name} Do Q\n`
  }

  private clip(x: number, y: number, width: number, height: number, frames: readonly Frame[]): void {
    this.enclose(() => {
      this.out += `${num(x)} ${num(this.height - y - height)} ${num(width)} ${num(height)} re W n\n`
      this.write(frames)
    })
  }

  /** Draws inside of saved graphics state; marked content does not reach across its borders. */
  private enclose(draw: () => void): void {
    this.mark(undefined)
    this.out += 'q\n'
    const saved = [this.fill, this.stroke, this.font, this.scale, this.lineWidth] as const
    draw()
    this.mark(undefined)
    ;[this.fill, this.stroke, this.font, this.scale, this.lineWidth] = saved
    this.out += 'Q\n'
  }

  private group(frame: GroupFrame): void {
    const [a, b, c, d, e, f] = frame.matrix
    const outer = [this.height, this.matrix] as const
    this.enclose(() => {
      const shift: Matrix = [a, -b, -c, d, frame.x + e, this.height - frame.y - f]
      this.out += `${shift.map(matrixNumber).join(' ')} cm\n`
      this.height = 0
      this.matrix = multiply(this.matrix, placeOf(frame))
      if (frame.clip) this.out += `${this.steps(frame.clip, 0, 0)}W n\n`
      if (frame.figure && frame.figure.node !== ARTIFACT)
        this.setBox(frame.figure.node, 0, 0, frame.figure.width, frame.figure.height)
      this.write(frame.frames)
    })
    ;[this.height, this.matrix] = outer
  }

  /** States the extent of a figure on the page. */
  private setBox(node: number, x: number, y: number, width: number, height: number): void {
    const box = boundsOf(this.matrix, x, y, width, height)
    const bottom = this.pageHeight - box.y - box.height
    this.tree.setBox(node, box.x, bottom, box.x + box.width, bottom + box.height)
  }

  private steps({ ops, points }: Outline, x: number, y: number): string {
    let out = ''
    let at = 0
    for (const op of ops) {
      if (op === 'Z') {
        out += 'h\n'
        continue
      }
      for (let count = op === 'C' ? 3 : 1; count > 0; count--) {
        out += `${num(x + points[at]!)} ${num(this.height - y - points[at + 1]!)} `
        at += 2
      }
      out += op === 'M' ? 'm\n' : op === 'L' ? 'l\n' : 'c\n'
    }
    return out
  }

  private path({ x, y, outline, evenOdd, fill, stroke }: PathFrame): void {
    if (outline.ops === '' || (!fill && !stroke)) return
    const steps = this.steps(outline, x, y)
    const star = evenOdd ? '*' : ''
    const painted = fill?.kind === 'solid' ? fill : undefined
    // One operator draws both where they are equally opaque; else the outline is drawn over the filled area.
    const together = painted && stroke && painted.opacity === stroke.opacity
    if (fill) {
      this.withOpacity(fill.opacity, () => {
        if (fill.kind !== 'solid') {
          this.out += `q\n${steps}W${star} n\n${this.paints.shading(fill, x, this.height - y)} sh Q\n`
          return
        }
        this.setFill(fill.color)
        if (together) this.drawStroke(stroke, () => `${steps}B${star}\n`)
        else this.out += `${steps}f${star}\n`
      })
    }
    if (stroke && !together) this.withOpacity(stroke.opacity, () => this.drawStroke(stroke, () => `${steps}S\n`))
  }

  private drawStroke(stroke: Stroke, draw: () => string): void {
    this.setStroke(stroke.color)
    this.setWidth(stroke.width)
    const cap = stroke.cap === 'round' ? 1 : stroke.cap === 'square' ? 2 : 0
    const join = stroke.join === 'round' ? 1 : stroke.join === 'bevel' ? 2 : 0
    const style = `${cap > 0 ? `${cap} J ` : ''}${join > 0 ? `${join} j ` : ''}${stroke.dash.length > 0 ? `[${stroke.dash.map(num).join(' ')}]0 d ` : ''}`
    const undo = `${cap > 0 ? '0 J ' : ''}${join > 0 ? '0 j ' : ''}${stroke.dash.length > 0 ? '[]0 d ' : ''}`
    this.out += `${style}${draw()}${undo === '' ? '' : `${undo}\n`}`
  }

  private withOpacity(opacity: number, draw: () => void): void {
    if (opacity >= 1) {
      draw()
      return
    }
    this.out += `${this.paints.opacity(opacity)} gs\n`
    draw()
    this.out += `${this.paints.opacity(1)} gs\n`
  }

  private setFill(color: string): void {
    if (color === this.fill) return
    this.fill = color
    this.out += `${rgb(color)} rg\n`
  }

  private setStroke(color: string): void {
    if (color === this.stroke) return
    this.stroke = color
    this.out += `${rgb(color)} RG\n`
  }

  private setWidth(width: number): void {
    const text = num(width)
    if (text === this.lineWidth) return
    this.lineWidth = text
    this.out += `${text} w\n`
  }
}

/** Scales and turns need more decimals than lengths: they are multiplied by a page's width. */
function matrixNumber(value: number): string {
  return Number.isFinite(value) ? `${Math.round(value * 1e6) / 1e6 || 0}` : '0'
}
