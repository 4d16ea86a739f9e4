/** A new password: asked for at once when the first one was generated, or chosen from the account menu. */

import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { limits } from '../../core/limits.ts'
import { ApiProblem } from '../api/problem.ts'
import { t } from '../language.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { changePassword, session, signOut } from '../session.ts'

/** The server's rule; it also refuses common passwords and the username. */
const { passwordMinChars: minChars, passwordMaxChars: maxChars } = limits

export function PasswordView({ forced }: { forced: boolean }) {
  useLayoutEffect(() => {
    if (forced) document.title = t`Choose a password · Quire`
  }, [forced])
  if (!forced) {
    return (
      <div class="page page-narrow">
        <header class="page-head">
          <div>
            <h1 tabIndex={-1}>{t`Change password`}</h1>
            <p class="lede">{t`Your other sessions end; this one goes on with the new password.`}</p>
          </div>
        </header>
        <PasswordForm />
      </div>
    )
  }
  return (
    <main class="gate">
      <div class="gate-card">
        <Mark size={44} />
        <h1>{t`Choose your password`}</h1>
        <p class="muted">{t`The password you signed in with was made for the first time only.`}</p>
        <PasswordForm />
        <button type="button" class="button button-quiet button-wide" onClick={() => void signOut().catch(() => {})}>
          {t`Sign out`}
        </button>
      </div>
    </main>
  )
}

function PasswordForm() {
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const phase = useSignal<'idle' | 'sending' | 'done'>('idle')
  const next = useSignal('')
  const again = useSignal('')
  const username = session.value?.user.username ?? ''
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>('[name=current]')?.focus(), [])
  const rules = [
    {
      text: t`${minChars} to ${maxChars} characters`,
      met: next.value.length >= minChars && next.value.length <= maxChars,
    },
    { text: t`not your username`, met: next.value !== '' && next.value.toLowerCase() !== username },
    { text: t`the same twice`, met: next.value !== '' && next.value === again.value },
  ]

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    if (phase.value === 'sending' || rules.some((rule) => !rule.met)) return
    phase.value = 'sending'
    problem.value = undefined
    try {
      await changePassword(String(fields.get('current')), next.value)
      phase.value = 'done'
      form.current?.reset()
      next.value = ''
      again.value = ''
    } catch (error) {
      phase.value = 'idle'
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    }
  }

  return (
    <form ref={form} class="form" onSubmit={submit}>
      <input
        class="offscreen"
        name="username"
        autocomplete="username"
        tabIndex={-1}
        readOnly
        value={username}
        aria-hidden
      />
      <label class="field">
        <span>{t`Present password`}</span>
        <input name="current" type="password" autocomplete="current-password" maxLength={maxChars} required />
      </label>
      <label class="field">
        <span>{t`New password`}</span>
        <input
          name="next"
          type="password"
          autocomplete="new-password"
          maxLength={maxChars}
          required
          aria-describedby="password-rules"
          value={next.value}
          onInput={(event) => {
            next.value = event.currentTarget.value
          }}
        />
      </label>
      <label class="field">
        <span>{t`New password, again`}</span>
        <input
          name="again"
          type="password"
          autocomplete="new-password"
          maxLength={maxChars}
          required
          value={again.value}
          onInput={(event) => {
            again.value = event.currentTarget.value
          }}
        />
      </label>
      <ul class="rules" id="password-rules">
        {rules.map((rule) => (
          <li key={rule.text} data-met={rule.met}>
            <Icon name="check" size={14} />
            {rule.text}
            <span class="offscreen">{rule.met ? t`, met` : t`, not met yet`}</span>
          </li>
        ))}
      </ul>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {phase.value === 'done' && (
        <p class="note note-success" role="status">
          <Icon name="check" /> {t`Your password is changed.`}
        </p>
      )}
      <button
        type="submit"
        class="button button-primary button-wide"
        disabled={phase.value === 'sending' || rules.some((rule) => !rule.met)}
      >
        {phase.value === 'sending' ? t`Changing…` : t`Change password`}
      </button>
    </form>
  )
}
