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

const side = () => document.querySelector<HTMLElement>('aside')
const current = () => [...document.querySelectorAll('aside [aria-current]')].map(({ textContent }) => textContent)

test('the navigation keeps an entry lit below it, unless the screen below has an entry of its own', async () => {
  await page.be(['administrator', 'operator'])
  for (const [path, lit] of [
    ['/executions', ['Executions']],
    ['/executions/x-1', ['Executions']],
    ['/ingestion-models/x-1/review', ['Ingestion models']],
    ['/submissions/x-1', ['Submissions']],
    ['/submissions/new', ['New submission']],
    ['/account', []],
    ['/nowhere', []],
  ] as const) {
    await page.open(path)
    expect([path, current()]).toEqual([path, [...lit]])
  }
})

test('the navigation of a narrow window opens and closes by its button, and by Escape and a new address', async () => {
  const button = document.querySelector<HTMLButtonElement>('header [aria-controls=side]') as HTMLButtonElement
  const state = () => [
    button.getAttribute('aria-expanded'),
    side()?.dataset.open,
    button.querySelectorAll('svg').length,
  ]
  const icon = () => button.querySelector('path')?.getAttribute('d')
  const closed = ['false', 'false', 1]
  const toggle = async () => {
    button.click()
    await page.settled()
  }
  await page.open('/tokens')
  expect(state()).toEqual(closed)
  const menu = icon()
  for (const close of [toggle, () => page.key('Escape'), () => page.open('/users')]) {
    await toggle()
    expect([state(), icon() === menu]).toEqual([['true', 'true', 1], false])
    await page.key('x')
    expect(state()[0]).toBe('true')
    await close()
    expect([state(), icon() === menu]).toEqual([closed, true])
  }
})

test('the account is called by its name, else by what it signs in with, and tells of unread notices', async () => {
  const notice = (id: string, is_read: boolean) => ({
    id,
    kind: 'password_changed',
    is_read,
    created_at: '2026-11-20T09:30:00Z',
  })
  const user = { id: 'u-1', username: 'ada', roles: ['operator'], permissions: [] }
  const account = () => document.querySelector<HTMLElement>('.account') as HTMLElement
  const said = () => [
    account().querySelector('.avatar')?.textContent,
    account().querySelector<HTMLElement>('.avatar')?.dataset.unread,
    account().querySelector('.account-name')?.textContent,
    account().querySelector('.offscreen')?.textContent,
    document.querySelector('.menu [href="/account"] .status')?.textContent,
  ]
  page.answer({ 'GET /api/v1/auth/notices': { notices: [] } })
  await page.be(['operator'], { user: { ...user, display_name: '' } })
  await page.open('/nowhere')
  expect(said()).toEqual(['A', 'false', 'ada', ', account menu', undefined])
  page.answer({
    'GET /api/v1/auth/notices': { notices: [notice('n-1', false), notice('n-2', true), notice('n-3', false)] },
  })
  await page.be(['operator'], { user: { ...user, display_name: 'grace Hopper' } })
  await page.open('/account')
  expect(said()).toEqual(['G', 'true', 'grace Hopper', ', account menu, unread notices', '2 new'])
})

test('the account menu says whether signing out loses what is typed, and where the password is changed', async () => {
  page.answer({ 'GET /api/v1/auth/notices': { notices: [] } })
  await page.be(['operator'])
  const menu = document.getElementById('account-menu') as HTMLElement
  const open = async () => {
    menu.dispatchEvent(new Event('toggle'))
    await page.settled()
    return menu.querySelector('.status-warning')?.textContent
  }
  expect(await open()).toBeUndefined()
  window.sessionStorage.setItem('quire.draft.k-1', 'typed')
  expect(await open()).toBe('loses what is unsaved')
  window.sessionStorage.removeItem('quire.draft.k-1')
  expect(await open()).toBeUndefined()
  const password = () => menu.querySelector('[href="/password"]')?.textContent?.trim()
  expect(password()).toBe('Change password')
  const before = window.localStorage.getItem('quire.signed-in') ?? ''
  window.localStorage.setItem('quire.signed-in', 'provider')
  await page.open('/tokens')
  expect(password()).toBe('How you sign in')
  window.localStorage.setItem('quire.signed-in', before)
})
