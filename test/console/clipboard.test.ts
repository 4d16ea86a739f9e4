import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

let copyText: typeof import('../../src/console/parts/clipboard.ts').copyText
let giveBack: () => void
/** What was copied, and the part of the page that it was selected in. */
let copied: string[]
let isRefused: boolean

beforeEach(async () => {
  giveBack = openWindow()
  copied = []
  isRefused = false
  document.execCommand = (command: string) => {
    const area = document.querySelector('textarea')!
    // As in a browser, where what is selected has the focus.
    area.focus()
    copied.push(`${command} ${area.value} in ${area.parentElement?.tagName}, ${area.className}`)
    return !isRefused
  }
  ;({ copyText } = await import('../../src/console/parts/clipboard.ts'))
})
afterEach(() => giveBack())

function clipboard(writeText: (text: string) => Promise<void>): void {
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
}
const without = () => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })

test('a text goes to the clipboard where the browser has one for the page', async () => {
  clipboard(async (text) => void copied.push(text))
  expect([await copyText('abc'), copied]).toEqual([true, ['abc']])
})

test('a clipboard that refuses, or none, is gone round by a selection, which is taken away', async () => {
  for (const prepare of [without, () => clipboard(() => Promise.reject(new Error('not focused')))]) {
    prepare()
    copied = []
    expect([await copyText('abc'), copied]).toEqual([true, ['copy abc in BODY, offscreen']])
    expect(document.querySelector('textarea')).toBeNull()
  }
})

test('what was selected is in the open dialog, and the focus goes back to the button', async () => {
  without()
  document.body.innerHTML = '<dialog open><button>Copy</button></dialog>'
  const button = document.querySelector('button')!
  button.focus()
  expect([await copyText('abc'), copied]).toEqual([true, ['copy abc in DIALOG, offscreen']])
  expect(document.activeElement).toBe(button)
})

test('what could not be copied is said to be so, and leaves nothing on the page', async () => {
  without()
  isRefused = true
  expect(await copyText('abc')).toBe(false)
  expect(document.body.children).toHaveLength(0)
})
