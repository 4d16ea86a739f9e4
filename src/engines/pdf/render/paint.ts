import type { Paint } from '../frame/frame.ts'
import { num } from './operators.ts'
import type { ObjectNumber, PdfFile } from './write.ts'

type Gradient = Exclude<Paint, { kind: 'solid' }>

/** Colour gradients and opacities: resources that drawing operators refer to by name. */
export class PaintSet {
  private readonly opacities = new Map<string, ObjectNumber>()
  private readonly shadings = new Map<string, ObjectNumber>()

  constructor(private readonly file: PdfFile) {}

  /** The graphics state that paints with an opacity from 0 to 1, filling and stroking alike. */
  opacity(opacity: number): string {
    const value = num(Math.max(0, Math.min(1, opacity)))
    if (!this.opacities.has(value))
      this.opacities.set(value, this.file.add(`<</Type/ExtGState/ca ${value}/CA ${value}>>`))
    return `/G${[...this.opacities.keys()].indexOf(value) + 1}`
  }

  /** An axial or radial shading (8.7.4.5), in the coordinates of a path drawn at `x`, `y` where y counts upwards. */
  shading(gradient: Gradient, x: number, y: number): string {
    const x1 = num(x + gradient.x1)
    const y1 = num(y - gradient.y1)
    const x2 = num(x + gradient.x2)
    const y2 = num(y - gradient.y2)
    const radius = num(Math.hypot(gradient.x2 - gradient.x1, gradient.y2 - gradient.y1))
    const [type, coordinates] =
      gradient.kind === 'linear' ? [2, `${x1} ${y1} ${x2} ${y2}`] : [3, `${x2} ${y2} 0 ${x2} ${y2} ${radius}`]
    const syntax = `<</ShadingType ${type}/ColorSpace/DeviceRGB/Coords[${coordinates}]/Extend[true true]/Function ${blend(gradient.stops)}>>`
    if (!this.shadings.has(syntax)) this.shadings.set(syntax, this.file.add(syntax))
    return `/S${[...this.shadings.keys()].indexOf(syntax) + 1}`
  }

  resources(): string {
    const list = (refs: Map<string, ObjectNumber>, letter: string) =>
      [...refs.values()].map((ref, index) => `/${letter}${index + 1} ${ref} 0 R`).join('')
    const states = list(this.opacities, 'G')
    const shadings = list(this.shadings, 'S')
    return `${states === '' ? '' : `/ExtGState<<${states}>>`}${shadings === '' ? '' : `/Shading<<${shadings}>>`}`
  }
}

/** A function from 0–1 to a colour: straight between neighbouring stops. */
function blend(stops: readonly { at: number; color: string }[]): string {
  const pieces: string[] = []
  const bounds: string[] = []
  for (const [index, to] of stops.entries()) {
    const from = stops[index - 1]
    if (!from) continue
    pieces.push(`<</FunctionType 2/Domain[0 1]/C0[${rgb(from.color)}]/C1[${rgb(to.color)}]/N 1>>`)
    if (index < stops.length - 1) bounds.push(num(to.at))
  }
  const [first, ...others] = pieces
  if (first !== undefined && others.length === 0) return first
  const encode = pieces.map(() => '0 1').join(' ')
  return `<</FunctionType 3/Domain[0 1]/Functions[${pieces.join('')}]/Bounds[${bounds.join(' ')}]/Encode[${encode}]>>`
}

export function rgb(color: string): string {
  const channel = (at: number) => num((Number.parseInt(color.slice(at, at + 2), 16) || 0) / 255)
  return `${channel(0)} ${channel(2)} ${channel(4)}`
}
