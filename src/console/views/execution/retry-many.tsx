/** Many failed executions at once: counted by cause, then put back into the queue page by page. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { RetryOutcome } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { stepTitle } from '../../words.ts'

interface Props {
  /** Limits the list to one release. */
  releaseId: string | undefined
  done(): Promise<void>
  onClose(): void
}

type Causes = RetryOutcome['causes']

export function RetryManyDialog({ releaseId, done, onClose }: Props) {
  const causes = useSignal<Causes | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const retried = useSignal<number | undefined>(undefined)
  const filter = releaseId === undefined ? {} : { release_id: releaseId }

  async function count(): Promise<void> {
    problem.value = undefined
    try {
      causes.value = await everyCause({ ...filter, dry_run: true })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    }
  }
  useEffect(() => void count(), [])

  const wanted = (causes.value ?? []).reduce((sum, cause) => sum + cause.retried, 0)
  return (
    <FormDialog
      title={t`Retry what failed?`}
      action={wanted === 0 ? t`Retry` : t`Retry ${wanted}`}
      disabled={wanted === 0}
      onClose={onClose}
      onSubmit={async () => {
        retried.value = 0
        await everyCause(filter, (more) => {
          retried.value = (retried.value ?? 0) + more
        })
        await done()
      }}
      wide
    >
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={count} />}
      {causes.value === undefined && problem.value === undefined && <p role="status">{t`Counting…`}</p>}
      {causes.value?.length === 0 && <p>{t`Nothing has failed.`}</p>}
      {causes.value !== undefined && causes.value.length > 0 && (
        <>
          <p>
            {t`Steps that may come out differently go back into the queue, with the same input and the same pinned
              versions. What is refused each time, or has no attempts left, stays as it is.`}
          </p>
          <CauseTable causes={causes.value} />
          {retried.value !== undefined && (
            <p role="status">{rich`${retried.value} of ${wanted} are back in the queue.`}</p>
          )}
        </>
      )}
    </FormDialog>
  )
}

function CauseTable({ causes }: { causes: Causes }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{t`Cause`}</th>
          <th scope="col" class="number">
            {t`Failed`}
          </th>
          <th scope="col" class="number">
            {t`To retry`}
          </th>
        </tr>
      </thead>
      <tbody>
        {causes.map(({ step, code, executions, retried }) => (
          <tr key={`${step} ${code}`}>
            <td>
              {stepTitle(step)}: <code>{code}</code>
            </td>
            <td class="number">{executions}</td>
            <td class="number">{retried}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Every page of the failed executions, by cause. */
async function everyCause(body: object, onPage: (retried: number) => void = () => {}): Promise<Causes> {
  const found = new Map<string, Causes[number]>()
  for (let after: string | undefined; ; ) {
    const page: RetryOutcome = await call<RetryOutcome>('/api/v1/executions/retry', {
      method: 'POST',
      body: { ...body, ...(after === undefined ? {} : { after }) },
    })
    for (const cause of page.causes) {
      const known = found.get(`${cause.step} ${cause.code}`)
      found.set(`${cause.step} ${cause.code}`, {
        ...cause,
        executions: cause.executions + (known?.executions ?? 0),
        retried: cause.retried + (known?.retried ?? 0),
      })
    }
    onPage(page.retried)
    after = page.next_after
    if (after === undefined) return [...found.values()].sort((a, b) => b.executions - a.executions)
  }
}
