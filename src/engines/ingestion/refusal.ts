/** How readers of a format refuse a text: at an offset, with a remedy. */
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { positionInParts } from '../../core/positions.ts'
import { atOnce, type InParts } from '../../core/turns.ts'
import { sentence } from './sentence.ts'

/** A finding of a text, at an offset. */
export abstract class InputRefusal extends Error {
  abstract readonly format: string

  constructor(
    readonly code: string,
    readonly offset: number,
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** Runs what may refuse a text, and locates the refusal. */
export function located<T>(text: string, make: () => T): Outcome<T> {
  try {
    return succeed(make())
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error
    return fail(findingOf(text, error))
  }
}

/** A refusal as a finding with its place in the text. */
export function findingOf(text: string, refusal: InputRefusal): Finding {
  return atOnce(findingInParts(text, refusal))
}

/** The same for a text of many megabytes, on a thread that others wait for. */
export function* findingInParts(text: string, refusal: InputRefusal): InParts<Finding> {
  const { format, code, offset, message, hint } = refusal
  const finding: Finding = {
    code: `${format}.${code}`,
    severity: 'error',
    message: sentence(message),
    hint: sentence(hint),
    path: '',
  }
  return { ...finding, ...(yield* positionInParts(text, offset)) }
}
