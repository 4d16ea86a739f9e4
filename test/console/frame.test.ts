import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { ALL } from '../../src/http/access.ts'
import { type CannedPage, openCannedPage } from '../support/canned.ts'
import { expectGoldenLines } from '../support/golden.ts'

let page: CannedPage
beforeAll(async () => {
  page = await openCannedPage()
})
afterAll(() => page?.close())

const golden = (name: string) => join(import.meta.dir, 'golden', `${name}.txt`)
const main = () => document.querySelector<HTMLElement>('main')

test('every screen has its title in the window, whether somebody may see it or not', async () => {
  const { routes } = await import('../../src/console/navigation.ts')
  await page.be(['business_viewer'])
  const lines: string[] = []
  for (const path of [...routes.map(({ pattern }) => pattern.replace(':id', 'x-1')), '/nowhere']) {
    await page.open(path)
    lines.push(`${path}: ${document.title}`)
  }
  expectGoldenLines(golden('titles'), lines)
})

test('the gates before a session have titles of their own', async () => {
  const gate = async (more: object) => {
    document.title = ''
    await page.be(['administrator'], more)
    return document.title
  }
  expect(await gate({ awaits: 'enrolment' })).toBe('Add a second factor · Quire')
  await page.be(['administrator'])
  expect(await gate({ must_change_password: true })).toBe('Choose a password · Quire')
  document.title = ''
  await page.leave()
  expect(document.title).toBe('Sign in · Quire')
  await page.open('/changelog')
  expect(document.title).toBe('Changelog · Quire')
})

test('the content takes the focus from a link that skips to it, and is no stop of the Tab key itself', async () => {
  await page.open('/changelog')
  expect(main()?.tabIndex).toBe(-1)
  await page.be(['administrator'])
  await page.open('/tokens')
  expect(main()?.tabIndex).toBe(-1)
  const skip = document.querySelector<HTMLAnchorElement>('a[href$="#content"]')
  expect([skip?.textContent, main()?.id]).toEqual(['Skip to content', 'content'])
})

test('the navigation has the screens that each role may see, and no others', async () => {
  const lines: string[] = []
  for (const role of ALL) {
    await page.be([role])
    lines.push(`# ${role}`, ...page.navigation())
  }
  expectGoldenLines(golden('navigation'), lines)
})
