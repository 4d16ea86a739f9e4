import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoverageMeter } from '../../src/project/coverage/coverage.ts'
import { htmlReport } from '../../src/project/html-report.ts'
import { testCases } from '../../src/project/test-cases.ts'
import { folderWith, greeting, performHere, projectAt } from '../project/fixture.ts'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests, startBrowser } from '../support/browser.ts'
import { testMs } from '../support/console.ts'
import { temporaryFolder } from '../support/database.ts'

setDefaultTimeout(testMs)

test.skipIf(skipsBrowserTests('the report of quire test'))(
  'the report of quire test is as wide as its window, and readable, narrow and wide, in both themes',
  async () => {
    const long = `Dear ${'Ann '.repeat(80)}`
    const project = projectAt(folderWith({ ...greeting, 'cases/greeting/ann.expected/letter/document.txt': long }))
    const meter = new CoverageMeter(project)
    const results = await testCases(project, project.cases, {
      ...{ perform: performHere(), atOnce: 1, tolerance: 0.5 },
      onResult: (result) => meter.measure(result),
    })
    const path = join(temporaryFolder(), 'report.html')
    writeFileSync(path, htmlReport(results, 1, { coverage: meter.result() }))
    const browser = await startBrowser('pages')
    for (const width of [390, 1440]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
        await page.goto(`file://${path}`)
        await page.getByText('Dear Ann').first().waitFor()
        for (const name of ['contract', 'refusals', 'template', 'all']) {
          await page.getByRole('columnheader', { name, exact: true }).waitFor()
        }
        expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, width])
        expect(await axeViolations(page)).toEqual([])
        await page.close()
      }
    }
  },
)
