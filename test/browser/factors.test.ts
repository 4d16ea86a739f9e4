import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { appCode } from '../support/authenticator.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests, startBrowser, watch } from '../support/browser.ts'
import { testMs } from '../support/console.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('second factors in a browser'))('second factors in a browser', () => {
  let browser: Browser
  let quire: RunningQuire

  beforeAll(async () => {
    browser = await startBrowser('pages')
    quire = await startQuire({ name: 'localhost', environment: { QUIRE_SECOND_FACTOR: 'administrator' } })
  }, testMs)

  const password = async (page: Page) => {
    await page.getByLabel('Username').fill(quire.username)
    await page.getByLabel('Password').fill(quire.password)
    await page.keyboard.press('Enter')
  }
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.evaluate(() => Object.assign(window, { isOldPage: true }))
    await page.getByRole('button', { name: 'Sign out' }).click()
    // Signing out loads a page of its own.
    await page.waitForFunction(() => !('isOldPage' in window))
    await page.getByRole('heading', { name: 'Sign in to Quire' }).waitFor()
  }
  const account = async (page: Page) => {
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('link', { name: 'Your account' }).click()
  }
  const home = (page: Page) => page.getByRole('button', { name: /account menu/ }).waitFor()

  test('who must have one adds an app at sign-in, then a passkey, and signs in with each and with a recovery code', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    const watched = watch(page, quire.origin)
    await page.goto(`${quire.origin}/tokens`)
    await password(page)
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Authenticator app' }).click()
    const dialog = page.getByRole('dialog')
    const key = ((await dialog.locator('.secret-text').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    // This step's code is used up here; the next is of the step that it is then, and at least of the one after this.
    const used = Date.now()
    const unusedCode = () => appCode(key, Math.max(Date.now(), used + 30_000))
    await dialog.getByRole('textbox', { name: 'Code' }).fill(appCode(key, used))
    await dialog.getByLabel(/^Name/).fill('phone')
    await dialog.getByRole('button', { name: 'Add' }).click()
    const recovery = page.getByRole('dialog', { name: 'Recovery codes' })
    await recovery.waitFor()
    const codes = await recovery.getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()

    await page.getByRole('button', { name: /account menu, unread notices/ }).waitFor()
    await account(page)
    await page.getByText('The second factor phone was added').waitFor()
    // What was shown is read, and the mark goes.
    await page.locator('.avatar[data-unread="false"]').waitFor()
    await page.getByText('phone', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
    // Here, since axe takes it away: its session with the debugger ends.
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel(/^Name/).fill('laptop')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('passkey for localhost').waitFor()
    await signOut(page)

    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await home(page)
    await account(page)
    await page.getByText('passkey for localhost').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await signOut(page)

    await password(page)
    await page.getByRole('textbox', { name: 'Code' }).fill('000 000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await axeViolations(page)).toEqual([])
    // A reload goes on with it.
    await page.reload()
    await page.getByRole('textbox', { name: 'Code' }).fill(unusedCode())
    await page.keyboard.press('Enter')
    await home(page)
    await signOut(page)

    await password(page)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await home(page)
    await account(page)
    await page.getByText('9 are left').waitFor()
    await page.getByRole('button', { name: 'Remove phone' }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove phone' }).waitFor({ state: 'detached' })
    await page.getByText("can't be removed").waitFor()

    const elsewhere = await fetch(`${quire.origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { origin: quire.origin, 'content-type': 'application/json', 'user-agent': 'curl/8.0' },
      body: JSON.stringify({ username: quire.username, password: quire.password }),
    })
    const cookie = elsewhere.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const isOpen = async () => (await fetch(`${quire.origin}/api/v1/auth/session`, { headers: { cookie } })).ok
    expect(await isOpen()).toBe(true)
    await page.reload()
    await page.getByText('Chrome on Linux', { exact: true }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'curl' })
    await row.getByText('waits for the second factor').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await row.getByRole('button', { name: 'End' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await isOpen()).toBe(false)

    await page.goto(`${quire.origin}/users`)
    await page.locator('.data-table tbody').getByRole('button', { name: /admin/ }).first().click()
    await dialog.getByRole('button', { name: 'Remove second factors…' }).click()
    await page
      .getByRole('dialog', { name: /Remove the second factors/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByText('Your session ran out').waitFor()
    await page.getByRole('dialog').getByLabel('Password').fill(quire.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()

    expect(watched.errors.filter((error) => !/status of (?:401|403)/.test(error))).toEqual([])
    expect(watched.strayRequests).toEqual([])
    await context.close()
  })
})
