import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { demo } from '../../src/demo/demo.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

describe.skipIf(skipsBrowserTests('batches in a browser'))('batches in a browser', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  /** Inputs of the demo, one a line; every third lacks what its contract asks for. */
  function lines(count: number): Buffer {
    const [{ raw_input: good }] = demo.scenarios
    const input = JSON.stringify(JSON.parse(good))
    return Buffer.from(Array.from({ length: count }, (_, at) => (at % 3 === 2 ? '{}' : input)).join('\n'))
  }

  test(
    'a file is submitted, its rows come to an end, and what failed is shown by cause and tried again',
    async () => {
      await bench.visit('operator', async (page) => {
        const dialog = page.getByRole('dialog')
        await open(page, at('/batches'))
        await page.getByText('No file was submitted yet.').waitFor()
        await page.getByRole('button', { name: 'New batch' }).click()
        await dialog.getByLabel(/^Ingestion model/).selectOption('clws-policy')
        await dialog.getByLabel(/^File/).setInputFiles({ name: 'march.ndjson', mimeType: '', buffer: lines(9) })
        await dialog.getByRole('button', { name: 'Submit', exact: true }).click()
        await page.getByRole('heading', { name: 'march.ndjson', level: 1 }).waitFor()
        await page.getByText('9 rows for clws-policy').waitFor()
        await page.getByText('100 %').waitFor({ timeout: 60_000 })
        expect(await page.locator('.batch-parts').first().textContent()).toMatch(/6 completed\s*3 (?:failed|refused)/)
        const cause = page.locator('.batch-causes li').first()
        await cause.getByText('3 rows').waitFor()
        await page.getByRole('table').locator('tbody tr').nth(8).waitFor()
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 844 })
          expect(await axeViolations(page)).toEqual([])
          const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          await eventually(async () => (await overhang()) <= 0, true)
        }
        await page.setViewportSize({ width: 1440, height: 844 })
        await page.getByLabel('State').selectOption('completed')
        await eventually(() => page.getByRole('table').locator('tbody tr').count(), 6)
        const [zip] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'All documents as ZIP' }).click(),
        ])
        expect(zip.suggestedFilename()).toEndWith('.zip')
        await cause.getByRole('link', { name: '3 rows' }).click()
        await eventually(() => page.getByRole('table').locator('tbody tr').count(), 3)
        await cause.getByRole('button').click()
        await page.getByText('100 %').waitFor({ timeout: 60_000 })
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 844 })
          await open(page, at('/batches'))
          const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'march.ndjson' }) })
          await row.getByText('6 completed, 3 failed').filter({ visible: true }).waitFor()
          await row.locator('time').filter({ visible: true }).waitFor()
        }
      })
    },
    testMs,
  )

  test(
    'a file that can’t be read is refused with its line, and the rest of a batch is taken back after a question',
    async () => {
      await bench.visit(
        'operator',
        async (page) => {
          const dialog = page.getByRole('dialog')
          await open(page, at('/batches'))
          await page.getByRole('button', { name: 'New batch' }).click()
          await dialog
            .getByLabel(/^File/)
            .setInputFiles({ name: 'bad.ndjson', mimeType: '', buffer: Buffer.from('{}\n{"a":') })
          await dialog.getByRole('button', { name: 'Submit', exact: true }).click()
          await dialog
            .getByText(/line 2|2:/)
            .first()
            .waitFor()
          await dialog.getByLabel(/^File/).setInputFiles({ name: 'long.ndjson', mimeType: '', buffer: lines(3_000) })
          await dialog.getByRole('button', { name: 'Submit', exact: true }).click()
          await page.getByRole('button', { name: 'Pause' }).click()
          await page.getByRole('button', { name: 'Resume' }).waitFor()
          await page.getByRole('button', { name: 'Take back the rest…' }).click()
          await dialog.getByRole('button', { name: 'Take back the rest' }).click()
          await page.getByText(/never submitted/).waitFor()
          await page.getByText('Taken back').waitFor()
        },
        { expects: /status of 422/ },
      )
    },
    testMs,
  )
})
