/** The hashes that tie a document to its input and its configuration. */

import type { Execution } from '../api/types.ts'
import { t } from '../language.ts'
import { Copyable } from './copyable.tsx'

export function Provenance({ execution }: { execution: Execution }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t`Release`, execution.release_hash],
    [t`Raw input`, execution.raw_input_hash],
    [t`Input`, execution.input_hash],
    [t`Output`, execution.output_hash],
  ]
  return (
    <dl class="facts">
      {facts.map(
        ([name, hash]) =>
          hash !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Copyable value={hash} label={t`${name} hash`} chars={16} />
              </dd>
            </div>
          ),
      )}
      <div>
        <dt>{t`Correlation`}</dt>
        <dd>
          <Copyable value={execution.correlation_id} label={t`correlation id`} chars={18} />
        </dd>
      </div>
    </dl>
  )
}
