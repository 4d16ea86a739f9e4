import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

const steps = ['validate', 'transform.declarative', 'compose', 'render']

describe.skipIf(skipsBrowserTests('the intake test lab in a browser'))('the intake test lab in a browser', () => {
  let bench: ConsoleBench

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  const card = (page: Page, scenario: string) => page.locator(`[data-scenario="${scenario}"]`)
  const selected = (page: Page, scenario: string) => card(page, scenario).and(page.locator('[data-selected=true]'))
  const verdict = (page: Page, tone: string) => page.locator(`[data-verdict=${tone}]`)

  async function openLab(page: Page, scenario = 'monthly'): Promise<void> {
    await open(page, `${bench.quire.origin}/lab?scenario=${scenario}`)
    await selected(page, scenario).waitFor()
  }

  test('shows the four scenarios with what they are and what is expected of them', async () => {
    await bench.visit('administrator', async (page) => {
      await openLab(page, 'annual')
      await eventually(() => page.locator('[data-scenario]').count(), 4)
      await eventually(() => page.locator('.expectation').count(), 4)
      await eventually(() => page.title(), 'Intake test lab · Quire')
      await card(page, 'invalid').getByText('Not run yet').waitFor()
    })
  })

  test('runs what was clicked to a letter: four steps succeed, both documents are offered, the PDF is shown', async () => {
    await bench.visit(
      'administrator',
      async (page) => {
        await openLab(page, 'annual')
        // In one task, as fast as no hand is: the key must mean what was clicked, not what is still drawn.
        await card(page, 'monthly')
          .getByRole('link')
          .evaluate((link: HTMLElement) => {
            link.click()
            link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
          })
        await verdict(page, 'success').waitFor()
        for (const name of steps) {
          await page.locator(`.run-panel [data-step="${name}"][data-status=succeeded]`).waitFor()
        }
        await page.locator('.verdict').getByText('Completed as expected').waitFor()
        expect(await page.locator('.failure').count()).toBe(0)
        await card(page, 'annual').getByText('Not run yet').waitFor()

        for (const [kind, magic] of [
          ['PDF', '%PDF-'],
          ['DOCX', 'PK'],
        ] as const) {
          const download = page.waitForEvent('download')
          await page.getByRole('link', { name: `Download ${kind}` }).click()
          const stream = await (await download).createReadStream()
          const chunks: Uint8Array[] = []
          for await (const chunk of stream) chunks.push(chunk as Uint8Array)
          expect(Buffer.concat(chunks).subarray(0, magic.length).toString('latin1')).toBe(magic)
        }
        const frame = page.locator('iframe[title="PDF preview"]')
        await frame.waitFor()
        expect(await frame.getAttribute('src')).toStartWith(`blob:${bench.quire.origin}/`)
      },
      { needsWholeBrowser: true },
    )
  })

  test('a second run of the same input says that the bytes are the same', async () => {
    await bench.visit('administrator', async (page) => {
      await openLab(page, 'annual')
      await page.keyboard.press('Control+Enter')
      await verdict(page, 'success').waitFor()
      const before = page.url()
      await page.keyboard.press('Control+Enter')
      await page.waitForURL((url) => url.href !== before)
      await eventually(() => page.locator('.same').count(), 2)
    })
  })

  test('run all four runs each of them once, and each card says how it came out', async () => {
    await bench.visit('operator', async (page) => {
      await openLab(page)
      await page.getByRole('button', { name: 'Run all four' }).click()
      for (const scenario of ['monthly', 'semiannual', 'annual']) {
        await card(page, scenario).getByText('Completed as expected').waitFor()
      }
      await card(page, 'invalid').getByText('Failed as expected').waitFor()
    })
  })

  test('the invalid scenario fails as expected, with its issues located in the input, and offers no document', async () => {
    await bench.visit('administrator', async (page) => {
      await openLab(page)
      await card(page, 'invalid').getByRole('button', { name: 'Run' }).click()
      await verdict(page, 'success').waitFor()
      await page.locator('.verdict').getByText('Failed as expected').waitFor()
      await page.locator('.run-panel [data-step=validate][data-status=failed]').waitFor()
      await page.locator('.run-panel [data-step="transform.declarative"][data-status=not_started]').waitFor()
      await page.locator('.issue').first().waitFor()
      expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0)

      const place = page.locator('.issue').getByRole('button').first()
      const [, line] = /line (\d+)/.exec((await place.textContent()) ?? '') ?? []
      await place.click()
      const selectedLine = () =>
        page.evaluate(() => {
          const area = document.activeElement
          return area instanceof HTMLTextAreaElement
            ? String(area.value.slice(0, area.selectionStart).split('\n').length)
            : 'not in the input'
        })
      await eventually(selectedLine, line ?? 'no line')
    })
  })

  test('an edited input runs as it was edited, expects nothing, and outlives leaving and a reload', async () => {
    await bench.visit('administrator', async (page) => {
      await openLab(page, 'semiannual')
      const input = page.getByRole('textbox', { name: 'Raw input' })
      await input.fill('{"not": "a policy"}')
      await page.keyboard.press('Control+Enter')
      await verdict(page, 'neutral').waitFor()
      await page.locator('.verdict').getByText('Failed at validate').first().waitFor()
      const before = page.url()
      await page.reload()
      await verdict(page, 'neutral').waitFor()
      await page.waitForURL(before)
      await eventually(() => input.inputValue(), '{"not": "a policy"}')
      await page.getByRole('button', { name: 'Original' }).click()
      await eventually(async () => (await input.inputValue()).includes('"policy"'), true)
    })
  })

  test('an execution has an address of its own, and back leads to the run again', async () => {
    await bench.visit('administrator', async (page) => {
      await openLab(page, 'invalid')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('link', { name: 'Open the execution' }).click()
      await page.waitForURL((url) => /^\/executions\/[0-9a-f-]{36}$/.test(url.pathname))
      await page.locator('.issue').first().waitFor()
      await page.goBack()
      await selected(page, 'invalid').waitFor()
      await verdict(page, 'success').waitFor()
    })
  })

  test('who may read but not run sees the scenarios without a way to run them', async () => {
    await bench.visit('auditor', async (page) => {
      await openLab(page)
      await page.keyboard.press('Control+Enter')
      await page.getByText('Your roles can read runs, not start them.').waitFor()
      expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
      await card(page, 'monthly').getByText('Not run yet').waitFor()
    })
  })
})
