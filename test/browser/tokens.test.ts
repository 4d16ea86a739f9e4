import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('tokens in a browser'))('tokens in a browser', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  test('a token for a service account is made, shown once, used, and refused from the moment it is revoked', async () => {
    await bench.visit('administrator', async (page) => {
      const dialog = page.getByRole('dialog')
      await open(page, at('/users'))
      await page.getByRole('button', { name: 'New service account' }).click()
      await dialog.getByLabel(/^Username/).fill('billing')
      await dialog.getByLabel(/^Name/).fill('Billing robot')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const account = page.locator('.data-table tbody tr', { hasText: 'billing' })
      await account.getByText('Service account').waitFor()
      expect(await account.getByRole('button', { name: /^New password/ }).count()).toBe(0)

      await open(page, at('/tokens'))
      await page.getByRole('button', { name: 'New token' }).click()
      await dialog.getByLabel(/^Name/).fill('nightly')
      await dialog.getByRole('combobox').selectOption({ label: 'billing (service account)' })
      await dialog.getByRole('checkbox', { name: /^submission read/ }).check()
      await dialog.getByRole('button', { name: 'Make token' }).click()
      await dialog.getByText('shown only this once').waitFor()
      const secret = await dialog.locator('.secret-text').textContent()
      const ask = async () =>
        (await fetch(at('/api/v1/submissions'), { headers: { authorization: `Bearer ${secret}` } })).status
      expect(await ask()).toBe(200)
      await dialog.getByRole('button', { name: 'Done' }).click()

      await page.reload()
      const row = page.locator('.data-table tbody tr', { hasText: 'nightly' })
      await row.getByText('Active').waitFor()
      expect(await page.content()).not.toContain(secret ?? 'nothing')
      await row.getByRole('button', { name: 'nightly', exact: true }).click()
      await dialog.getByText('submission read').waitFor()
      await dialog.getByText('from 127.0.0.1').waitFor()
      await dialog.getByRole('button', { name: 'Revoke…' }).click()
      await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
      await row.getByText('Revoked').waitFor()
      expect(await ask()).toBe(401)
    })
  })
})
