import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { skipsBrowserTests, startBrowser, watch } from '../support/browser.ts'
import { folderWithUsers, testMs } from '../support/console.ts'
import { startQuire } from '../support/quire.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('starting the console in a browser'))('the console', () => {
  // Browsers keep crypto.randomUUID, the clipboard and more from pages that came without TLS from another machine.
  test('works over plain http by a name of the network, as it does on localhost', async () => {
    const quire = await startQuire({ name: 'quire.lan', folder: await folderWithUsers() })
    const browser = await startBrowser('pages')
    const page = await browser.newPage()
    const watched = watch(page, quire.origin)
    await page.goto(`${quire.origin}/login`)
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
    await page.getByLabel('Username').fill(quire.username)
    await page.getByLabel('Password').fill(quire.password)
    await page.keyboard.press('Enter')
    await page.locator('.frame').waitFor()
    await page.goto(`${quire.origin}/contracts`)
    await page.getByRole('button', { name: 'New contract' }).click()
    await page.getByLabel('Name').fill('Small')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Small', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Contracts', exact: true }).waitFor()
    const links = await page.locator('.frame nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links.length).toBeGreaterThan(10)
    for (const path of [...links, '/submissions/new', '/account', '/api-reference']) {
      await page.goto(quire.origin + path)
      await page.locator('main h1').waitFor()
    }
    // Browsers say so of each page that came without TLS.
    const isExpected = (error: string) => error.startsWith('The Cross-Origin-Opener-Policy header has been ignored')
    expect(watched.errors.filter((error) => !isExpected(error))).toEqual([])
    expect(await quire.stop()).toBe(0)
  })

  test('says what keeps it from starting, in the language of the browser', async () => {
    const quire = await startQuire()
    const browser = await startBrowser('pages')
    const page = await browser.newPage({ locale: 'de-DE' })
    await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'getRandomValues'))
    await page.goto(quire.origin)
    await page.getByRole('heading', { name: 'Die Konsole konnte nicht starten' }).waitFor()
    expect(await page.locator('main p').allTextContents()).toEqual([
      'crypto.getRandomValues is not a function',
      expect.stringContaining('aktualisieren Sie den Browser'),
    ])
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Neu laden' }).click()
    await reloaded
    expect(await quire.stop()).toBe(0)
  })
})
