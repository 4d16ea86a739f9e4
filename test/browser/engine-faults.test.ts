import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Question } from '../../src/console/engines/answers.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  makeContract,
  runDemo,
  startConsole,
  testMs,
} from '../support/console.ts'

setDefaultTimeout(testMs)

/** The browser’s console has every fault; all others fail a visit. */
const thrown = /Error/

/** Where each question is asked, what is done there to ask it, and what shows once it is answered. */
interface Asked {
  question: Question
  at: string
  begin?: (page: Page) => Promise<unknown>
  shown: string
}

describe.skipIf(skipsBrowserTests('faults of engines in a browser'))('an engine that throws in the console', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  let contract: string

  beforeAll(async () => {
    bench = await startConsole({ hasRunDemo: true })
    made = await runDemo(bench.client)
    contract = await makeContract(bench.client, 'compared', { type: 'object' }, { type: 'object', title: 'B' })
    const { body } = await bench.client.get(`/api/v1/templates/${made.template}`)
    const draft = await bench.client.raw('GET', `/api/v1/templates/${made.template}/draft/content`)
    const again = await bench.client.send(
      'PUT',
      `/api/v1/templates/${made.template}/draft`,
      new Uint8Array(await draft.arrayBuffer()),
      {
        'idempotency-key': crypto.randomUUID(),
        'if-match': `"${body.draft_revision}"`,
        'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      },
    )
    expect(again.status).toBe(200)
  }, testMs)

  afterAll(() => bench?.stop())

  const where: readonly Asked[] = [
    { question: 'schema', at: '/contracts/CONTRACT', shown: '.editor-host' },
    { question: 'comparison', at: '/contracts/CONTRACT?tab=compare&from=1&to=2', shown: '.change-list, .verdict' },
    {
      question: 'input',
      at: '/submissions/new?model=clws-policy',
      shown: '.entry',
    },
    { question: 'document', at: '/ingestion-models/MODEL/workspace', shown: '.workspace-right .sheet-mark' },
    { question: 'layers', at: '/ingestion-models/MODEL/workspace', shown: '.sheet img' },
    { question: 'filled', at: '/templates/TEMPLATE?tab=preview', shown: '.sheet img' },
    { question: 'pages', at: '/templates/TEMPLATE?tab=compare&from=1&to=draft', shown: '.compare-side img' },
  ]

  /** The worker is asked what it doesn't know instead, and throws, until the question is mended. */
  const breakQuestion = (page: Page, question: Question) =>
    page.addInitScript((broken) => {
      const post = Worker.prototype.postMessage as (letter: { question: string }) => void
      Object.assign(window, { broken })
      Worker.prototype.postMessage = function (this: Worker, letter: { question: string }) {
        const isBroken = (window as unknown as { broken: string }).broken === letter.question
        post.call(this, isBroken ? { ...letter, question: 'nothing like it' } : letter)
      }
    }, question)

  test('is met on the screen itself, too: what can’t be drawn says so, and is drawn when it is tried again', async () => {
    await bench.visit(
      'engineer',
      async (page) => {
        const path = `/api/v1/templates/${made.template}`
        await page.route(bench.quire.origin + path, (route) =>
          route.fulfill({ json: { id: made.template, name: 'T' } }),
        )
        await page.goto(`${bench.quire.origin}/templates/${made.template}`)
        const told = page.getByRole('alert').filter({ hasText: 'Something failed in the console' })
        await told.waitFor()
        await page.unroute(bench.quire.origin + path)
        await told.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('link', { name: 'Preview' }).waitFor()
        await eventually(() => told.count(), 0)
      },
      { expects: /TypeError|not as .openapi.json says: getTemplate/ },
    )
  })

  for (const { question, at, shown } of where) {
    test(`says so where “${question}” is asked, stops waiting, and goes on when it is tried again`, async () => {
      await bench.visit(
        'engineer',
        async (page) => {
          await breakQuestion(page, question)
          const path = at.replace('CONTRACT', contract).replace('MODEL', made.model).replace('TEMPLATE', made.template)
          await page.goto(bench.quire.origin + path)
          const told = page.getByRole('alert').filter({ hasText: 'Something failed in the console' })
          await told.first().waitFor()
          expect(await told.first().textContent()).toContain('This is a fault of Quire’s own')
          await eventually(() => page.locator('main .panel-loading, [data-working=true]').count(), 0)
          await page.evaluate(() => Object.assign(window, { broken: '' }))
          // Each page that is near has its own.
          for (let left = await told.count(); left > 0; left--)
            await told.first().getByRole('button', { name: 'Try again' }).click()
          await page.locator(shown).first().waitFor()
          await eventually(() => told.count(), 0)
        },
        { isNewTab: true, expects: thrown },
      )
    })
  }
})
