import {
  ARTIFACT,
  type BoxFrame,
  type Frame,
  type GroupFrame,
  glyphsOf,
  type ImageFrame,
  type LineFrame,
  type Matrix,
  type Outline,
  type PathFrame,
  type Stroke,
  type TextFrame,
} from '../frame/frame.ts'
import { boundsOf, identity, multiply, placeOf } from '../frame/matrix.ts'
import type { FontSet, UsedFont } from './fonts.ts'
import type { ImageSet } from './images.ts'
import { languageTag } from './language.ts'
import { num, type Operators } from './operators.ts'
import { type PaintSet, rgb } from './paint.ts'
import type { StructureTree } from './structure.ts'
import { MAX_STRING_BYTES, type ObjectNumber, textString } from './write.ts'

/** Glyphs have two bytes each. */
const GLYPHS_PER_STRING = MAX_STRING_BYTES >> 1
/** Fixed by PDF 32000-1, 8.4.1: the limit of mitres where nothing else is said. */
const pdfMiterLimit = 10

/** Characters without a meaning that Unicode knows. */
const privateUse = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/u
const privateUses = new RegExp(privateUse, 'gu')

/** Shared by all pages of a document while they are written. */
export interface Drawing {
  out: Operators
  fonts: FontSet
  images: ImageSet
  paints: PaintSet
  tree: StructureTree
  /** The document's; text in another one says so. */
  language: string
}

/** Writes one page's content stream. Flips the y axis: frames count y downwards, PDF upwards. */
export class ContentWriter {
  /** Structure node of each marked-content id on the page. */
  readonly nodesById: number[] = []
  private open: number | undefined
  /** The language of the span that is open in it; empty without one. */
  private span = ''
  private fill = ''
  private stroke = ''
  private font: UsedFont | undefined
  private size = 0
  private scale = 100
  private lineWidth = -1
  /** Where y is 0: the page's upper edge, or the origin of the current group. */
  private height: number
  /** From the coordinates being written to the page's, y downwards in both. */
  private matrix = identity
  private readonly out: Operators
  private readonly fonts: FontSet
  private readonly images: ImageSet
  private readonly paints: PaintSet
  private readonly tree: StructureTree
  private readonly language: string

  constructor(
    private readonly page: { readonly ref: ObjectNumber; readonly height: number },
    { out, fonts, images, paints, tree, language }: Drawing,
  ) {
    this.height = page.height
    this.out = out
    this.fonts = fonts
    this.images = images
    this.paints = paints
    this.tree = tree
    this.language = language
  }

  write(frames: readonly Frame[]): void {
    for (const frame of frames) {
      switch (frame.kind) {
        case 'text':
          this.mark(frame.node)
          this.speak(frame)
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

  finish(): void {
    this.mark(undefined)
  }

  /** Opens the marked-content sequence of a node, unless it is the one already open. */
  private mark(node: number | undefined): void {
    if (node === this.open) return
    this.setSpan('')
    if (this.open !== undefined) this.out.text('EMC\n')
    this.open = node
    if (node === undefined) return
    if (node === ARTIFACT) {
      this.out.text('/Artifact BMC\n')
      return
    }
    const id = this.nodesById.push(node) - 1
    this.tree.addContent(node, this.page.ref, id)
    this.out.text('/').text(this.tree.type(node)).text('<</MCID ').digits(id).text('>>BDC\n')
  }

  /** Marks text in another language than the document's as a span of its own (14.9.2). */
  private speak({ node, text, look }: TextFrame): void {
    if (node === ARTIFACT) return
    if (look.language === this.language || look.language === '') {
      this.setSpan('')
      return
    }
    // Blanks and figures between two words of a language do not end it.
    if (!/\p{L}/u.test(text)) return
    const language = languageTag(look.language)
    this.setSpan(language === this.language ? '' : language)
  }

  private setSpan(language: string): void {
    if (language === this.span) return
    if (this.span !== '') this.out.text('EMC\n')
    if (language !== '') this.out.text(`/Span<</Lang(${language})>>BDC\n`)
    this.span = language
  }

  private text(frame: TextFrame): void {
    if (frame.text === '' && !frame.glyphs?.length) return
    const { out } = this
    const { look } = frame
    const used = this.fonts.use(look.font, frame.text)
    this.setFill(look.color)
    if (used !== this.font || look.size !== this.size) {
      out.text('/').text(used.name).text(' ').write('Tf', look.size)
      this.font = used
      this.size = look.size
    }
    const scale = Math.round(look.scale * 10_000) / 100
    if (scale !== this.scale) {
      out.write('Tz', scale)
      this.scale = scale
    }
    const edge = frame.outline ?? (look.font.syntheticBold ? { color: look.color, width: look.size * 0.03 } : undefined)
    if (edge) {
      this.setStroke(edge.color)
      this.setWidth(edge.width)
      out.text('2 Tr\n')
    }
    const known = privateUse.test(frame.text) ? this.knownText(frame) : undefined
    if (known !== undefined) out.text(`/Span<</ActualText${textString(known)}>>BDC\n`)
    out.text(look.font.syntheticItalic ? 'BT 1 0 0.21 1 ' : 'BT ')
    out.number(frame.x).number(this.height - frame.y)
    out.text(look.font.syntheticItalic ? 'Tm ' : 'Td ')
    if (frame.units) this.shaped(frame, used, frame.units, scale)
    else this.characters(frame, used, -1000 / (look.size * (scale / 100)))
    if (known !== undefined) out.text('EMC\n')
    if (edge) out.text('0 Tr\n')
  }

  /** Text of one glyph per character; `unit` turns points into the thousandths of the font size that `TJ` subtracts. */
  private characters({ text, glyphs, shifts }: TextFrame, used: UsedFont, unit: number): void {
    const { out } = this
    out.text(shifts ? '[(' : '(')
    for (let at = 0, index = 0; at < text.length; index++) {
      const code = text.codePointAt(at) ?? 0
      at += code > 0xffff ? 2 : 1
      out.code(glyphs ? used.code(glyphs[index] ?? 0, code) : used.plainCode(code))
      const shift = shifts?.[index] ?? 0
      if (at < text.length && shift !== 0) this.shift(shift * unit)
      else if (index % GLYPHS_PER_STRING === GLYPHS_PER_STRING - 1) out.text(shifts ? ')(' : ')Tj (')
    }
    out.text(shifts ? ')]TJ ET\n' : ')Tj ET\n')
  }

  /** Replaces characters that have a meaning only in their font: by a bullet in a label, elsewhere by U+FFFD. */
  private knownText({ node, text }: TextFrame): string {
    const label = node !== ARTIFACT && this.tree.type(node) === 'Lbl'
    if (!label && node !== ARTIFACT) this.tree.undescribed = true
    return text.replaceAll(privateUses, label ? '•' : '\ufffd')
  }

  /** A shift between two glyphs of a string, in thousandths of the font size, to two decimals: finer than any printer. */
  private shift(thousandths: number): void {
    this.out
      .text(')')
      .digits(Math.round(thousandths * 100) / 100)
      .text('(')
  }

  /**
   * Shaped text: glyph by glyph, with the characters of clusters of several glyphs as replacement text (14.9.4). Marks
   * come after all letters: PDF readers take a glyph at another height for the end of a word.
   */
  private shaped(frame: TextFrame, used: UsedFont, units: readonly (string | undefined)[], scale: number): void {
    const { out } = this
    const { look, shifts, rises } = frame
    const glyphs = glyphsOf(frame)
    const size = look.size * (scale / 100)
    const unit = -1000 / size
    const marks: { glyph: number; x: number; y: number }[] = []
    let x = 0
    // Distance of the next glyph from the end of those written so far.
    let gap = 0
    let rise = 0
    let written = 0
    let inString = false
    const endString = () => {
      if (inString) out.text(')]TJ ')
      inString = false
    }
    // The text of the open span.
    let open: string | undefined
    for (const [index, glyph] of glyphs.entries()) {
      const text = units[index]
      const advance = look.font.face.advance(glyph) * size
      const shift = shifts?.[index] ?? 0
      const higher = rises?.[index] ?? 0
      if (text === undefined) {
        marks.push({ glyph, x, y: higher })
        gap += advance + shift
        x += advance + shift
        continue
      }
      const wanted = text === '' ? open : units[index + 1] === '' ? text : undefined
      if (wanted !== open || (text !== '' && open !== undefined)) {
        endString()
        if (open !== undefined) out.text('EMC ')
        if (wanted !== undefined) out.text(`/Span<</ActualText${textString(wanted)}>>BDC `)
        open = wanted
      }
      if (higher !== rise) {
        endString()
        out.number(higher).text('Ts ')
        rise = higher
      }
      if (!inString) out.text('[(')
      inString = true
      if (Math.round(gap * unit * 100) !== 0) this.shift(gap * unit)
      else if (written % GLYPHS_PER_STRING === GLYPHS_PER_STRING - 1) out.text(')(')
      out.code(used.shapedCode(glyph, text))
      written++
      gap = shift
      x += advance + shift
    }
    endString()
    if (rise !== 0) out.text('0 Ts ')
    if (open !== undefined) out.text('EMC ')
    if (marks.length > 0) this.marks(marks, used)
    out.text('ET\n')
  }

  /** Marks at their places from where the text begins; they have no text. */
  private marks(marks: readonly { glyph: number; x: number; y: number }[], used: UsedFont): void {
    const { out } = this
    out.text('/Span<</ActualText()>>BDC ')
    // Each place is relative to the one before, as rounded.
    let [penX, penY] = [0, 0]
    for (const { glyph, x, y } of marks) {
      const [dx, dy] = [Math.round((x - penX) * 1000) / 1000, Math.round((y - penY) * 1000) / 1000]
      out.number(dx).number(dy).text('Td (').code(used.shapedCode(glyph, ''))
      out.text(')Tj ')
      penX += dx
      penY += dy
    }
    out.text('EMC ')
  }

  private box(frame: BoxFrame): void {
    this.setFill(frame.color)
    this.out.write('re f', frame.x, this.height - frame.y - frame.height, frame.width, frame.height)
  }

  private line(frame: LineFrame): void {
    this.setStroke(frame.color)
    this.setWidth(frame.width)
    if (frame.dash === 'wave') {
      this.wave(frame)
      return
    }
    const dash = dashOf(frame)
    const { out } = this
    if (dash) out.text(`[${dash.map(num).join(' ')}]0 d\n`)
    out
      .number(frame.x1)
      .number(this.height - frame.y1)
      .text('m ')
    out.write('l S', frame.x2, this.height - frame.y2)
    if (dash) out.text('[]0 d\n')
  }

  private wave(frame: LineFrame): void {
    const step = 2
    const count = Math.min(2_000, Math.floor((frame.x2 - frame.x1) / step))
    const y = this.height - frame.y1
    this.out.write('m', frame.x1, y)
    for (let index = 1; index <= count; index++)
      this.out.write('l', frame.x1 + index * step, y + (index % 2 === 0 ? 0 : -1.2))
    this.out.write('S')
  }

  private image(frame: ImageFrame): void {
    const placed = this.images.use(frame.part)
    const bottom = this.height - frame.y - frame.height
    if (frame.node !== ARTIFACT) this.setBox(frame.node, frame.x, frame.y, frame.width, frame.height)
    if (!placed) {
      this.setFill('F2F2F2')
      this.setStroke('A6A6A6')
      this.setWidth(0.5)
      this.out.write('re B', frame.x, bottom, frame.width, frame.height)
      return
    }
    const { crop } = frame
    const shareX = 1 - crop.left - crop.right
    const shareY = 1 - crop.top - crop.bottom
    const cropped =
      (crop.left !== 0 || crop.right !== 0 || crop.top !== 0 || crop.bottom !== 0) && shareX > 0.001 && shareY > 0.001
    const { out } = this
    out.write('q')
    if (frame.rotation !== 0) {
      const angle = (-frame.rotation * Math.PI) / 180
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      const cx = frame.x + frame.width / 2
      const cy = bottom + frame.height / 2
      out.write('cm', cos, sin, -sin, cos, cx - cx * cos + cy * sin, cy - cx * sin - cy * cos)
    }
    if (cropped) {
      out.write('re W n', frame.x, bottom, frame.width, frame.height)
      const width = frame.width / shareX
      const height = frame.height / shareY
      out.write('cm', width, 0, 0, height, frame.x - crop.left * width, bottom - crop.bottom * height)
    } else out.write('cm', frame.width, 0, 0, frame.height, frame.x, bottom)
    out.text(`/${placed.name} Do Q\n`)
  }

  private clip(x: number, y: number, width: number, height: number, frames: readonly Frame[]): void {
    this.enclose(() => {
      this.out.write('re W n', x, this.height - y - height, width, height)
      this.write(frames)
    })
  }

  /** Draws inside saved graphics state; marked content does not reach across its borders. */
  private enclose(draw: () => void): void {
    this.mark(undefined)
    this.out.write('q')
    const saved = [this.fill, this.stroke, this.font, this.size, this.scale, this.lineWidth] as const
    draw()
    this.mark(undefined)
    ;[this.fill, this.stroke, this.font, this.size, this.scale, this.lineWidth] = saved
    this.out.write('Q')
  }

  private group(frame: GroupFrame): void {
    const [a, b, c, d, e, f] = frame.matrix
    const outer = [this.height, this.matrix] as const
    this.enclose(() => {
      const shift: Matrix = [a, -b, -c, d, frame.x + e, this.height - frame.y - f]
      this.out.text(`${shift.map(matrixNumber).join(' ')} cm\n`)
      this.height = 0
      this.matrix = multiply(this.matrix, placeOf(frame))
      if (frame.clip) {
        this.steps(frame.clip, 0, 0)
        this.out.write('W n')
      }
      if (frame.figure && frame.figure.node !== ARTIFACT)
        this.setBox(frame.figure.node, 0, 0, frame.figure.width, frame.figure.height)
      this.write(frame.frames)
    })
    ;[this.height, this.matrix] = outer
  }

  /** States the extent of a figure on the page. */
  private setBox(node: number, x: number, y: number, width: number, height: number): void {
    const box = boundsOf(this.matrix, x, y, width, height)
    const bottom = this.page.height - box.y - box.height
    this.tree.setBox(node, box.x, bottom, box.x + box.width, bottom + box.height)
  }

  private steps({ ops, points }: Outline, x: number, y: number): void {
    const { out } = this
    let at = 0
    for (const op of ops) {
      for (let count = op === 'Z' ? 0 : op === 'C' ? 3 : 1; count > 0; count--) {
        out.number(x + (points[at] ?? 0)).number(this.height - y - (points[at + 1] ?? 0))
        at += 2
      }
      out.write(op === 'M' ? 'm' : op === 'L' ? 'l' : op === 'C' ? 'c' : 'h')
    }
  }

  private path({ x, y, outline, evenOdd, fill, stroke }: PathFrame): void {
    if (outline.ops === '' || (!fill && !stroke)) return
    const { out } = this
    const drawn = (operator: string) => {
      this.steps(outline, x, y)
      out.write(operator)
    }
    const star = evenOdd ? '*' : ''
    const painted = fill?.kind === 'solid' ? fill : undefined
    // One operator draws both where they are equally opaque; else the outline is drawn over the filled area.
    const together = painted && stroke && painted.opacity === stroke.opacity
    if (fill) {
      this.withOpacity(fill.opacity, () => {
        if (fill.kind !== 'solid') {
          out.write('q')
          drawn(`W${star} n`)
          out.text(`${this.paints.shading(fill, x, this.height - y)} sh Q\n`)
          return
        }
        this.setFill(fill.color)
        if (together) this.drawStroke(stroke, () => drawn(`B${star}`))
        else drawn(`f${star}`)
      })
    }
    if (stroke && !together) this.withOpacity(stroke.opacity, () => this.drawStroke(stroke, () => drawn('S')))
  }

  private drawStroke(stroke: Stroke, draw: () => void): void {
    this.setStroke(stroke.color)
    this.setWidth(stroke.width)
    const cap = stroke.cap === 'round' ? 1 : stroke.cap === 'square' ? 2 : 0
    const join = stroke.join === 'round' ? 1 : stroke.join === 'bevel' ? 2 : 0
    const { miterLimit: limit = pdfMiterLimit } = stroke
    const hasLimit = join === 0 && limit !== pdfMiterLimit
    const style = `${hasLimit ? `${num(limit)} M ` : ''}${cap > 0 ? `${cap} J ` : ''}${join > 0 ? `${join} j ` : ''}${stroke.dash.length > 0 ? `[${stroke.dash.map(num).join(' ')}]0 d ` : ''}`
    const undo = `${hasLimit ? `${pdfMiterLimit} M ` : ''}${cap > 0 ? '0 J ' : ''}${join > 0 ? '0 j ' : ''}${stroke.dash.length > 0 ? '[]0 d ' : ''}`
    this.out.text(style)
    draw()
    if (undo !== '') this.out.write(undo)
  }

  private withOpacity(opacity: number, draw: () => void): void {
    if (opacity >= 1) {
      draw()
      return
    }
    this.out.text(`${this.paints.opacity(opacity)} gs\n`)
    draw()
    this.out.text(`${this.paints.opacity(1)} gs\n`)
  }

  private setFill(color: string): void {
    if (color === this.fill) return
    this.fill = color
    this.out.text(`${rgb(color)} rg\n`)
  }

  private setStroke(color: string): void {
    if (color === this.stroke) return
    this.stroke = color
    this.out.text(`${rgb(color)} RG\n`)
  }

  private setWidth(width: number): void {
    if (width === this.lineWidth) return
    this.lineWidth = width
    this.out.write('w', width)
  }
}

/** Lengths of dashes and gaps in points; undefined for a solid line. */
function dashOf({ dash, width }: LineFrame): readonly number[] | undefined {
  if (dash === 'dotted') return [width, width]
  return dash === 'dashed' ? [width * 4, width * 3] : undefined
}

/** Scales and rotations need more decimals than lengths: they are multiplied by coordinates of up to a page's width. */
function matrixNumber(value: number): string {
  return Number.isFinite(value) ? `${Math.round(value * 1e6) / 1e6 || 0}` : '0'
}
