/** Places in compared versions that today's rules read otherwise: their documents differ there though no line does. */

import { useResource } from '../../api/resource.ts'
import type { Comparison, ConfigurationKind } from '../../api/types.ts'
import { rich, t } from '../../language.ts'

type State = Comparison['from']

export function EarlierReading({ from, to }: Pick<Comparison, 'from' | 'to'>) {
  const states = from.version === to.version ? [to] : [from, to]
  return states.map((state) => <Remarks key={state.version} state={state} />)
}

function Remarks({ state: { version, earlier_reading: issues = [] } }: { state: State }) {
  if (issues.length === 0) return null
  return (
    <section class="note-warning" aria-label={t`Earlier rules of version ${version}`}>
      <p>{rich`Version ${version} keeps the rules that it was frozen under, which differ from today’s here:`}</p>
      <ol class="issues">
        {issues.map(({ path, message, context }) => (
          <li class="issue" key={`${path} ${message}`}>
            <p class="issue-message">{message}</p>
            <p class="issue-place">
              <code>{path}</code>
              {context?.line !== undefined && <span>{rich`line ${context.line}`}</span>}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface AskedStates {
  kind: ConfigurationKind
  id: string
  from: string
  to: string
}

/** The same where the page itself compares: asks the server about the versions among the two states. */
export function EarlierVersions({ kind, id, from, to }: AskedStates) {
  const [first, last = first] = [from, to].filter((state) => /^\d+$/.test(state))
  const query = new URLSearchParams({ kind, family_id: id, from: first ?? '', to: last ?? '', pages: 'none' })
  const { value } = useResource<Comparison>(first === undefined ? undefined : `/api/v1/comparisons?${query}`)
  return value.value === undefined ? null : <EarlierReading from={value.value.from} to={value.value.to} />
}
