/** The person's role wants a second factor, and there is none yet. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { t } from '../language.ts'
import { type Added, AppDialog, PasskeyDialog, RecoveryCodes } from '../parts/factor-adding.tsx'
import { Mark } from '../parts/icon.tsx'
import { RenewalDialog } from '../parts/renewal-dialog.tsx'
import { passkeysWork } from '../passkeys.ts'
import { enter, session, signOut } from '../session.ts'

export function EnrolmentView() {
  const asked = useSignal<'app' | 'passkey' | undefined>(undefined)
  const added = useSignal<Added | undefined>(undefined)
  useLayoutEffect(() => {
    document.title = t`Add a second factor · Quire`
  }, [])
  const adding = {
    onAdded: (made: Added) => {
      added.value = made
    },
    onClose: () => {
      asked.value = undefined
    },
  }
  return (
    <main class="gate">
      <div class="gate-card">
        <Mark size={44} />
        <h1>{t`Add a second factor`}</h1>
        <p class="muted">{t`Your role wants one beside the password. You will be asked for it when you sign in.`}</p>
        <button
          type="button"
          class="button button-primary button-wide"
          onClick={() => {
            asked.value = 'app'
          }}
        >
          {t`Authenticator app`}
        </button>
        {passkeysWork() && (
          <button
            type="button"
            class="button button-wide"
            onClick={() => {
              asked.value = 'passkey'
            }}
          >
            {t`Passkey`}
          </button>
        )}
        <button type="button" class="button button-quiet button-wide" onClick={() => void signOut().catch(() => {})}>
          {t`Sign out`}
        </button>
      </div>
      <RenewalDialog username={session.value?.user.username ?? ''} />
      {asked.value === 'app' && <AppDialog {...adding} />}
      {asked.value === 'passkey' && <PasskeyDialog {...adding} />}
      {added.value !== undefined && (
        <RecoveryCodes
          codes={added.value.recovery_codes ?? []}
          onClose={() => added.value && enter(added.value.session)}
        />
      )}
    </main>
  )
}
