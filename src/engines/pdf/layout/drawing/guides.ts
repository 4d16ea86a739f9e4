import { limits } from '../../../../core/limits.ts'
import type { Guide } from '../../model/geometry.ts'

/** Angles are counted in sixty-thousandths of a degree. */
const ANGLE = 60_000 * (180 / Math.PI)

/**
 * The values that a shape's formulas and paths refer to: its extent, the shares of it that the standard names, its
 * adjustments and guides. A guide sees only those before it, so there are no cycles; what cannot be computed is 0.
 */
export function evaluateGuides(
  width: number,
  height: number,
  guides: readonly Guide[],
  adjustments: ReadonlyMap<string, number>,
): Map<string, number> {
  const values = namedShares(width, height)
  for (const { name, formula } of guides.slice(0, limits.renderShapeGuides)) {
    const value = adjustments.get(name) ?? compute(formula, values)
    values.set(name, Number.isFinite(value) ? value : 0)
  }
  return values
}

/** The value of a name or number in a formula. */
export function guideValue(word: string | undefined, values: ReadonlyMap<string, number>): number {
  if (word === undefined) return 0
  const known = values.get(word)
  if (known !== undefined) return known
  const number = Number(word)
  return Number.isFinite(number) ? number : 0
}

function namedShares(width: number, height: number): Map<string, number> {
  const shorter = Math.min(width, height)
  const values = new Map<string, number>(
    Object.entries({
      w: width,
      h: height,
      l: 0,
      t: 0,
      r: width,
      b: height,
      hc: width / 2,
      vc: height / 2,
      ss: shorter,
      ls: Math.max(width, height),
      cd2: 10_800_000,
      cd4: 5_400_000,
      cd8: 2_700_000,
      '3cd4': 16_200_000,
      '3cd8': 8_100_000,
      '5cd8': 13_500_000,
      '7cd8': 18_900_000,
    }),
  )
  for (const share of [2, 3, 4, 5, 6, 8, 10, 12, 16, 32]) {
    values.set(`wd${share}`, width / share)
    values.set(`hd${share}`, height / share)
    values.set(`ssd${share}`, shorter / share)
  }
  return values
}

function compute(formula: readonly string[], values: ReadonlyMap<string, number>): number {
  const x = guideValue(formula[1], values)
  const y = guideValue(formula[2], values)
  const z = guideValue(formula[3], values)
  switch (formula[0]) {
    case 'val':
      return x
    case '*/':
      return (x * y) / z
    case '+-':
      return x + y - z
    case '+/':
      return (x + y) / z
    case '?:':
      return x > 0 ? y : z
    case 'abs':
      return Math.abs(x)
    case 'at2':
      return Math.atan2(y, x) * ANGLE
    case 'cat2':
      return x * Math.cos(Math.atan2(z, y))
    case 'sat2':
      return x * Math.sin(Math.atan2(z, y))
    case 'cos':
      return x * Math.cos(y / ANGLE)
    case 'sin':
      return x * Math.sin(y / ANGLE)
    case 'tan':
      return x * Math.tan(y / ANGLE)
    case 'max':
      return Math.max(x, y)
    case 'min':
      return Math.min(x, y)
    case 'mod':
      return Math.hypot(x, y, z)
    case 'pin':
      return y < x ? x : Math.min(y, z)
    case 'sqrt':
      return Math.sqrt(x)
    default:
      return 0
  }
}
