/** What one does with a template of five hundred pages, and the longest task of each step. */
import type { Page, Route } from 'playwright-core'
import { fileFormats } from '../../src/core/formats.ts'
import type { ApiClient } from './client.ts'
import { type ConsoleBench, type DemoRuns, open, testMs } from './console.ts'
import { longestTaskMs } from './long-tasks.ts'
import { longTemplate } from './long-template.ts'
import { follow } from './workspace-tasks.ts'

export const templateSteps = [
  'uploaded',
  'shown',
  'scrolled',
  'led',
  'workspaceOpened',
  'wordChosen',
  'lineChosen',
  'typed',
  'dropped',
] as const
type Step = (typeof templateSteps)[number]
/** The processor's time for the longest task, and how long the step took as a whole. */
interface Measured {
  longestMs: number
  wallMs: number
}
export type TemplateTasks = Record<Step, Measured>

export function longestOf(tasks: TemplateTasks): Record<Step, number> {
  return Object.fromEntries(templateSteps.map((step) => [step, tasks[step].longestMs])) as Record<Step, number>
}

/** Freezes a long template as the next version of the demo's, and answers its number. */
export async function lengthenTemplate(client: ApiClient, id: string): Promise<number> {
  const path = `/api/v1/templates/${id}`
  const { body: template } = await client.get(path)
  const keyed = (more: object) => ({ 'idempotency-key': crypto.randomUUID(), ...more })
  const seen = { 'if-match': `"${template.draft_revision}"`, 'content-type': fileFormats.docx.mediaType }
  const put = await client.send('PUT', `${path}/draft`, longTemplate(), keyed(seen))
  if (put.status !== 200) throw new Error(JSON.stringify(put.body))
  const now = { 'if-match': `"${template.draft_revision + 1}"` }
  const frozen = await client.post(`${path}/versions`, {}, keyed(now))
  if (frozen.status >= 300) throw new Error(JSON.stringify(frozen.body))
  return frozen.body.result.number
}

/**
 * A machine that has much else to do needs longer for so many pages than an execution may take; then they are asked for again. A page
 * that is left has no more use for an answer.
 */
async function answerPatiently(route: Route): Promise<void> {
  try {
    for (let attempt = 1; ; attempt++) {
      const response = await route.fetch({ timeout: 0 })
      const body = await response.body()
      const isOver = body.length < 4_000 && body.includes('longer than a step') && attempt < 4
      if (!isOver) return await route.fulfill({ response, body })
    }
  } catch {
    await route.abort().catch(() => undefined)
  }
}

async function measured({ browser }: ConsoleBench, page: Page, work: () => Promise<void>): Promise<Measured> {
  const from = performance.now()
  const longestMs = await longestTaskMs(browser, page, work)
  return { longestMs, wallMs: performance.now() - from }
}

function picture(page: Page, number: number): Promise<void> {
  const name = new RegExp(`^Page ${number} of`)
  return page.getByRole('img', { name }).locator('img').first().waitFor()
}

/** The draft beside a version, page by page to the last one. Both have five hundred. */
export async function compareTask(
  bench: ConsoleBench,
  page: Page,
  { template }: DemoRuns,
  version: number,
): Promise<Measured> {
  page.setDefaultTimeout(testMs)
  await page.route(/\/(test|preview)$/, answerPatiently)
  await open(page, `${bench.quire.origin}/templates/${template}`)
  return measured(bench, page, async () => {
    await follow(page, `/templates/${template}?tab=compare&from=${version}&to=draft`)
    await page.getByText('Page 2 looks different').waitFor()
    await picture(page, 1)
    await page.keyboard.press('End')
    await picture(page, 100)
  })
}

export async function templateTasks(
  bench: ConsoleBench,
  page: Page,
  { template, model }: DemoRuns,
): Promise<TemplateTasks> {
  page.setDefaultTimeout(testMs)
  await page.route(/\/(test|preview)$/, answerPatiently)
  const tasks: Partial<TemplateTasks> = {}
  const measure = async (step: Step, work: () => Promise<void>) => {
    tasks[step] = await measured(bench, page, work)
  }
  const file = (words: string) => {
    const name = `terms-${crypto.randomUUID().slice(0, 4)}.docx`
    return { name, mimeType: fileFormats.docx.mediaType, buffer: Buffer.from(longTemplate(words)) }
  }
  const tab = (name: string) =>
    page
      .locator('.workspace-bar')
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
  const following = (isAtWork: boolean) =>
    page.locator(`.workspace-pages .pane-note[data-working=${isAtWork}]`).waitFor()
  const lit = page.locator('.sheet-mark[aria-pressed=true]').first()
  const lines = page.locator('.editor-host[data-label="Source"] .cm-content .cm-line')

  await open(page, `${bench.quire.origin}/templates/${template}`)
  const first = file('Appendix')
  await measure('uploaded', async () => {
    await page.locator('input[type=file]').setInputFiles(first)
    await page.getByText(`${first.name} is the draft now.`).waitFor()
  })
  await measure('shown', async () => {
    await follow(page, `/templates/${template}?tab=preview&of=draft`)
    await picture(page, 1)
  })
  await measure('scrolled', async () => {
    await page.getByRole('region', { name: 'Filled pages' }).focus()
    for (let press = 0; press < 20; press++) await page.keyboard.press('PageDown')
    await page.keyboard.press('End')
    await picture(page, 100)
  })
  // A binding leads to its mark, far away.
  await measure('led', async () => {
    await page.getByRole('region', { name: 'Bindings and their values' }).locator('.bound').nth(20).click()
    await lit.waitFor()
    await picture(page, 11)
  })
  await measure('workspaceOpened', async () => {
    await follow(page, `/ingestion-models/${model}/workspace?tab=template`)
    await page.locator('.workspace-right .sheet-mark').first().waitFor()
    await following(false)
    await picture(page, 1)
  })
  await measure('wordChosen', async () => {
    await page.locator('.workspace-right .sheet-mark').first().click()
    await tab('Transformer')
    await page.locator('.cm-lit', { hasText: 'reference: /policy/number' }).waitFor()
  })
  // It fills five hundred places.
  await measure('lineChosen', async () => {
    await lines.filter({ hasText: 'reference: /policy/number' }).click()
    await lit.waitFor()
    await tab('Template')
    await page.locator('.workspace-left .bound[aria-pressed=true]').first().waitFor()
  })
  await tab('Transformer')
  await measure('typed', async () => {
    await lines.filter({ hasText: 'reference: /policy/number' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('again: /policy/number')
    await following(true)
    await following(false)
    await picture(page, 1)
  })
  await tab('Template')
  const second = file('Enclosure')
  await measure('dropped', async () => {
    await page.locator('.workspace-drop input[type=file]').setInputFiles(second)
    await page.locator('.workspace-pages .pane-note', { hasText: second.name }).waitFor()
    await following(false)
    await picture(page, 1)
  })
  return tasks as TemplateTasks
}
