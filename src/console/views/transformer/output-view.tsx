/** The output; a click on a value lights up where it comes from. */
import type { JsonValue } from '../../../core/json.ts'
import { outputLines } from './output-lines.ts'

interface OutputViewProps {
  output: JsonValue
  selected: string | undefined
  /** Pointers of values that come from the lines under the cursor in the source. */
  lit: ReadonlySet<string>
  onSelect(pointer: string | undefined): void
}

export function OutputView({ output, selected, lit, onSelect }: OutputViewProps) {
  return (
    <div class="output">
      {outputLines(output).map((line, index) => {
        const { pointer } = line
        const content = (
          <>
            {line.indent}
            <span class="output-name">{line.name}</span>
            <span class={line.kind === 'frame' ? '' : `output-${line.kind}`}>{line.text}</span>
          </>
        )
        return pointer === undefined ? (
          <span class="output-line" key={index}>
            {content}
          </span>
        ) : (
          <button
            type="button"
            class="output-line"
            key={index}
            aria-pressed={pointer === selected}
            data-lit={lit.has(pointer) ? '' : undefined}
            data-pointer={pointer}
            onClick={() => onSelect(pointer === selected ? undefined : pointer)}
          >
            {content}
          </button>
        )
      })}
    </div>
  )
}
