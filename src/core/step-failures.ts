import { limits } from './limits.ts'

/** What depends on the machine or on a program beside Quire; everything else that a step refuses, it refuses again. */
const passing: ReadonlySet<string> = new Set(['step_overran', 'render_failed'])

/** Whether another attempt of a failed step is left and may come out differently. */
export function mayPass(attempt: number, code: string): boolean {
  return attempt < limits.stepAttempts && passing.has(code)
}
