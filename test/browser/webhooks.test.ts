import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('webhooks in a browser'))('webhooks in a browser', () => {
  let bench: ConsoleBench
  const receiver = startReceiver()
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ environment: { QUIRE_WEBHOOK_NETWORKS: '127.0.0.1' } })
  }, testMs)

  afterAll(async () => {
    await bench?.stop()
    await receiver.stop()
  })

  test('a receiver is registered, shows what it took and what it answered, and gets an event again', async () => {
    await bench.visit('administrator', async (page) => {
      const dialog = page.getByRole('dialog')
      await open(page, at('/webhooks'))
      await page.getByRole('button', { name: 'New receiver' }).click()
      await dialog.getByLabel(/^Name/).fill('Billing')
      await dialog.getByLabel(/^Address/).fill(receiver.url)
      await dialog.getByRole('button', { name: 'Register' }).click()
      await dialog.getByText('shown only this once').waitFor()
      expect(await dialog.locator('.secret-text').textContent()).toMatch(/^whsec_/)
      await dialog.getByRole('button', { name: 'Done' }).click()
      const made = await bench.client.post('/api/v1/contracts', { name: 'Told', description: '', schema: '{}' })
      expect(made.status).toBe(201)
      await page.getByRole('link', { name: 'Billing' }).click()
      const row = page.locator('.data-table tbody tr', { hasText: 'family.created' })
      await row.getByText('Taken').waitFor()
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await axeViolations(page)).toEqual([])
        const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        await eventually(async () => (await overhang()) <= 0, true)
      }
      await page.setViewportSize({ width: 1440, height: 844 })
      await row.getByRole('button').click()
      await dialog.getByText(receiver.received[0]!.id).waitFor()
      await dialog.getByRole('button', { name: 'Send again' }).click()
      await eventually(() => receiver.received.filter(({ type }) => type === 'quire.family.created').length, 2)

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Resume' }).waitFor()
      await page.getByRole('button', { name: 'Remove…' }).click()
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Nobody is told of events over HTTP yet.').waitFor()
    })
  })
})
