import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CannedPage, openCannedPage } from '../support/canned.ts'

let page: CannedPage
beforeAll(async () => {
  page = await openCannedPage({ 'GET /api/v1/activations': { activations: [] } })
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())

const query = () => window.location.search
const buttons = () =>
  [...document.querySelectorAll('search button')]
    .map(({ textContent }) => textContent?.trim())
    .filter((text) => text !== '')
const views = () => {
  const select = [...document.querySelectorAll<HTMLSelectElement>('search select')].find(
    (one) => one.closest('label')?.querySelector('span')?.textContent === 'View',
  )
  return select && [select.value, ...[...select.options].map(({ textContent }) => textContent)]
}

test('a list’s filters are chosen by the name that they are kept under, and left by None and Clear', async () => {
  await page.open('/activations')
  expect([buttons(), views()]).toEqual([[], undefined])
  await page.open('/activations?status=active&kind=template')
  expect(buttons()).toEqual(['Save view', 'Clear'])
  await page.press('Save view')
  expect(page.shown()).toContain('  input name=view required pattern=.*\\S.* maxlength=60 autocomplete=off has ""')
  await page.fill('Name', '  Templates in force ')
  await page.press('Save')
  expect([buttons(), views()]).toEqual([
    ['Forget view', 'Clear'],
    ['Templates in force', 'None', 'Templates in force'],
  ])
  await page.open('/activations?kind=template&status=active')
  expect(views()?.[0]).toBe('Templates in force')
  await page.fill('State', 'scheduled')
  expect([buttons(), views()?.[0]]).toEqual([['Save view', 'Clear'], ''])
  await page.fill('View', 'Templates in force')
  expect(query()).toBe('?status=active&kind=template')
  await page.fill('View', '')
  expect([query(), buttons()]).toEqual(['', []])
  await page.fill('View', 'Templates in force')
  await page.press('Clear')
  expect(query()).toBe('')
  await page.open('/tokens')
  expect(views()).toBeUndefined()
  await page.open('/activations')
  await page.fill('View', 'Templates in force')
  await page.press('Forget view')
  expect([buttons(), views()]).toEqual([['Save view', 'Clear'], undefined])
  await page.press('Save view')
  await page.press('Cancel')
  expect(views()).toBeUndefined()
})
