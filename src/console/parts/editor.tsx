/** A source editor. CodeMirror is loaded when the first editor is shown; until then the text can be read. */
import type { EditorProps } from './editor-props.ts'
import { Lazy } from './lazy.tsx'

/** A megabyte laid out as one text would hold the page up. */
const untilChars = 20_000

const load = async () => (await import('../code/code-editor.tsx')).CodeEditor

export function Editor(props: EditorProps) {
  return (
    <div class="editor">
      <Lazy
        load={load}
        props={props}
        until={
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
          <pre class="source" tabIndex={0}>
            {props.value.slice(0, untilChars)}
          </pre>
        }
      />
    </div>
  )
}
