/** The session ran out while the page was open: sign in here, and the page continues where it was. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { showOver } from '../focus.ts'
import { t } from '../language.ts'
import { abandonRenewal, renewAtProvider, renewing, signsInAtProvider } from '../session.ts'
import { ProviderButton } from './provider-button.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function RenewalDialog({ username }: { username: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = renewing.value
  useLayoutEffect(() => {
    if (!open || dialog.current === null) return
    const hide = showOver(dialog.current)
    // A dialog focuses its first field, which here is the name that is known already.
    dialog.current.querySelector<HTMLElement>('input:not([readonly]), .provider button')?.focus()
    return hide
  }, [open])
  if (!open) return null
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="renewal-title" onCancel={abandonRenewal}>
      <h2 id="renewal-title">{t`Your session ran out`}</h2>
      <p class="muted">{t`Sign in again to go on. Nothing on this page is lost.`}</p>
      {signsInAtProvider() ? (
        <ProviderButton isPrimary={true} onUse={renewAtProvider} />
      ) : (
        <SignInForm username={username} />
      )}
      <button type="button" class="button button-quiet button-wide" onClick={abandonRenewal}>
        {t`Leave`}
      </button>
    </dialog>
  )
}
