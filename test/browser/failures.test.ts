import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  open,
  runDemo,
  runOnce,
  settled,
  startConsole,
  testMs,
} from '../support/console.ts'
import { type SwitchedRenderer, switchedRenderer } from '../support/switched-renderer.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('failed executions in a browser'))('a failed execution', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  let renderer: SwitchedRenderer
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    renderer = await switchedRenderer()
    bench = await startConsole({ hasRunDemo: true, environment: { QUIRE_RENDERER: renderer.program } })
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  /** The input of the demo's failing scenario, on one line. */
  async function packedInput(): Promise<string> {
    const { body } = await bench.client.get(`/api/v1/executions/${made.failed}`)
    return JSON.stringify(JSON.parse(body.raw_input))
  }

  test('a failed execution shows each issue in its input', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${made.failed}`))
      const place = page.locator('.issue').getByRole('button').first()
      const [, line] = /line (\d+)/.exec((await place.textContent()) ?? '') ?? []
      await place.click()
      await eventually(async () => (await page.locator('.source-line[data-lit]').count()) > 0, true)
      const lit = page.locator('.source-line').nth(Number(line) - 1)
      await eventually(() => lit.getAttribute('data-lit'), '')
    })
  })

  test('comes first on its page, and the lists say why it failed, on a telephone, too', async () => {
    const [issue] = (await bench.client.get(`/api/v1/executions/${made.failed}`)).body.steps[0].failure.issues
    for (const width of [1440, 390]) {
      await bench.visit(
        'operator',
        async (page) => {
          await open(page, at(`/executions/${made.failed}`))
          expect(await page.locator('main h2').allTextContents()).toEqual(
            ['Failed at Validate', 'Data', 'Steps', 'Provenance', 'Verify'].map((title) =>
              expect.stringContaining(title),
            ),
          )
          await open(page, at('/executions?status=failed'))
          const row = page.locator('tbody tr').filter({ has: page.locator(`a[href="/executions/${made.failed}"]`) })
          await row.getByText(issue.message).filter({ visible: true }).waitFor()
          await row.getByText('Validate').filter({ visible: true }).waitFor()
          await row
            .getByText('clws-policy')
            .first()
            .waitFor({ state: width === 390 ? 'hidden' : 'visible' })
          await row.locator('time').filter({ visible: true }).waitFor()
          expect((await row.boundingBox())?.height).toBeLessThan(55)
          expect(await axeViolations(page)).toEqual([])
          await open(page, at('/submissions'))
          await page.locator('tbody tr').getByText('contract_violated').filter({ visible: true }).waitFor()
          expect(await axeViolations(page)).toEqual([])
          const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          expect(overhang).toBeLessThanOrEqual(0)
        },
        { width },
      )
    }
  })

  test('is not offered for a retry that would fail the same way, and says what helps', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${made.failed}`))
      await page.getByText('Mend the input and submit it again').waitFor()
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    })
  })

  test('whose renderer broke down is retried by those who may, and completes once the renderer is mended', async () => {
    renderer.breakDown()
    const { id } = await runOnce(bench.client, 'retried')
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/executions/${id}`))
      await page.getByText('could not render the document').first().waitFor()
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    })
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${id}`))
      await page.getByText('Another attempt may pass: 4 of 5 are left.').waitFor()
      renderer.mend()
      await page.getByRole('button', { name: 'Retry' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('same pinned versions').waitFor()
      await dialog.getByText('4 of 5 attempts left').waitFor()
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('attempt 2').waitFor()
      await page.locator('.step[data-step=render][data-status=succeeded]').waitFor()
      await page.getByRole('button', { name: 'Retry' }).waitFor({ state: 'detached' })
    })
  })

  test('is counted by cause with all others, and those that may pass are retried together', async () => {
    renderer.breakDown()
    const broken = [await runOnce(bench.client, 'first-of-two'), await runOnce(bench.client, 'second-of-two')]
    renderer.mend()
    await bench.visit('operator', async (page) => {
      await open(page, at('/executions'))
      expect(await page.getByRole('button', { name: 'Retry failed' }).count()).toBe(0)
      await open(page, at('/executions?status=failed'))
      await page.getByRole('button', { name: 'Retry failed' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('row', { name: /Render: render_failed 2 2/ }).waitFor()
      await dialog.getByRole('row', { name: /Validate: .* 1 0/ }).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Retry 2' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator(`a[href="/executions/${broken[0]?.id}"]`).waitFor({ state: 'detached' })
    })
    for (const { id } of broken) {
      await eventually(async () => (await bench.client.get(`/api/v1/executions/${id}`)).body.status, 'completed')
    }
  })

  /** What the box of the raw input shows, and whether all of it fits. */
  function inputBox(page: Page) {
    return page.getByRole('region', { name: 'Raw input' }).evaluate((box) => {
      const seen = box.getBoundingClientRect()
      const lit = [...box.querySelectorAll('.source-line[data-lit]')]
      return {
        lines: box.querySelectorAll('.source-line').length,
        overhangs: box.scrollWidth > box.clientWidth,
        height: seen.height,
        marked: [...box.querySelectorAll('mark')].map((mark) => mark.textContent),
        notes: [...box.querySelectorAll('.source-note')].map((note) => note.textContent?.replace('↳', '').trim()),
        isLitInSight: lit.some((line) => {
          const { top, bottom } = line.getBoundingClientRect()
          return top >= seen.top && bottom <= seen.bottom
        }),
      }
    })
  }

  /** Its width in characters is measured after it was drawn, and its lines are broken again by it. */
  async function fits(page: Page) {
    const { overhangs, isLitInSight } = await inputBox(page)
    return { overhangs, isLitInSight }
  }

  test('shows input that came on one line a member a line, with what is wrong marked and said at its place', async () => {
    const packed = await packedInput()
    expect(packed.includes('\n')).toBe(false)
    const { id, steps } = await runOnce(bench.client, 'packed', packed)
    for (const width of [1440, 390]) {
      await bench.visit(
        'operator',
        async (page) => {
          await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
          await open(page, at(`/executions/${id}`))
          await page.locator('.source-note').first().waitFor()
          await eventually(() => fits(page), { overhangs: false, isLitInSight: true })
          const box = await inputBox(page)
          expect(box.lines).toBeGreaterThan(10)
          expect(box.height).toBeLessThan(500)
          const messages = steps[0].failure.issues.map(({ message }: { message: string }) => message)
          expect(box.notes.toSorted()).toEqual(messages.toSorted())
          expect(box.marked).not.toEqual([])
          expect(await axeViolations(page)).toEqual([])
          await page.getByRole('button', { name: 'Copy Raw input', exact: true }).click()
          await eventually(() => page.evaluate(() => navigator.clipboard.readText()), packed)
        },
        { width },
      )
    }
  })

  test('shows where input that isn’t JSON breaks off, however long its only line is', async () => {
    const packed = await packedInput()
    const broken = `${packed.slice(0, -1)},"filler":"${'lorem ipsum '.repeat(2_000)}","last": oops}`
    const { id } = await runOnce(bench.client, 'broken', broken)
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${id}`))
      await page.locator('.source-note').waitFor()
      await eventually(() => fits(page), { overhangs: false, isLitInSight: true })
      expect((await inputBox(page)).marked).toEqual(['oops'])
    })
  })

  test('shows the largest input by drawing what is in sight, and all of it by scrolling', async () => {
    const rows = Array.from({ length: 6_000 }, (_, row) => ({
      row,
      text: `the text of row ${row}`,
      more: 'and so on',
    }))
    const { id } = await runOnce(bench.client, 'largest', JSON.stringify({ rows }))
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${id}`))
      const box = page.getByRole('region', { name: 'Raw input' })
      await box.locator('.source-line').first().waitFor()
      expect(await box.locator('.source-line').count()).toBeLessThan(400)
      await box.focus()
      await page.keyboard.press('End')
      await box.getByText('the text of row 5999').waitFor()
      expect(await box.locator('.source-line').count()).toBeLessThan(400)
      await settled(page)
    })
  })
})
