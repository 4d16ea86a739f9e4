/** A problem as a person sees it: what happened, what to tell support, and how to continue. */

import type { ApiProblem } from '../api/problem.ts'
import { rich, t, translated } from '../language.ts'
import { Copyable } from './copyable.tsx'
import { Icon } from './icon.tsx'

export function ProblemNote({ problem, retry }: { problem: ApiProblem; retry?: (() => unknown) | undefined }) {
  // A refusal without findings is repeated in `errors`.
  const errors = problem.errors.filter(({ message, path }) => message !== problem.detail || path !== undefined)
  return (
    <div class="note note-danger" role="alert">
      <Icon name="alert" />
      <div class="note-body">
        <strong>{translated(problem.title)}</strong>
        <p>{problem.detail}</p>
        {problem.retryAfterSeconds !== undefined && <p>{rich`Try again in ${problem.retryAfterSeconds} s.`}</p>}
        {errors.length > 0 && (
          <ul class="note-list">
            {errors.map((issue) => (
              <li key={`${issue.path} ${issue.message}`}>
                {issue.path !== undefined && <code>{issue.path}</code>} {issue.message}
              </li>
            ))}
          </ul>
        )}
        {problem.correlationId !== '' && (
          <p class="note-reference">
            <span>
              {problem.status} {problem.code}
            </span>
            <Copyable value={problem.correlationId} label={t`correlation id`} />
          </p>
        )}
        {retry !== undefined && (
          <button type="button" class="button" onClick={() => void retry()}>
            <Icon name="reset" size={16} /> {t`Try again`}
          </button>
        )}
      </div>
    </div>
  )
}
