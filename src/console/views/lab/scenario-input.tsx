/** A scenario's raw input, to read and to change, and the metadata that goes with it. */

import { useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { readJson } from '../../../core/json.ts'
import type { SourcePosition } from '../../../core/positions.ts'
import type { Scenario } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Icon } from '../../parts/icon.tsx'
import { revealed } from './reveal.ts'
import { editInput, inputOf, isEdited } from './runs.ts'

const encoder = new TextEncoder()

export function ScenarioInput({ scenario }: { scenario: Scenario }) {
  const area = useRef<HTMLTextAreaElement>(null)
  const text = useComputed(() => inputOf(scenario)).value
  const fieldId = `input-${scenario.id}`

  useLayoutEffect(() => revealed.subscribe((place) => place !== undefined && showPlace(area.current, place)), [])

  return (
    <section class="panel input-panel" aria-label={t`Input`}>
      <header class="panel-head">
        <h3>
          <label for={fieldId}>{t`Raw input`}</label>
        </h3>
        {isEdited(scenario) && (
          <span class="panel-tools">
            <span class="tag">{t`edited`}</span>
            <button type="button" class="link-button" onClick={() => editInput(scenario, scenario.raw_input)}>
              <Icon name="reset" size={14} /> {t`Original`}
            </button>
          </span>
        )}
      </header>
      <textarea
        ref={area}
        id={fieldId}
        class="source"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        wrap="off"
        rows={Math.min(26, Math.max(12, text.split('\n').length + 1))}
        value={text}
        aria-describedby={`${fieldId}-state`}
        onInput={(event) => editInput(scenario, event.currentTarget.value)}
      />
      <InputState id={`${fieldId}-state`} text={text} />
      <Metadata scenario={scenario} />
    </section>
  )
}

/** What the server will find wrong at once; running it all the same is allowed, and fails at validate. */
function InputState({ id, text }: { id: string; text: string }) {
  const outcome = readJson(text)
  const finding = outcome.ok ? undefined : outcome.findings[0]
  const size = formatBytes(encoder.encode(text).length)
  return (
    <p class="source-state" id={id} data-valid={outcome.ok} aria-live="polite">
      {finding === undefined
        ? t`JSON, ${size}`
        : t`Line ${finding.line ?? 1}, column ${finding.column ?? 1}: ${finding.message}`}
    </p>
  )
}

function Metadata({ scenario }: { scenario: Scenario }) {
  const open = useSignal(false)
  return (
    <details
      class="more"
      open={open.value}
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <Icon name="chevron" size={14} /> {t`Metadata`}
      </summary>
      <dl class="facts">
        {Object.entries(scenario.metadata).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              <code>{String(value)}</code>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t`raw input hash`}</dt>
          <dd>
            <Copyable value={scenario.raw_input_hash} label={t`raw input hash`} chars={16} />
          </dd>
        </div>
      </dl>
    </details>
  )
}

/** Selects the text at the place, up to the end of its line, and scrolls it into view. */
function showPlace(area: HTMLTextAreaElement | null, { line, column }: SourcePosition): void {
  if (area === null) return
  const lines = area.value.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  const start = before + column - 1
  area.focus()
  const rest = (lines[line - 1] ?? '').slice(column - 1).replace(/,?\s*$/, '')
  area.setSelectionRange(start, start + Math.max(1, rest.length))
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 4) * lineHeight)
}
