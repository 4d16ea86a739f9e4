import { afterAll, expect, test } from 'bun:test'
import { startTestApp } from '../http/harness.ts'
import { Author } from '../support/author.ts'
import { openPage, type Page } from '../support/page.ts'

let page: Page | undefined
afterAll(() => page?.close())

test('with four eyes a button that would be refused is disabled beforehand, with the reason, for its author only', async () => {
  const app = await startTestApp('sqlite', { fourEyes: true })
  page = await openPage(app)
  await page.signIn('anna', 'engineer')
  // Somebody else wrote it.
  const ben = await Author.signIn(app, 'ben')
  const theirs = (await ben.frozen('transformers', 'theirs', 'transform: declarative-v1\noutput: 1\n')).id
  const dialogOf = async (path: string, opener: RegExp) => {
    await page?.open(path)
    await page?.press(opener)
    return (page?.shown() ?? []).join('\n')
  }
  const allowed = await dialogOf(`/transformers/${theirs}?tab=versions`, /^Put in force/)
  expect(allowed).toContain('button.button-primary type=submit aria-disabled=false "Put in force"')
  await page.open('/transformers')
  await page.press('New transformer')
  await page.fill('Name', 'Mine')
  await page.press('Create')
  await page.press(/^Save/)
  await page.press('Freeze a version')
  const mine = `${location.pathname}?tab=versions`
  const refused = await dialogOf(mine, /^Put in force/)
  expect(refused).toMatch(/button.button-primary type=submit .*disabled "Put in force"/)
  expect(refused).toContain('You saved the draft and froze version 1 of the transformer mine')
})
