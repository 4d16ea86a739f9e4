import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, settled, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('suites in a browser'))('a suite in a browser', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path
  const panel = (page: Page) => page.getByRole('region', { name: /^Suite of / })
  const dialog = (page: Page) => page.locator('dialog[open]')
  /** The path of the demo's only family of a kind. */
  async function demo(plural: string): Promise<string> {
    const { body } = await bench.client.get(`/api/v1/${plural}`)
    return `/${plural}/${body[plural.replace('-', '_')][0].id}`
  }

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  test('what a case gives is accepted, a saved change of wording is red with the place marked, and nothing red comes into force', async () => {
    const [transformer, model] = [await demo('transformers'), await demo('ingestion-models')]
    await bench.visit('administrator', async (page) => {
      await open(page, at(transformer))
      await panel(page).getByText('nothing is written down of it').waitFor()
      await panel(page).locator('summary').first().click()
      await panel(page).getByRole('button', { name: 'Accept what it gives now' }).click()
      await dialog(page).getByLabel('The pages of all documents, too').check()
      await dialog(page).getByRole('button', { name: 'Accept' }).click()
      await panel(page).getByText('The case is green').waitFor()

      await panel(page).getByRole('button', { name: 'Add a case' }).click()
      await dialog(page).getByLabel('Name').fill('nothing')
      await dialog(page).getByLabel('Input').fill('{}')
      await dialog(page).getByRole('button', { name: 'Add' }).click()
      await panel(page).getByText('1 of 2 cases is red').waitFor()
      const nothing = panel(page).locator('.suite-case').filter({ hasText: 'nothing' })
      await nothing.locator('summary').click()
      await nothing.getByRole('button', { name: 'Accept what it gives now' }).click()
      await dialog(page).getByRole('button', { name: 'Accept' }).click()
      await panel(page).getByText('All 2 cases are green').waitFor()

      await panel(page).getByRole('button', { name: 'Policy' }).click()
      await dialog(page)
        .getByLabel(/Before anything is put in force/)
        .check()
      expect(await axeViolations(page)).toEqual([])
      await dialog(page).getByRole('button', { name: 'Set' }).click()
      await panel(page).getByText('Has to be green before anything is put in force').waitFor()

      const source = page.locator('[aria-label="Source"] .cm-content')
      const draft = (await bench.client.get(`/api/v1${transformer}/draft`)).body.source as string
      await source.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(draft.replace('Home insurance', 'House insurance'))
      await page.keyboard.press('Control+s')
      await panel(page).getByText('1 of 2 cases is red').waitFor()
      const red = panel(page).locator('.suite-case').filter({ hasText: 'Red' })
      if ((await red.locator('details').getAttribute('open')) === null) await red.locator('summary').click()
      await red.locator('.sheet-region').first().waitFor()
      await eventually(async () => (await red.locator('mark').allTextContents()).includes('us'), true)
      expect(await axeViolations(page)).toEqual([])
      await picture(page, panel(page), 'workbench')

      await page.getByRole('button', { name: 'Freeze a version' }).click()
      await page.getByText('Version 2 is frozen').waitFor()
      await open(page, at(`${model}/review`))
      await page.getByText('A suite has to be green first').waitFor()
      await panel(page).getByText('1 of 2 cases is red').waitFor()
      await eventually(() => page.getByRole('button', { name: 'Put all in force' }).isDisabled(), true)
      expect(await axeViolations(page)).toEqual([])
      await picture(page, page.locator('main'), 'review')
    })
  })

  test('the suite is on the pages of all that a model uses, and who may not run it sees its cases', async () => {
    for (const plural of ['contracts', 'templates', 'ingestion-models']) {
      const path = await demo(plural)
      await bench.visit('engineer', async (page) => {
        await open(page, at(path))
        await panel(page).getByRole('list', { name: 'Cases' }).waitFor()
        await panel(page)
          .getByText(/cases? (?:is|are) (?:red|green)/)
          .waitFor()
        expect(await panel(page).getByRole('button', { name: 'Policy' }).count()).toBe(0)
        await picture(page, page.locator('main'), plural)
      })
    }
    await bench.visit('auditor', async (page) => {
      await open(page, at(await demo('transformers')))
      await panel(page).getByText('2 cases. Your roles can read them, not run them.').waitFor()
      expect(await panel(page).getByRole('button').count()).toBe(0)
      await settled(page)
    })
  })

  /** For whoever wants to look: QUIRE_PICTURES names where they go. */
  async function picture(page: Page, of: ReturnType<Page['locator']>, name: string): Promise<void> {
    const start = process.env.QUIRE_PICTURES
    if (start === undefined) return
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme })
        await of.scrollIntoViewIfNeeded()
        await page.screenshot({ path: `${start}-${name}-${width}-${theme}.png`, fullPage: true })
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
})
