import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type CannedPage, openCannedPage } from '../support/canned.ts'

let page: CannedPage
beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())
beforeEach(() => page.open('/nowhere'))

const dayMs = 86_400_000
const iso = (at: Date) => at.toISOString().replace('.000Z', 'Z')
/** An instant so many days and minutes from now, to the second. */
const ofToday = (days: number, minutes = 0) =>
  iso(new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * dayMs + minutes * 60_000))
const entry = (id: string, from: string, more: object = {}) => ({
  ...{
    id,
    kind: 'template',
    family_id: `f-${id}`,
    family_slug: id,
    version: 2,
    status: 'active',
    effective_from: from,
  },
  ...{ scheduled_at: '2025-12-01T08:00:00Z', correlation_id: `c-${id}` },
  ...more,
})
async function show(address: string, activations: readonly object[]): Promise<void> {
  page.answer({ 'GET /api/v1/activations/calendar': { activations, total: activations.length } })
  await page.open(address)
}
const textsOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '')
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))

describe('changes as a list', () => {
  const order = () =>
    [...document.querySelectorAll('.agenda-now, .calendar-change-title')].map((element) =>
      element.classList.contains('agenda-now') ? 'now' : element.textContent,
    )

  test.each([
    ['between what has come and what is to come', [-3, -2, 2, 3], ['a0', 'a1', 'now', 'a2', 'a3']],
    ['below what has come, where nothing is to come', [-3, -2], ['a0', 'a1', 'now']],
    ['above what is to come, where nothing has come', [2, 3], ['now', 'a0', 'a1']],
  ] as const)('have the present %s', async (_, days, expected) => {
    await show(
      '/activations?tab=list',
      days.map((day, index) => entry(`a${index}`, ofToday(day), day > 0 ? { status: 'scheduled' } : {})),
    )
    expect(order()).toEqual([...expected])
  })

  test('have the present within today, too, and today is called so', async () => {
    const begun = new Date()
    await show('/activations?tab=list', [
      entry('gone', ofToday(0, -0.5)),
      entry('coming', ofToday(0, 5), { status: 'scheduled' }),
    ])
    expect(order()).toEqual(['gone', 'now', 'coming'])
    const isNearMidnight = begun.getUTCHours() === 23 && begun.getUTCMinutes() > 53
    if (!isNearMidnight) expect(textsOf('.agenda-day h3 .muted').at(-1)).toBe('Today')
  })

  test('show the parts of up to six changes at once, and those of more when they are pressed', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => entry(`a${index}`, ofToday(-index - 1)))
    for (const [count, isOpen] of [
      [6, 'true'],
      [7, 'false'],
    ] as const) {
      await page.open('/nowhere')
      await show('/activations?tab=list', many(count))
      const heads = [...document.querySelectorAll('.calendar-change-head')]
      expect([count, ...new Set(heads.map((head) => head.getAttribute('aria-expanded')))]).toEqual([count, isOpen])
    }
  })
})

describe('a month of changes', () => {
  const cell = (day: string) => {
    const cells = [...document.querySelectorAll<HTMLElement>('.month-cell')]
    return cells.find((one) => one.querySelector('.offscreen')?.textContent?.includes(day)) as HTMLElement
  }
  const pressed = () => document.querySelector('.month-cell[aria-pressed=true] .offscreen')?.textContent?.trim()

  test('shows today where nothing else is asked for, and marks it', async () => {
    // Two days where midnight comes between.
    const days = [new Date().getDate()]
    await show('/activations?tab=month', [])
    days.push(new Date().getDate())
    const today = document.querySelector('[aria-current=date]')
    expect(today?.getAttribute('aria-pressed')).toBe('true')
    expect(days).toContain(Number(today?.querySelector('.month-number')?.textContent))
    expect(textsOf('.month-day h3')).toEqual([pressed() ?? ''])
    expect(document.querySelectorAll('[aria-current=date]').length).toBe(1)
  })

  test.each([
    ['the day that is asked for', '&day=2099-01-15', 'Thursday 15 January 2099'],
    ['the first on which something changes', '', 'Tuesday 20 January 2099'],
    ['that where a day of another month is asked for', '&day=2099-02-15', 'Tuesday 20 January 2099'],
    ['that where no such day is', '&day=2099-01-32', 'Tuesday 20 January 2099'],
  ])('chooses %s', async (_, asked, expected) => {
    const changes = [
      entry('before', '2098-12-30T08:00:00Z'),
      entry('a', '2099-01-20T08:00:00Z'),
      entry('b', '2099-01-22T08:00:00Z'),
    ]
    await show(`/activations?tab=month&month=2099-01${asked}`, changes)
    expect(pressed()?.replace(',', '')).toBe(expected)
  })

  test('chooses its first day where nothing changes', async () => {
    await show('/activations?tab=month&month=2099-01', [])
    expect(pressed()?.replace(',', '')).toBe('Thursday 1 January 2099')
  })

  test('names up to four changes of a day, and how many there are besides three', async () => {
    const of = (day: string, count: number) =>
      Array.from({ length: count }, (_, index) => entry(`${day}-${index}`, `2099-01-${day}T0${index}:00:00Z`))
    const set = [
      entry('m', '2099-01-08T08:00:00Z', { correlation_id: 'one' }),
      entry('n', '2099-01-08T08:00:00Z', { correlation_id: 'one' }),
    ]
    await show('/activations?tab=month&month=2099-01', [...of('05', 3), ...of('06', 4), ...of('07', 5), ...set])
    const chips = (day: string) => [
      cell(day).querySelectorAll('.month-chip').length,
      cell(day).querySelector('.month-more')?.textContent,
      cell(day).querySelector('.month-chip-count')?.textContent,
    ]
    expect(['5 January', '6 January', '7 January', '8 January', '9 January'].map(chips)).toEqual([
      [3, undefined, undefined],
      [4, undefined, undefined],
      [3, '2 more', undefined],
      [1, undefined, '2'],
      [0, undefined, undefined],
    ])
    // Three changes of a day are shown whole, four as lines.
    for (const [day, isOpen] of [
      ['5 January', 'true'],
      ['6 January', 'false'],
    ] as const) {
      cell(day).click()
      await page.settled()
      const heads = [...document.querySelectorAll('.month-day .calendar-change-head')]
      expect([day, ...new Set(heads.map((head) => head.getAttribute('aria-expanded')))]).toEqual([day, isOpen])
    }
    expect(query()).toEqual({ tab: 'month', month: '2099-01', day: '2099-01-06' })
    const link = document.querySelector('.month-day p a')?.getAttribute('href') ?? ''
    expect(new URLSearchParams(link.split('?')[1]).get('at')).toBe('2099-01-06T23:59:59Z')
  })

  test('is left by keys alone, without any that the browser has for itself', async () => {
    await show('/activations?tab=month&month=2099-01&day=2099-01-15', [])
    const grid = () => document.querySelector<HTMLElement>('.month-grid [tabindex="0"]')
    const hit = async (key: string, held: object = {}) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held })
      grid()?.dispatchEvent(event)
      await page.settled()
      return [query().day, event.defaultPrevented]
    }
    for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }]) {
      expect(await hit('ArrowLeft', held)).toEqual(['2099-01-15', false])
    }
    expect(await hit('Enter')).toEqual(['2099-01-15', false])
    expect(document.activeElement).not.toBe(grid())
    const steps: [key: string, day: string][] = [
      ['ArrowRight', '2099-01-16'],
      ['ArrowLeft', '2099-01-15'],
      ['ArrowDown', '2099-01-22'],
      ['ArrowUp', '2099-01-15'],
      ['PageDown', '2099-02-15'],
      ['PageUp', '2099-01-15'],
    ]
    for (const [key, day] of steps) {
      expect(await hit(key)).toEqual([day, true])
      expect([key, document.activeElement === grid(), query().month]).toEqual([key, true, day.slice(0, 7)])
    }
  })

  test('goes back to today, and says that only some of its changes are shown', async () => {
    page.answer({
      'GET /api/v1/activations/calendar': { activations: [entry('a', '2099-01-20T08:00:00Z')], total: 2 },
    })
    await page.open('/activations?tab=month&month=2099-01&day=2099-01-20&kind=template')
    expect(textsOf('.note-warning')).toEqual(['The first 1 of 2 are shown. Choose a kind to see the others.'])
    await page.press('Today')
    expect(query()).toEqual({ tab: 'month', kind: 'template' })
    await page.open('/activations?tab=list&month=2099-01')
    expect(textsOf('.note-warning')).toEqual([
      'The first 1 of 2 are shown. Choose a kind or a later month to see the others.',
    ])
    expect(textsOf('.calendar h2')).toEqual(['January 2099 – December 2099'])
    await show('/activations?tab=list&month=2099-01&kind=template', [])
    expect(textsOf('.calendar-empty')).toEqual(['Nothing comes into force in these months, as it is filtered.'])
  })
})
