import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, makeContract, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('sets in a browser'))('a set put in force in a browser', () => {
  let bench: ConsoleBench
  let modelPath: string
  let transformerPath: string
  const at = (path: string) => bench.quire.origin + path
  const keyed = (more = {}) => ({ 'idempotency-key': crypto.randomUUID(), ...more })

  async function make(plural: string, slug: string, source: string): Promise<string> {
    const made = await bench.client.post(`/api/v1/${plural}`, { slug, name: slug, description: '' }, keyed())
    const path = `/${plural}/${made.body.resource_id}`
    await bench.client.send('PUT', `/api/v1${path}/draft`, { source, format: 'yaml' }, keyed({ 'if-none-match': '*' }))
    await freeze(path, 1)
    return path
  }
  async function freeze(path: string, revision: number): Promise<void> {
    const answer = await bench.client.post(`/api/v1${path}/versions`, {}, keyed({ 'if-match': `"${revision}"` }))
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  }

  beforeAll(async () => {
    bench = await startConsole()
    await makeContract(bench.client, 'bill', { type: 'object' })
    transformerPath = await make(
      'transformers',
      'bill',
      'transform: declarative-v1\ncontract: bill@1\noutput: { a: 1 }\n',
    )
    modelPath = await make(
      'ingestion-models',
      'bill',
      'model: ingestion-model-v1\ncontract: { name: bill, version: 1 }\nnodes:\n  - { key: bill, label: Bill, transformer: bill }\n',
    )
  }, testMs)

  afterAll(() => bench?.stop())

  const member = (page: Page, name: string) => page.locator(`[data-member="${name}"]`)
  const inForce = async (path: string) => {
    const now = encodeURIComponent(new Date().toISOString())
    const { status, body } = await bench.client.get(`/api/v1${path}/versions:resolve?at=${now}`)
    return status === 200 ? body.version : undefined
  }
  async function openDialog(page: Page) {
    await open(page, at(modelPath))
    await page.getByRole('button', { name: 'Put all in force' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.set-members').waitFor()
    return dialog
  }

  test('shows the whole chain first, comes into force in one step, and gives the focus back', async () => {
    await bench.visit('engineer', async (page) => {
      const dialog = await openDialog(page)
      await page.getByText('not published yet').waitFor()
      for (const name of ['contract bill', 'transformer bill', 'ingestion_model bill']) {
        await member(page, name).waitFor()
      }
      await member(page, 'contract bill').and(page.locator('[data-action=publish]')).waitFor()
      await dialog.getByText('3 parts change, at one instant.').waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await axeViolations(page)).toEqual([])
      await page.setViewportSize({ width: 1440, height: 900 })
      expect(await inForce(modelPath)).toBeUndefined()
      await dialog.getByRole('button', { name: 'Put all in force' }).click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.getByText('From now on, input can be submitted to it.').waitFor()
      // All three parts that were announced.
      const parts = page.getByRole('dialog').getByRole('listitem')
      expect(await parts.allTextContents()).toEqual([
        'bill v1Contract, published',
        'bill v1Transformer',
        'bill v1Ingestion model',
      ])
      expect(await page.getByText('To undo this').count()).toBe(0)
      expect([await inForce(modelPath), await inForce(transformerPath)]).toEqual([1, 1])
      await page.keyboard.press('Escape')
      // The tree behind the dialog tells of the contract as it is now.
      await page.getByText('not published yet').waitFor({ state: 'detached' })
      await eventually(() => page.evaluate(() => document.activeElement?.textContent?.trim()), 'Put all in force')
    })
  })

  test('what does not fit is told at its place, another version is chosen, and all of it goes back', async () => {
    const wrong = 'transform: declarative-v1\noutput: { a: 2 }\n'
    const body = { source: wrong, format: 'yaml' }
    await bench.client.send('PUT', `/api/v1${transformerPath}/draft`, body, keyed({ 'if-match': '"1"' }))
    await freeze(transformerPath, 2)
    await bench.visit('engineer', async (page) => {
      const dialog = await openDialog(page)
      await member(page, 'transformer bill').and(page.locator('[data-action=activate]')).waitFor()
      await page.getByLabel('Version of bill').selectOption('1')
      await dialog.getByText('All of it is in force already.').waitFor()
      expect(await dialog.locator('button[type=submit]').isDisabled()).toBe(true)
      await page.getByLabel('Version of bill').selectOption('2')
      await dialog.getByText('One part changes, at one instant.').waitFor()
      await dialog.locator('button[type=submit]').click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      await page.getByText('To undo this').waitFor()
      expect(await inForce(transformerPath)).toBe(2)
      await page.keyboard.press('Escape')
      const again = await openDialog(page)
      await again.getByLabel('Those before the last change').check()
      await member(page, 'transformer bill').getByText('takes over').waitFor()
      await again.getByRole('button', { name: 'Put it back' }).click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      expect(await inForce(transformerPath)).toBe(1)
    })
  })

  test('that comes into force later is taken back as one', async () => {
    await bench.visit('engineer', async (page) => {
      const dialog = await openDialog(page)
      await dialog.getByLabel('A later instant').check()
      await dialog.getByText('One part changes, at one instant.').waitFor()
      await dialog.locator('button[type=submit]').click()
      await page.getByRole('dialog', { name: /^All of it comes into force on/ }).waitFor()
      await page.getByRole('button', { name: 'Take all back' }).click()
      const sure = page.getByRole('dialog', { name: 'Take all of bill back?' })
      await sure.locator('button[type=submit]').click()
      await sure.waitFor({ state: 'detached' })
      const { activations } = (await bench.client.get('/api/v1/activations?status=scheduled')).body
      expect(activations).toEqual([])
    })
  })

  test('is for authors only', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(modelPath))
      await page.getByRole('heading', { name: 'bill', level: 1 }).waitFor()
      expect(await page.getByRole('button', { name: 'Put all in force' }).count()).toBe(0)
    })
  })
})
