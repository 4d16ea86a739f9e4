/**
 * Takes screenshots of the console for docs/images, from the demo with changes that make them worth showing: bun run build && bun
 * bench/pictures.ts [NAME …]. Check them before committing.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { cleanUp } from '../test/support/cleanup.ts'
import type { ApiClient } from '../test/support/client.ts'
import { open, runDemo, startConsole } from '../test/support/console.ts'

const imagesFolder = join(import.meta.dir, '../docs/images')
const size = { width: 1360, height: 850 }
const dayMs = 86_400_000
/** For pages and viewers that don't signal when they are drawn. */
const drawnMs = 2_000

interface Picture {
  name: string
  path(made: Made): string
  /** Brings the screen into the state to show. */
  show(page: Page): Promise<unknown>
}

interface Made {
  model: string
  transformer: string
  template: string
  execution: string
}

const pictures: readonly Picture[] = [
  { name: 'console-home', path: () => '/', show: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
  {
    name: 'console-workbench',
    path: ({ transformer }) => `/transformers/${transformer}`,
    async show(page) {
      await page.locator('.output-line', { hasText: 'Dear' }).first().click()
    },
  },
  {
    name: 'console-execution',
    path: ({ execution }) => `/executions/${execution}`,
    async show(page) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(drawnMs)
    },
  },
  {
    name: 'console-submission',
    path: () => '/submissions/new',
    async show(page) {
      await page.getByLabel('Begin with').selectOption({ index: 1 })
      await page.waitForTimeout(drawnMs)
    },
  },
  {
    name: 'console-preview',
    path: ({ template }) => `/templates/${template}?tab=preview`,
    async show(page) {
      await page.locator('.sheet-mark').first().click()
      await page.waitForTimeout(drawnMs)
    },
  },
  {
    name: 'console-calendar',
    path: () => `/activations?tab=month&month=${inDays(4).slice(0, 7)}&day=${inDays(4).slice(0, 10)}`,
    show: async (page) => {
      await page.getByRole('button', { name: /^Take/ }).first().waitFor()
      await page.locator('.tabs').evaluate((tabs) => tabs.scrollIntoView())
    },
  },
  {
    name: 'console-review',
    path: ({ model }) => `/ingestion-models/${model}/review?state=drafts`,
    show: (page) => page.locator('.diff-line').first().waitFor(),
  },
  {
    name: 'console-operations',
    path: () => '/operations',
    show: (page) => page.getByRole('heading', { name: /Queue/ }).waitFor(),
  },
  {
    name: 'console-workspace',
    path: ({ model }) => `/ingestion-models/${model}/workspace?tab=transformer`,
    async show(page) {
      await page.locator('.sheet-mark[title="/subject"]').first().click()
      await page.locator('.trace').waitFor()
    },
  },
  {
    name: 'console-german',
    path: () => '/',
    async show(page) {
      await page.evaluate(() => localStorage.setItem('quire.language', 'de'))
      await open(page, page.url())
      await page.evaluate(() => localStorage.removeItem('quire.language'))
    },
  },
  // The last one: it changes the draft.
  { name: 'console-suite', path: ({ transformer }) => `/transformers/${transformer}`, show: showRedCase },
]

/** Accepts the case's result, and then changes the wording. */
async function showRedCase(page: Page): Promise<void> {
  const suite = page.getByRole('region', { name: /^Suite of / })
  await suite.locator('summary').first().click()
  await suite.getByRole('button', { name: 'Accept what it gives now' }).click()
  await page.locator('dialog[open]').getByLabel('The pages of all documents, too').check()
  await page.locator('dialog[open]').getByRole('button', { name: 'Accept' }).click()
  await suite.getByText('The case is green').waitFor()
  const source = page.locator('[aria-label="Source"] .cm-content')
  const draft = await page.evaluate(async () => {
    const answer = await fetch(`/api/v1${window.location.pathname}/draft`)
    return (await answer.json()).source as string
  })
  await source.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(draft.replace('Home insurance', 'House insurance'))
  await page.keyboard.press('Control+s')
  await suite.getByText('The case is red').waitFor()
  if ((await suite.locator('details[open]').count()) === 0) await suite.locator('summary').first().click()
  await suite.locator('.sheet-region').first().waitFor()
  await suite.evaluate((panel) => panel.scrollIntoView())
  await page.evaluate(() => window.scrollBy(0, -12))
}

function inDays(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}

/** Prepares an intermittent reminder, a scheduled set of the demo, and a draft with an additional line. */
async function prepare(client: ApiClient): Promise<Made> {
  const made = await runDemo(client)
  const keyed = (more = {}) => ({ 'idempotency-key': crypto.randomUUID(), ...more })
  async function save(id: string, source: string, revision: number): Promise<void> {
    const headers = keyed(revision === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${revision}"` })
    await client.send('PUT', `/api/v1/transformers/${id}/draft`, { source, format: 'yaml' }, headers)
  }
  const reminder = { slug: 'reminder', name: 'Reminder', description: '' }
  const { resource_id: other } = (await client.post('/api/v1/transformers', reminder, keyed())).body
  for (const number of [1, 2]) {
    await save(other, `transform: declarative-v1\noutput: { days: ${number * 14} }\n`, number - 1)
    const headers = keyed({ 'if-match': `"${number}"` })
    await client.post(`/api/v1/transformers/${other}/versions`, {}, headers)
    const from = { effective_from: inDays(number * 6 - 9) }
    await client.post(`/api/v1/transformers/${other}/versions/${number}/publish`, from, keyed())
  }
  const draft = (await client.get(`/api/v1/transformers/${made.transformer}/draft`)).body
  await save(made.transformer, `${draft.source}  # Asked for by the office in Basel.\n`, draft.revision)
  const model = `/api/v1/ingestion-models/${made.model}/draft`
  const { source, revision } = (await client.get(model)).body
  const changed = { source: `${source}# As of this year.\n`, format: 'yaml' }
  await client.send('PUT', model, changed, keyed({ 'if-match': `"${revision}"` }))
  const set = { ingestion_model_id: made.model, state: 'drafts', effective_from: inDays(4) }
  const { plan_hash } = (await client.post('/api/v1/activation-sets/plan', set)).body
  await client.post('/api/v1/activation-sets', { ...set, plan_hash }, keyed())
  await save(made.transformer, `${draft.source}  # Asked for by the office in Bern.\n`, draft.revision + 1)
  return made
}

const asked = process.argv.slice(2)
const bench = await startConsole()
const made = await prepare(bench.client)
for (const { name, path, show } of pictures) {
  if (asked.length > 0 && !asked.includes(name)) continue
  await bench.visit('administrator', async (page) => {
    await page.setViewportSize(size)
    await open(page, bench.quire.origin + path(made))
    await show(page)
    await page.screenshot({ path: join(imagesFolder, `${name}.png`) })
  })
  console.log(`${name}.png`)
}
await bench.stop()
await cleanUp()
