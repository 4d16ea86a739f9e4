/** What one evaluation carries: input, variables, remaining fuel, and the faults that end it. */
import type { Decimal } from '../../core/decimal.ts'
import { limits } from '../../core/limits.ts'
import { formatPointer } from '../../core/pointer.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import type { Lineage } from './lineage.ts'
import type { Value } from './value.ts'

export interface Frame {
  input: Value
  /** Every variable of a program has its own slots, because nothing recurses. */
  slots: Value[]
  fuel: number
  /** Present when the origin of every output is wanted. */
  lineage: Lineage | undefined
  /** Present where the evaluation must not go on for long. */
  patience?: Patience | undefined
}

/** How long an evaluation may go on, as whoever runs it says. */
export interface Patience {
  isOver(): boolean
  /** Units of work before that is asked again. */
  left: number
}

/** The evaluation was given up because patience was over; nothing is wrong with it. */
export class EvaluationGivenUp extends Error {}

/** Tuned: nodes, or sixteen characters each, that are evaluated in some 0.1 ms. */
const patientUnits = 1_000

export function patienceUntil(isOver: () => boolean): Patience {
  return { isOver, left: patientUnits }
}

/** Counts work that has no node of its own: an item, or some characters. @throws EvaluationGivenUp */
export function toil(frame: Frame, units = 1): void {
  const { patience } = frame
  if (patience === undefined) return
  patience.left -= units
  if (patience.left > 0) return
  if (patience.isOver()) throw new EvaluationGivenUp('the evaluation took too long')
  patience.left = patientUnits
}

/** Counts the reading of a text, before it is read. @throws EvaluationGivenUp */
export function toilOver(frame: Frame, text: string): void {
  if (frame.patience !== undefined) toil(frame, text.length >> 4)
}

export type Run = (frame: Frame) => Value

/** Where in the input a value lies: tokens, or the slot that holds a loop's index. */
export type Origin = readonly (string | number)[]

/** Any item of an array, if no slot holds the index. */
export const anyItem = '*'

/** A run-time fault: the only thing that an evaluation throws; its start catches it. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    readonly node: SourceNode,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** A pattern such as `/lines/{item}/net` (`*` for an item) that names an origin before the program runs. */
export function originPattern(origin: Origin): string {
  return formatPointer(origin.map((token) => (typeof token === 'number' ? anyItem : token)))
}

/** The concrete pointer of an origin in this evaluation. */
export function originPointer(origin: Origin, frame: Frame): string {
  return formatPointer(
    origin.map((token) => (typeof token === 'number' ? String(frame.slots[token] ?? anyItem) : token)),
  )
}

export function burn(frame: Frame, node: SourceNode, amount = 1): void {
  frame.fuel -= amount
  if (frame.fuel < 0) {
    throw new Fault(
      'fuel',
      node,
      'The input is larger than the cost bound allows for.',
      'Give the arrays of the contract the maxItems that really occur.',
    )
  }
  if (frame.patience !== undefined) toil(frame, amount)
}

/** Bounds the text that a transformer makes, so that repeated doubling ends in a fault. */
export function boundText(text: string, node: SourceNode): string {
  if (text.length <= limits.transformTextChars) return text
  throw new Fault(
    'fuel',
    node,
    `A text grew beyond ${limits.transformTextChars} characters.`,
    'Make it in smaller parts.',
  )
}

/** Bounds the digits of a number. A cheap test of coefficient and scale passes everything up to 64 digits. */
export function boundDecimal(value: Decimal, node: SourceNode): Decimal {
  const { coefficient, scale } = value
  if (scale <= 64 && coefficient < cheapBound && coefficient > -cheapBound) return value
  if (scale <= limits.transformDecimalDigits && value.digits() <= limits.transformDecimalDigits) return value
  throw new Fault(
    'fuel',
    node,
    `A number grew beyond ${limits.transformDecimalDigits} digits.`,
    'Round it with scale and round.',
  )
}

/** Holds counts to what the author said is the most. */
export function boundedBy(most: number): (count: number, node: SourceNode, name: string) => void {
  return (count, node, name) => {
    if (count <= most) return
    throw new Fault('too_many', node, `${name} has more than ${most}.`, 'Raise "most" if that is right.')
  }
}

const cheapBound = 10n ** 64n
