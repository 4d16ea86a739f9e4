import type { Font } from '../font/library.ts'
import {
  type Frame,
  type GroupFrame,
  glyphsOf,
  type ImageFrame,
  type LineFrame,
  type Outline,
  type Page,
  type Paint,
  type PathFrame,
  type Stroke,
  type TextFrame,
} from '../frame/frame.ts'
import { placeOf } from '../frame/matrix.ts'
import { outlineOf } from './outline.ts'

/** Outlines and pictures that pages share while they are drawn. */
export interface DrawSources {
  /** Path data by font and glyph. */
  outlines: Map<string, string>
  /** A picture as an address that carries its bytes; undefined if browsers can't show it. */
  picture(part: string): string | undefined
}

/** One page as an SVG in points. Text is drawn by its outlines, so it looks the same wherever it is shown. */
export function drawPage(page: Page, sources: DrawSources): string {
  const drawing = new PageDrawing(sources)
  const size = `${num(page.width)} ${num(page.height)}`
  const body = drawing.frames(page.frames)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">` +
    `<defs>${drawing.defs.join('')}</defs><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`
  )
}

class PageDrawing {
  /** Definitions that the page uses more than once. */
  readonly defs: string[] = []
  private readonly ids = new Map<string, string>()

  constructor(private readonly sources: DrawSources) {}

  frames(frames: readonly Frame[]): string {
    let drawn = ''
    for (const frame of frames) {
      switch (frame.kind) {
        case 'text':
          drawn += this.text(frame)
          break
        case 'box':
          drawn += rectangle(frame, colorOf(frame.color))
          break
        case 'line':
          drawn += line(frame)
          break
        case 'image':
          drawn += this.image(frame)
          break
        case 'clip': {
          // An inner SVG cuts what reaches over its edge.
          const box = `${num(frame.x)} ${num(frame.y)} ${num(frame.width)} ${num(frame.height)}`
          drawn += `<svg ${boxOf(frame)} viewBox="${box}">${this.frames(frame.frames)}</svg>`
          break
        }
        case 'path':
          drawn += this.path(frame)
          break
        case 'group':
          drawn += this.group(frame)
          break
        case 'link':
        case 'destination':
          break
      }
    }
    return drawn
  }

  private text(frame: TextFrame): string {
    const { x, y, shifts, rises, look } = frame
    const { font, size, scale } = look
    const { unitsPerEm } = font.face
    const unit = size / unitsPerEm
    const color = colorOf(look.color)
    let uses = ''
    let at = 0
    for (const [index, glyph] of glyphsOf(frame).entries()) {
      const id = this.glyph(font, glyph)
      const rise = Math.round((rises?.[index] ?? 0) / unit)
      if (id !== '') uses += `<use href="#${id}" x="${Math.round(at)}"${rise === 0 ? '' : ` y="${rise}"`}/>`
      at += font.face.advance(glyph) * unitsPerEm + (shifts?.[index] ?? 0) / (unit * scale)
    }
    if (uses === '') return ''
    const slant = font.syntheticItalic ? 0.21 * unit : 0
    const matrix = [unit * scale, 0, slant, -unit].map((value) => Number(value.toFixed(7))).join(' ')
    const { outline } = frame
    const edge = outline
      ? ` stroke="${colorOf(outline.color)}" stroke-width="${num(outline.width / unit)}"`
      : font.syntheticBold
        ? ` stroke="${color}" stroke-width="${Math.round(unitsPerEm * 0.03)}"`
        : ''
    return `<g fill="${color}"${edge} transform="matrix(${matrix} ${num(x)} ${num(y)})">${uses}</g>`
  }

  /** The name of an outline on this page; empty for a blank. */
  private glyph(font: Font, glyph: number): string {
    const key = `${font.id}\n${glyph}`
    const known = this.ids.get(key)
    if (known !== undefined) return known
    const { outlines } = this.sources
    let path = outlines.get(key)
    if (path === undefined) {
      path = outlineOf(font.face, glyph)
      outlines.set(key, path)
    }
    const id = path === '' ? '' : `g${this.defs.length}`
    if (path !== '') this.defs.push(`<path id="${id}" d="${path}"/>`)
    this.ids.set(key, id)
    return id
  }

  private image(frame: ImageFrame): string {
    const id = this.picture(frame.part)
    if (id === '') return rectangle(frame, '#F2F2F2', '#A6A6A6')
    const { crop, rotation } = frame
    const shareX = 1 - crop.left - crop.right
    const shareY = 1 - crop.top - crop.bottom
    const isCropped = shareX > 0.001 && shareY > 0.001
    const view = isCropped ? [crop.left, crop.top, shareX, shareY] : [0, 0, 1, 1]
    const shown =
      `<svg ${boxOf(frame)} viewBox="${view.map((value) => num(value)).join(' ')}" preserveAspectRatio="none">` +
      `<use href="#${id}"/></svg>`
    if (rotation === 0) return shown
    const center = `${num(frame.x + frame.width / 2)} ${num(frame.y + frame.height / 2)}`
    return `<g transform="rotate(${num(rotation)} ${center})">${shown}</g>`
  }

  private path({ x, y, outline, evenOdd, fill, stroke }: PathFrame): string {
    const steps = stepsOf(outline, x, y)
    if (steps === '') return ''
    const rule = evenOdd ? ' fill-rule="evenodd"' : ''
    return `<path d="${steps}"${rule}${this.fill(fill, x, y)}${stroke === undefined ? '' : strokeOf(stroke)}/>`
  }

  private fill(paint: Paint | undefined, x: number, y: number): string {
    if (paint === undefined) return ' fill="none"'
    const opacity = paint.opacity < 1 ? ` fill-opacity="${num(paint.opacity)}"` : ''
    if (paint.kind === 'solid') return ` fill="${colorOf(paint.color)}"${opacity}`
    const id = `g${this.defs.length}`
    const [x1, y1, x2, y2] = [x + paint.x1, y + paint.y1, x + paint.x2, y + paint.y2]
    const line =
      paint.kind === 'linear'
        ? `x1="${num(x1)}" y1="${num(y1)}" x2="${num(x2)}" y2="${num(y2)}"`
        : `cx="${num(x2)}" cy="${num(y2)}" r="${num(Math.hypot(x2 - x1, y2 - y1))}"`
    const stops = paint.stops.map(({ at, color }) => `<stop offset="${num(at)}" stop-color="${colorOf(color)}"/>`)
    const name = `${paint.kind}Gradient`
    this.defs.push(`<${name} id="${id}" gradientUnits="userSpaceOnUse" ${line}>${stops.join('')}</${name}>`)
    return ` fill="url(#${id})"${opacity}`
  }

  private group(frame: GroupFrame): string {
    const matrix = placeOf(frame).map((value) => (Number.isFinite(value) ? Number(value.toFixed(6)) : 0))
    let cut = ''
    if (frame.clip !== undefined) {
      const id = `g${this.defs.length}`
      this.defs.push(`<clipPath id="${id}"><path d="${stepsOf(frame.clip, 0, 0)}"/></clipPath>`)
      cut = ` clip-path="url(#${id})"`
    }
    return `<g transform="matrix(${matrix.join(' ')})"${cut}>${this.frames(frame.frames)}</g>`
  }

  private picture(part: string): string {
    const key = `picture\n${part}`
    const known = this.ids.get(key)
    if (known !== undefined) return known
    const address = this.sources.picture(part)
    const id = address === undefined ? '' : `g${this.defs.length}`
    if (address !== undefined) {
      this.defs.push(`<image id="${id}" width="1" height="1" preserveAspectRatio="none" href="${address}"/>`)
    }
    this.ids.set(key, id)
    return id
  }
}

/** Path data has the same letters as an outline. */
function stepsOf({ ops, points }: Outline, x: number, y: number): string {
  let path = ''
  let at = 0
  for (const op of ops) {
    path += op
    for (let count = op === 'Z' ? 0 : op === 'C' ? 3 : 1; count > 0; count--) {
      path += `${num(x + (points[at] ?? 0))} ${num(y + (points[at + 1] ?? 0))} `
      at += 2
    }
  }
  return path
}

function strokeOf({ color, opacity, width, dash, cap, join, miterLimit }: Stroke): string {
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(num).join(' ')}"`
  const through = opacity < 1 ? ` stroke-opacity="${num(opacity)}"` : ''
  const limit = miterLimit === undefined ? '' : ` stroke-miterlimit="${num(miterLimit)}"`
  const ends = `stroke-linecap="${cap}" stroke-linejoin="${join}"${limit}`
  return ` stroke="${colorOf(color)}" stroke-width="${num(width)}" ${ends}${through}${dashes}`
}

function rectangle(box: Box, fill: string, stroke?: string): string {
  const outline = stroke === undefined ? '' : ` stroke="${stroke}" stroke-width="0.5"`
  return `<rect ${boxOf(box)} fill="${fill}"${outline}/>`
}

function line(frame: LineFrame): string {
  const { x1, y1, x2, y2, width } = frame
  const stroke = `stroke="${colorOf(frame.color)}" stroke-width="${num(width)}" fill="none"`
  if (frame.dash === 'wave') {
    const step = 2
    const count = Math.min(2_000, Math.floor((x2 - x1) / step))
    let path = `M${num(x1)} ${num(y1)}`
    for (let index = 1; index <= count; index++) path += `l${step} ${index % 2 === 0 ? -1.2 : 1.2}`
    return `<path d="${path}" ${stroke}/>`
  }
  const dash = frame.dash === 'dotted' ? [width, width] : frame.dash === 'dashed' ? [width * 4, width * 3] : undefined
  const dashed = dash === undefined ? '' : ` stroke-dasharray="${dash.map(num).join(' ')}"`
  return `<path d="M${num(x1)} ${num(y1)}L${num(x2)} ${num(y2)}" ${stroke}${dashed}/>`
}

type Box = Pick<ImageFrame, 'x' | 'y' | 'width' | 'height'>

function boxOf({ x, y, width, height }: Box): string {
  return `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`
}

/** Colours are the only text of the document in the drawing's source; anything but six hexadecimal digits is drawn black. */
function colorOf(color: string): string {
  return /^[0-9A-Fa-f]{6}$/.test(color) ? `#${color}` : '#000000'
}

function num(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(3))) : '0'
}
