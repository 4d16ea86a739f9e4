import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Formula } from '../../model/equation.ts'
import type { RunBase, TextStyle } from '../../style/cascade.ts'
import type { Context } from '../context.ts'

/** How an atom keeps its distance from its neighbours. */
export type AtomClass = 'ordinary' | 'operator' | 'binary' | 'relation' | 'open' | 'close' | 'punctuation'

/** A part of a formula that is laid out: its ink around a baseline at y = 0, in points. */
export interface MathBox {
  readonly width: number
  readonly ascent: number
  readonly descent: number
  readonly frames: Frame[]
  readonly kind: AtomClass
  /** Where lines of a stack are aligned, from the left; undefined without a mark. */
  readonly align?: number | undefined
  /** How far a superscript is moved away from a slanted letter. */
  readonly slant?: number
}

/** Sizes of text: on its own, among text, in scripts, and in scripts of scripts. */
export const Level = { display: 0, text: 1, script: 2, smallest: 3 } as const

/** Cambria Math's own figures for scripts. */
const factors = [1, 1, 0.73, 0.6] as const

/** Where and how large a part is laid out. */
export interface Setting {
  readonly context: Context
  readonly base: RunBase
  readonly background: string | undefined
  readonly node: number
  /** The look of signs and rules that belong to no run. */
  readonly style: TextStyle
  /** The em of the whole equation, in points. */
  readonly size: number
  readonly level: number
  /** Lays out a part within this one. */
  readonly set: (formula: Formula, setting: Setting) => MathBox
}

/** The em of a part. */
export function emOf({ size, level }: Setting): number {
  return size * factorOf(level)
}

export function factorOf(level: number): number {
  return factors[level] ?? factors[Level.smallest]
}

/** The look of a sign at the size of a part, or at a multiple of that. */
export function signStyle(setting: Setting, factor = 1): TextStyle {
  const { context, style } = setting
  return context.cascade.variant(style, undefined, (emOf(setting) / style.look.size) * factor)
}

export function atLevel(setting: Setting, level: number): Setting {
  return level === setting.level ? setting : { ...setting, level: Math.min(level, Level.smallest) }
}

export function inScript(setting: Setting): Setting {
  return atLevel(setting, Math.max(Level.script, setting.level + 1))
}

/** A part of another, `x` to the right and `y` below its baseline. */
export interface Placed {
  readonly box: MathBox
  readonly x: number
  readonly y: number
}

/** Puts parts together; the whole is as wide as said. */
export function assemble(parts: readonly Placed[], width: number, rules: readonly Frame[] = []): MathBox {
  const frames = [...rules]
  let ascent = 0
  let descent = 0
  for (const { box, x, y } of parts) {
    moveFrames(box.frames, x, y)
    frames.push(...box.frames)
    ascent = Math.max(ascent, box.ascent - y)
    descent = Math.max(descent, box.descent + y)
  }
  return { width, ascent, descent, frames, kind: 'ordinary' }
}

/** A horizontal rule with its middle at `y`. */
export function ruleAt(setting: Setting, x: number, y: number, width: number): Frame {
  const { color } = setting.style.look
  return { kind: 'line', x1: x, y1: y, x2: x + width, y2: y, width: ruleOf(setting), color, dash: 'solid' }
}

/** Height of the axis on which fractions and signs are centred, in ems; Cambria Math's, like the thickness of rules. */
export const AXIS = 0.2856

export function ruleOf(setting: Setting): number {
  return emOf(setting) * 0.065
}

export function axisOf(setting: Setting): number {
  return emOf(setting) * AXIS
}
