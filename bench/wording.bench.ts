/**
 * A change of wording in a template, tested, reviewed and put in force in the console: how many clicks and keys, and how much
 * time the console itself takes.
 *
 * Method: dist/quire serves the demo on loopback. The result of its one case is accepted as its suite, with its pages. Then
 * headless Chromium, on the letter's workspace, drops the DOCX with the new wording on the pages, looks at them, and saves. The
 * suite runs by itself and is red, with the place marked. The new pages are accepted, the review of the drafts shows the
 * differences, and everything is put in force. Counted are clicks (a dropped file is one) and key chords. The time is the
 * machine's: a person adds looking, and Word.
 * Run: bun run build && bun bench/wording.bench.ts
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { cleanUp } from '../test/support/cleanup.ts'
import { open, runDemo, startConsole } from '../test/support/console.ts'
import { summary } from './figures.ts'
import { templateOf } from './own-template.ts'

const WALKS = 3
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const letter = await Bun.file(join(import.meta.dir, '../src/demo/letter.docx')).bytes()
const pagesBox = '.workspace-pages'

const bench = await startConsole()
const { model, template } = await runDemo(bench.client)
const address = `${bench.quire.origin}/ingestion-models/${model}/workspace`
const times: number[] = []
let counted = ''

const suiteOf = (page: Page) => page.getByRole('region', { name: /^Suite of / })

/** Accepts the case's current result as expected, with its pages. */
async function accept(page: Page): Promise<void> {
  await suiteOf(page).getByRole('button', { name: 'Accept what it gives now' }).click()
  const dialog = page.locator('dialog[open]')
  const pages = dialog.getByLabel('The pages of all documents, too')
  if ((await pages.count()) > 0 && !(await pages.isChecked())) await pages.check()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await suiteOf(page).getByText('The case is green').waitFor()
}

/** Drops a file on the pages, like a user. */
async function drop(page: Page, bytes: Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ content, type }) => {
      const transfer = new DataTransfer()
      const file = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      transfer.items.add(new File([file], 'letter.docx', { type }))
      return transfer
    },
    { content: Buffer.from(bytes).toString('base64'), type: docxType },
  )
  for (const event of ['dragover', 'drop']) await page.dispatchEvent(pagesBox, event, { dataTransfer })
}

await bench.visit('administrator', async (page) => {
  page.setDefaultTimeout(90_000)
  await open(page, address)
  await suiteOf(page).locator('summary').first().click()
  await accept(page)
  for (let walk = 1; walk <= WALKS; walk++) {
    await open(page, address)
    await page.locator('.sheet-mark').first().waitFor()
    const { draft_revision: revision } = (await bench.client.get(`/api/v1/templates/${template}`)).body
    let clicks = 0
    let chords = 0
    const started = performance.now()
    await drop(page, templateOf(letter, walk))
    clicks++
    await page.getByText('2 pages, with letter.docx').waitFor()
    await page.keyboard.press('Control+s')
    chords++
    await suiteOf(page).getByText('The case is red').waitFor()
    // When opened, it shows the place on the page.
    if ((await suiteOf(page).locator('details[open]').count()) === 0) {
      await suiteOf(page).locator('summary').first().click()
      clicks++
    }
    await suiteOf(page).locator('.sheet-region').first().waitFor()
    await suiteOf(page).getByRole('button', { name: 'Accept what it gives now' }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Accept' }).click()
    clicks += 2
    await suiteOf(page).getByText('The case is green').waitFor()
    await page.getByRole('link', { name: 'Review' }).click()
    clicks++
    await page.locator('.review .sheet-region').first().waitFor()
    await page.getByRole('button', { name: /put all in force$/i, disabled: false }).click()
    clicks++
    await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
    times.push((performance.now() - started) / 1000)
    counted = `${clicks} clicks, ${chords} chord of keys`
    const { body } = await bench.client.get(`/api/v1/templates/${template}`)
    if (body.draft_revision !== revision + 1)
      throw new Error('the template has another draft than the one that was saved')
  }
})
console.log(summary('a change of wording, from the file to its being in force, s', times, 'reach 60'))
console.log(counted)
await bench.stop()
await cleanUp()
