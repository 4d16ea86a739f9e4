/** What is about to happen outlives a session, so the server wants to know that the person is still there. */
import { abandonConfirmation, confirming, confirmPassword, session } from '../session.ts'
import { FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'

export function ConfirmationDialog() {
  if (!confirming.value) return null
  return (
    <FormDialog
      title="Your password, please"
      action="Go on"
      onClose={() => confirming.value && abandonConfirmation()}
      onSubmit={(fields) => confirmPassword(String(fields.get('confirmation')))}
    >
      <p class="muted">You gave it more than ten minutes ago, and this gives somebody rights.</p>
      <input type="hidden" name="username" autocomplete="username" value={session.value?.user.username ?? ''} />
      <Field label="Password">
        <input name="confirmation" type="password" autocomplete="current-password" maxLength={128} required autofocus />
      </Field>
    </FormDialog>
  )
}
