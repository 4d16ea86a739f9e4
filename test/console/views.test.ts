import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../http/harness.ts'
import { openPage, type Page } from '../support/page.ts'

let page: Page | undefined
afterAll(() => page?.close())

test('filters are kept under a name for whoever is signed in, offered in the list, found by Ctrl K, and forgotten', async () => {
  page = await openPage(await startTestApp('sqlite'))
  await page.signIn('anna', 'engineer')
  const shown = () => (page?.shown() ?? []).join('\n')
  await page.open('/executions')
  expect(shown()).not.toContain('Save view')
  await page.open('/executions?status=failed')
  await page.press('Save view')
  await page.fill('Name', 'What failed')
  await page.press('Save')
  expect(shown()).toContain('Forget view')
  await page.open('/executions')
  expect(shown()).toContain('What failed')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, cancelable: true }))
  await page.settled()
  await page.fill('Search or go to', 'what f')
  expect(shown()).toContain('View of executions')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, cancelable: true }))
  await page.open('/executions?status=failed')
  await page.press('Forget view')
  expect(shown()).toContain('Save view')
  expect(shown()).not.toContain('What failed')
})

test('what can’t be kept is told in the dialog, which stays, and nothing that was kept is lost', async () => {
  const shown = () => (page?.shown() ?? []).join('\n')
  const key = Object.keys(window.localStorage).find((name) => name.startsWith('quire.views.')) ?? ''
  const views = Array.from({ length: 100 }, (_, index) => ({ name: `n${index}`, path: '/batches', query: 'x=1' }))
  const kept = JSON.stringify(views)
  window.localStorage.setItem(key, kept)
  await page?.press('Save view')
  await page?.fill('Name', 'One more')
  await page?.press('Save')
  expect(shown()).toContain('The view was not saved')
  expect(shown()).toContain('You have 100 views in this browser.')
  expect(window.localStorage.getItem(key)).toBe(kept)
})
