import type { Finding } from '../../core/finding.ts'
import type { SourcePosition } from '../../core/positions.ts'

export interface Completion {
  label: string
  detail?: string
  /** What the symbol beside it shows. */
  type?: 'property' | 'variable' | 'function' | 'keyword'
}

export interface EditorProps {
  label: string
  language: 'json' | 'yaml' | 'text'
  value: string
  /** Read-only without. */
  onChange?: (value: string) => void
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
