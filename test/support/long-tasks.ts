import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Of the thread's own clock, in µs: what the processor did for it, however busy the machine is with others. */
  tdur?: number
  dur?: number
  args?: { name?: string }
}

/**
 * The longest task of a page's main thread while the work is done, in ms. Counted is the processor's time, since tests run on
 * machines that have other things to do: on a quiet one it is what the browser's own observer of long tasks says.
 */
export async function longestTaskMs(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace has no task of the page')
  return Math.max(...tasks.map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000))
}

/**
 * The least of up to `attempts` measurements in ms; it stops at the first one under the limit. Other work on the machine makes
 * a task half as long again at times, and one that is really too long is so every time.
 */
export async function leastMs(limitMs: number, attempts: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && least >= limitMs; attempt++) least = Math.min(least, await measure())
  return least
}

/**
 * The same for each of several steps of one walk: other work on the machine hits one of them in this walk and another in the next.
 */
export async function leastOfEachMs<Step extends string>(
  limitMs: number,
  attempts: number,
  walk: () => Promise<Readonly<Record<Step, number>>>,
): Promise<Record<Step, number>> {
  const least: Record<Step, number> = { ...(await walk()) }
  const steps = Object.keys(least) as Step[]
  for (let attempt = 1; attempt < attempts && steps.some((step) => least[step] >= limitMs); attempt++) {
    const next = await walk()
    for (const step of steps) least[step] = Math.min(least[step], next[step])
  }
  return least
}
