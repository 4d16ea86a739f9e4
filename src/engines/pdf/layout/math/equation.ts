import { ARTIFACT, type Frame, moveFrames } from '../../frame/frame.ts'
import type { Paragraph } from '../../model/document.ts'
import type { Equation, Formula, FormulaText } from '../../model/equation.ts'
import { addNode, type Context, type TextPlace } from '../context.ts'
import type { InlineObject } from '../paragraph/plan.ts'
import { inRow, mathStyle } from './atoms.ts'
import { Level, type MathBox, type Setting } from './box.ts'
import { atomsOf, setFormula } from './formula.ts'

/** What Cambria Math keeps free above the ink of a formula, in ems (its MathLeading). */
const LEADING = 0.1465

/**
 * Lays out an equation as objects on the line. An equation among text may break before each top-level relation or
 * operation, so it is one object per stretch between these; a displayed one is a single object.
 */
export function layoutEquation(
  context: Context,
  paragraph: Paragraph,
  { formula, display, linear }: Equation,
  { cell, background, node }: TextPlace,
): InlineObject[] {
  const base = context.cascade.runBase(paragraph, cell)
  const first = firstText(formula)
  const style = mathStyle({ context, base, background }, first?.props ?? {})
  context.cascade.noteDrawn(style)
  const own =
    context.artifact || node === ARTIFACT ? ARTIFACT : addNode(context, { type: 'Formula', parent: node, alt: linear })
  const setting: Setting = {
    ...{ context, base, background, style, node: own, size: style.look.size },
    level: display ? Level.display : Level.text,
    set: setFormula,
  }
  const atoms = atomsOf(formula, setting)
  const rows = display ? [atoms] : stretches(atoms)
  return rows.map((row, index) => objectOf(inRow(row, setting, rows[index - 1]?.at(-1)?.kind), setting))
}

/** Divides a row before each relation and operation of its own. */
function stretches(atoms: readonly MathBox[]): MathBox[][] {
  const rows: MathBox[][] = []
  for (const [index, one] of atoms.entries()) {
    const isSign = one.kind === 'relation' || (one.kind === 'binary' && index > 0)
    const row = rows.at(-1)
    if (!row || isSign) rows.push([one])
    else row.push(one)
  }
  return rows
}

/** The line is as high as the font's own, or as the ink and the leading above it. */
function objectOf(box: MathBox, { style, size }: Setting): InlineObject {
  const ascent = Math.max(style.ascent, box.ascent + LEADING * size)
  const descent = Math.max(style.descent, box.descent)
  const frames = besideSigns(box.frames)
  moveFrames(frames, 0, ascent)
  return { width: box.width, height: ascent + descent, descent, frames }
}

/** Puts a large sign's operand before the sign's bounds, as Word's files do: PDF readers take sign and operand for one word. */
function besideSigns(frames: readonly Frame[]): Frame[] {
  const ordered = new Set<Frame>()
  for (const [start, frame] of frames.entries()) {
    let [next, at]: [Frame | undefined, number] = [frame, start]
    while (next && !ordered.has(next)) {
      ordered.add(next)
      if (next.kind !== 'text' || !next.glyphs) break
      const { y } = next
      do next = frames[++at]
      while (next && (next.kind !== 'text' || Math.abs(next.y - y) > 0.1))
    }
  }
  return [...ordered]
}

function firstText(formula: Formula): FormulaText | undefined {
  if (formula.kind === 'text') return formula
  for (const part of Object.values(formula)) {
    for (const one of [part].flat(2)) {
      const found = isFormula(one) ? firstText(one) : undefined
      if (found) return found
    }
  }
  return undefined
}

function isFormula(value: unknown): value is Formula {
  return typeof value === 'object' && value !== null && 'kind' in value
}
