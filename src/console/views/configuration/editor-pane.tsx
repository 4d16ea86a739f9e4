/** A source in its pane: the editor, and below it what was found in the text. */

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Finding } from '../../../core/finding.ts'
import { Editor } from '../../parts/editor.tsx'
import type { EditorProps } from '../../parts/editor-props.ts'
import { Findings } from '../../parts/findings.tsx'

interface EditorPaneProps extends Omit<EditorProps, 'reveal' | 'findings'> {
  findings: readonly Finding[]
  /** The findings to list below the editor; all if left out. */
  listed?: readonly Finding[]
  /** Shown when there are none. */
  none: string
  /** Brings a place into view. */
  reveal?: Signal<EditorProps['reveal']>
  /** Above the editor. */
  head?: ComponentChildren
  /** Between the editor and the findings. */
  children?: ComponentChildren
}

export function EditorPane({ findings, listed = findings, none, reveal, head, children, ...editor }: EditorPaneProps) {
  const own = useSignal<EditorProps['reveal']>(undefined)
  const asked = reveal?.value
  useLayoutEffect(() => {
    if (asked !== undefined) own.value = asked
  }, [asked])
  return (
    <section class="pane" aria-label={editor.label}>
      {head}
      <Editor {...editor} findings={findings} reveal={own.value} />
      <div class="pane-foot">
        {children}
        <Findings
          findings={listed}
          none={none}
          onReveal={({ line = 1, column = 1 }) => {
            own.value = { line, column }
          }}
        />
      </div>
    </section>
  )
}
