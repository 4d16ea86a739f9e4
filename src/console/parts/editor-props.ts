import type { Finding } from '../../core/finding.ts'
import type { SourcePosition } from '../../core/positions.ts'

export interface Completion {
  label: string
  detail?: string
  /** What the symbol beside it shows. */
  type?: 'property' | 'variable' | 'function' | 'keyword'
}

/** What can be undone of a text, as the editor writes it down. */
export interface KeptPast {
  text: string
  steps: unknown
}

/** Keeps an editor's undo history for the next editor of the same text. */
export interface EditorPast {
  /** The history kept for this text, or for an earlier one; the editor then changes that one to this as one more step. */
  recall(text: string): KeptPast | undefined
  keep(past: KeptPast): void
}

export interface EditorProps {
  label: string
  language: 'json' | 'yaml' | 'text'
  value: string
  /** Read-only without. */
  onChange?: (value: string) => void
  past?: EditorPast
  /** Drawn under the text at their places. */
  findings?: readonly Finding[]
  /** 1-based lines set off from the others. */
  litLines?: readonly number[]
  /** A new object brings the place into view, selects it and takes the focus. */
  reveal?: (SourcePosition & { quietly?: boolean }) | undefined
  completions?: () => readonly Completion[]
  /** The line the cursor is put on. */
  onLine?: (line: number) => void
}
