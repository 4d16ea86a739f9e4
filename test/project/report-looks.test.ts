import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { changedLines } from '../../src/core/line-difference.ts'
import { comparePages } from '../../src/engines/pdf/draw/page-difference.ts'
import { htmlReport } from '../../src/project/html-report.ts'
import type { Failure } from '../../src/suite/compare.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests, startBrowser } from '../support/browser.ts'

const drawing = (x: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><defs><path id="g0" d="M0 0h40v20h-40z"/></defs><rect/><g><use href="#g0" x="${x}" y="60"/></g></svg>`
const difference = comparePages(drawing(100), drawing(300), 0.5)
if (difference === undefined) throw new Error('the drawings differ')

const long = 'Thank you for your order, which we have received and will send as soon as all of it is in our warehouse. '
const page = 'cases/a-model-with-a-long-name/a-case-with-a-longer-name.expected/letter/page-1.svg'
const failures: Failure[] = [
  {
    kind: 'text',
    file: page.replace('page-1.svg', 'document.txt'),
    changes: changedLines(`${long}\na`, `${long}.\na`),
  },
  { kind: 'page', file: page, page: 1, expected: drawing(100), actual: drawing(300), difference },
  { kind: 'other', file: 'letter', message: `validate: wrong\n/name: ${'must be '.repeat(40)}` },
]
const stems = ['cases/letter/one', 'cases/a-model-with-a-long-name/a-case-with-a-longer-name']
const html = htmlReport(
  [
    ...stems.map((stem) => ({ testCase: { stem }, failures })),
    { testCase: { stem: 'cases/letter/fine' }, failures: [] },
  ],
  1234,
)

describe.skipIf(skipsBrowserTests('how the HTML report of tests looks'))('the HTML report of tests', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  }, 60_000)
  afterAll(() => browser.close())

  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('fits a window of %d pixels and can be read by all in the theme %s', async (width, colorScheme) => {
    const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    await tab.setContent(html)
    const seen = await tab.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      frames: [...document.querySelectorAll('.frame')].map((frame) => frame.getAttribute('class')),
      // Whatever a line has, it is shown whole.
      cut: [...document.querySelectorAll('pre')].filter((each) => each.scrollWidth > each.clientWidth).length,
    }))
    expect(seen).toEqual({ width, frames: ['frame gone', 'frame new', 'frame gone', 'frame new'], cut: 0 })
    expect(await axeViolations(tab)).toEqual([])
    await tab
      .getByRole('navigation', { name: 'Failed cases' })
      .getByRole('link', { name: stems[1] ?? '' })
      .click()
    const top = await tab
      .getByRole('heading', { name: stems[1] ?? '', exact: true })
      .evaluate((head) => head.getBoundingClientRect().top)
    expect(top).toBeLessThan(900)
    await tab.close()
  })
})
