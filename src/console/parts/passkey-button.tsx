/** A button that asks the browser for a passkey, and what went wrong with that. */

import { useSignal } from '@preact/signals'
import { ApiProblem } from '../api/problem.ts'
import { t } from '../language.ts'
import { passkeysWork, signInByPasskey } from '../passkeys.ts'
import { ProblemNote } from './problem-note.tsx'

interface PasskeyButtonProps {
  words?: string
  /** Rejects with an `ApiProblem`, which is shown. */
  onUse?(): Promise<void>
}

export function PasskeyButton({ words = t`Sign in with a passkey`, onUse = signInByPasskey }: PasskeyButtonProps) {
  const isBusy = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  if (!passkeysWork()) return null

  async function use(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      await onUse()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      isBusy.value = false
    }
  }

  return (
    <div class="provider">
      <button type="button" class="button button-wide" onClick={() => void use()}>
        {words}
      </button>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
    </div>
  )
}
