import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Role } from '../../src/http/access.ts'
import { type Answers, type CannedPage, openCannedPage } from '../support/canned.ts'
import { expectGoldenLines } from '../support/golden.ts'
import { looks, squeezed, withoutChance } from '../support/outline.ts'
import type { Page } from '../support/page.ts'

/** One thing that somebody does on a page, with the words for it. */
export type Act<P extends Page = Page> = readonly [what: string, act: (page: P) => Promise<void>]

export const press = (name: string | RegExp): Act => [`press ${name}`, (page) => page.press(name)]
export const fill = (label: string | RegExp, value: string): Act => [
  `fill ${label}: ${value}`,
  (page) => page.fill(label, value),
]
export const write = (label: string, text: string): Act => [
  `write ${label}: ${text.split('\n')[0]}`,
  (page) => page.write(label, text),
]
export const choose = (name: string, text: string): Act => [
  `choose ${name}`,
  (page) => page.choose(new File([text], name)),
]
export const key = (name: string, held?: { ctrlKey?: boolean; shiftKey?: boolean }): Act => [
  `key ${held?.ctrlKey ? 'Ctrl ' : ''}${held?.shiftKey ? 'Shift ' : ''}${name}`,
  (page) => page.key(name, held),
]
export const open = (path: string): Act => [`open ${path}`, (page) => page.open(path)]
export const tick: Act<CannedPage> = ['wait', (page) => page.tick()]
/** Opens or closes what is folded under that line, as a press on it does in a browser. */
export const unfold = (line: string): Act => [
  `unfold ${line}`,
  async (page) => {
    const folded = [...document.querySelectorAll('details')].find(
      (one) => squeezed(one.querySelector('summary')?.textContent ?? '') === line,
    )
    if (folded === undefined) throw new Error(`nothing is folded under ${line}`)
    folded.open = !folded.open
    folded.dispatchEvent(new Event('toggle'))
    await page.settled()
  },
]
/** Chooses or ticks what has the label that begins so. */
export const pick = (label: string): Act => [
  `pick ${label}`,
  async (page) => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>('label input')]
    const named = inputs.find((one) => squeezed(one.closest('label')?.textContent ?? '').startsWith(label))
    if (named === undefined) throw new Error(`nothing is labelled ${label}`)
    named.click()
    await page.settled()
  },
]
/** Holds the texts of these elements in full, with the durations and sizes that a file of lines leaves out. */
export const reads = (selector: string, ...texts: string[]): Act => [
  `${selector} reads ${texts.join(' | ')}`,
  async () => {
    const found = [...document.querySelectorAll(selector)].map(({ textContent }) => squeezed(textContent ?? ''))
    expect(found).toEqual(texts)
  },
]
/** From here on, other things are answered. */
export const answering = (what: string, answers: Answers): Act<CannedPage> => [
  `answered: ${what}`,
  async (page) => page.answer(answers),
]

/** From here on, the person has other roles or the session another state. */
export const being = (what: string, roles: readonly Role[], more: object = {}): Act<CannedPage> => [
  `being ${what}`,
  (page) => page.be(roles, more),
]
export const leave: Act<CannedPage> = ['there is no session', (page) => page.leave()]

export interface Walk<P extends Page = Page> {
  path: string
  acts: readonly Act<P>[]
}

/** How many lines are gone, and the lines that are new. */
export function changes(before: readonly string[], after: readonly string[]): string[] {
  const left = [...before]
  const added = after.filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  return left.length === 0
    ? added
    : [left.length === 1 ? 'one line is gone' : `${left.length} lines are gone`, ...added]
}

export interface CannedWalk extends Walk<CannedPage> {
  answers: Answers
  /** Who looks at it, from here on; an administrator who is an operator at first. */
  as?: readonly Role[]
  /** The address of a like screen that was told of before: this one is told of by what is new beside that. */
  beside?: string
}

/** Takes every walk on a page of its own process, and holds what was asked for, what was sent and what the page showed against a file. */
export function describeWalks(
  title: string,
  guarantee: string,
  walks: Readonly<Record<string, CannedWalk>>,
  /** Whether icons, colours and places are held as well. */
  { withLooks = false } = {},
): void {
  describe(title, () => {
    let page: CannedPage
    beforeAll(async () => {
      page = await openCannedPage()
    })
    afterAll(() => page?.close())
    test(guarantee, async () => {
      const lines: string[] = []
      const known: Known = new Map()
      await page.be(['administrator', 'operator'])
      for (const [name, walk] of Object.entries(walks)) {
        const seen = told(page, walk, known, withLooks).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`, { cause: error })
        })
        lines.push(`# ${name}`, ...(await seen))
      }
      expect(page.undescribed()).toEqual([])
      expectGoldenLines(join(import.meta.dir, 'golden', `${title.replaceAll(' ', '-')}.txt`), lines)
    })
  })
}

/** Screens that were told of before, by address, are told of again by what is new. */
type Known = Map<string, Seen>

/** A page's outline, and its looks where they are wanted. */
type Seen = readonly [shown: readonly string[], looks: readonly string[]]

/**
 * A draft keeps itself when typing pauses for two seconds: on a busy machine that may come between two acts. test/console/autosave.test.ts
 * has it.
 */
const keptByItself = /^ *span data-state=/
function seenOf(page: CannedPage, withLooks: boolean): Seen {
  const kept = document.querySelector('.draft-kept')
  const shown = page.shown().filter((line) => !keptByItself.test(line))
  return [shown, withLooks ? changes(kept === null ? [] : looks(kept), page.looks()) : []]
}

async function told(
  page: CannedPage,
  { path, acts, answers, as, beside = path }: CannedWalk,
  known: Known,
  withLooks: boolean,
): Promise<string[]> {
  page.answer(answers)
  if (as !== undefined) await page.be(as)
  await page.open('/nowhere')
  for (const name of Object.keys(window.sessionStorage)) {
    if (name !== 'quire.person') window.sessionStorage.removeItem(name)
  }
  page.asked()
  page.sent()
  await page.open(path)
  const seen = () => seenOf(page, withLooks)
  const news = (before: Seen, after: Seen) => [...changes(before[0], after[0]), ...changes(before[1], after[1])]
  // A dialog comes and goes in front of the screen, which then is what it was.
  let screen = seen()
  const before = known.get(beside)
  const lines = [...page.asked(), ...page.sent(), ...(before === undefined ? screen.flat() : news(before, screen))]
  known.set(beside, before ?? screen)
  let dialog: Seen = [[], []]
  const look = () => {
    const after = seen()
    const isDialog = after[0][0]?.startsWith('dialog') === true
    const fresh = news(isDialog ? dialog : screen, after)
    dialog = isDialog ? after : [[], []]
    if (!isDialog) screen = after
    return fresh
  }
  look()
  for (const [what, act] of acts) {
    await act(page).catch((error: Error) => {
      throw new Error(`${what}: ${error.message}`, { cause: error })
    })
    lines.push(`## ${withoutChance(what)}`, ...page.asked(), ...page.sent(), ...look())
  }
  return lines
}
