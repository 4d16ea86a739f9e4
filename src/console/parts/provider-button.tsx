/** "Sign in with …", and what went wrong there. */

import { useSignal } from '@preact/signals'
import { ApiProblem } from '../api/problem.ts'
import { t } from '../language.ts'
import { methods } from '../provider.ts'
import { ProblemNote } from './problem-note.tsx'

interface ProviderButtonProps {
  isPrimary?: boolean
  words?: string
  /** Rejects with an `ApiProblem`, which is shown. */
  onUse(): Promise<void>
}

export function ProviderButton({ isPrimary = false, words = t`Sign in with`, onUse }: ProviderButtonProps) {
  const isBusy = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const name = methods.value?.provider?.name
  if (name === undefined) return null

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
      <button
        type="button"
        class={`button button-wide ${isPrimary ? 'button-primary' : ''}`}
        onClick={() => void use()}
      >
        {words} {name}
      </button>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
    </div>
  )
}
