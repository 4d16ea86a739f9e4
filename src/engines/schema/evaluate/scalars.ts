/** The keywords of numbers and strings. */
import { codePointLength, isMultipleOf } from '../compare.ts'
import { count, describeValue, excerpt, type Faults, formatWords } from '../explain.ts'
import type { SchemaNode } from '../model.ts'
import type { Walk } from './walk.ts'

export function checkNumber(walk: Walk, node: SchemaNode, value: number, faults: Faults | undefined): boolean {
  let isValid = true
  if (node.minimum !== undefined && value < node.minimum) {
    isValid = walk.wrong(faults, node, 'minimum', () => `must be at least ${node.minimum}, is ${value}`)
  }
  if (node.exclusiveMinimum !== undefined && value <= node.exclusiveMinimum) {
    isValid = walk.wrong(
      faults,
      node,
      'exclusiveMinimum',
      () => `must be greater than ${node.exclusiveMinimum}, is ${value}`,
    )
  }
  if (node.maximum !== undefined && value > node.maximum) {
    isValid = walk.wrong(faults, node, 'maximum', () => `must be at most ${node.maximum}, is ${value}`)
  }
  if (node.exclusiveMaximum !== undefined && value >= node.exclusiveMaximum) {
    isValid = walk.wrong(
      faults,
      node,
      'exclusiveMaximum',
      () => `must be less than ${node.exclusiveMaximum}, is ${value}`,
    )
  }
  if (node.multipleOf !== undefined && !isMultipleOf(value, node.multipleOf)) {
    isValid = walk.wrong(faults, node, 'multipleOf', () => `must be a multiple of ${node.multipleOf}, is ${value}`)
  }
  return isValid
}

export function checkString(walk: Walk, node: SchemaNode, value: string, faults: Faults | undefined): boolean {
  let isValid = true
  if (node.minLength !== undefined || node.maxLength !== undefined) {
    walk.spend(value.length >> 6)
    const length = lengthFor(node, value)
    if (node.minLength !== undefined && length < node.minLength) {
      const least = node.minLength
      const message = () => `must have at least ${count(least, 'character')}, has ${length}`
      isValid = walk.wrong(faults, node, 'minLength', value === '' ? () => 'must not be empty' : message)
    }
    if (node.maxLength !== undefined && length > node.maxLength) {
      const most = node.maxLength
      const message = () => `must have at most ${count(most, 'character')}, has ${length}`
      isValid = walk.wrong(faults, node, 'maxLength', message)
    }
  }
  if (node.pattern !== undefined && !walk.matches(node.pattern, value)) {
    const { source } = node.pattern
    const message = () => `must match the pattern ${excerpt(source)}, is ${describeValue(value)}`
    isValid = walk.wrong(faults, node, 'pattern', message)
  }
  if (node.format?.test !== undefined && !hasFormat(walk, node.format.test, value)) {
    const { name } = node.format
    const message = () => `must be ${formatWords(name)}, is ${describeValue(value)}`
    isValid = walk.wrong(faults, node, 'format', message)
  }
  return isValid
}

/** In code points; counted only where the bounds can depend on which UTF-16 units are pairs. */
function lengthFor({ minLength, maxLength }: SchemaNode, value: string): number {
  const units = value.length
  const isPlain = (maxLength === undefined || units <= maxLength) && (minLength === undefined || units >= 2 * minLength)
  return isPlain ? units : codePointLength(value)
}

function hasFormat(walk: Walk, test: (text: string) => boolean, text: string): boolean {
  walk.spend(text.length)
  return test(text)
}
