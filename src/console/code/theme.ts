import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const squiggle = (color: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${color} 1px`,
  textUnderlineOffset: '3px',
})

/** The page's own tokens, so that the editor follows its theme. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--sunken)', fontSize: '0.8125rem', height: '100%' },
  // Where the focus is shows on the frame around the editor: the gutters would hide an outline.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '0.625rem 0', caretColor: 'var(--accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { color: 'var(--ink-faint)', backgroundColor: 'var(--sunken)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { paddingLeft: '0.75rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-lit': { backgroundColor: 'var(--accent-soft)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-selectionMatch': { backgroundColor: 'var(--warning-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-foldPlaceholder': {
    color: 'var(--ink-soft)',
    backgroundColor: 'var(--hover)',
    border: 'none',
    padding: '0 0.375rem',
  },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer', padding: '0 0.25rem' },
  '.cm-lintRange-error': squiggle('var(--danger)'),
  '.cm-lintRange-warning': squiggle('var(--warning)'),
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-lint-marker': {
    content: '""',
    width: '0.5rem',
    height: '0.5rem',
    margin: '0.375rem 0.25rem',
    borderRadius: '50%',
  },
  '.cm-lint-marker-error': { backgroundColor: 'var(--danger)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warning)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-high)',
    overflow: 'hidden',
    maxWidth: '32rem',
  },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', padding: '0.375rem 0.75rem', borderLeft: '3px solid' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono) !important', maxHeight: '16rem !important' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.75rem !important' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent-strong) !important',
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-completionMatchedText': { textDecoration: 'none !important', fontWeight: '700' },
  '.cm-completionDetail': { color: 'var(--ink-faint)', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--surface)', borderColor: 'var(--line) !important' },
  '.cm-panel input, .cm-panel button': {
    font: '0.8125rem var(--sans)',
    color: 'inherit',
    backgroundColor: 'var(--sunken)',
    backgroundImage: 'none',
  },
})

export const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-name)' },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-value)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--ink-faint)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-soft)' },
])
