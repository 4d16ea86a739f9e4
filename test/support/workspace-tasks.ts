/** What one does in a workspace whose contract is large, and the longest task of each step. */
import type { Page } from 'playwright-core'
import type { ApiClient } from './client.ts'
import { type ConsoleBench, type DemoRuns, open } from './console.ts'
import { largeContract } from './large-contract.ts'
import { longestTaskMs } from './long-tasks.ts'

/** In milliseconds of the processor. */
export interface WorkspaceTasks {
  opened: number
  /** A word on the page leads to its line in the contract. */
  chosen: number
  /** Into the contract. */
  typed: number
  /** A path of the transformer is broken, and mended from the contract's pane. */
  mended: number
  /** A path that the contract lacks is declared in it. */
  declared: number
  /** What was typed into the contract is thrown away. */
  discarded: number
  /** And is brought back. */
  broughtBack: number
}

/** Gives the contract some 600 KB more, which its model and transformer don't read. */
export async function enlargeContract(client: ApiClient, id: string): Promise<void> {
  const path = `/api/v1/contracts/${id}`
  const { body: contract } = await client.get(path)
  const schema = JSON.parse(contract.schema)
  schema.properties = { ...largeContract().properties, ...schema.properties }
  const text = JSON.stringify(schema, undefined, 2)
  if (text.length < 600_000) throw new Error(`the contract has ${text.length} characters`)
  const { name, description, draft_revision } = contract
  const saved = { name, description, schema: text, expected_revision: draft_revision }
  const { status } = await client.send('PUT', path, saved)
  if (status !== 200) throw new Error(`the contract was not saved: ${status}`)
}

/** Opens an address by a link, as people do: what a new window costs is the browser's. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.querySelector('main')?.append(link)
    link.click()
  }, path)
}

export async function workspaceTasks(
  bench: ConsoleBench,
  page: Page,
  { model, contract }: DemoRuns,
): Promise<WorkspaceTasks> {
  const tab = (name: string) =>
    page
      .locator('.workspace-bar')
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
  const editor = (label: string) => page.locator(`.editor-host[data-label="${label}"] .cm-content`)
  const following = () => page.locator('.workspace-pages .pane-note[data-working=false]').waitFor()
  const mend = (name: string) => page.locator('.workspace-pane:not([hidden])').getByRole('button', { name })
  // The editor's code is loaded by then.
  await open(page, `${bench.quire.origin}/contracts/${contract}`)
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  const measured = (work: () => Promise<void>) => longestTaskMs(bench.browser, page, work)
  const opened = await measured(async () => {
    await follow(page, `/ingestion-models/${model}/workspace`)
    await page.locator('.workspace-right .sheet-mark').first().waitFor()
    await following()
  })
  const chosen = await measured(async () => {
    await page.locator('.workspace-right .sheet-mark[title="/schedule/*/amount"]').nth(2).click()
    await page.locator('.trace').waitFor()
    await tab('Contract')
    await editor('Schema').locator('.cm-lit', { hasText: '"amount"' }).waitFor()
  })
  const typed = await measured(async () => {
    await editor('Schema').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('"x-note": "Typed", ')
    await page.getByText('A valid JSON Schema 2020-12').waitFor()
    await following()
  })
  const mended = await measured(async () => {
    await tab('Transformer')
    await editor('Source').focus()
    await page.keyboard.press('Control+Home')
    await editor('Source').locator('.cm-line', { hasText: 'reference: /policy/number' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await mend('Read number instead').waitFor()
    await tab('Contract')
    await mend('Read number instead').click()
    await following()
  })
  // What is typed before is no part of it.
  await tab('Transformer')
  await editor('Source').locator('.cm-line', { hasText: 'reference: /policy/number' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('branch: /policy/branch')
  await tab('Contract')
  await mend('Declare branch').waitFor()
  await following()
  const declared = await measured(async () => {
    await mend('Declare branch').click()
    await mend('Declare branch').waitFor({ state: 'detached' })
    await following()
  })
  const discarded = await measured(async () => {
    await mend('Discard changes').click()
    await mend('Declare branch').waitFor()
    await following()
  })
  const broughtBack = await measured(async () => {
    await mend('Bring them back').click()
    await mend('Declare branch').waitFor({ state: 'detached' })
    await following()
  })
  return { opened, chosen, typed, mended, declared, discarded, broughtBack }
}
