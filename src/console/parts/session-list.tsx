/** Where somebody is signed in, each with a button that ends it. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { useResource } from '../api/resource.ts'
import type { OpenedSession } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { Instant } from './moment.tsx'
import { ProblemNote } from './problem-note.tsx'

/** @param path of the list; each session is below it */
export function SessionList({ path }: { path: string }) {
  const resource = useResource<{ sessions: readonly OpenedSession[] }>(path)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const shown = problem.value ?? resource.problem.value

  async function end(id: string): Promise<void> {
    problem.value = undefined
    try {
      await call(`${path}/${id}`, { method: 'DELETE' })
      await resource.reload()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    }
  }

  function again(): Promise<void> {
    problem.value = undefined
    return resource.reload()
  }

  const sessions = resource.value.value?.sessions
  return (
    <>
      {shown !== undefined && <ProblemNote problem={shown} retry={again} />}
      {sessions?.length === 0 && <p class="muted">{t`There is none.`}</p>}
      {sessions !== undefined && sessions.length > 0 && (
        <ul class="account-list">
          {sessions.map((session) => (
            <li key={session.id}>
              <span>
                <strong title={session.browser}>{browserOf(session.browser)}</strong>{' '}
                <span class="muted">
                  {rich`${session.address !== undefined && t`from ${session.address}, `}since ${<Instant at={session.created_at} />}${session.is_waiting && t`, waits for the second factor`}`}
                </span>
              </span>
              {session.is_current ? (
                <span class="status status-success">{t`This one`}</span>
              ) : (
                <button type="button" class="button button-small" onClick={() => void end(session.id)}>
                  {t`End`}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl', 'Bun', 'python'] as const
const systems = ['Windows', 'Android', 'iPhone', 'iPad', t`Mac OS X`, 'Linux'] as const
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS', python: 'Python' }

/** The name that people know. Every browser claims to be several; the first of these in the list is what it is. */
export function browserOf(userAgent: string | undefined): string {
  const wordOf = (known: readonly string[]) => {
    const found = known.find((name) => userAgent?.includes(name))
    return found === undefined ? undefined : (names[found] ?? found)
  }
  const [browser, system] = [wordOf(browsers), wordOf(systems)]
  if (browser === undefined) return t`A program`
  return system === undefined ? browser : t`${browser} on ${system}`
}
