/** What changes of a contract mean for those who send input: what breaks, what may, and what stays valid. */

import type { SchemaChange } from '../../../engines/schema/changes.ts'
import { t } from '../../language.ts'
import { Blocks } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icon.tsx'

const effects = [
  ['breaking', t`Breaking`, t`Input that was valid may be refused.`],
  ['unknown', t`Undecided`, t`Whether input stays valid depends on what it holds.`],
  ['compatible', t`Compatible`, t`What was valid stays valid.`],
] as const

/** As the engine tells them, or a server's plan. */
type Change = Pick<SchemaChange, 'effect' | 'side' | 'pointer' | 'message'>

export function ContractChanges({ changes }: { changes: readonly Change[] }) {
  const { tone, icon, words } = verdictOf(changes)
  return (
    <>
      <p class={`verdict verdict-${tone}`} role="status">
        <span class="verdict-head">
          <Icon name={icon} />
          <strong>{words}</strong>
        </span>
      </p>
      {effects.map(([effect, title, meaning]) => (
        <ChangeList
          key={effect}
          title={title}
          meaning={meaning}
          changes={changes.filter((change) => change.effect === effect)}
        />
      ))}
    </>
  )
}

function verdictOf(changes: readonly Change[]) {
  const has = (wanted: Change['effect']) => changes.some(({ effect }) => effect === wanted)
  if (changes.length === 0) return { tone: 'success', icon: 'check', words: t`No difference` } as const
  if (has('breaking')) return { tone: 'danger', icon: 'alert', words: t`A breaking change` } as const
  if (has('unknown')) return { tone: 'neutral', icon: 'alert', words: t`A change that may break` } as const
  return { tone: 'success', icon: 'check', words: t`A compatible change` } as const
}

const changePx = 32

function ChangeList({ title, meaning, changes }: { title: string; meaning: string; changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>
          {title}&nbsp;<span class="tab-count">{changes.length}</span>
        </h2>
        <span class="muted">{meaning}</span>
      </header>
      <Blocks
        rows={changes}
        class="changes"
        rowPx={changePx}
        draw={(change) => (
          <li key={`${change.side} ${change.pointer} ${change.message}`} data-effect={change.effect}>
            <code>{change.pointer === '' ? t`the whole contract` : change.pointer}</code> <span>{change.message}</span>
          </li>
        )}
      />
    </section>
  )
}
