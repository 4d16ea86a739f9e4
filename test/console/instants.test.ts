import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answers, type CannedPage, openCannedPage } from '../support/canned.ts'
import { at, family, version } from './families.ts'

const past = '2026-01-05T08:00:00Z'
const activation = (id: string, number: number, status: string, from: string) => ({
  ...{ id, kind: 'transformer', family_id: 't-1', family_slug: 'letter', version_id: `v-${number}`, version: number },
  ...{ status, effective_from: from, scheduled_at: past, correlation_id: 'c-1' },
})
const dayMs = 86_400_000

let page: CannedPage
/** What was sent, by method and path. */
let sent: Record<string, unknown>[]
const taken = (answer: object) => (body: unknown) => {
  sent.push(body as Record<string, unknown>)
  return answer
}

beforeAll(async () => {
  page = await openCannedPage()
  await page.be(['administrator', 'operator'])
})
afterAll(() => page?.close())

async function chooseWhen(index: 0 | 1): Promise<void> {
  document.querySelectorAll<HTMLInputElement>('input[name=when]')[index]?.click()
  await page.settled()
}

/** Milliseconds from the beginning of an act to the instant that it sent. */
async function sentAfterMs(act: () => Promise<void>, member = 'effective_from'): Promise<number> {
  const begun = Date.now()
  sent = []
  await act()
  return new Date(String(sent.at(-1)?.[member])).getTime() - begun
}

describe('the instant from which a version is in force', () => {
  const publish = 'POST /api/v1/transformers/t-1/versions/2/publish'
  const versions = (activations: object[], more: Answers = {}): Answers => ({
    'GET /api/v1/transformers/t-1': family('t-1', 'letter', 'Letter', {
      kind: 'transformer',
      versions: [version(1), version(2)],
    }),
    'GET /api/v1/transformers/t-1/versions/2': { ...version(2), format: 'yaml', source: 'a: 1\n' },
    'GET /api/v1/activations': { activations },
    [publish]: taken({}),
    ...more,
  })
  const open = async (activations: object[]) => {
    page.answer(versions(activations))
    await page.open('/nowhere')
    await page.open('/transformers/t-1?tab=versions')
    await page.press(/^Put in force v2/)
  }
  const put = () => page.press('Put in force')
  // A slow machine takes its time between the press and what is sent.
  const slowMs = 60_000

  test.each([
    ['is the present, where nothing was in force', [], 0],
    ['is the present, where something is in force', [activation('a-1', 1, 'active', past)], 0],
    [
      'is a little later, where something is to come and the server takes no past instant',
      [activation('a-1', 1, 'scheduled', '2099-01-01T00:00:00Z')],
      2_000,
    ],
    ['is a little later, where all was taken back', [activation('a-1', 1, 'cancelled', past)], 2_000],
  ] as const)('%s', async (_, activations, leadMs) => {
    await open([...activations])
    const ms = await sentAfterMs(put)
    expect(ms).toBeGreaterThanOrEqual(leadMs)
    expect(ms).toBeLessThan(leadMs + slowMs)
    // Nothing tells the two apart on a machine that is as slow as that.
    if (leadMs === 0) expect(new Date(String(sent[0]?.effective_from)).getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('is the one that is typed, as the person’s clock has it, and begins a day from now', async () => {
    await open([activation('a-1', 1, 'active', past)])
    const begun = Date.now()
    await chooseWhen(1)
    const field = document.querySelector<HTMLInputElement>('input[type=datetime-local]')
    const offered = new Date(`${field?.value}Z`).getTime()
    expect(offered).toBeGreaterThan(begun + dayMs - slowMs - 60_000)
    expect(offered).toBeLessThanOrEqual(Date.now() + dayMs)
    await page.fill('In force from', '2098-02-03T04:05')
    expect(page.shown().join('\n')).toContain('Compared with the official time of each object.')
    sent = []
    await put()
    expect(sent).toEqual([{ effective_from: '2098-02-03T04:05:00Z' }])
  })

  test('may be past for the first version alone', async () => {
    for (const [activations, isRefused] of [
      [[], false],
      [[activation('a-1', 1, 'active', past)], true],
    ] as const) {
      await open([...activations])
      await chooseWhen(1)
      await page.fill('In force from', '2020-01-01T00:00')
      const field = document.querySelector('input[type=datetime-local]')
      const button = document.querySelector<HTMLButtonElement>('dialog [type=submit]')
      expect([field?.getAttribute('aria-invalid'), button?.disabled]).toEqual([String(isRefused), isRefused])
      const isTold = page.shown().some((line) => line.includes('history never changes'))
      expect(isTold).toBe(isRefused)
      await chooseWhen(0)
      expect(button?.disabled).toBe(false)
      await page.press('Cancel')
    }
  })
})

describe('the instant of a set', () => {
  const plan = {
    ...{
      valid: true,
      plan_hash: 'p-1',
      effective_from: '2098-02-03T04:05:00Z',
      issues: [],
      broken_cases: [],
      cases_run: 0,
    },
    members: [
      {
        ...{ kind: 'ingestion_model', slug: 'letters', name: 'Letters', family_id: 'm-1', action: 'activate' },
        ...{ nodes: [], content_hash: 'h', to_version: 1, newest_version: 3 },
      },
      {
        ...{ kind: 'template', slug: 'head', name: 'Head', family_id: 'p-1', action: 'none' },
        ...{ nodes: [], content_hash: 'h', from_version: 2, to_version: 2, newest_version: 2 },
      },
    ],
  }
  const answers: Answers = {
    'GET /api/v1/ingestion-models/m-1': family('m-1', 'letters', 'Letters', { kind: 'ingestion_model' }),
    'POST /api/v1/activation-sets/plan': taken(plan),
    'POST /api/v1/activation-sets': taken({ effective_from: at, activations: [] }),
  }
  const base = { ingestion_model_id: 'm-1', state: 'newest', versions: [] }

  test('is planned and applied as it was typed, with the versions that were chosen', async () => {
    sent = []
    page.answer(answers)
    await page.open('/ingestion-models/m-1/review')
    expect(sent).toEqual([base])
    sent = []
    await chooseWhen(1)
    await page.fill('In force from', '2098-02-03T04:05')
    const later = { ...base, effective_from: '2098-02-03T04:05:00Z' }
    expect(sent.at(-1)).toEqual(later)
    await page.fill('Version of Head', '1')
    expect(sent.at(-1)).toEqual({ ...later, versions: [{ family_id: 'p-1', version: 1 }] })
    // Another version of the model may name other parts.
    await page.fill('Version of Letters', '2')
    const chosen = { ...later, versions: [{ family_id: 'm-1', version: 2 }] }
    expect(sent.at(-1)).toEqual(chosen)
    const planned = sent.length
    for (const text of ['2020-01-01T00:00', '']) {
      await page.fill('In force from', text)
      expect([text, sent.length, document.querySelector<HTMLButtonElement>('[type=submit]')?.disabled]).toEqual([
        text,
        planned,
        true,
      ])
    }
    await page.fill('In force from', '2098-02-03T04:05')
    sent = []
    await page.press('Put all in force')
    expect(sent).toEqual([{ ...chosen, plan_hash: 'p-1' }])
    await page.press('Close')
  })

  test('that it goes back to is asked for as the address has it, and by no other choice', async () => {
    sent = []
    page.answer(answers)
    await page.open('/nowhere')
    await page.open('/ingestion-models/m-1/review?state=past&as_of=2026-01-04T00:00:00.000Z')
    expect(sent).toEqual([{ ...base, state: 'past', as_of: '2026-01-04T00:00:00Z' }])
    document.querySelectorAll<HTMLInputElement>('input[name=state]')[2]?.click()
    await page.settled()
    expect(sent.at(-1)).toEqual({ ...base, state: 'before' })
    expect(page.shown().join('\n')).toContain('button.button-primary type=submit aria-disabled=false "Put it back"')
  })
})

describe('the slider over time', () => {
  test('names an instant to the minute, and Back to now leaves it', async () => {
    page.answer({
      'GET /api/v1/activations': {
        activations: [activation('a-2', 2, 'active', past), activation('a-1', 1, 'superseded', '2025-12-01T08:00:30Z')],
      },
    })
    await page.open('/activations')
    const slider = document.querySelector<HTMLInputElement>('input[type=range]') as HTMLInputElement
    const move = async (value: number) => {
      Object.defineProperty(slider, 'valueAsNumber', { value, configurable: true })
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await page.settled()
      return new URLSearchParams(window.location.search).get('at') ?? ''
    }
    const [first, last] = [await move(0), await move(1_000)]
    for (const one of [first, last]) expect(one).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/)
    // Both ends have eight hundredths of what lies between the first of all and the present.
    const [from, now] = [new Date('2025-12-01T08:00:30Z').getTime(), Date.now()]
    const room = (now - from) * 0.08
    expect(Math.abs(new Date(first).getTime() - (from - room))).toBeLessThan(120_000)
    expect(Math.abs(new Date(last).getTime() - (now + room))).toBeLessThan(180_000)
    const middle = new Date(await move(500)).getTime()
    expect(Math.abs(middle - (new Date(first).getTime() + new Date(last).getTime()) / 2)).toBeLessThanOrEqual(60_000)
    expect(slider.getAttribute('aria-valuetext')).toBe(
      document.querySelector('.slider-at')?.textContent ?? 'there is none',
    )
    await page.open('/activations?at=2025-12-24T00:00:00Z')
    const spans = [...document.querySelectorAll<HTMLElement>('.lane-span')]
    expect(spans.map(({ dataset, textContent }) => [textContent, dataset.status, dataset.at])).toEqual([
      ['v1', 'superseded', 'true'],
      ['v2', 'active', 'false'],
    ])
    const shareOf = (one: string) => Number.parseFloat(document.querySelector<HTMLElement>(one)?.style.left ?? '')
    const [left = 0, second = 0] = spans.map(({ style }) => Number.parseFloat(style.left))
    expect(left).toBeCloseTo((room / (now - from + 2 * room)) * 100, 1)
    expect(Number.parseFloat(spans[0]?.style.width ?? '')).toBeCloseTo(second - left, 6)
    expect(second + Number.parseFloat(spans[1]?.style.width ?? '')).toBeCloseTo(100, 6)
    expect(shareOf('.lane-cursor')).toBeGreaterThan(left)
    expect(shareOf('.lane-cursor')).toBeLessThan(second)
    expect(shareOf('.lane-now')).toBeCloseTo(((now - from + room) / (now - from + 2 * room)) * 100, 1)
    expect(slider.value).toBe(String(Math.round(shareOf('.lane-cursor') * 10)))
    await page.press('Back to now')
    expect(window.location.search).toBe('')
  })
})
