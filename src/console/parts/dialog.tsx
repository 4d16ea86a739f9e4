/** A modal dialog: Escape and the button close it, and the focus goes back to where it was. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemFrom } from '../api/problem.ts'
import { showOver } from '../focus.ts'
import { t } from '../language.ts'
import { ProblemNote } from './problem-note.tsx'

interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
  wide?: boolean
}

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => (dialog.current === null ? undefined : showOver(dialog.current)), [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file field inside also fires `cancel`.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      // A browser asks only once: a second Escape closes the dialog anyway, so it is opened again.
      onClose={() => dialog.current?.showModal()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** What a submission resolves to where the dialog goes on with another step. */
export const STAYS = Symbol('stays')

interface FormDialogProps {
  title: string
  /** The button's words: what happens. */
  action: string
  /** True if something ends or can't be taken back. */
  isDestructive?: boolean
  disabled?: boolean
  /** What it rejects with is shown; the dialog then stays open, as it does for `STAYS`. */
  onSubmit(fields: FormData): Promise<unknown>
  onClose(): void
  children: ComponentChildren
  wide?: boolean
}

/**
 * A dialog that does one thing, and shows the problem if that fails. Also for confirming: the children say what will
 * happen.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isDestructive = false, disabled = false, onSubmit, onClose, children, wide = false } = props
  const isBusy = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy.value) return
    const fields = new FormData(event.currentTarget)
    isBusy.value = true
    problem.value = undefined
    try {
      if ((await onSubmit(fields)) !== STAYS) onClose()
    } catch (error) {
      problem.value = problemFrom(error)
    } finally {
      isBusy.value = false
    }
  }

  return (
    // A request under way can't be called back: the dialog stays until its outcome is known.
    <Dialog title={title} onClose={() => !isBusy.value && onClose()} wide={wide}>
      <form class="form" onSubmit={submit}>
        {children}
        {problem.value !== undefined && <ProblemNote problem={problem.value} />}
        <div class="dialog-foot">
          {/* Busy buttons stay focusable, so that the focus stays where it is; a press of them does nothing. */}
          <button
            type="button"
            class="button button-quiet"
            aria-disabled={isBusy.value}
            onClick={() => !isBusy.value && onClose()}
          >
            {t`Cancel`}
          </button>
          <button
            type="submit"
            class={`button ${isDestructive ? 'button-danger' : 'button-primary'}`}
            disabled={disabled}
            aria-disabled={isBusy.value}
          >
            {isBusy.value ? t`One moment…` : action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
