import { largeSign } from '../../font/symbols.ts'
import type { Formula } from '../../model/equation.ts'
import { atom } from './atoms.ts'
import { assemble, axisOf, emOf, inScript, Level, type MathBox, type Placed, type Setting, signStyle } from './box.ts'

/** Cambria Math's shifts of scripts, in ems of the base: measured in files made by Word. */
const SUPERSCRIPT_UP = 0.3636
const SUBSCRIPT_DOWN = 0.2046
/** The lowest that the ink of a superscript may be, and the least room between two scripts. */
const SUPERSCRIPT_BOTTOM = 0.12
const SCRIPT_GAP = 0.16
/** How far a script is above the top of a tall base, and below its foot. */
const SUPERSCRIPT_DROP = 0.33
const SUBSCRIPT_DROP = 0.16
const SPACE_AFTER_SCRIPT = 0.041
const SPACE_BEFORE_SUPERSCRIPT = 0.03

/** A base with scripts behind or before it. */
export function scripts(formula: Extract<Formula, { kind: 'scripts' }>, setting: Setting): MathBox {
  const base = setting.set(formula.base, setting)
  return withScripts(base, formula, setting)
}

function withScripts(
  base: MathBox,
  { sub, sup, before }: { sub?: Formula | undefined; sup?: Formula | undefined; before: boolean },
  setting: Setting,
): MathBox {
  const em = emOf(setting)
  const inner = inScript(setting)
  const upper = sup && setting.set(sup, inner)
  const lower = sub && setting.set(sub, inner)
  let up = upper ? Math.max(SUPERSCRIPT_UP * em, base.ascent - SUPERSCRIPT_DROP * em) : 0
  if (upper) up = Math.max(up, upper.descent + SUPERSCRIPT_BOTTOM * em)
  let down = lower ? Math.max(SUBSCRIPT_DOWN * em, base.descent + SUBSCRIPT_DROP * em) : 0
  if (upper && lower) {
    const gap = up - upper.descent - (lower.ascent - down)
    if (gap < SCRIPT_GAP * em) down += SCRIPT_GAP * em - gap
  }
  const after = SPACE_AFTER_SCRIPT * em
  if (before) {
    const room = Math.max(upper?.width ?? 0, lower?.width ?? 0)
    const parts: Placed[] = [{ box: base, x: room + after, y: 0 }]
    if (upper) parts.push({ box: upper, x: room - upper.width, y: -up })
    if (lower) parts.push({ box: lower, x: room - lower.width, y: down })
    return assemble(parts, room + after + base.width)
  }
  const slant = (base.slant ?? 0) + SPACE_BEFORE_SUPERSCRIPT * em
  const parts: Placed[] = [{ box: base, x: 0, y: 0 }]
  if (upper) parts.push({ box: upper, x: base.width + slant, y: -up })
  if (lower) parts.push({ box: lower, x: base.width, y: down })
  const right = Math.max(upper ? slant + upper.width : 0, lower?.width ?? 0)
  return { ...assemble(parts, base.width + right + after), kind: base.kind }
}

/** How high the signs of sums and of integrals are on their own, in ems. */
export function signHeight(code: number): number {
  return isIntegral(code) ? 2.15 : 1.907
}

function isIntegral(code: number): boolean {
  return code >= 0x222b && code <= 0x2233
}

/** Least distances in ems from a sign to its upper bound's baseline, to either bound's ink, and to its lower bound's baseline. */
const UPPER_GAP = 0.2386
const LOWER_GAP = 0.1025
const LOWER_DROP = 0.604

/** A sum, product, integral or the like with its bounds and its operand. */
export function operator(formula: Extract<Formula, { kind: 'operator' }>, setting: Setting): MathBox[] {
  const em = emOf(setting)
  const code = formula.sign.codePointAt(0) ?? 0x222b
  const sign = bigSign(code, setting)
  const { sub, sup } = formula
  const whole =
    formula.limits === 'around'
      ? withLimits(sign, { above: sup, below: sub }, setting)
      : withScripts({ ...sign, slant: isIntegral(code) ? 0.12 * em : 0 }, { sub, sup, before: false }, setting)
  return [{ ...whole, kind: 'operator' }, setting.set(formula.operand, setting)]
}

/**
 * A large sign, centred on the axis: at its display height or, among text, at that of its font. The equation font has a
 * large enough glyph at the size of the letters, so that PDF readers find one word; a sign of another font is set in a
 * larger size.
 */
function bigSign(code: number, setting: Setting): MathBox {
  const sign = setting.level === Level.display ? onItsOwn(code, setting) : atom(code, signStyle(setting), setting)
  const shift = (sign.ascent - sign.descent) / 2 - axisOf(setting)
  return assemble([{ box: sign, x: 0, y: shift }], sign.width)
}

function onItsOwn(code: number, setting: Setting): MathBox {
  const style = signStyle(setting)
  const isDrawn = style.look.font.face.glyph(largeSign(code)) !== 0
  const sign = atom(code, style, setting, isDrawn ? largeSign(code) : code)
  const factor = (signHeight(code) * emOf(setting)) / (sign.ascent + sign.descent)
  return isDrawn || factor < 1 || factor === Infinity ? sign : atom(code, signStyle(setting, factor), setting)
}

/** Bounds above and below a sign or a name. */
export function withLimits(
  base: MathBox,
  { above, below }: { above?: Formula | undefined; below?: Formula | undefined },
  setting: Setting,
): MathBox {
  const em = emOf(setting)
  const inner = inScript(setting)
  const upper = above && setting.set(above, inner)
  const lower = below && setting.set(below, inner)
  const width = Math.max(base.width, upper?.width ?? 0, lower?.width ?? 0)
  const middle = (box: MathBox) => (width - box.width) / 2
  const parts: Placed[] = [{ box: base, x: middle(base), y: 0 }]
  if (upper)
    parts.push({
      box: upper,
      x: middle(upper),
      y: -(base.ascent + Math.max(UPPER_GAP * em, LOWER_GAP * em + upper.descent)),
    })
  if (lower)
    parts.push({
      box: lower,
      x: middle(lower),
      y: base.descent + Math.max(LOWER_DROP * em, LOWER_GAP * em + lower.ascent),
    })
  return assemble(parts, width)
}

/** A name such as `lim` with what it is taken over. */
export function limit(formula: Extract<Formula, { kind: 'limit' }>, setting: Setting): MathBox {
  const base = setting.set(formula.base, setting)
  const bounds = formula.side === 'above' ? { above: formula.limit } : { below: formula.limit }
  return { ...withLimits(base, bounds, setting), kind: 'operator' }
}
