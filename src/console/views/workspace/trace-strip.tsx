/** The way of one value, from the input over the transformer to the page; each part leads to its place. */

import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Trace } from './trace.ts'

export type Part = 'input' | 'transformer' | 'template'

interface TraceStripProps {
  trace: Trace | undefined
  /** What the input has at a pointer, as text. */
  valueAt(pointer: string): string | undefined
  show(part: Part): void
}

/** So many places are named; the others are counted. */
const named = 2

export function TraceStrip({ trace, valueAt, show }: TraceStripProps) {
  if (trace === undefined) {
    return (
      <p class="pane-note">{t`Click a word on the page, a binding, or a line: what belongs to it lights up everywhere.`}</p>
    )
  }
  const { inputs, lines, bindings } = trace
  const pointers = [...new Set(bindings.map(({ pointer }) => pointer))]
  return (
    <ol class="trace">
      <Step title={t`Input`} isEmpty={inputs.length === 0} onClick={() => show('input')}>
        {inputs.length === 0
          ? t`nothing of the input`
          : listed(inputs, (pointer) => {
              const value = valueAt(pointer)
              return value === undefined ? pointer : `${pointer} ${value}`
            })}
      </Step>
      <Step title={t`Transformer`} isEmpty={lines.length === 0} onClick={() => show('transformer')}>
        {lines.length === 0 ? t`no line` : `${lines.length === 1 ? t`line` : t`lines`} ${lines.join(', ')}`}
      </Step>
      <Step title={t`Template`} isLast isEmpty={pointers.length === 0} onClick={() => show('template')}>
        {pointers.length === 0 ? t`no binding` : listed(pointers, (pointer) => pointer)}
      </Step>
    </ol>
  )
}

function Step(props: { title: string; isEmpty: boolean; isLast?: true; onClick(): void; children: string }) {
  const { title, isEmpty, isLast, onClick, children } = props
  return (
    <li>
      <button type="button" class="trace-step" disabled={isEmpty} title={children} onClick={onClick}>
        <span class="trace-title">{title}</span>
        <span class="trace-text">{children}</span>
      </button>
      {isLast !== true && <Icon name="arrow" size={14} />}
    </li>
  )
}

function listed(all: readonly string[], textOf: (one: string) => string): string {
  const shown = all.slice(0, named).map(textOf).join(', ')
  return all.length > named ? t`${shown} and ${all.length - named} more` : shown
}
