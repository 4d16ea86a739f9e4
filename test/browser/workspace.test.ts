import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  open,
  runDemo,
  startConsole,
  testMs,
} from '../support/console.ts'

setDefaultTimeout(testMs)

const letter = join(import.meta.dir, '../../src/demo/letter.docx')
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

describe.skipIf(skipsBrowserTests('the workspace in a browser'))('the workspace in a browser', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  const workspace = (query = '') => `${bench.quire.origin}/ingestion-models/${made.model}/workspace${query}`

  beforeAll(async () => {
    bench = await startConsole()
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  const tab = (page: Page, name: string) =>
    page.locator('.workspace-bar').getByRole('link', { name: new RegExp(`^${name}`) })
  const marks = (page: Page) => page.locator('.workspace-right .sheet-mark')
  const lit = (page: Page) => page.locator('.workspace-right .sheet-mark[aria-pressed=true]')
  const trace = (page: Page) => page.locator('.trace')
  const editor = (page: Page, label: string) => page.locator(`.editor-host[data-label="${label}"] .cm-content`)
  const litLines = (page: Page, label: string) =>
    page.locator(`.editor-host[data-label="${label}"] .cm-lit`).allTextContents()
  const following = (page: Page) => page.locator('.workspace-pages .pane-note[data-working=false]').waitFor()
  const sourceOf = async () => (await bench.client.get(`/api/v1/transformers/${made.transformer}/draft`)).body
  /** The pictures of the pages, as they are now, once there are any. */
  const pictures = async (page: Page) => {
    const all = page.locator('.workspace-right .sheet img')
    await all.first().waitFor()
    return all.evaluateAll((each) => each.map((one) => (one as HTMLImageElement).src))
  }

  async function type(page: Page, label: string, text: string): Promise<void> {
    await editor(page, label).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }

  async function openWorkspace(page: Page, query = ''): Promise<void> {
    await open(page, workspace(query))
    await marks(page).first().waitFor()
    await following(page)
  }

  test('the pages follow what is typed in the input and in the transformer, and nothing is saved', async () => {
    await bench.visit('engineer', async (page) => {
      await openWorkspace(page)
      const before = await pictures(page)
      const input = (await editor(page, 'Input').allInnerTexts()).join('\n')
      expect(input).toContain('Niamh')
      await page.getByRole('button', { name: 'Show the data' }).click()
      await page.locator('.output-line', { hasText: '"Dear Ms Brennan"' }).waitFor()
      await tab(page, 'Transformer').click()
      const { source, revision } = await sourceOf()
      await type(page, 'Source', source.replace('ms: Dear Ms', 'ms: Good morning Ms'))
      await page.locator('.output-line', { hasText: '"Good morning Ms Brennan"' }).waitFor()
      await page.getByRole('button', { name: 'Show the pages' }).click()
      await following(page)
      await eventually(async () => (await pictures(page)).some((one) => before.includes(one)), false)
      // The pages stay while the source is half written, and say so.
      await type(page, 'Source', source.replace('ms: Dear Ms', 'ms: { $nothing: 1 }'))
      await page.getByText('the last pages that could be made').waitFor()
      expect(await page.locator('.workspace-right .sheet').count()).toBe(2)
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.getByText('2 pages').waitFor()
      expect((await sourceOf()).revision).toBe(revision)
    })
  })

  test('a word leads to its binding, its lines and its values, and each of them back to the word', async () => {
    await bench.visit('engineer', async (page) => {
      await openWorkspace(page)
      const third = marks(page).and(page.locator('[title="/schedule/*/amount"]')).nth(2)
      await third.click()
      await trace(page).filter({ hasText: '/instalments/2/amount “101.66”' }).waitFor()
      await eventually(() => lit(page).count(), 1)
      await eventually(async () => (await litLines(page, 'Input')).at(-1)?.trim(), '"amount": 101.66')
      await trace(page).getByRole('button', { name: 'Transformer' }).click()
      await eventually(async () => (await litLines(page, 'Source')).at(-1)?.trim().split(':')[0], 'amount')
      await tab(page, 'Contract').click()
      await eventually(async () => (await litLines(page, 'Schema')).at(-1)?.trim().split(':')[0], '"amount"')
      await trace(page).getByRole('button', { name: 'Template' }).click()
      const bindings = page.locator('.bound[aria-pressed=true]')
      await eventually(() => bindings.locator('.bound-pointer').allTextContents(), ['/schedule/*/amount'])
      // And back: from a binding to all its values, from a line, and from a value of the input.
      await page.locator('.bound', { hasText: '/salutation' }).click()
      await eventually(() => lit(page).getAttribute('title'), '/salutation')
      await page.locator('.bound', { hasText: '/schedule/*/amount' }).click()
      await eventually(() => lit(page).count(), 12)
      await tab(page, 'Transformer').click()
      await editor(page, 'Source').locator('.cm-line', { hasText: 'insuredItem: {' }).click()
      await eventually(() => lit(page).getAttribute('title'), '/insuredItem')
      await tab(page, 'Input').click()
      await editor(page, 'Input').locator('.cm-line', { hasText: '"accountEnding"' }).click()
      await eventually(() => lit(page).getAttribute('title'), '/account')
      await eventually(() => lit(page).evaluate((mark) => mark.getBoundingClientRect().top < window.innerHeight), true)
      expect(await axeViolations(page)).toEqual([])
    })
  })

  test('what does not hold is marked in each part that it touches, and one click mends it', async () => {
    await bench.visit('engineer', async (page) => {
      await openWorkspace(page, '?tab=transformer')
      const { source } = await sourceOf()
      const notes = page.locator('.workspace-pane:not([hidden]) .link-note')
      const broken = source.replace('reference: /policy/number', 'reference: /policy/numbr')
      await type(page, 'Source', broken.replace('  salutation:\n', '  salutatio:\n'))
      await eventually(() => notes.count(), 2)
      expect(await notes.allInnerTexts()).toEqual([
        expect.stringContaining('The template wants /salutation, and the transformer doesn’t make it.'),
        expect.stringContaining('reads /policy/numbr, which the contract doesn’t declare.'),
      ])
      await editor(page, 'Source').locator('.cm-lintRange-error').first().waitFor()
      expect(await axeViolations(page)).toEqual([])
      await tab(page, 'Contract').click()
      await eventually(async () => (await notes.allInnerTexts()).map((note) => note.includes('/policy/numbr')), [true])
      await editor(page, 'Schema').locator('.cm-lintRange-error').first().waitFor()
      await tab(page, 'Template').click()
      expect(await page.getByText('every value is there').count()).toBe(0)
      const row = page.locator('.bound-list > li', { hasText: 'Rename salutatio to salutation' })
      await row.getByRole('button', { name: 'Rename salutatio to salutation' }).click()
      await eventually(() => page.getByRole('button', { name: /^Rename/ }).count(), 0)
      await tab(page, 'Contract').click()
      await page.locator('.workspace-pane:not([hidden])').getByRole('button', { name: 'Read number instead' }).click()
      await eventually(() => notes.count(), 0)
      await page.getByText('2 pages').waitFor()
      // All is as it was saved, so there is nothing to save.
      await page.getByRole('button', { name: /^Save/, disabled: true }).first().waitFor()

      const before = '  salutation:\n'
      await tab(page, 'Transformer').click()
      await type(page, 'Source', source.replace(before, `  branch: { $default: [/policy/branch, ""] }\n${before}`))
      await notes.getByRole('button', { name: 'Declare branch' }).click()
      // A mending of what has changed meanwhile is left alone, so the next click waits for this one's end.
      await notes.getByRole('button', { name: 'Declare branch' }).waitFor({ state: 'detached' })
      await notes
        .filter({ hasText: 'The transformer makes /branch' })
        .getByRole('button', { name: 'Remove it' })
        .click()
      await eventually(() => notes.count(), 0)
      await page.locator('.workspace-bar').getByRole('link', { name: 'Contract , unsaved' }).waitFor()
      await tab(page, 'Contract').click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
    })
  })

  test('a DOCX dropped on the pages is seen at once, replaces the draft when it is saved, and can be put back', async () => {
    const bytes = Buffer.from(await Bun.file(letter).arrayBuffer()).toString('base64')
    const other = await otherLetter()
    await bench.visit(
      'engineer',
      async (page) => {
        await openWorkspace(page)
        const drop = async (name: string, content: string) => {
          const data = await page.evaluateHandle(
            ({ name, content, type }) => {
              const transfer = new DataTransfer()
              const file = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
              transfer.items.add(new File([file], name, { type }))
              return transfer
            },
            { name, content, type: docxType },
          )
          const pages = page.getByRole('region', { name: 'Pages', exact: true })
          await pages.dispatchEvent('dragover', { dataTransfer: data })
          await page.getByText('Drop it to').waitFor()
          await pages.dispatchEvent('drop', { dataTransfer: data })
        }
        await drop('short.docx', other)
        await page.getByText('one page, with short.docx').waitFor()
        await eventually(() => marks(page).count(), 1)
        const draft = async () => (await bench.client.get(`/api/v1/templates/${made.template}/draft`)).body
        const { revision } = await draft()
        await tab(page, 'Template').click()
        await page.getByText(/short\.docx, .*, not saved yet/).waitFor()
        await eventually(() => page.locator('.bound-pointer').allTextContents(), ['/salutation'])
        await page.getByRole('button', { name: 'Discard the file' }).click()
        await page.getByText('2 pages', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Bring it back' }).click()
        await page.getByText('one page, with short.docx').waitFor()
        // A visit to another screen loses nothing.
        await page.getByRole('link', { name: 'Review' }).click()
        await page.waitForURL(/\/review/)
        await page.goBack()
        await page.getByText('one page, with short.docx').waitFor()
        await page.keyboard.press('Control+s')
        await page.getByText(`Revision ${revision + 1}, `).waitFor()
        expect((await draft()).revision).toBe(revision + 1)
        await page.getByText('one page', { exact: true }).waitFor()
        // Somebody else saves while a file waits: it goes the way of the template's own page.
        await drop('letter.docx', bytes)
        await page.getByText('2 pages, with letter.docx').waitFor()
        // They do it while another screen is open: the file still replaces only what it was chosen over.
        await page.getByRole('link', { name: 'Review' }).click()
        await page.waitForURL(/\/review/)
        const headers = {
          ...{ 'idempotency-key': crypto.randomUUID(), 'content-type': docxType },
          'if-match': `"${revision + 1}"`,
        }
        const theirs = new Uint8Array(Buffer.from(other, 'base64'))
        const put = await bench.client.send('PUT', `/api/v1/templates/${made.template}/draft`, theirs, headers)
        expect(put.status).toBe(200)
        await eventually(() => asksBeforeLeaving(page), true)
        await page.goBack()
        await page.getByText('2 pages, with letter.docx').waitFor()
        await page.keyboard.press('Control+s')
        await page.getByRole('heading', { name: 'Somebody else changed the file' }).waitFor()
        expect(await axeViolations(page)).toEqual([])
        await page.getByRole('button', { name: 'Put mine in its place' }).click()
        await page.getByText(`Revision ${revision + 3}, `).waitFor()
        await eventually(() => asksBeforeLeaving(page), false)
      },
      { expects: /412/ },
    )
  })

  test('Ctrl+S saves all that changed, and nothing else', async () => {
    await bench.visit('engineer', async (page) => {
      await openWorkspace(page, '?tab=transformer')
      const { source, revision } = await sourceOf()
      const contract = async () => (await bench.client.get(`/api/v1/contracts/${made.contract}`)).body
      const before = await contract()
      await type(page, 'Source', source.replace('ms: Dear Ms', 'ms: Hello Ms'))
      await tab(page, 'Contract').click()
      await type(page, 'Schema', before.schema.replace('The date the letter bears.', 'The date of the letter.'))
      await page.getByRole('button', { name: 'Save 2 drafts' }).waitFor()
      await page.keyboard.press('Control+s')
      await eventually(async () => (await sourceOf()).revision, revision + 1)
      await eventually(async () => (await contract()).draft_revision, before.draft_revision + 1)
      expect((await sourceOf()).source).toContain('ms: Hello Ms')
      await page.getByRole('button', { name: /^Save/, disabled: true }).first().waitFor()
      await page.reload()
      // The transformer's pane, out of sight, may be at the same revision.
      await page
        .getByRole('status')
        .filter({ hasText: `Revision ${before.draft_revision + 1}, saved` })
        .waitFor()
    })
  })

  test('by keyboard alone on a narrow screen: the palette opens it, a binding lights its value', async () => {
    await bench.visit(
      'engineer',
      async (page) => {
        await open(page, `${bench.quire.origin}/`)
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').waitFor()
        await page.keyboard.type('policy premium letter')
        const option = page.getByRole('option', { name: /^Workspace of Policy premium letter/ })
        await option.waitFor()
        for (let steps = 0; steps < 12 && (await option.getAttribute('aria-selected')) !== 'true'; steps++) {
          await page.keyboard.press('ArrowDown')
        }
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/workspace$/)
        await tab(page, 'Template').focus()
        await page.keyboard.press('Enter')
        await page.locator('.bound', { hasText: '/salutation' }).focus()
        await page.keyboard.press('Enter')
        await page.locator('.bound[aria-pressed=true]').waitFor()
        await tab(page, 'Pages').focus()
        await page.keyboard.press('Enter')
        await eventually(() => lit(page).getAttribute('title'), '/salutation')
        expect(await axeViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      },
      { width: 390 },
    )
  })

  test('each part of the document leads to it', async () => {
    await bench.visit('engineer', async (page) => {
      for (const path of [
        `/contracts/${made.contract}`,
        `/transformers/${made.transformer}`,
        `/templates/${made.template}`,
        `/ingestion-models/${made.model}`,
      ]) {
        const asked: string[] = []
        const note = (request: { url(): string }) => asked.push(request.url())
        page.on('request', note)
        await open(page, bench.quire.origin + path)
        await page.getByRole('region', { name: /^Suite of/ }).waitFor()
        page.off('request', note)
        // The link and the suite share what they read.
        expect(asked.filter((url) => url.includes('/suites?'))).toHaveLength(1)
        await page.getByRole('link', { name: 'Workspace' }).click()
        await page.waitForURL(new RegExp(`/ingestion-models/${made.model}/workspace`))
      }
    })
  })
})

function asksBeforeLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

async function otherLetter(): Promise<string> {
  const { Document, Packer, Paragraph } = await import('docx')
  const children = [new Paragraph('{{/salutation}},'), new Paragraph('this is another letter.')]
  return Packer.toBase64String(new Document({ sections: [{ children }] }))
}
