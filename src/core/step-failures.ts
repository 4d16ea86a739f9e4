import { limits } from './limits.ts'

/** Failures that depend on the machine or on another program; any other failure of a step would only repeat. */
const passing: ReadonlySet<string> = new Set(['step_overran', 'render_failed'])

/** Whether another attempt of a failed step is left and may come out differently. */
export function mayPass(attempt: number, code: string): boolean {
  return attempt < limits.stepAttempts && passing.has(code)
}
