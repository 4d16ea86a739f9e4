/**
 * Faults of the console's own code that no screen shows: above all what handlers throw. The browser's console has all of them;
 * the page shows the newest.
 */
import { signal } from '@preact/signals'
import { type ApiProblem, isShown, problemFrom } from './api/problem.ts'

export const unexpected = signal<ApiProblem | undefined>(undefined)

export function startFaults(): void {
  window.addEventListener('unhandledrejection', ({ reason }) => show(reason))
  window.addEventListener('error', ({ error }) => show(error))
}

function show(error: unknown): void {
  // Browsers tell of some things without an error; and work that was given up has not failed.
  const isAbandoned = error instanceof DOMException && error.name === 'AbortError'
  if (error === undefined || error === null || isAbandoned || isShown(error)) return
  unexpected.value = problemFrom(error, { isReported: true })
}
