import type { RunProps } from './properties.ts'

/** A formula as written (ECMA-376 part 1, 22.1), part by part. */
export type Formula =
  | { kind: 'row'; items: readonly Formula[] }
  | FormulaText
  /** The place at which lines of a stack are aligned: `&`. */
  | { kind: 'align' }
  | { kind: 'fraction'; over: Formula; under: Formula; type: 'bar' | 'noBar' | 'skewed' | 'linear' }
  /** Scripts behind their base, or before it. */
  | { kind: 'scripts'; base: Formula; sub?: Formula | undefined; sup?: Formula | undefined; before: boolean }
  /** An empty degree takes room, a hidden one is undefined. */
  | { kind: 'radical'; degree: Formula | undefined; radicand: Formula }
  /** A sum, product, integral or the like. */
  | {
      kind: 'operator'
      sign: string
      sub?: Formula | undefined
      sup?: Formula | undefined
      limits: 'around' | 'beside'
      operand: Formula
    }
  | { kind: 'delimited'; open: string; close: string; separator: string; items: readonly Formula[]; grows: boolean }
  | { kind: 'matrix'; rows: readonly (readonly Formula[])[]; align: readonly ('left' | 'center' | 'right')[] }
  | { kind: 'stack'; rows: readonly Formula[] }
  | { kind: 'limit'; base: Formula; limit: Formula; side: 'above' | 'below' }
  | { kind: 'accent'; base: Formula; mark: string }
  | { kind: 'bar'; base: Formula; side: 'above' | 'below' }
  | { kind: 'brace'; base: Formula; sign: string; side: 'above' | 'below' }
  | { kind: 'function'; name: Formula; argument: Formula }
  | { kind: 'framed'; base: Formula }
  /** Takes the room of its content and draws nothing. */
  | { kind: 'phantom'; base: Formula }

export interface FormulaText {
  kind: 'text'
  text: string
  style: 'plain' | 'bold' | 'italic' | 'boldItalic'
  script: 'roman' | 'script' | 'fraktur' | 'doubleStruck'
  /** Ordinary text (`m:nor`), in its own font. */
  ordinary: boolean
  props: RunProps
}

/** A formula in a paragraph: on lines of its own, with the room that takes, or among text. */
export interface Equation {
  formula: Formula
  /** Where it is on lines of its own; undefined among text. */
  display: 'left' | 'center' | 'right' | undefined
  /** In linear notation, for people who can't see it. */
  linear: string
}
