import { describe, expect, test } from 'bun:test'
import type { Step } from '../../src/console/api/types.ts'
import { mayRetry, remedyOf } from '../../src/console/execution-steps.ts'

function failedStep(name: Step['name'], code: string, attempt = 1): Step {
  const failure = { code, message: '', issues: [] }
  return { name, position: 1, status: 'failed', attempt, failure } as unknown as Step
}

describe('another attempt', () => {
  test.each([
    ['render', 'render_failed'],
    ['render', 'step_overran'],
    ['compose', 'step_overran'],
  ] as const)('of %s after %s may come out differently', (name, code) => {
    const step = failedStep(name, code)
    expect(mayRetry(step)).toBe(true)
    expect(remedyOf(step)).toBe('Another attempt may pass: 4 of 5 are left.')
  })

  test.each([
    ['validate', 'contract_violated', 1, /Mend the input and submit it again/],
    ['validate', 'input_not_json', 1, /Mend the input and submit it again/],
    ['transform.declarative', 'transform_failed', 1, /Mend the transformer or the input/],
    ['compose', 'compose_failed', 1, /Mend the template or the input/],
    ['validate', 'parent_failed', 0, /goes on by itself when the parent does/],
    ['render', 'attempts_exhausted', 5, /All 5 attempts are used up/],
    ['render', 'render_failed', 5, /All 5 attempts are used up/],
  ] as const)('of %s after %s in attempt %i helps nobody, and what does is said', (name, code, attempt, remedy) => {
    const step = failedStep(name, code, attempt)
    expect(mayRetry(step)).toBe(false)
    expect(remedyOf(step)).toMatch(remedy)
  })
})
