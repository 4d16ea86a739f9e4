/** Makes everything again from the pinned inputs, and says hash by hash whether it is the same. */

import { useSignal } from '@preact/signals'
import { fileFormatNames, fileFormats } from '../../../core/formats.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Verification } from '../../api/types.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'

const fileLabels = Object.fromEntries(fileFormatNames.map((name) => [name, fileFormats[name].label]))

const subjects: Readonly<Record<string, string>> = {
  raw_input: 'Raw input',
  input: 'Input',
  contract: 'Contract',
  transformer: 'Transformer',
  template: 'Template',
  release: 'Release',
  fonts: 'Fonts',
  output: 'Output',
  ...fileLabels,
  failure: 'Failure',
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
        <h2>Verify</h2>
        <button type="button" class="button button-small" disabled={isRunning.value} onClick={() => void verify()}>
          <Icon name="reset" size={14} /> {isRunning.value ? 'Making it again…' : 'Make it again'}
        </button>
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={verify} />}
      {result.value === undefined ? (
        <p class="muted">
          Runs every step again from the pinned input and versions, and compares the bytes. Keeps nothing.
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
        <strong>{verification.identical ? 'Made again: identical' : 'Made again: different'}</strong>
      </p>
      <table class="table table-tight">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Recorded</th>
            <th scope="col">Now</th>
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
                  'the same'
                ) : (
                  <code title={check.computed}>{check.computed?.slice(0, 10) ?? 'not made'}</code>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
