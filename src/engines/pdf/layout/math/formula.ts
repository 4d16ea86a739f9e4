import type { Formula } from '../../model/equation.ts'
import { inRow, textAtoms } from './atoms.ts'
import type { MathBox, Setting } from './box.ts'
import { accent, applied, brace, delimited, framed, overline, radical } from './enclosed.ts'
import { fraction } from './fraction.ts'
import { matrix, stack } from './grid.ts'
import { limit, operator, scripts } from './scripts.ts'

/** Lays out a formula: every part is a box around its baseline, and boxes are put together from the inside out. */
export function setFormula(formula: Formula, setting: Setting): MathBox {
  return inRow(atomsOf(formula, setting), setting)
}

/** The atoms of a row, which keep their distances from each other. */
export function atomsOf(formula: Formula, setting: Setting): MathBox[] {
  switch (formula.kind) {
    case 'row':
      return formula.items.flatMap((item) => atomsOf(item, setting))
    case 'text':
      return textAtoms(formula, setting)
    case 'align':
      return [{ width: 0, ascent: 0, descent: 0, frames: [], kind: 'ordinary', align: 0 }]
    case 'operator':
      return operator(formula, setting)
    default:
      return [structure(formula, setting)]
  }
}

function structure(
  formula: Exclude<Formula, { kind: 'row' | 'text' | 'align' | 'operator' }>,
  setting: Setting,
): MathBox {
  switch (formula.kind) {
    case 'fraction':
      return fraction(formula, setting)
    case 'scripts':
      return scripts(formula, setting)
    case 'radical':
      return radical(formula, setting)
    case 'delimited':
      return delimited(formula, setting)
    case 'matrix':
      return matrix(formula, setting)
    case 'stack':
      return stack(formula, setting)
    case 'limit':
      return limit(formula, setting)
    case 'accent':
      return accent(formula, setting)
    case 'bar':
      return overline(setting.set(formula.base, setting), formula.side, setting)
    case 'brace':
      return brace(formula, setting)
    case 'function':
      return applied(formula, setting)
    case 'framed':
      return framed(formula, setting)
    case 'phantom':
      return { ...setting.set(formula.base, setting), frames: [] }
  }
}
