/**
 * CodeMirror in a shadow tree: there it keeps its styles in constructed sheets, which a strict Content-Security-Policy
 * allows, whereas in the page itself it would write style elements. Colours come through the page's custom properties.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyField, historyKeymap, isolateHistory } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import {
  EditorSelection,
  EditorState,
  type EditorStateConfig,
  type Extension,
  StateEffect,
  StateField,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Finding } from '../../core/finding.ts'
import type { EditorProps, KeptPast } from '../parts/editor-props.ts'
import { changesBetween, withOneLineEnd } from './changes.ts'
import { editorTheme, highlighting } from './theme.ts'

const setLitLines = StateEffect.define<readonly number[]>()

const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setLitLines)) continue
      const { doc } = transaction.state
      const known = [...new Set(effect.value)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b)
      next = Decoration.set(known.map((line) => Decoration.line({ class: 'cm-lit' }).range(doc.line(line).from)))
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function CodeEditor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  // The editor is made once; what it calls is always the newest.
  const newest = useRef(props)
  newest.current = props
  // Typing outruns the page: texts that were reported and have not come back as a value yet are the editor's own.
  const told = useRef<string[]>([])
  // Hashing a long text takes a while, so the undo history is kept only after a change.
  const isChanged = useRef(false)

  useLayoutEffect(() => {
    if (host.current === null) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const made = new EditorView({ root, parent: root, state: createState(newest, told, isChanged) })
    view.current = made
    // A page that is left has no time for a pause in typing.
    const keep = () => {
      if (isChanged.current) keepPast(made.state, newest.current)
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
      made.destroy()
    }
  }, [])

  useLayoutEffect(() => {
    const editor = view.current
    const known = told.current.lastIndexOf(props.value)
    if (known >= 0) told.current.splice(0, known + 1)
    if (known >= 0 || editor === undefined) return
    const changes = changesBetween(editor.state.doc.toString(), withOneLineEnd(props.value))
    // A step of its own for undoing, whatever was typed just before.
    if (changes.length > 0) editor.dispatch({ changes, annotations: isolateHistory.of('full') })
  }, [props.value])

  // Any property of the editor has the browser lay out the page at once, so only what changed is set.
  const findings = useSteady(props.findings)
  useLayoutEffect(() => {
    const editor = view.current
    if (editor === undefined) return
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, findings)))
  }, [findings])

  const lines = useSteady(props.litLines)
  useLayoutEffect(() => {
    view.current?.dispatch({ effects: setLitLines.of(lines) })
  }, [lines])

  useLayoutEffect(() => {
    const editor = view.current
    const { reveal } = props
    if (editor === undefined || reveal === undefined) return
    const at = offsetOf(editor.state, reveal.line, reveal.column)
    const scroll = EditorView.scrollIntoView(at, { y: 'center' })
    if (reveal.quietly === true) {
      // With the next picture, for which the browser lays out the page anyway.
      const frame = requestAnimationFrame(() => editor.dispatch({ effects: scroll }))
      return () => cancelAnimationFrame(frame)
    }
    editor.dispatch({ selection: { anchor: at, head: tokenEnd(editor.state, at) }, effects: scroll })
    editor.focus()
  }, [props.reveal])

  return <div ref={host} class="editor-host" data-label={props.label} />
}

/** The same list for as long as it has the same items. */
function useSteady<Item>(list: readonly Item[] = []): readonly Item[] {
  const steady = useRef(list)
  const known = steady.current
  if (list.length !== known.length || list.some((item, at) => item !== known[at])) steady.current = list
  return steady.current
}

function createState(
  newest: { current: EditorProps },
  told: { current: string[] },
  isChanged: { current: boolean },
): EditorState {
  const { value, language, label, onChange, past } = newest.current
  const isReadOnly = onChange === undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  const config = {
    doc: value,
    extensions: [
      lineNumbers(),
      foldGutter({ openText: '⌄', closedText: '›' }),
      isReadOnly ? [] : lintGutter(),
      history(),
      drawSelection(),
      languageOf(language),
      highlightActiveLine(),
      highlightSelectionMatches(),
      autocompletion({ override: [(context) => complete(context, newest.current)], icons: false }),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      syntaxHighlighting(highlighting),
      editorTheme,
      litLines,
      EditorState.readOnly.of(isReadOnly),
      EditorState.tabSize.of(2),
      // Read-only text still takes the focus, so that it can be scrolled and selected by keyboard.
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.domEventHandlers({ beforeinput: replaceSelection }),
      EditorView.updateListener.of((update) => {
        const { onChange: changed, onLine } = newest.current
        if (update.docChanged && past !== undefined) {
          isChanged.current = true
          clearTimeout(pause)
          pause = setTimeout(() => {
            isChanged.current = false
            keepPast(update.view.state, newest.current)
          }, keepPauseMs)
        }
        if (update.docChanged && !isProgrammatic(update.transactions)) {
          const text = update.state.doc.toString()
          told.current.push(text)
          changed?.(text)
        }
        if (onLine !== undefined && update.selectionSet) {
          onLine(update.state.doc.lineAt(update.state.selection.main.head).number)
        }
      }),
    ],
  }
  const kept = isReadOnly ? undefined : past?.recall(value)
  return (kept && withPast(config, kept)) ?? EditorState.create(config)
}

const withHistory = { history: historyField }

/** The same with the kept undo history; undefined if this version can't read it, such as that of an earlier one. */
function withPast(config: EditorStateConfig, { text, steps }: KeptPast): EditorState | undefined {
  const selection = EditorSelection.single(text.length).toJSON()
  try {
    return EditorState.fromJSON({ doc: text, selection, history: steps }, config, withHistory)
  } catch {
    return undefined
  }
}

/** How long a pause in typing lasts before a step that can be undone is kept. */
const keepPauseMs = 400

function keepPast(state: EditorState, { past, onChange }: EditorProps): void {
  if (past === undefined || onChange === undefined) return
  const { doc: text, history: steps } = state.toJSON(withHistory)
  past.keep({ text, steps })
}

/** Text without a language is taken as it is typed: quotes and brackets aren't completed in pairs. */
function languageOf(language: EditorProps['language']): Extension {
  if (language === 'text') return []
  return [indentOnInput(), bracketMatching(), closeBrackets(), language === 'json' ? json() : yaml()]
}

/**
 * Types over a selection by the editor's own code. Otherwise Chromium would keep the selection's look by a style
 * attribute, which the Content-Security-Policy refuses with an error in the browser's console.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main
  const text = event.data
  if (event.inputType !== 'insertText' || text === null || empty || event.isComposing) return false
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
  if (!isHandled) view.dispatch(insert())
  return true
}

/** A change that came from the page's state is not reported back. */
function isProgrammatic(transactions: readonly { isUserEvent(event: string): boolean }[]): boolean {
  return !transactions.some((transaction) =>
    ['input', 'delete', 'move', 'undo', 'redo'].some((event) => transaction.isUserEvent(event)),
  )
}

function complete(context: CompletionContext, { completions }: EditorProps): CompletionResult | null {
  if (completions === undefined) return null
  const word = context.matchBefore(/[/$@][\w/$.~-]*$/)
  if (word === null && !context.explicit) return null
  return {
    from: word?.from ?? context.pos,
    options: completions().map((completion) => ({ ...completion })),
    validFor: /^[/$@]?[\w/$.~-]*$/,
  }
}

function diagnosticsOf(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  return findings.map((finding) => {
    const from = offsetOf(state, finding.line ?? 1, finding.column ?? 1)
    const hint = finding.hint === undefined ? '' : ` ${finding.hint}`
    return { from, to: tokenEnd(state, from), severity: finding.severity, message: finding.message + hint }
  })
}

function offsetOf(state: EditorState, line: number, column: number): number {
  const { from, to } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  return Math.min(to, from + Math.max(0, column - 1))
}

/** The end of the string or word at an offset, or of one character. */
function tokenEnd(state: EditorState, from: number): number {
  const line = state.doc.lineAt(from)
  const rest = line.text.slice(from - line.from)
  const token = /^(?:"(?:[^"\\]|\\.)*"|[\w/$.@-]+)/.exec(rest)
  return Math.min(line.to, from + Math.max(1, token?.[0].length ?? 1))
}
