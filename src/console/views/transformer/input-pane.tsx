/** What the transformer is tried on: a case of its contract, or text that was pasted. */

import type { ReadonlySignal, Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Finding } from '../../../core/finding.ts'
import { call } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Case, CaseItem } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { Editor } from '../../parts/editor.tsx'
import type { EditorProps } from '../../parts/editor-props.ts'
import { changeQuery, place } from '../../router.ts'
import { nameOf, pretty } from '../contract/cases.tsx'

interface InputPaneProps {
  contractVersionId: string | undefined
  contractId: string | undefined
  input: Signal<string>
  findings: readonly Finding[]
  litLines: readonly number[]
  reveal: ReadonlySignal<EditorProps['reveal']>
  onLine?: (line: number) => void
}

const pasted = 'pasted'

export function InputPane({
  contractVersionId,
  contractId,
  input,
  findings,
  litLines,
  reveal,
  onLine,
}: InputPaneProps) {
  const cases = useResource<{ cases: CaseItem[] }>(
    contractVersionId === undefined ? undefined : `/api/v1/cases?contract_version_id=${contractVersionId}&limit=100`,
  ).value.value?.cases
  const asked = place.value.query.get('case')
  const chosen = asked ?? cases?.find(({ kind }) => kind !== 'invalid')?.id

  const reading = useRef<AbortController>(undefined)
  useLayoutEffect(() => {
    if (chosen === undefined || chosen === pasted) return
    const abort = new AbortController()
    reading.current = abort
    call<Case>(`/api/v1/cases/${chosen}`, { signal: abort.signal }).then(
      ({ payload = '' }) => {
        if (!abort.signal.aborted) input.value = pretty(payload)
      },
      // A case that can't be read leaves the input as it is.
      () => {},
    )
    return () => abort.abort()
  }, [chosen])

  return (
    <section class="pane" aria-label={t`Input`}>
      <header class="pane-head">
        <h2>{t`Input`}</h2>
        <select
          aria-label={t`Input from`}
          value={chosen ?? pasted}
          onChange={(event) => changeQuery({ case: event.currentTarget.value })}
        >
          <option value={pasted}>{t`Pasted`}</option>
          {cases?.map((one) => (
            <option value={one.id} key={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </header>
      <Editor
        label={t`Input`}
        language="json"
        value={input.value}
        onChange={(text) => {
          // A case that comes in late must not take the place of what is typed.
          reading.current?.abort()
          input.value = text
          if (chosen !== pasted) changeQuery({ case: pasted })
        }}
        findings={findings}
        litLines={litLines}
        reveal={reveal.value}
        {...(onLine === undefined ? {} : { onLine })}
      />
      <div class="pane-foot">
        <p class="pane-note" role="status">
          {input.value.trim() === ''
            ? t`Paste some input, or choose a case.`
            : findings.length === 0
              ? contractVersionId === undefined
                ? t`JSON`
                : t`Satisfies the contract`
              : `${findings.length === 1 ? t`One issue` : t`${findings.length} issues`}: ${findings[0]?.path ?? ''} ${findings[0]?.message ?? ''}`}
        </p>
        {cases?.length === 0 && contractId !== undefined && (
          <p class="pane-note">
            {rich`The contract has no case yet: ${<a href={`/contracts/${contractId}?tab=cases`}>{t`generate one`}</a>}.`}
          </p>
        )}
      </div>
    </section>
  )
}
