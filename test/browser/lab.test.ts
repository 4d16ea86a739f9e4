import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { skipsBrowserTests, startBrowser, type Watched, watch } from '../support/browser.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

// Longer than the page's own waits, so that a failure says which one it was.
setDefaultTimeout(30_000)

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe.skipIf(skipsBrowserTests('the intake test lab in a browser'))('the intake test lab in a browser', () => {
  let quire: RunningQuire
  let browser: Browser
  let page: Page
  let watched: Watched

  beforeAll(async () => {
    quire = await startQuire()
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(10_000)
    watched = watch(page, quire.origin)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await quire?.stop()
  })

  const step = (name: string) => page.locator(`.run-panel [data-step="${name}"]`)
  const card = (scenario: string) => page.locator(`[data-scenario="${scenario}"]`)

  test('leads who is not signed in to the sign-in page, and from there to where they wanted', async () => {
    await page.goto(`${quire.origin}/lab?scenario=annual`)
    await page.getByLabel('Username').fill(quire.username)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.getByLabel('Password').fill(quire.password)
    await page.keyboard.press('Enter')
    await card('annual').and(page.locator('[data-selected=true]')).waitFor()
    expect(new URL(page.url()).pathname).toBe('/lab')
    expect(await page.locator('[data-scenario]').count()).toBe(4)
    expect(await page.title()).toBe('Intake test lab · Quire')
  })

  test('runs the monthly scenario to a letter: four steps succeed, both documents are offered, the PDF is shown', async () => {
    // In one task, as fast as no hand is: the key must mean what was clicked, not what is still drawn.
    await card('monthly')
      .getByRole('link')
      .evaluate((link: HTMLElement) => {
        link.click()
        link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
      })
    await page.locator('[data-verdict=success]').waitFor()
    for (const name of ['validate', 'transform.declarative', 'compose', 'render']) {
      expect(await step(name).getAttribute('data-status')).toBe('succeeded')
    }
    expect(await page.locator('.verdict').textContent()).toContain('Completed as expected')
    expect(await page.locator('.failure').count()).toBe(0)

    for (const [kind, magic] of [
      ['PDF', '%PDF-'],
      ['DOCX', 'PK'],
    ] as const) {
      const link = page.getByRole('link', { name: `Download ${kind}` })
      const download = page.waitForEvent('download')
      await link.click()
      const stream = await (await download).createReadStream()
      const chunks: Uint8Array[] = []
      for await (const chunk of stream) chunks.push(chunk as Uint8Array)
      expect(Buffer.concat(chunks).subarray(0, magic.length).toString('latin1')).toBe(magic)
    }

    const source = await page.locator('iframe[title="PDF preview"]').getAttribute('src')
    expect(source).toStartWith(`blob:${quire.origin}/`)
  })

  test('a second run of the same input says that the bytes are the same', async () => {
    const before = page.url()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL((url) => url.href !== before)
    await page.locator('[data-verdict=success]').waitFor()
    expect(await page.locator('.same').count()).toBe(2)
  })

  test('the invalid scenario fails as expected, with its issues located in the input, and offers no document', async () => {
    await card('invalid').getByRole('button', { name: 'Run' }).click()
    await step('validate').and(page.locator('[data-status=failed]')).waitFor()
    expect(await page.locator('.verdict').textContent()).toContain('Failed as expected')
    expect(await step('transform.declarative').getAttribute('data-status')).toBe('not_started')
    expect(await page.locator('.issue').count()).toBeGreaterThan(0)
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0)

    const place = page.locator('.issue').getByRole('button').first()
    const [, line] = /line (\d+)/.exec((await place.textContent()) ?? '') ?? []
    await place.click()
    const selectedLine = await page.evaluate(() => {
      const area = document.activeElement as HTMLTextAreaElement
      return area.value.slice(0, area.selectionStart).split('\n').length
    })
    expect(String(selectedLine)).toBe(line ?? 'no line')
  })

  test('a reload shows the same scenario with the same run', async () => {
    const before = page.url()
    expect(before).toMatch(uuid)
    await page.reload()
    await page.locator('[data-verdict=success]').waitFor()
    expect(page.url()).toBe(before)
    expect(await page.locator('.verdict').textContent()).toContain('Failed as expected')
    expect(await card('monthly').textContent()).toContain('Completed as expected')
  })

  test('an execution has an address of its own, and the list leads to it', async () => {
    await page.getByRole('link', { name: 'Open the execution' }).click()
    await page.waitForURL((url) => /^\/executions\/[0-9a-f-]{36}$/.test(url.pathname))
    await page.locator('.issue').first().waitFor()
    await page.goBack()
    await card('invalid').and(page.locator('[data-selected=true]')).waitFor()
    await page.getByRole('link', { name: 'Executions' }).click()
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(3)
  })

  test('an address that is none says so inside the console', async () => {
    await page.goto(`${quire.origin}/nowhere`)
    await page.getByRole('heading', { name: 'There is no page here' }).waitFor()
  })

  test('all of this left the origin never, and the browser had nothing to complain about', () => {
    expect(watched.requests).toBeGreaterThan(20)
    expect(watched.strayRequests).toEqual([])
    expect(watched.errors).toEqual([])
  })

  // Last, since the browser itself reports the refused request of a session that ended.
  test('a session that ended asks for the password over the page, and the run goes on with what was typed', async () => {
    await page.goto(`${quire.origin}/lab?scenario=annual`)
    const input = page.getByRole('textbox', { name: 'Raw input' })
    await input.fill('{"not": "a policy"}')
    await page.context().clearCookies()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(quire.password)
    await page.keyboard.press('Enter')
    await page.locator('[data-verdict=neutral]').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(await input.inputValue()).toBe('{"not": "a policy"}')
    expect(await page.locator('.verdict').textContent()).toContain('Failed at validate')
  })

  test('signing out ends at the sign-in page, and the way back is closed', async () => {
    await page.getByRole('button', { name: 'account menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    expect((await page.request.get(`${quire.origin}/api/v1/auth/session`)).status()).toBe(401)
    await page.goto(`${quire.origin}/lab`)
    await page.getByLabel('Password').waitFor()
    expect(await page.locator('[data-scenario]').count()).toBe(0)
  })
})
