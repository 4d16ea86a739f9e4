/** Makes everything again from the pinned inputs, and says hash by hash whether it is the same. */

import { useSignal } from '@preact/signals'
import { fileFormatNames, fileFormats } from '../../../core/formats.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Verification } from '../../api/types.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'

const fileLabels = Object.fromEntries(fileFormatNames.map((name) => [name, fileFormats[name].label]))

const subjects: Readonly<Record<string, string>> = {
  raw_input: t`Raw input`,
  input: t`Input`,
  params: t`Params`,
  contract: t`Contract`,
  transformer: t`Transformer`,
  template: t`Template`,
  release: t`Release`,
  fonts: t`Fonts`,
  output: t`Output`,
  ...fileLabels,
  failure: t`Failure`,
}

export function Verify({ executionId }: { executionId: string }) {
  const result = useSignal<Verification | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRunning = useSignal(false)

  async function verify(): Promise<void> {
    if (isRunning.value) return
    isRunning.value = true
    problem.value = undefined
    try {
      result.value = await call<Verification>(`/api/v1/executions/${executionId}/verify`, { method: 'POST', body: {} })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      isRunning.value = false
    }
  }

  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{t`Verify`}</h2>
        <button type="button" class="button button-small" disabled={isRunning.value} onClick={() => void verify()}>
          <Icon name="reset" size={14} /> {isRunning.value ? t`Making it again…` : t`Make it again`}
        </button>
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={verify} />}
      {result.value === undefined ? (
        <p class="muted">
          {t`Runs every step again from the pinned input and versions, and compares the bytes. Keeps nothing.`}
        </p>
      ) : (
        <Result verification={result.value} />
      )}
    </section>
  )
}

function Result({ verification }: { verification: Verification }) {
  return (
    <div role="status" data-identical={verification.identical}>
      <p class={`verdict-line ${verification.identical ? 'tone-success' : 'tone-danger'}`}>
        <Icon name={verification.identical ? 'check' : 'alert'} />
        <strong>{verification.identical ? t`Made again: identical` : t`Made again: different`}</strong>
      </p>
      <table class="table table-tight">
        <thead>
          <tr>
            <th scope="col">{t`What`}</th>
            <th scope="col">{t`Recorded`}</th>
            <th scope="col">{t`Now`}</th>
          </tr>
        </thead>
        <tbody>
          {verification.checks.map((check) => (
            <tr key={check.subject}>
              <td>{subjects[check.subject] ?? check.subject}</td>
              <td>
                <code title={check.recorded}>{check.recorded.slice(0, 10)}</code>
              </td>
              <td class={check.identical ? 'tone-success' : 'tone-danger'}>
                {check.identical ? (
                  t`the same`
                ) : (
                  <code title={check.computed}>{check.computed?.slice(0, 10) ?? t`not made`}</code>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
