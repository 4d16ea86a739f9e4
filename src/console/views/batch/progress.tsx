/** How far a batch has come: a bar of its rows, and what it is made of in numbers. */

import type { Batch } from '../../../client/quire.ts'
import { formatNumber } from '../../format.ts'
import { t } from '../../language.ts'
import { countOf, partsOf, shareDone, stateWords } from './words.ts'

export function BatchState({ of }: { of: Batch }) {
  const hasFailures = of.counts.failed + of.counts.refused > 0
  const tone =
    of.status === 'completed' ? (hasFailures ? 'warning' : 'success') : of.status === 'paused' ? 'warning' : ''
  return <span class={tone === '' ? 'status' : `status status-${tone}`}>{stateWords[of.status]}</span>
}

export function BatchBar({ of }: { of: Batch }) {
  return (
    <span class="batch-bar" role="img" aria-label={t`${shareDone(of)} % done`}>
      {partsOf(of).map(({ name, rows, tone }) => (
        <span key={name} data-tone={tone} style={{ flexGrow: rows }} title={`${countOf(rows)} ${name}`} />
      ))}
    </span>
  )
}

export function BatchParts({ of }: { of: Batch }) {
  return (
    <ul class="batch-parts">
      {partsOf(of).map(({ name, rows, tone }) => (
        <li key={name} data-tone={tone}>
          <strong>{formatNumber(rows)}</strong> {name}
        </li>
      ))}
    </ul>
  )
}
