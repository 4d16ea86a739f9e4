/**
 * Keeps for each step of the browser's history how far the page was scrolled and which rows its lists had loaded, and
 * restores both when the person goes back. The browser itself can't, because the rows come after it has looked for its
 * place.
 */
import { newUuid } from './uuid.ts'

/** Steps that are remembered; the oldest are forgotten. */
const mostSteps = 20
/** How long to wait after going back until the page can scroll there: rows come from memory, the rest from the server. */
const patienceMs = 10_000

interface Step {
  scrollY: number
  kept: Map<string, unknown>
}

const steps = new Map<string, Step>()
/** Named by `startHistory`. */
let current = ''

function idOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('step' in state)) return undefined
  return typeof state.step === 'string' ? state.step : undefined
}

/** Gives the present step of the history a name. */
function begin(): string {
  const step = newUuid()
  window.history.replaceState({ step }, '')
  return step
}

function stepOf(id: string): Step {
  const step = steps.get(id) ?? { scrollY: 0, kept: new Map() }
  steps.delete(id)
  steps.set(id, step)
  const [oldest] = steps.keys()
  if (steps.size > mostSteps && oldest !== undefined) steps.delete(oldest)
  return step
}

/** Called before the page is left for a new step. */
export function leaveStep(): void {
  stepOf(current).scrollY = window.scrollY
}

/** Called with a new address: its step begins at the top. */
export function beginStep(): void {
  current = begin()
  window.scrollTo(0, 0)
}

/** The state of the present step, for an address that takes the place of another. */
export function stepState(): { step: string } {
  return { step: current }
}

/** Called when the browser went to a step that there was before. */
export function returnToStep(): void {
  // The browser may have scrolled already; the position noted during scrolling is right.
  current = idOf(window.history.state) ?? begin()
  void restoreScroll(stepOf(current).scrollY)
}

/** Adopts the present step, and follows all scrolling, because the browser scrolls before it reports that it went back. */
export function startHistory(): void {
  current = idOf(window.history.state) ?? begin()
  window.addEventListener('scrollend', leaveStep, { passive: true })
}

/** Keeps something of the present step. */
export function keepInStep(key: string, value: unknown): void {
  stepOf(current).kept.set(key, value)
}

/** What was kept under that key when this step was on the page before. */
export function keptInStep(key: string): unknown {
  return steps.get(current)?.kept.get(key)
}

/** Scrolls as soon as the page is long enough, unless the person scrolls first. */
async function restoreScroll(wanted: number): Promise<void> {
  if (wanted === 0) return
  const step = current
  const deadline = performance.now() + patienceMs
  let isTaken = false
  const take = () => {
    isTaken = true
  }
  const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  for (const sign of signs) window.addEventListener(sign, take, { once: true, passive: true })
  while (!isTaken && step === current && performance.now() < deadline) {
    if (document.documentElement.scrollHeight >= wanted + window.innerHeight) {
      window.scrollTo(0, wanted)
      break
    }
    await new Promise(requestAnimationFrame)
  }
  for (const sign of signs) window.removeEventListener(sign, take)
}
