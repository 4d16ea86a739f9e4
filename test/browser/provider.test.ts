import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests, startBrowser, watch } from '../support/browser.ts'
import { testMs } from '../support/console.ts'
import { LyingProvider } from '../support/lying-provider.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('a provider in a browser'))('signing in at a provider, in a browser', () => {
  let provider: LyingProvider
  let browser: Browser
  let quire: RunningQuire

  const settings = () => ({
    QUIRE_OIDC_ISSUER: provider.issuer,
    QUIRE_OIDC_CLIENT_ID: provider.clientId,
    QUIRE_OIDC_CLIENT_SECRET: provider.clientSecret,
    QUIRE_OIDC_NAME: 'Example ID',
    QUIRE_OIDC_ROLES: 'administrator=quire-admins; operator=quire-operators',
  })

  beforeAll(async () => {
    provider = await LyingProvider.start()
    browser = await startBrowser('pages')
    quire = await startQuire({ environment: settings() })
  }, testMs)

  async function visit(
    work: (page: Page) => Promise<void>,
    options: { width?: number; theme?: 'light' | 'dark' } = {},
  ) {
    provider.beHonest()
    const viewport = { width: options.width ?? 1440, height: 900 }
    const context = await browser.newContext({
      viewport,
      colorScheme: options.theme ?? 'light',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(30_000)
    try {
      const page = await context.newPage()
      const watched = watch(page, quire.origin)
      await work(page)
      expect(watched.errors.filter((error) => !/status of (?:401|403)/.test(error))).toEqual([])
      expect(watched.strayRequests.filter((url) => !url.startsWith(provider.issuer))).toEqual([])
    } finally {
      await context.close()
    }
  }

  const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in with Example ID' }).click()

  test('one click leads there and back to where the person wanted, and the account says how', async () => {
    await visit(async (page) => {
      await page.goto(`${quire.origin}/executions?status=failed`)
      await signIn(page)
      await page.getByRole('heading', { name: 'Executions', level: 1 }).waitFor()
      expect(new URL(page.url()).search).toBe('?status=failed')
      await page.reload()
      await page.getByRole('button', { name: /account menu/ }).click()
      await page.getByRole('link', { name: 'How you sign in' }).click()
      await page.getByText(provider.issuer).waitFor()
      await page.getByText('subject-1').waitFor()
      expect(await axeViolations(page)).toEqual([])
      provider.description = { end_session_endpoint: `${provider.issuer}/end` }
      await page.getByRole('button', { name: /account menu/ }).click()
      await page.evaluate(() => Object.assign(window, { isOldPage: true }))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL((url) => url.pathname === '/login' || url.origin === provider.issuer)
      // Signing out loads a page of its own.
      await page.waitForFunction(() => !('isOldPage' in window))
      await page.goto(`${quire.origin}/executions`)
      await page.getByRole('heading', { name: 'Sign in to Quire' }).waitFor()
    })
  })

  test('a refusal has words of its own on the sign-in page, with its reference', async () => {
    await visit(async (page) => {
      provider.claims = { groups: [] }
      await page.goto(`${quire.origin}/login`)
      await signIn(page)
      await page.getByRole('alert').getByText('none of your groups has a role here').waitFor()
      await page.getByRole('button', { name: /^Copy correlation id/ }).waitFor()
      await page.goto(`${quire.origin}/login?refused=<b>Call+this+number</b>&reference=<i>`)
      await page.getByRole('alert').getByText('could not be believed').waitFor()
      expect(await page.getByText('Call this number').count()).toBe(0)
    })
  })

  test('what wants the password again wants another sign-in, in a window, and what was typed goes on', async () => {
    await visit(async (page) => {
      const groups = ['quire-admins']
      provider.claims = { groups, sub: 'boss', preferred_username: 'boss', auth_time: provider.now() - 1_200 }
      await page.goto(`${quire.origin}/users`)
      await signIn(page)
      await page.getByRole('button', { name: 'New service account' }).click()
      await page.getByLabel('Username').fill('nightly')
      await page.getByLabel('Name', { exact: true }).fill('Nightly')
      await page.getByRole('button', { name: 'Create' }).click()
      const again = page.getByRole('button', { name: 'Sign in with Example ID' })
      await again.waitFor()
      expect(await axeViolations(page)).toEqual([])
      provider.claims = { groups, sub: 'boss', preferred_username: 'boss' }
      await again.click()
      await page.getByRole('cell', { name: 'Service account' }).waitFor()
    })
  })

  test('a session that ran out is opened again in a window, and the page stays', async () => {
    await visit(async (page) => {
      await page.goto(`${quire.origin}/executions`)
      await signIn(page)
      await page.getByRole('heading', { name: 'Executions', level: 1 }).waitFor()
      await page.context().clearCookies()
      // In the page: the list asks by itself as well, and its question may bring the dialog before a hand does.
      await page.locator('.nav-link[href="/submissions"]').evaluate((link: HTMLElement) => link.click())
      await page.getByRole('heading', { name: 'Your session ran out' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await signIn(page)
      await page.getByRole('heading', { name: 'Your session ran out' }).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor()
    })
  })

  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('the sign-in page is accessible at %d px in the %s', async (width, theme) => {
    await visit(
      async (page) => {
        await page.goto(`${quire.origin}/login`)
        await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor()
        expect(await axeViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        )
      },
      { width, theme },
    )
  })

  test('where passwords are for one account only, the provider comes first', async () => {
    const other = await startQuire({ environment: { ...settings(), QUIRE_LOCAL_SIGN_IN: 'admin' } })
    const before = quire
    quire = other
    try {
      await visit(async (page) => {
        await page.goto(`${other.origin}/login`)
        await page.getByRole('button', { name: 'Sign in with Example ID' }).waitFor()
        expect(await page.getByLabel('Username').isVisible()).toBe(false)
        expect(await axeViolations(page)).toEqual([])
        await page.getByText('Sign in with a password').click()
        await page.getByLabel('Username').fill(other.username)
        await page.getByLabel('Password').fill(other.password)
        await page.keyboard.press('Enter')
        await page.locator('.frame').waitFor()
      })
    } finally {
      quire = before
    }
  })
})
