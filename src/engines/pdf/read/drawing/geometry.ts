import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Outline } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'
import { evaluateGuides, type Guide, guideValue } from '../../layout/drawing/guides.ts'
import { presetShapes } from './presets.ts'

/** How a path of a shape is filled: not at all, or with the shape's fill, lighter or darker (20.1.10.37). */
export type PathFill = 'norm' | 'none' | 'lighten' | 'lightenLess' | 'darken' | 'darkenLess'

interface Step {
  op: string
  args: readonly string[]
}

interface PathDefinition {
  width: number | undefined
  height: number | undefined
  fill: PathFill
  stroke: boolean
  steps: readonly Step[]
}

/** A geometry as formulas: what a preset's name stands for, or what `a:custGeom` spells out. */
export interface Geometry {
  adjustments: readonly Guide[]
  guides: readonly Guide[]
  rectangle: readonly string[]
  paths: readonly PathDefinition[]
}

export interface ShapePath {
  outline: Outline
  fill: PathFill
  stroke: boolean
}

export interface EvaluatedShape {
  paths: ShapePath[]
  /** Where text stands, in the shape's coordinates. */
  text: { left: number; top: number; right: number; bottom: number }
}

const parsed = new Map<string, Geometry | undefined>()

/** The geometry of a preset; undefined for a name that the standard does not know. */
export function presetGeometry(name: string): Geometry | undefined {
  if (!/^\w{1,40}$/.test(name)) return undefined
  if (!parsed.has(name)) parsed.set(name, findPreset(name))
  return parsed.get(name)
}

function findPreset(name: string): Geometry | undefined {
  const start = presetShapes.indexOf(`\n${name}|`)
  if (start < 0) return undefined
  const line = presetShapes.slice(start + 1, presetShapes.indexOf('\n', start + 1))
  const [, adjustments = '', guides = '', rectangle = '', paths = ''] = line.split('|')
  // Formulas contain slashes, paths do not, so a slash parts paths from each other.
  return {
    adjustments: readGuides(adjustments),
    guides: readGuides(guides),
    rectangle: rectangle.split(' '),
    paths: paths.split('/').map(readPath),
  }
}

function readGuides(text: string): Guide[] {
  if (text === '') return []
  return text.split(';').map((entry) => {
    const equals = entry.indexOf('=')
    return { name: entry.slice(0, equals), formula: entry.slice(equals + 1).split(' ') }
  })
}

const argumentCounts: Readonly<Record<string, number>> = { M: 2, L: 2, C: 6, Q: 4, A: 4, Z: 0 }

function readPath(text: string): PathDefinition {
  const colon = text.indexOf(':')
  const path = { width: undefined, height: undefined, fill: 'norm', stroke: true, steps: [] } as {
    -readonly [K in keyof PathDefinition]: PathDefinition[K]
  }
  for (const property of text.slice(0, colon).split(' ')) {
    const value = property.slice(1)
    if (property.startsWith('w')) path.width = Number(value)
    else if (property.startsWith('h')) path.height = Number(value)
    else if (property.startsWith('f')) path.fill = value as PathFill
    else if (property.startsWith('s')) path.stroke = value !== 'false' && value !== '0'
  }
  const words = text.slice(colon + 1).split(' ')
  const steps: Step[] = []
  for (let at = 0; at < words.length; ) {
    const op = words[at++]!
    const count = argumentCounts[op] ?? 0
    steps.push({ op, args: words.slice(at, at + count) })
    at += count
  }
  path.steps = steps
  return path
}

const fills = new Set<string>(['none', 'lighten', 'lightenLess', 'darken', 'darkenLess'])
const stepOps: Readonly<Record<string, string>> = {
  'a:moveTo': 'M',
  'a:lnTo': 'L',
  'a:cubicBezTo': 'C',
  'a:quadBezTo': 'Q',
  'a:arcTo': 'A',
  'a:close': 'Z',
}

/** A geometry that a drawing spells out (20.1.9.8), with at most `limits.renderPathSteps` steps. */
export function readCustomGeometry(element: XmlElement): Geometry {
  const guides = (name: string): Guide[] => {
    const list = childNamed(element, name)
    return (list ? childElements(list, 'a:gd') : []).slice(0, limits.renderShapeGuides).map((guide) => ({
      name: guide.attributes.name ?? '',
      formula: (guide.attributes.fmla ?? '').trim().split(/\s+/),
    }))
  }
  const rectangle = childNamed(element, 'a:rect')
  const list = childNamed(element, 'a:pathLst')
  let left: number = limits.renderPathSteps
  const paths = (list ? childElements(list, 'a:path') : []).map((path): PathDefinition => {
    const steps = childElements(path)
      .slice(0, left)
      .map((step): Step => {
        const { wR = '0', hR = '0', stAng = '0', swAng = '0' } = step.attributes
        const args =
          step.name === 'a:arcTo'
            ? [wR, hR, stAng, swAng]
            : childElements(step, 'a:pt').flatMap((point) => [point.attributes.x ?? '0', point.attributes.y ?? '0'])
        return { op: stepOps[step.name] ?? '', args }
      })
    left -= steps.length
    const { w, h, fill = 'norm', stroke } = path.attributes
    const side = (text: string | undefined) => (Number(text) > 0 ? Number(text) : undefined)
    return {
      width: side(w),
      height: side(h),
      fill: fills.has(fill) ? (fill as PathFill) : 'norm',
      stroke: stroke !== '0' && stroke !== 'false',
      steps,
    }
  })
  return {
    adjustments: guides('a:avLst'),
    guides: guides('a:gdLst'),
    rectangle: ['l', 't', 'r', 'b'].map((side) => rectangle?.attributes[side] ?? side),
    paths,
  }
}

/** The values that a drawing sets for a preset's adjustments; they are constants. */
export function readAdjustments(list: XmlElement | undefined): Map<string, number> {
  const values = new Map<string, number>()
  for (const guide of (list ? childElements(list, 'a:gd') : []).slice(0, limits.renderShapeGuides)) {
    const match = /^\s*val\s+(-?\d+(?:\.\d+)?)\s*$/.exec(guide.attributes.fmla ?? '')
    if (match) values.set(guide.attributes.name ?? '', Number(match[1]))
  }
  return values
}

/** Formulas count in EMU, of which a point has 12,700. */
const EMU = 12_700

/** Evaluates a geometry for an extent in points. */
export function evaluateGeometry(
  geometry: Geometry,
  width: number,
  height: number,
  adjustments: ReadonlyMap<string, number>,
): EvaluatedShape {
  const values = evaluateGuides(width * EMU, height * EMU, [...geometry.adjustments, ...geometry.guides], adjustments)
  const [left, top, right, bottom] = geometry.rectangle.map((word) => guideValue(word, values) / EMU)
  const paths: ShapePath[] = []
  for (const path of geometry.paths) {
    const scaleX = path.width ? width / path.width : 1 / EMU
    const scaleY = path.height ? height / path.height : 1 / EMU
    const pen = new Pen()
    for (const step of path.steps) takeStep(pen, step, values, scaleX, scaleY)
    paths.push({ outline: pen.outline, fill: path.fill, stroke: path.stroke })
  }
  return { paths, text: { left: left ?? 0, top: top ?? 0, right: right ?? width, bottom: bottom ?? height } }
}

function takeStep(
  pen: Pen,
  { op, args }: Step,
  values: ReadonlyMap<string, number>,
  scaleX: number,
  scaleY: number,
): void {
  const x = (index: number) => guideValue(args[index], values) * scaleX
  const y = (index: number) => guideValue(args[index], values) * scaleY
  if (op === 'M') pen.move(x(0), y(1))
  else if (op === 'L') pen.line(x(0), y(1))
  else if (op === 'C') pen.curve(x(0), y(1), x(2), y(3), x(4), y(5))
  else if (op === 'Q') pen.quadratic(x(0), y(1), x(2), y(3))
  else if (op === 'Z') pen.close()
  else if (op === 'A') {
    const [radiusX, radiusY] = [guideValue(args[0], values), guideValue(args[1], values)]
    const stated = guideValue(args[2], values)
    const start = parameterOf(stated, radiusX, radiusY)
    const sweep = parameterOf(stated + guideValue(args[3], values), radiusX, radiusY) - start
    const centreX = pen.x - radiusX * scaleX * Math.cos(start)
    const centreY = pen.y - radiusY * scaleY * Math.sin(start)
    pen.arc(centreX, centreY, radiusX * scaleX, radiusY * scaleY, start, sweep)
  }
}

/** The ellipse's parameter, in radians, where a ray from its middle at an angle in sixty-thousandths meets it. */
function parameterOf(angle: number, radiusX: number, radiusY: number): number {
  const radians = (angle / 60_000) * (Math.PI / 180)
  const turns = Math.round(radians / (2 * Math.PI))
  const rest = radians - turns * 2 * Math.PI
  return turns * 2 * Math.PI + Math.atan2(Math.abs(radiusX) * Math.sin(rest), Math.abs(radiusY) * Math.cos(rest))
}
