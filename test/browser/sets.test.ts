import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { deflateEntry, writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, makeContract, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The same document with other words in its text. */
function withText(file: Uint8Array, from: string, to: string): Uint8Array {
  const zip = readZip(file)
  if (!zip.ok) throw new Error('not a document')
  return writeZip(
    zip.value.names.map((name) => {
      const data = zip.value.read(name)
      if (!data.ok) throw new Error(`${name} can't be read`)
      if (name !== 'word/document.xml') return deflateEntry(name, data.value)
      const text = new TextDecoder().decode(data.value)
      if (!text.includes(from)) throw new Error(`the document does not say ${from}`)
      return deflateEntry(name, new TextEncoder().encode(text.replace(from, to)))
    }),
  )
}

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
  async function openReview(page: Page) {
    await open(page, at(modelPath))
    await page.getByRole('link', { name: 'Put all in force' }).click()
    const review = page.locator('.review')
    await review.locator('.review-chain').waitFor()
    return review
  }
  const put = async (path: string, source: string) => {
    const body = { source, format: 'yaml' }
    const revision = (await bench.client.get(`/api/v1${path}`)).body.draft_revision
    const answer = await bench.client.send('PUT', `/api/v1${path}/draft`, body, keyed({ 'if-match': `"${revision}"` }))
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }

  test('shows the whole chain first, and comes into force in one step', async () => {
    await bench.visit('engineer', async (page) => {
      const review = await openReview(page)
      for (const name of ['contract bill', 'transformer bill', 'ingestion_model bill']) {
        await member(page, name).waitFor()
      }
      await member(page, 'contract bill').and(page.locator('[data-action=publish]')).waitFor()
      await review.getByText('3 parts change, at one instant.').waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await axeViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await page.setViewportSize({ width: 1440, height: 900 })
      expect(await inForce(modelPath)).toBeUndefined()
      await review.getByRole('button', { name: 'Put all in force' }).click()
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
      await page.waitForURL(/ingestion-models\/[^/]+\?tab=versions$/)
    })
  })

  test('what does not fit is shown at its place, another version is chosen, and all of it goes back', async () => {
    await put(transformerPath, 'transform: declarative-v1\noutput: { a: 2 }\n')
    await freeze(transformerPath, 2)
    await bench.visit('engineer', async (page) => {
      const review = await openReview(page)
      await member(page, 'transformer bill').and(page.locator('[data-action=activate]')).waitFor()
      await page.getByLabel('Version of bill').selectOption('1')
      await review.getByText('All of it is in force already.').waitFor()
      await eventually(() => review.locator('button[type=submit]').isDisabled(), true)
      await page.getByLabel('Version of bill').selectOption('2')
      await review.getByText('One part changes, at one instant.').waitFor()
      await review.locator('button[type=submit]').click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      await page.getByText('To undo this').waitFor()
      expect(await inForce(transformerPath)).toBe(2)
      await page.keyboard.press('Escape')
      const again = await openReview(page)
      await again.getByLabel('What was before').check()
      await member(page, 'transformer bill').getByText('takes over').waitFor()
      await again.getByRole('button', { name: 'Put it back' }).click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      expect(await inForce(transformerPath)).toBe(1)
    })
  })

  test('that comes into force later is taken back as one', async () => {
    await bench.visit('engineer', async (page) => {
      const review = await openReview(page)
      await review.getByLabel('A later instant').check()
      await review.getByText('One part changes, at one instant.').waitFor()
      await review.locator('button[type=submit]').click()
      await page.getByRole('dialog', { name: /^All of it comes into force on/ }).waitFor()
      await page.getByRole('button', { name: 'Take all back' }).click()
      const sure = page.getByRole('dialog', { name: 'Take all of bill back?' })
      await sure.locator('button[type=submit]').click()
      await sure.waitFor({ state: 'detached' })
      const { activations } = (await bench.client.get('/api/v1/activations?status=scheduled')).body
      expect(activations).toEqual([])
    })
  })

  test('is found in the calendar by keyboard, taken back there, and what was before is reviewed', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const publish = `/api/v1${transformerPath}/versions/2/publish`
    expect((await bench.client.post(publish, { effective_from: tomorrow }, keyed())).status).toBe(201)
    await bench.visit('engineer', async (page) => {
      await open(page, at('/activations?tab=month&kind=transformer'))
      await page.locator('.calendar[aria-busy=false]').waitFor()
      await page.locator('.month-cell[aria-current=date]').focus()
      await page.keyboard.press('ArrowRight')
      const change = page.locator('.calendar-change')
      await change.getByText('Transformer v1 → v2').waitFor()
      await eventually(() => page.locator('.month-cell:focus').getAttribute('aria-pressed'), 'true')
      expect(new URL(page.url()).searchParams.get('kind')).toBe('transformer')
      await change.getByRole('button', { name: 'Take back bill' }).press('Enter')
      const sure = page.getByRole('dialog', { name: 'Take all of bill back?' })
      expect(await axeViolations(page)).toEqual([])
      await sure.locator('button[type=submit]').click()
      await sure.waitFor({ state: 'detached' })
      await page.getByText('Nothing comes into force on this day.').waitFor()
      await eventually(() => page.locator(':focus').count(), 1)
      await page.getByRole('link', { name: 'List', exact: true }).click()
      await page.locator('.agenda-now').waitFor()
      const models = page.getByLabel('Kind')
      await models.selectOption('ingestion_model')
      await page.getByText('Contract, with the model bill').waitFor()
      await models.selectOption('')
      // Put in force again two tests ago, after version 2.
      const last = page.locator('.calendar-change', { hasText: 'Transformer v2 → v1' })
      await last.getByRole('button', { name: 'Put v2 in force again' }).click()
      await page.getByRole('dialog', { name: 'Put bill v2 in force' }).getByText('v2 takes over from v1').waitFor()
      const asOf = new Date(Date.now() - 60).toISOString()
      await open(page, at(`${modelPath}/review?state=past&as_of=${asOf}`))
      await page.getByRole('radio', { name: 'What was in force then' }).and(page.locator(':checked')).waitFor()
      await page.getByText('All of it is in force already.').waitFor()
    })
  })

  test('of drafts shows what differs and what fails, and is frozen and in force in one step', async () => {
    await put(
      transformerPath,
      'transform: declarative-v1\ncontract: bill@1\noutput:\n  a: { $require: /b, code: NO_B }\n',
    )
    const contract = (await bench.client.get('/api/v1/contracts')).body.contracts.find(
      ({ slug }: { slug: string }) => slug === 'bill',
    )
    const { status } = await bench.client.post('/api/v1/cases/import', {
      ...{ contract_version_id: contract.versions[0].id, kind: 'valid', payload: '{}' },
    })
    expect(status).toBe(201)
    await bench.visit('engineer', async (page) => {
      await open(page, at(`${transformerPath}?tab=compare&from=1`))
      const lines = page.getByRole('region', { name: 'Lines that differ' })
      await lines.getByText('Added:').first().waitFor()
      expect(await axeViolations(page)).toEqual([])
      await open(page, at(`${modelPath}/review?state=drafts`))
      const part = member(page, 'transformer bill')
      await part.getByText('frozen, takes over').waitFor()
      await part.locator('.diff-line[data-sign="+"]', { hasText: '$require: /b' }).waitFor()
      await page.getByText('One case fails of 1').waitFor()
      expect(await axeViolations(page)).toEqual([])
      // What fails is a reason to think, not a lock: cases may be what has to change.
      await page.getByRole('button', { name: 'Freeze, and put all in force' }).click()
      await page.getByRole('dialog', { name: 'All of it is in force' }).waitFor()
      expect(await inForce(transformerPath)).toBe(3)
    })
  })

  test('shows the pages of a template with the places that changed, filled and unfilled', async () => {
    const templates = (await bench.client.get('/api/v1/templates')).body.templates
    const { id, draft_revision: revision } = templates.find(({ slug }: { slug: string }) => slug === 'clws-policy')
    const file = await Bun.file(join(import.meta.dir, '../../src/demo/letter.docx')).bytes()
    const changed = withText(file, 'Yours sincerely', 'Kind regards')
    const headers = keyed({ 'if-match': `"${revision}"`, 'content-type': docxType })
    expect((await bench.client.send('PUT', `/api/v1/templates/${id}/draft`, changed, headers)).status).toBe(200)
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/templates/${id}?tab=compare&from=1&to=draft`))
      const first = page.getByRole('region', { name: 'Page 1', exact: true })
      await first.getByText('one place differs').waitFor()
      // One mark on each side, on the paper.
      await eventually(() => first.locator('.sheet-region').count(), 2)
      const [mark, sheet] = [first.locator('.sheet-region').first(), first.locator('.sheet').first()]
      const [inner, outer] = [await mark.boundingBox(), await sheet.boundingBox()]
      expect(inner !== null && outer !== null && inner.y > outer.y && inner.y < outer.y + outer.height).toBe(true)
      expect(inner !== null && outer !== null && inner.height < outer.height / 20).toBe(true)
      await page.getByRole('region', { name: 'Page 2', exact: true }).getByText('the same').waitFor()
      const text = page.getByRole('region', { name: 'Text that differs' })
      await text.scrollIntoViewIfNeeded()
      await text.locator('.diff-line[data-sign="+"]', { hasText: 'Kind regards' }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      const models = (await bench.client.get('/api/v1/ingestion-models')).body.ingestion_models
      const demo = models.find(({ slug }: { slug: string }) => slug === 'clws-policy')
      await open(page, at(`/ingestion-models/${demo.id}/review?state=drafts`))
      await member(page, 'template clws-policy').locator('.sheet-region').first().waitFor()
    })
  })

  test('is for authors only', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(modelPath))
      await page.getByRole('heading', { name: 'bill', level: 1 }).waitFor()
      expect(await page.getByRole('link', { name: 'Put all in force' }).count()).toBe(0)
    })
  })
})
