/** Username and password, then the second factor; used by the sign-in page and by the dialog for a session that ran out. */

import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { t } from '../language.ts'
import { halfSession, signIn } from '../session.ts'
import { Lazy } from './lazy.tsx'
import { ProblemNote } from './problem-note.tsx'

const loadSecondFactor = async () => (await import('./second-factor-form.tsx')).SecondFactorForm

export function SignInForm({ username }: { username?: string }) {
  if (halfSession.value !== undefined) return <Lazy load={loadSecondFactor} props={{ waiting: halfSession.value }} />
  return <PasswordForm {...(username === undefined ? {} : { username })} />
}

function PasswordForm({ username }: { username?: string }) {
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const sending = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus(), [])

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (sending.value) return
    const fields = new FormData(event.currentTarget)
    sending.value = true
    problem.value = undefined
    try {
      await signIn(username ?? String(fields.get('username')).trim(), String(fields.get('password')))
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
    } finally {
      sending.value = false
    }
  }

  return (
    <form ref={form} class="form" onSubmit={submit}>
      <label class="field">
        <span>{t`Username`}</span>
        <input
          name="username"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          maxLength={64}
          required
          defaultValue={username ?? ''}
          readOnly={username !== undefined}
        />
      </label>
      <label class="field">
        <span>{t`Password`}</span>
        <input name="password" type="password" autocomplete="current-password" maxLength={128} required />
      </label>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <button type="submit" class="button button-primary button-wide" disabled={sending.value}>
        {sending.value ? t`Signing in…` : t`Sign in`}
      </button>
    </form>
  )
}
