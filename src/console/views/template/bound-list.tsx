/** The bindings of a template with the values they take; a click lights one, here and on the pages. */

import type { ComponentChildren } from 'preact'
import { t } from '../../language.ts'
import { Blocks } from '../../parts/blocks.tsx'
import type { Bound } from './filled.ts'
import { partName, placeKey } from './places.ts'

interface BoundListProps {
  bindings: readonly Bound[]
  isLit(binding: Bound): boolean
  isDrawn(binding: Bound): boolean
  onSelect(binding: Bound): void
  /** What is wrong with a binding, below it. */
  note?(binding: Bound): ComponentChildren
}

const rowPx = 58
/** As many as a long letter has. */
const wholeRows = 100

export function BoundList({ bindings, isLit, isDrawn, onSelect, note }: BoundListProps) {
  if (bindings.length === 0) {
    return <p class="pane-empty">{t`This template binds nothing: it is the same for all data.`}</p>
  }
  return (
    <Blocks
      class="bound-list"
      rows={bindings}
      rowPx={rowPx}
      wholeRows={wholeRows}
      sought={bindings.find(isLit)}
      draw={(binding) => (
        <li key={`${placeKey(binding)} ${binding.pointer}`}>
          <BoundRow binding={binding} isLit={isLit(binding)} isDrawn={isDrawn(binding)} onSelect={onSelect} />
          {note?.(binding)}
        </li>
      )}
    />
  )
}

interface BoundRowProps extends Pick<BoundListProps, 'onSelect'> {
  binding: Bound
  isLit: boolean
  isDrawn: boolean
}

function BoundRow({ binding, isLit, isDrawn, onSelect }: BoundRowProps) {
  const { pointer, resolved, required, value, part } = binding
  return (
    <button type="button" class="bound" aria-pressed={isLit} onClick={() => onSelect(binding)}>
      <code class="bound-pointer">{pointer}</code>
      <span class="bound-value">
        {resolved ? (
          (value ?? <span class="muted">{t`a list or object`}</span>)
        ) : (
          <span class={required ? 'tone-danger' : 'muted'}>{required ? t`missing` : t`left out`}</span>
        )}
      </span>
      <span class="bound-place">
        {partName(part)}
        {!isDrawn && t`, draws nothing itself`}
      </span>
    </button>
  )
}

export function Resolved({ bindings }: { bindings: readonly Bound[] }) {
  const missing = bindings.filter(({ resolved, required }) => required && !resolved).length
  return missing === 0 ? (
    <span class="pane-note tone-success">{t`every value is there`}</span>
  ) : (
    <span class="pane-note tone-danger">{missing === 1 ? t`one is missing` : t`${missing} are missing`}</span>
  )
}
