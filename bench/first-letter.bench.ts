/**
 * From an empty store to the PDF of one's own invoice, only in the console: how many clicks and keys, and how much time the
 * console itself takes.
 *
 * Method: dist/quire serves an empty store, without the demo, on loopback. Headless Chromium signs in and then makes a contract,
 * a transformer, a template and an ingestion model from prepared texts, freezes each, puts all of them in force in one step, and
 * submits an input, until the PDF is on the page. Screens are opened by their keys (`g c`), drafts saved with Ctrl-S, dialogs
 * confirmed with Enter; everything else is clicked. Counted are clicks, and key chords other than typing. The time is the
 * machine's: a person adds reading, and pasting seven texts.
 * Run: bun run build && bun bench/first-letter.bench.ts
 */
import { Document, Packer, Paragraph } from 'docx'
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { startQuire } from '../test/support/quire.ts'
import { summary } from './figures.ts'

const WALKS = 3
const waitMs = 60_000

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['number', 'customer', 'lines'],
  properties: {
    number: { type: 'string', minLength: 1 },
    customer: { type: 'string', minLength: 1 },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['text', 'price'],
        properties: { text: { type: 'string' }, price: { type: 'number', minimum: 0 } },
      },
    },
  },
}
const transformer = `transform: declarative-v1
contract: invoice@1
output:
  number: /number
  customer: /customer
  total: { $format: { $sum: /lines, as: l, of: $l/price }, number: "#,##0.00", locale: en }
`
const model = `model: ingestion-model-v1
contract: { name: invoice, version: 1 }
object: { reference: /number }
nodes:
  - { key: invoice, label: Invoice, transformer: invoice, template: invoice, formats: [docx, pdf] }
`
const input = { number: 'INV-1', customer: 'Ada Lovelace', lines: [{ text: 'Engine', price: 1815.5 }] }
const template = await Packer.toBuffer(
  new Document({
    sections: [
      { children: ['Invoice {{/number}}', '{{/customer}}', 'Total {{/total}}'].map((text) => new Paragraph(text)) },
    ],
  }),
)

class Walk {
  clicks = 0
  chords = 0
  constructor(readonly page: Page) {}

  async click(role: 'button' | 'link' | 'textbox', name: string | RegExp): Promise<void> {
    this.clicks++
    await this.page.getByRole(role, { name }).first().click()
  }

  async press(...keys: string[]): Promise<void> {
    this.chords++
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Pastes a text, replacing the existing one. */
  async paste(text: string): Promise<void> {
    await this.press('Control+a')
    await this.page.keyboard.insertText(text)
  }

  async family(key: string, word: string): Promise<void> {
    await this.press('g', key)
    await this.click('button', `New ${word}`)
    await this.page.keyboard.type('invoice')
    await this.press('Enter')
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async source(key: string, word: string, label: string, text: string): Promise<void> {
    await this.family(key, word)
    await this.click('textbox', label)
    await this.paste(text)
    await this.press('Control+s')
    await this.freeze()
  }

  async freeze(): Promise<void> {
    await this.page.getByRole('button', { name: 'Freeze a version', disabled: false }).waitFor()
    await this.click('button', 'Freeze a version')
    await this.page.getByText('Version 1 is frozen').first().waitFor()
  }
}

const times: number[] = []
let counted = ''
for (let run = 0; run < WALKS; run++) {
  const quire = await startQuire({ environment: { QUIRE_DEMO: 'false' } })
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(waitMs)
  await page.goto(`${quire.origin}/login`)
  await page.getByLabel('Username').fill(quire.username)
  await page.getByLabel('Password').fill(quire.password)
  await page.keyboard.press('Enter')
  await page.locator('.frame').waitFor()
  const walk = new Walk(page)
  const started = performance.now()
  await walk.source('c', 'contract', 'Schema', JSON.stringify(schema, undefined, 2))
  await walk.source('t', 'transformer', 'Source', transformer)
  await walk.family('p', 'template')
  walk.clicks++
  await page.locator('input[type=file]').setInputFiles({
    name: 'invoice.docx',
    mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    buffer: template,
  })
  await walk.freeze()
  await walk.source('m', 'ingestion model', 'Source', model)
  await walk.click('link', 'Put all in force')
  await page.getByText('4 parts change').waitFor()
  await page.getByRole('button', { name: /put all in force$/i, disabled: false }).waitFor()
  await walk.click('button', /put all in force$/i)
  await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
  await walk.press('Escape')
  await walk.press('g', 'n')
  await page.locator('[data-field="/number"]').waitFor()
  await walk.click('textbox', 'Raw input')
  await walk.paste(JSON.stringify(input, undefined, 2))
  await page.getByText('Satisfies its contract').waitFor()
  await walk.press('Control+Enter')
  await page.locator('iframe[title="PDF preview"]').waitFor()
  times.push((performance.now() - started) / 1000)
  counted = `${walk.clicks} clicks, ${walk.chords} chords of keys`
  await browser.close()
  await quire.stop()
}
console.log(summary('own invoice from an empty store to its PDF, s', times, 'reach 240'))
console.log(`${counted} (reach 15 clicks)`)
await cleanUp()
