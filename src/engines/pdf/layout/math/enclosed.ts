import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Formula } from '../../model/equation.ts'
import { atom, inRow, joined } from './atoms.ts'
import { assemble, atLevel, axisOf, emOf, Level, type MathBox, ruleAt, ruleOf, type Setting, signStyle } from './box.ts'

/** Room below a root's rule, above it, and for an empty degree; in ems. */
const ROOT_GAP = 0.16
const ROOT_GAP_IN_TEXT = 0.09
const ROOT_ABOVE = 0.107
const NO_DEGREE = 0.28

/** A root: its sign as high as the radicand needs, and a rule over it. */
export function radical(formula: Extract<Formula, { kind: 'radical' }>, setting: Setting): MathBox {
  const em = emOf(setting)
  const rule = ruleOf(setting)
  const radicand = setting.set(formula.radicand, setting)
  const gap = (setting.level === Level.display ? ROOT_GAP : ROOT_GAP_IN_TEXT) * em
  const plain = atom(0x221a, signStyle(setting), setting)
  const least = Math.max(radicand.ascent, 0.42 * em) + gap + rule
  // What a sign is higher than it must be is divided between both sides of the radicand.
  const spare = Math.max(0, plain.ascent + plain.descent - least - radicand.descent)
  const [top, bottom] = [least + spare / 2, radicand.descent + spare / 2]
  const sign = spare > 0 ? hung(plain, top, bottom) : stretched(0x221a, { top, bottom }, setting)
  const degree = formula.degree && setting.set(formula.degree, atLevel(setting, Level.smallest))
  const isEmpty = degree !== undefined && degree.width === 0
  const before = isEmpty ? NO_DEGREE * em : degree ? Math.max(0, degree.width - sign.width * 0.45) : 0
  const parts = [
    { box: sign, x: before, y: 0 },
    { box: radicand, x: before + sign.width, y: 0 },
  ]
  if (degree)
    parts.push({ box: degree, x: before + sign.width * 0.45 - degree.width, y: -(top - bottom) * 0.5 - degree.descent })
  const over = ruleAt(setting, before + sign.width, -(top - rule / 2), radicand.width)
  const whole = assemble(parts, before + sign.width + radicand.width, [over])
  return { ...whole, ascent: Math.max(whole.ascent, top + ROOT_ABOVE * em) }
}

/** How far a part reaches from its baseline. */
interface Reach {
  readonly top: number
  readonly bottom: number
}

/** A root's sign that is high enough hangs from its rule. */
function hung(sign: MathBox, top: number, bottom: number): MathBox {
  moveFrames(sign.frames, 0, sign.ascent - top)
  return { ...sign, ascent: top, descent: bottom }
}

/** A sign that is drawn as high as it must be, at the width that it has. */
function stretched(code: number, { top, bottom }: Reach, setting: Setting): MathBox {
  const style = signStyle(setting)
  const sign = atom(code, style, setting)
  const ink = sign.ascent + sign.descent
  const factor = ink > 0 ? (top + bottom) / ink : 1
  // Its foot is at the bottom.
  const y = bottom - sign.descent * factor
  const group: Frame = { kind: 'group', x: 0, y, matrix: [1, 0, 0, factor, 0, 0], frames: sign.frames }
  return { ...sign, ascent: top, descent: bottom, frames: [group] }
}

/** Brackets around parts, which grow with them around the axis. */
export function delimited(formula: Extract<Formula, { kind: 'delimited' }>, setting: Setting): MathBox {
  const items = formula.items.map((item) => setting.set(item, setting))
  const axis = axisOf(setting)
  const reach = Math.max(0, ...items.map((item) => Math.max(item.ascent - axis, item.descent + axis)))
  const boxes: MathBox[] = []
  const add = (sign: string, kind: MathBox['kind']) => {
    const box = sign === '' ? undefined : bracket(sign, formula.grows ? reach : 0, setting)
    if (box) boxes.push({ ...box, kind })
  }
  add(formula.open, 'open')
  for (const [index, item] of items.entries()) {
    if (index > 0) add(formula.separator, 'ordinary')
    boxes.push({ ...item, kind: 'ordinary' })
  }
  add(formula.close, 'close')
  return joined(boxes)
}

/** A bracket grows where what it encloses reaches further than it does. */
function bracket(sign: string, reach: number, setting: Setting): MathBox {
  const style = signStyle(setting)
  const code = sign.codePointAt(0) ?? 0x28
  const plain = atom(code, style, setting)
  const axis = axisOf(setting)
  if (Math.max(plain.ascent - axis, plain.descent + axis) >= reach * 0.9) return plain
  return stretched(code, { top: reach + axis, bottom: reach - axis }, setting)
}

/** Marks above letters are set on what they are over; wide ones are stretched. */
const combining: Readonly<Record<number, number>> = {
  768: 0x60,
  769: 0xb4,
  770: 0x2c6,
  771: 0x2dc,
  772: 0xaf,
  773: 0xaf,
  774: 0x2d8,
  775: 0x2d9,
  776: 0xa8,
  778: 0x2da,
  780: 0x2c7,
  8400: 0x21bc,
  8401: 0x21c0,
  8406: 0x2190,
  8407: 0x2192,
  8417: 0x2194,
}

export function accent(formula: Extract<Formula, { kind: 'accent' }>, setting: Setting): MathBox {
  const base = setting.set(formula.base, setting)
  const stated = formula.mark.codePointAt(0) ?? 0x302
  if (stated === 0x305) return overline(base, 'above', setting)
  const style = signStyle(setting)
  const isArrow = stated >= 0x20d0 && stated <= 0x20e1
  const small = isArrow ? signStyle(setting, 0.7) : style
  const mark = atom(combining[stated] ?? stated, small, setting)
  // The ink of spacing marks is above the letters already.
  const y = isArrow
    ? -(base.ascent + 0.02 * emOf(setting)) - mark.descent + arrowFoot(setting)
    : Math.min(0, -(base.ascent - 0.47 * emOf(setting)))
  const x = (base.width + (base.slant ?? 0) - mark.width) / 2
  const whole = assemble(
    [
      { box: base, x: 0, y: 0 },
      { box: mark, x, y },
    ],
    base.width,
  )
  return { ...whole, slant: base.slant ?? 0 }
}

/** Arrows are drawn around the axis; above letters their lower half is in the way. */
function arrowFoot(setting: Setting): number {
  return 0.12 * emOf(setting)
}

export function overline(base: MathBox, side: 'above' | 'below', setting: Setting): MathBox {
  const gap = 0.1 * emOf(setting) + ruleOf(setting)
  const y = side === 'above' ? -(base.ascent + gap) : base.descent + gap
  const whole = assemble([{ box: base, x: 0, y: 0 }], base.width, [ruleAt(setting, 0, y, base.width)])
  return side === 'above'
    ? { ...whole, ascent: base.ascent + gap * 1.3 }
    : { ...whole, descent: base.descent + gap * 1.3 }
}

/** A brace or bracket over or under its content, as wide as that. */
export function brace(formula: Extract<Formula, { kind: 'brace' }>, setting: Setting): MathBox {
  const base = setting.set(formula.base, setting)
  const style = signStyle(setting)
  const sign = atom(formula.sign.codePointAt(0) ?? 0x23df, style, setting)
  const factor = sign.width > 0 ? Math.max(1, base.width / sign.width) : 1
  const height = 0.3 * emOf(setting)
  // The signs lie around the top or the foot of a letter; their ink is moved next to the content.
  const top = sign.frames.length > 0 ? sign.ascent : 0
  const y =
    formula.side === 'above'
      ? -(base.ascent + 0.1 * emOf(setting)) + Math.max(0, top - height)
      : base.descent + 0.1 * emOf(setting) + top
  const group: Frame = { kind: 'group', x: 0, y: 0, matrix: [factor, 0, 0, 1, 0, 0], frames: sign.frames }
  const box: MathBox = {
    ...sign,
    width: sign.width * factor,
    ascent: formula.side === 'above' ? height : 0,
    descent: 0,
    frames: [group],
  }
  const whole = assemble(
    [
      { box: base, x: (Math.max(base.width, box.width) - base.width) / 2, y: 0 },
      { box, x: 0, y },
    ],
    Math.max(base.width, box.width),
  )
  const room = 0.1 * emOf(setting) + height
  return formula.side === 'above'
    ? { ...whole, ascent: base.ascent + room }
    : { ...whole, descent: base.descent + room }
}

/** A box of four rules around its content. */
export function framed(formula: Extract<Formula, { kind: 'framed' }>, setting: Setting): MathBox {
  const base = setting.set(formula.base, setting)
  const room = 0.2 * emOf(setting)
  const [width, top, bottom] = [base.width + 2 * room, base.ascent + room, base.descent + room]
  const { color } = setting.style.look
  const upright = (x: number): Frame => ({
    kind: 'line',
    ...{ x1: x, y1: -top, x2: x, y2: bottom, width: ruleOf(setting), color, dash: 'solid' },
  })
  const rules = [ruleAt(setting, 0, -top, width), ruleAt(setting, 0, bottom, width), upright(0), upright(width)]
  const whole = assemble([{ box: base, x: room, y: 0 }], width, rules)
  return { ...whole, ascent: top, descent: bottom }
}

/** A name and what it is applied to. */
export function applied(formula: Extract<Formula, { kind: 'function' }>, setting: Setting): MathBox {
  const name = { ...setting.set(formula.name, setting), kind: 'operator' as const }
  return inRow([name, setting.set(formula.argument, setting)], setting)
}
