import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('names in a browser'))('what configuration names, in a browser', () => {
  let bench: ConsoleBench
  let contract: { id: string; slug: string }
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
    ;[contract] = (await bench.client.get('/api/v1/contracts')).body.contracts
  }, testMs)

  afterAll(() => bench?.stop())

  async function make(plural: 'transformers' | 'ingestion-models', slug: string): Promise<string> {
    const about = { slug, name: slug, description: '' }
    const { body } = await bench.client.post(`/api/v1/${plural}`, about, { 'idempotency-key': crypto.randomUUID() })
    return `/${plural}/${body.resource_id}`
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Source' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }

  const model = (named: string, when = '') =>
    [
      'model: ingestion-model-v1',
      `contract: { name: ${named}, version: 1 }`,
      'object:',
      '  reference: metadata.source_object',
      '  time: metadata.source_timestamp',
      'nodes:',
      `  - { key: letter, label: Letter, transformer: clws-policy, template: clws-policy, formats: [docx, pdf]${when} }`,
      '',
    ].join('\n')

  test('a model that names its contract by its slug is found right, frozen and put in force', async () => {
    const path = await make('ingestion-models', 'by-slug')
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      await type(page, model(contract.slug))
      await page.getByText('A valid ingestion model', { exact: true }).waitFor()
      await page
        .getByRole('region', { name: 'Tree' })
        .getByRole('link', { name: `${contract.slug} v1` })
        .waitFor()
      await page.keyboard.press('Control+s')
      await page.getByRole('button', { name: 'Freeze a version' }).click()
      await page.getByText('Version 1 is frozen').waitFor()
      await page.getByRole('link', { name: /^Versions/ }).click()
      await page.getByRole('button', { name: /^Put in force/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('button[type=submit]').click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('[aria-label^="Versions of"]').getByText('In force', { exact: true }).first().waitFor()
    })
  })

  test('the model editor finds what the server finds: missing contracts, and conditions they don’t allow', async () => {
    const path = await make('ingestion-models', 'unfit')
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      const findings = page.getByRole('list', { name: 'Findings' })
      await type(page, model('nobody-made-this'))
      await findings.getByText('There is no contract "nobody-made-this" with a version 1.').waitFor()
      await findings.getByRole('button', { name: /^line 2/ }).waitFor()
      await page.getByRole('button', { name: 'Freeze a version', disabled: true }).waitFor()
      await page.locator('.cm-lintRange-error').first().waitFor()
      await type(page, model(contract.slug, ', when: { $is: [/policy/nmber, "=", x] }'))
      await findings.getByText(/nmber/).first().waitFor()
      const body = { source: model(contract.slug, ', when: { $is: [/policy/nmber, "=", x] }'), format: 'yaml' }
      const key = { 'idempotency-key': crypto.randomUUID() }
      const validated = await bench.client.post(`/api/v1${path}/validate`, body, key)
      const message: string = validated.body.errors[0].message
      await findings
        .getByRole('listitem')
        .first()
        .filter({ hasText: message.slice(0, 20) })
        .waitFor()
      expect(await axeViolations(page)).toEqual([])
      await type(page, model(contract.slug))
      await page.getByText('A valid ingestion model', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Freeze a version', disabled: false }).waitFor()
    })
  })

  test('the workbench finds a contract by its slug, and says what the server says of a missing one', async () => {
    const path = await make('transformers', 'unfit')
    const source = (named: string) => `transform: declarative-v1\ncontract: ${named}@1\noutput:\n  a: /policy/number\n`
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      await type(page, source(contract.slug))
      await page.getByText(`typed by ${contract.slug}@1`).waitFor()
      await page.getByText('Checked: reads one place').waitFor()
      await type(page, source('nobody-made-this'))
      const findings = page.getByRole('list', { name: 'Findings' })
      await findings.getByText('There is no contract "nobody-made-this" with a version 1.').waitFor()
      await findings.getByRole('button', { name: /^line 2/ }).waitFor()
      await page.getByRole('button', { name: 'Freeze a version', disabled: true }).waitFor()
    })
  })

  test('a check that gets no answer is not taken for a clean one', async () => {
    const path = await make('ingestion-models', 'unchecked')
    await bench.visit(
      'engineer',
      async (page) => {
        let isAway = false
        await page.route('**/validate', (route) => (isAway ? route.abort() : route.continue()))
        await open(page, at(path))
        isAway = true
        await type(page, model(contract.slug))
        await page.getByText('its names are not checked').waitFor()
      },
      { expects: /ERR_FAILED/ },
    )
  })

  test('names are found among more families than fit on one page of the list', async () => {
    for (let index = 0; index < 101; index++) {
      await bench.client.post('/api/v1/contracts', { name: `crowd ${index}`, description: '', schema: '{}' })
    }
    const models = (await bench.client.get('/api/v1/ingestion-models')).body.ingestion_models
    const demo = models.find(({ slug }: { slug: string }) => slug === 'clws-policy')
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/ingestion-models/${demo.id}`))
      await page.getByRole('region', { name: 'Tree' }).getByRole('link', { name: 'Policy premium notice v1' }).waitFor()
      await eventually(() => page.locator('.tree-missing').count(), 0)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('premium notice')
      await page.getByRole('option', { name: /^Policy premium notice/ }).waitFor()
    })
  })
})
