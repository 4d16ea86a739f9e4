/** Adding a second factor: an authenticator app or a passkey, and the recovery codes that come with the first. */

import { call } from '../api/client.ts'
import type { BegunApp, SecondFactor, Session } from '../api/types.ts'
import { useWork } from '../api/work.ts'
import { rich, t } from '../language.ts'
import { makePasskey } from '../passkeys.ts'
import { CopyButton } from './copyable.tsx'
import { Dialog, FormDialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { ProblemNote } from './problem-note.tsx'

/** What the server answers to a new factor. */
export interface Added {
  factor: SecondFactor
  recovery_codes?: readonly string[]
  session: Session
}

interface AddingProps {
  onAdded(added: Added): void
  onClose(): void
}

export function AppDialog({ onAdded, onClose }: AddingProps) {
  const begun = useWork('app', (signal) =>
    call<BegunApp>('/api/v1/auth/factors/app/start', {
      ...{ method: 'POST', confirms: true, signal },
    }),
  )
  const [value, problem] = [begun.value.value, begun.problem.value]
  if (value === undefined) {
    return (
      <Dialog title={t`Authenticator app`} onClose={onClose}>
        {problem === undefined ? <p class="muted">{t`One moment…`}</p> : <ProblemNote problem={problem} />}
        <div class="dialog-foot">
          <button type="button" class="button button-quiet" onClick={onClose}>
            {t`Cancel`}
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t`Authenticator app`}
      action={t`Add`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const body = {
          enrolment: value.enrolment,
          code: String(fields.get('code')).replace(/\s/g, ''),
          name: String(fields.get('name')),
        }
        onAdded(await call<Added>('/api/v1/auth/factors/app', { method: 'POST', body, confirms: true }))
      }}
    >
      <p>{t`Let the app on your phone read this, then type the code that it shows.`}</p>
      <QrCode {...value.qr_code} />
      <p class="secret">
        <code class="secret-text">{value.key.replace(/(.{4})(?=.)/g, '$1 ')}</code>{' '}
        <CopyButton text={value.key} label={t`key`} />
      </p>
      <Field label={t`Code`}>
        <input
          name="code"
          autocomplete="one-time-code"
          inputMode="numeric"
          pattern="\s*\d\s*\d\s*\d\s*\d\s*\d\s*\d\s*"
          title={t`Six digits`}
          maxLength={12}
          required
        />
      </Field>
      <FactorName example="phone" />
    </FormDialog>
  )
}

export function PasskeyDialog({ onAdded, onClose }: AddingProps) {
  return (
    <FormDialog
      title={t`Passkey`}
      action={t`Make it`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const body = { passkey: await makePasskey(), name: String(fields.get('name')) }
        onAdded(await call<Added>('/api/v1/auth/factors/passkey', { method: 'POST', body, confirms: true }))
      }}
    >
      <p>
        {rich`On this device, on your phone, or on a security key: the browser asks. It works for ${window.location.hostname} alone, and signs you in without a password, too.`}
      </p>
      <FactorName example="laptop" />
    </FormDialog>
  )
}

function FactorName({ example }: { example: string }) {
  return (
    <Field label={t`Name`} hint={t`What you call it, such as ${example}.`}>
      <input name="name" required maxLength={60} autocomplete="off" />
    </Field>
  )
}

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Dialog title={t`Recovery codes`} onClose={onClose}>
      <p>
        {t`Keep them where you find them without your phone. Each replaces the second factor once. They
          are shown only now.`}
      </p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="dialog-foot">
        <CopyButton text={codes.join('\n')} label={t`recovery codes`} />
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`I have kept them`}
        </button>
      </div>
    </Dialog>
  )
}

/** Dark on light in both themes: some phones read no other. */
function QrCode({ size, path }: { size: number; path: string }) {
  return (
    <svg class="qr-code" viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={t`QR code with the key`}>
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
