/** Every execution, newest first. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listExecutions } from '../api/executions.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Execution } from '../api/types.ts'
import { totalMs } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { Moment } from '../parts/moment.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Status } from '../parts/status.tsx'

const pageSize = 50

export function ExecutionsView() {
  const rows = useSignal<readonly Execution[]>([])
  const cursor = useSignal<string | undefined>(undefined)
  const phase = useSignal<'loading' | 'idle'>('loading')
  const problem = useSignal<ApiProblem | undefined>(undefined)

  async function load(): Promise<void> {
    phase.value = 'loading'
    problem.value = undefined
    try {
      const page = await listExecutions(pageSize, cursor.value)
      rows.value = [...rows.value, ...page.executions]
      cursor.value = page.next_cursor
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      phase.value = 'idle'
    }
  }

  // The first page once for each visit.
  useEffect(() => void load(), [])

  const isEmpty = rows.value.length === 0 && phase.value === 'idle' && problem.value === undefined
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>Executions</h1>
          <p class="lede">Every durable run of a release on one input, newest first.</p>
        </div>
      </header>
      {isEmpty && (
        <div class="panel empty-panel">
          <p>Nothing has run yet.</p>
          <a class="button button-primary" href="/lab">
            Go to the intake test lab
          </a>
        </div>
      )}
      {rows.value.length > 0 && <ExecutionTable rows={rows.value} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={load} />}
      {phase.value === 'loading' && <div class="panel panel-loading" role="status" aria-label="Loading executions" />}
      {phase.value === 'idle' && cursor.value !== undefined && problem.value === undefined && (
        <button type="button" class="button" onClick={() => void load()}>
          Older
        </button>
      )}
    </div>
  )
}

function ExecutionTable({ rows }: { rows: readonly Execution[] }) {
  // A list may leave the metadata out; a column of dashes says nothing.
  const withObjects = rows.some((row) => row.metadata !== undefined)
  return (
    <div class="panel table-panel">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Execution</th>
            {withObjects && <th scope="col">Object</th>}
            <th scope="col">Status</th>
            <th scope="col">Documents</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const total = totalMs(row)
            return (
              <tr key={row.id}>
                <td>
                  <a href={`/executions/${row.id}`} title={row.id}>
                    <code>…{row.id.slice(-12)}</code>
                  </a>
                </td>
                {withObjects && <td>{row.metadata?.source_object ?? '–'}</td>}
                <td>
                  <Status of={row.status} />
                </td>
                <td>{row.artifacts.map((artifact) => artifact.kind.toUpperCase()).join(', ') || '–'}</td>
                <td class="number">{total === undefined ? '–' : formatDuration(total)}</td>
                <td>
                  <Moment at={row.created_at} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
