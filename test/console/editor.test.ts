import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { EditorView } from '@codemirror/view'
import type { EditorProps, KeptPast } from '../../src/console/parts/editor-props.ts'
import { until } from '../support/until.ts'
import { openWindow } from '../support/window.ts'

let giveBack: () => void
let draw: (props: Partial<EditorProps> | undefined) => Promise<void>
let editor: EditorView
/** What the page was told, in order. */
let told: string[]
const first = '{\n  "number": 1,\n  "name": "Ada"\n}\n'

beforeEach(async () => {
  giveBack = openWindow()
  // It knows no rule of a class with a letter beyond ASCII; nothing here is drawn.
  window.CSSStyleSheet.prototype.insertRule = () => 0
  told = []
  const { h, render } = await import('preact')
  const { act } = await import('preact/test-utils')
  const { CodeEditor } = await import('../../src/console/code/code-editor.tsx')
  const { EditorView: View } = await import('@codemirror/view')
  const root = document.createElement('div')
  document.body.append(root)
  draw = async (props) => {
    const all: EditorProps = { label: 'Source', language: 'json', value: first, onChange: (text) => told.push(text) }
    await act(() => render(props === undefined ? null : h(CodeEditor, { ...all, ...props }), root))
    if (props === undefined) return
    const found = root.querySelector('[data-label=Source]')?.shadowRoot?.querySelector<HTMLElement>('.cm-editor')
    editor = View.findFromDOM(found as HTMLElement) as EditorView
  }
})
afterEach(async () => {
  await draw(undefined)
  giveBack()
})
const text = () => editor.state.doc.toString()
const type = (insert: string, from = 0, to = from) =>
  editor.dispatch({ changes: { from, to, insert }, userEvent: 'input.type' })
const undone = async () => {
  const { undo } = await import('@codemirror/commands')
  return [undo(editor), text()]
}
const lit = () =>
  [...(editor.dom.querySelectorAll('.cm-line.cm-lit') as NodeListOf<HTMLElement>)].map((line) =>
    line.textContent?.trim(),
  )

test('the editor tells of what is typed, and not of what the page puts into it', async () => {
  await draw({})
  type('x')
  expect([told, text()]).toEqual([[`x${first}`], `x${first}`])
  await draw({ value: `x${first}` })
  await draw({ value: 'of the page' })
  expect([told.length, text()]).toEqual([1, 'of the page'])
})

test('a text that was told and comes back late doesn’t take away what was typed since', async () => {
  await draw({})
  type('a')
  type('b')
  await draw({ value: `a${first}` })
  expect(text()).toBe(`ba${first}`)
  await draw({ value: `ba${first}` })
  expect(text()).toBe(`ba${first}`)
  // Once they have come back they aren't the editor's own any more.
  for (const value of [`a${first}`, `ba${first}`]) {
    await draw({ value })
    expect(text()).toBe(value)
  }
})

test('a text of the page is undone as a step of its own, and only where it differs', async () => {
  await draw({})
  type('x', first.length)
  await draw({ value: `${first}x` })
  await draw({ value: `${first}x, more` })
  expect(await undone()).toEqual([true, `${first}x`])
  expect(await undone()).toEqual([true, first])
})

test('a text with other ends of lines is the same text', async () => {
  await draw({ value: 'a\nb' })
  type('x', 3)
  await draw({ value: 'a\r\nbx' })
  expect([text(), await undone()]).toEqual(['a\nbx', [true, 'a\nb']])
})

test('lines are lit that the text has, each once, and follow what is typed above them', async () => {
  await draw({ litLines: [3, 0, 2, 3, 99] })
  expect(lit()).toEqual(['"number": 1,', '"name": "Ada"'])
  type('\n')
  expect(lit()).toEqual(['"number": 1,', '"name": "Ada"'])
  await draw({ litLines: [] })
  expect(lit()).toEqual([])
})

test('a place that is brought into view is selected to the end of its word, and has the focus', async () => {
  const focused: string[] = []
  await draw({})
  editor.contentDOM.focus = () => void focused.push('editor')
  for (const [line, column, selected] of [
    [2, 3, '"number"'],
    [2, 13, '1'],
    [3, 10, ' '],
    [99, 1, ''],
    [0, 0, '{'],
  ] as const) {
    await draw({ reveal: { line, column } })
    const { from, to } = editor.state.selection.main
    expect([line, column, text().slice(from, to)]).toEqual([line, column, selected])
  }
  expect(focused.length).toBeGreaterThan(0)
  const before = editor.state.selection.main
  const count = focused.length
  await draw({ reveal: { line: 3, column: 1, quietly: true } })
  expect([editor.state.selection.main.eq(before), focused.length]).toEqual([true, count])
})

test('the line of the cursor is told whenever it is put somewhere', async () => {
  const lines: number[] = []
  await draw({ onLine: (line) => lines.push(line) })
  editor.dispatch({ selection: { anchor: 5 } })
  editor.dispatch({ selection: { anchor: text().length } })
  type('x')
  expect(lines).toEqual([2, 5])
})

test('without somebody to tell, the text is to be read only', async () => {
  await draw({})
  expect(editor.state.readOnly).toBe(false)
  await draw(undefined)
  const { h, render } = await import('preact')
  const { CodeEditor } = await import('../../src/console/code/code-editor.tsx')
  const { EditorView: View } = await import('@codemirror/view')
  const root = document.createElement('div')
  document.body.append(root)
  render(h(CodeEditor, { label: 'Read', language: 'yaml', value: 'a: 1' }), root)
  const found = root.querySelector('[data-label=Read]')?.shadowRoot?.querySelector<HTMLElement>('.cm-editor')
  expect(View.findFromDOM(found as HTMLElement)?.state.readOnly).toBe(true)
  expect(found?.querySelector('.cm-content')?.getAttribute('tabindex')).toBe('0')
  render(null, root)
})

test('findings are at their places, with what helps', async () => {
  const { forEachDiagnostic } = await import('@codemirror/lint')
  const finding = {
    code: 'x',
    severity: 'error',
    message: 'No number.',
    hint: 'Write one.',
    line: 2,
    column: 13,
  } as const
  await draw({ findings: [finding, { code: 'y', severity: 'warning', message: 'Odd.' }] })
  const found: unknown[] = []
  forEachDiagnostic(editor.state, ({ severity, message }, from, to) =>
    found.push([severity, message, text().slice(from, to)]),
  )
  expect(found).toEqual([
    ['warning', 'Odd.', '{'],
    ['error', 'No number. Write one.', '1'],
  ])
})

test('what can be undone is kept when the editor or the page is left, and only after a change', async () => {
  const kept: KeptPast[] = []
  const past = { recall: () => undefined, keep: (one: KeptPast) => void kept.push(one) }
  await draw({ past })
  window.dispatchEvent(new Event('pagehide'))
  await draw(undefined)
  expect(kept).toEqual([])
  await draw({ past })
  type('x')
  window.dispatchEvent(new Event('pagehide'))
  expect(kept.map(({ text: one }) => one)).toEqual([`x${first}`])
  await draw(undefined)
  window.dispatchEvent(new Event('pagehide'))
  expect(kept).toHaveLength(2)
  await draw({ value: `x${first}`, past: { ...past, recall: () => kept[0] } })
  expect(await undone()).toEqual([true, first])
})

test('it is kept when typing pauses, once', async () => {
  const kept: KeptPast[] = []
  await draw({ past: { recall: () => undefined, keep: (one) => void kept.push(one) } })
  type('x')
  type('y')
  await until('it is kept', () => kept.length > 0)
  expect(kept.map(({ text: one }) => one)).toEqual([`yx${first}`])
  window.dispatchEvent(new Event('pagehide'))
  expect(kept).toHaveLength(1)
})

test('what another version kept is nothing to this one', async () => {
  await draw({ past: { recall: () => ({ text: 'old', steps: 'unheard of' }), keep: () => {} } })
  expect([text(), (await undone())[0]]).toEqual([first, false])
})

test('a past of an earlier text is taken up, and the present text is a step over it', async () => {
  const kept: KeptPast[] = []
  await draw({ past: { recall: () => undefined, keep: (one) => void kept.push(one) } })
  type('x')
  await draw(undefined)
  await draw({ value: 'present', past: { recall: () => kept.at(-1), keep: () => {} } })
  expect(text()).toBe('present')
  expect(await undone()).toEqual([true, `x${first}`])
  expect(await undone()).toEqual([true, first])
})

test('completions are offered behind what begins a path or a variable, and where they are asked for', async () => {
  const { currentCompletions, startCompletion } = await import('@codemirror/autocomplete')
  const completions = () => [{ label: '/number', detail: 'integer' }, { label: '/name' }, { label: '$loop' }]
  await draw({ value: 'a: /n', language: 'yaml', completions })
  editor.dispatch({ selection: { anchor: 5 } })
  startCompletion(editor)
  await until('they are offered', () => currentCompletions(editor.state).length > 0)
  expect(currentCompletions(editor.state).map(({ label }) => label)).toEqual(['/name', '/number'])
})

test('what is typed over a selection goes to the editor and not to the page', async () => {
  await draw({ language: 'text', value: 'one two' })
  const press = (init: InputEventInit) => {
    const event = new InputEvent('beforeinput', { inputType: 'insertText', bubbles: true, cancelable: true, ...init })
    editor.contentDOM.dispatchEvent(event)
    return event.defaultPrevented
  }
  editor.dispatch({ selection: { anchor: 0, head: 3 } })
  expect([press({ data: 'x' }), text(), told]).toEqual([true, 'x two', ['x two']])
  // Nothing is selected now; and the rest is the page's own.
  expect([press({ data: 'y' }), text()]).toEqual([false, 'x two'])
  editor.dispatch({ selection: { anchor: 0, head: 1 } })
  expect([press({ data: 'y', inputType: 'insertFromPaste' }), text()]).toEqual([false, 'x two'])
})
