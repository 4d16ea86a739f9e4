import type { Formula } from '../../model/equation.ts'
import { atom, joined } from './atoms.ts'
import {
  assemble,
  atLevel,
  axisOf,
  emOf,
  inScript,
  Level,
  type MathBox,
  ruleAt,
  ruleOf,
  type Setting,
  signStyle,
} from './box.ts'

/** Cambria Math's baselines of numerator and denominator, in ems: on its own, and among text. */
const displayed = { up: 0.763, down: 0.671, gap: 0.13 }
const inText = { up: 0.62, down: 0.52, gap: 0.065 }

export function fraction(formula: Extract<Formula, { kind: 'fraction' }>, setting: Setting): MathBox {
  if (formula.type === 'linear' || formula.type === 'skewed') return sloping(formula, setting)
  const isDisplay = setting.level === Level.display
  const inner = isDisplay ? atLevel(setting, Level.text) : inScript(setting)
  const { up, down, gap } = isDisplay ? displayed : inText
  const em = emOf(setting)
  const over = setting.set(formula.over, inner)
  const under = setting.set(formula.under, inner)
  const width = Math.max(over.width, under.width)
  const axis = axisOf(setting)
  const clear = ruleOf(setting) / 2 + gap * em
  const above = Math.max(up * em, axis + clear + over.descent)
  const below = Math.max(down * em, under.ascent + clear - axis)
  const rules = formula.type === 'noBar' ? [] : [ruleAt(setting, 0, -axis, width)]
  return assemble(
    [
      { box: over, x: (width - over.width) / 2, y: -above },
      { box: under, x: (width - under.width) / 2, y: below },
    ],
    width,
    rules,
  )
}

/** With a stroke: on one line, or with the parts raised and lowered beside it. */
function sloping(formula: Extract<Formula, { kind: 'fraction' }>, setting: Setting): MathBox {
  const inner = formula.type === 'skewed' ? inScript(setting) : setting
  const style = signStyle(setting)
  const over = setting.set(formula.over, inner)
  const under = setting.set(formula.under, inner)
  const stroke = atom(0x2044, style, setting)
  if (formula.type === 'linear') return joined([over, atom(0x2f, style, setting), under])
  const shift = 0.3 * emOf(setting)
  return assemble(
    [
      { box: over, x: 0, y: -shift },
      { box: stroke, x: over.width, y: 0 },
      { box: under, x: over.width + stroke.width, y: shift * 0.6 },
    ],
    over.width + stroke.width + under.width,
  )
}
