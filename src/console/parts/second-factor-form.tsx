/** What a sign-in still wants: a code, a recovery code, or a passkey. */

import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import type { Session } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { giveSecondFactorByPasskey } from '../passkeys.ts'
import { abandonSecondFactor, giveSecondFactor } from '../session.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ProblemNote } from './problem-note.tsx'

export function SecondFactorForm({ waiting }: { waiting: Session }) {
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isSending = useSignal(false)
  const isRecovery = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLInputElement>('[name=proof]')?.focus(), [isRecovery.value])

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isSending.value) return
    const proof = String(new FormData(event.currentTarget).get('proof'))
    isSending.value = true
    problem.value = undefined
    try {
      await giveSecondFactor(isRecovery.value ? { recovery_code: proof } : { code: proof.replace(/\s/g, '') })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
      form.current?.querySelector<HTMLInputElement>('[name=proof]')?.select()
    } finally {
      isSending.value = false
    }
  }

  return (
    <form ref={form} class="form" onSubmit={submit}>
      <p class="muted">{rich`One more step for ${<strong>{waiting.user.username}</strong>}.`}</p>
      {isRecovery.value ? (
        <label class="field" key="recovery">
          <span>{t`Recovery code`}</span>
          <input name="proof" autocomplete="off" autocapitalize="none" spellcheck={false} maxLength={100} required />
          <span class="field-hint">{t`Each opens once.`}</span>
        </label>
      ) : (
        <label class="field" key="code">
          <span>{t`Code`}</span>
          <input
            name="proof"
            autocomplete="one-time-code"
            inputMode="numeric"
            pattern="\s*\d\s*\d\s*\d\s*\d\s*\d\s*\d\s*"
            title={t`Six digits`}
            maxLength={12}
            required
          />
          <span class="field-hint">{t`The six digits that your authenticator app shows now.`}</span>
        </label>
      )}
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <button type="submit" class="button button-primary button-wide" disabled={isSending.value}>
        {isSending.value ? t`Signing in…` : t`Sign in`}
      </button>
      <PasskeyButton words={t`Use a passkey`} onUse={giveSecondFactorByPasskey} />
      <p class="gate-ways">
        <button
          type="button"
          class="link-button"
          onClick={() => {
            problem.value = undefined
            isRecovery.value = !isRecovery.value
          }}
        >
          {isRecovery.value ? t`Use a code of the app` : t`Use a recovery code`}
        </button>
        <button type="button" class="link-button" onClick={() => void abandonSecondFactor()}>
          {t`Sign in as somebody else`}
        </button>
      </p>
    </form>
  )
}
