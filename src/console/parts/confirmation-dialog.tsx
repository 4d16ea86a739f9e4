/** Asks for the password again: the action outlives the session, so the server wants to know that the person is still there. */
import { t } from '../language.ts'
import {
  abandonConfirmation,
  confirmAtProvider,
  confirming,
  confirmPassword,
  session,
  signsInAtProvider,
} from '../session.ts'
import { Dialog, FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { ProviderButton } from './provider-button.tsx'

export function ConfirmationDialog() {
  if (!confirming.value) return null
  if (signsInAtProvider()) {
    return (
      <Dialog title={t`Sign in again, please`} onClose={abandonConfirmation}>
        <p class="muted">{t`You signed in more than ten minutes ago, and this has to be you.`}</p>
        <ProviderButton isPrimary={true} onUse={confirmAtProvider} />
        <button type="button" class="button button-quiet button-wide" onClick={abandonConfirmation}>
          {t`Cancel`}
        </button>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t`Your password, please`}
      action={t`Go on`}
      onClose={() => confirming.value && abandonConfirmation()}
      onSubmit={(fields) => confirmPassword(String(fields.get('confirmation')))}
    >
      <p class="muted">{t`You gave it more than ten minutes ago, and this has to be you.`}</p>
      <input type="hidden" name="username" autocomplete="username" value={session.value?.user.username ?? ''} />
      <Field label={t`Password`}>
        <input name="confirmation" type="password" autocomplete="current-password" maxLength={128} required autofocus />
      </Field>
    </FormDialog>
  )
}
