import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Geometry, Guide, PathDefinition, PathFill, Step } from '../../model/geometry.ts'
import { presetShapes } from './presets.ts'

const parsed = new Map<string, Geometry | undefined>()

/** The geometry of a preset; undefined for a name that the standard does not know. */
export function presetGeometry(name: string): Geometry | undefined {
  if (!/^\w{1,40}$/.test(name)) return undefined
  if (!parsed.has(name)) parsed.set(name, findPreset(name))
  return parsed.get(name)
}

/** The geometry of a preset that every copy of the standard has. */
export function knownGeometry(name: 'rect' | 'roundRect'): Geometry {
  const geometry = presetGeometry(name)
  if (!geometry) throw new Error(`The table of presets has no ${name}`)
  return geometry
}

function findPreset(name: string): Geometry | undefined {
  const start = presetShapes.indexOf(`\n${name}|`)
  if (start < 0) return undefined
  const line = presetShapes.slice(start + 1, presetShapes.indexOf('\n', start + 1))
  const [, adjustments = '', guides = '', rectangle = '', paths = ''] = line.split('|')
  // Formulas contain slashes, paths do not, so a slash separates paths.
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
  const properties = new Map(
    text
      .slice(0, colon)
      .split(' ')
      .map((word) => [word.slice(0, 1), word.slice(1)]),
  )
  const [width, height, stroke] = [properties.get('w'), properties.get('h'), properties.get('s')]
  return {
    width: width === undefined ? undefined : Number(width),
    height: height === undefined ? undefined : Number(height),
    fill: fills.get(properties.get('f') ?? '') ?? 'norm',
    stroke: stroke !== 'false' && stroke !== '0',
    steps: readSteps(text.slice(colon + 1).split(' ')),
  }
}

function readSteps(words: readonly string[]): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < words.length; ) {
    const op = words[at] ?? ''
    const end = at + 1 + (argumentCounts[op] ?? 0)
    steps.push({ op, args: words.slice(at + 1, end) })
    at = end
  }
  return steps
}

const fills: ReadonlyMap<string, PathFill> = new Map([
  ['none', 'none'],
  ['lighten', 'lighten'],
  ['lightenLess', 'lightenLess'],
  ['darken', 'darken'],
  ['darkenLess', 'darkenLess'],
])
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
    const { w, h, fill, stroke } = path.attributes
    const side = (text: string | undefined) => (Number(text) > 0 ? Number(text) : undefined)
    return {
      width: side(w),
      height: side(h),
      fill: fills.get(fill ?? '') ?? 'norm',
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
