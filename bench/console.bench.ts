/**
 * How soon the console accepts input, and how a list of ten thousand executions scrolls and filters.
 *
 * Method: dist/quire serves on loopback. Headless Chromium visits the sign-in page eleven times, each time in a profile without a
 * cache, and the page measures the time from the navigation until the first field has the focus; a letter typed then must appear
 * in the field. For the list, one execution of the demo is copied ten thousand times in the database while the program is
 * stopped. The page scrolls to its end and filters, and the browser reports every task over 50 ms.
 * Run: bun run build && bun bench/console.bench.ts
 */
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { ApiClient, untilEnded } from '../test/support/client.ts'
import { copyExecution } from '../test/support/many-executions.ts'
import { startQuire } from '../test/support/quire.ts'
import { summary } from './figures.ts'

const VISITS = 11
const EXECUTIONS = 10_000
const waitMs = 120_000

const browser = await startBrowser()
const first = await startQuire()
await runOnce(first.origin, first.username, first.password)
await first.stop()
copyExecution(first.folder, EXECUTIONS)
const quire = await startQuire({ folder: first.folder })

const interactive: number[] = []
for (let visit = 0; visit <= VISITS; visit++) {
  const ms = await visitMs()
  // The first visit starts the browser's own processes.
  if (visit > 0) interactive.push(ms)
}
console.log(summary('first field takes input, ms', interactive, 'reach 300'))

const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
page.setDefaultTimeout(waitMs)
await page.addInitScript(() => {
  const seen: number[] = []
  Object.assign(window, { longTasks: seen })
  new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  })
})
await page.goto(`${quire.origin}/login`)
await page.getByLabel('Username').fill(quire.username)
await page.getByLabel('Password').fill(quire.password)
await page.keyboard.press('Enter')
await page.locator('.frame').waitFor()
await page.goto(`${quire.origin}/executions`)
await page.locator('.data-table').waitFor()

const scrolled = await longestTaskMs(page, async () => {
  await page.waitForFunction(() => {
    window.scrollBy(0, 900)
    return document.querySelector('.list-count')?.textContent?.endsWith('that is all') === true
  })
})
const rows = Number.parseInt((await page.locator('.list-count').textContent()) ?? '', 10)
if (rows <= EXECUTIONS) throw new Error(`the list has ${rows} executions`)
console.log(summary(`longest task, scrolling ${rows} rows, ms`, [scrolled], 'reach 100'))
const filtered = await longestTaskMs(page, async () => {
  await page.getByLabel('Object or id').pressSequentially('00009999')
  await page.getByText('One, that is all').waitFor()
})
console.log(summary('longest task, filtering them, ms', [filtered], 'reach 100'))
await browser.close()
await quire.stop()
await cleanUp()

async function runOnce(origin: string, username: string, password: string): Promise<void> {
  const client = new ApiClient(origin)
  await client.login(username, password)
  const [scenario] = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios
  const body = { ingestion_model: 'clws-policy', raw_input: scenario.raw_input, metadata: scenario.metadata }
  const made = await client.post('/api/v1/submissions', body, { 'idempotency-key': 'the-one-that-is-copied' })
  await untilEnded(client, made.body.submission.executions[0].id)
}

/** From the navigation until the first field has the focus. */
async function visitMs(): Promise<number> {
  const context = await browser.newContext()
  const visited = await context.newPage()
  visited.setDefaultTimeout(waitMs)
  await visited.addInitScript(() => {
    window.addEventListener('focus', () => Object.assign(window, { focusedMs: performance.now() }), {
      capture: true,
      once: true,
    })
  })
  await visited.goto(`${quire.origin}/login`)
  const field = visited.getByLabel('Username')
  await visited.waitForFunction(() => document.activeElement?.matches('[name=username]') === true)
  await visited.keyboard.type('a')
  if ((await field.inputValue()) !== 'a') throw new Error('the field had the focus and took no input')
  const ms = await visited.evaluate(() => (window as unknown as { focusedMs: number }).focusedMs)
  await context.close()
  return ms
}

/** Browsers don't report tasks of 50 ms and less; they count as 50. */
async function longestTaskMs(on: Page, work: () => Promise<void>): Promise<number> {
  await on.evaluate(() => {
    ;(window as unknown as { longTasks: number[] }).longTasks.length = 0
  })
  await work()
  return on.evaluate(() => Math.max(50, ...(window as unknown as { longTasks: number[] }).longTasks))
}
