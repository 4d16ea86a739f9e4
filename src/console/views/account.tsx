/** One's own account: how one signs in, and where one is signed in. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { type Resource, useResource } from '../api/resource.ts'
import type { FactorOverview, SecondFactor } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { type Added, AppDialog, PasskeyDialog, RecoveryCodes } from '../parts/factor-adding.tsx'
import { Instant, Moment } from '../parts/moment.tsx'
import { NoticeList } from '../parts/notice-list.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { SessionList } from '../parts/session-list.tsx'
import { passkeysWork } from '../passkeys.ts'
import { enter, signsInAtProvider } from '../session.ts'

export function AccountView() {
  return (
    <div class="page">
      <PageHead title={t`Your account`} lede={t`How you sign in, and from where.`} />
      <Notices />
      {signsInAtProvider() ? (
        <p>{rich`You sign in at the provider. ${<a href="/password">{t`What it says of you`}</a>}`}</p>
      ) : (
        <SecondFactors />
      )}
      <Sessions />
    </div>
  )
}

function Notices() {
  return (
    <section class="account-part" aria-labelledby="notices-title">
      <div class="account-part-head">
        <h2 id="notices-title">{t`Notices`}</h2>
      </div>
      <NoticeList />
      <p class="muted">
        {t`If something here wasn't you, end all other sessions below, and`}{' '}
        {signsInAtProvider() ? t`tell an administrator` : <a href="/password">{t`change your password`}</a>}.
      </p>
    </section>
  )
}

function Sessions() {
  /** Counts up, so that the list is read again. */
  const round = useSignal(0)
  const asks = useSignal(false)
  const path = '/api/v1/auth/sessions'
  return (
    <section class="account-part" aria-labelledby="sessions-title">
      <div class="account-part-head">
        <h2 id="sessions-title">{t`Sessions`}</h2>
        <button
          type="button"
          class="button button-small"
          onClick={() => {
            asks.value = true
          }}
        >
          {t`End all others`}
        </button>
      </div>
      <SessionList key={round.value} path={path} />
      {asks.value && (
        <FormDialog
          title={t`End all other sessions?`}
          action={t`End them`}
          isDestructive
          onClose={() => {
            asks.value = false
          }}
          onSubmit={async () => {
            await call(`${path}/end-others`, { method: 'POST' })
            round.value++
          }}
        >
          <p>{t`Whoever is signed in as you elsewhere has to sign in again. This session goes on.`}</p>
        </FormDialog>
      )}
    </section>
  )
}

type Asked =
  | { action: 'app' | 'passkey' | 'codes' }
  | { action: 'remove'; factor: SecondFactor }
  | { action: 'shown'; codes: readonly string[] }

function SecondFactors() {
  const resource = useResource<FactorOverview>('/api/v1/auth/factors')
  const asked = useSignal<Asked | undefined>(undefined)
  const ask = (action: 'app' | 'passkey' | 'codes') => () => {
    asked.value = { action }
  }
  const { value, problem } = resource
  return (
    <section class="account-part" aria-labelledby="factors-title">
      <div class="account-part-head">
        <h2 id="factors-title">{t`Second factor`}</h2>
        <span class="row-tools">
          <button type="button" class="button button-small" onClick={ask('app')}>
            {t`Add an app`}
          </button>
          {passkeysWork() && (
            <button type="button" class="button button-small" onClick={ask('passkey')}>
              {t`Add a passkey`}
            </button>
          )}
        </span>
      </div>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={resource.reload} />}
      {value.value !== undefined && <FactorList overview={value.value} asked={asked} onCodes={ask('codes')} />}
      <FactorDialogs asked={asked} resource={resource} />
    </section>
  )
}

interface FactorListProps {
  overview: FactorOverview
  asked: { value: Asked | undefined }
  onCodes(): void
}

function FactorList({ overview, asked, onCodes }: FactorListProps) {
  const { factors, recovery_codes: left, required } = overview
  if (factors.length === 0) {
    return (
      <ul class="account-list">
        <li>
          <span class="muted">
            {t`There is none: whoever has your password is you. Add an authenticator app or a passkey, and you are
              asked for it when you sign in.`}
          </span>
        </li>
      </ul>
    )
  }
  return (
    <>
      <ul class="account-list">
        {factors.map((factor) => (
          <li key={factor.id}>
            <span>
              <strong>{factor.name}</strong>{' '}
              <span class="muted">
                {rich`${factor.kind === 'app' ? t`authenticator app` : t`passkey for ${factor.host}`}, since ${<Instant at={factor.created_at} />}`}
                {factor.last_used_at !== undefined && <>{rich`, last used ${<Moment at={factor.last_used_at} />}`}</>}
              </span>
            </span>
            {(factors.length > 1 || !required) && (
              <button
                type="button"
                class="button button-small"
                onClick={() => {
                  asked.value = { action: 'remove', factor }
                }}
              >
                {t`Remove`}
                <span class="offscreen"> {factor.name}</span>
              </button>
            )}
          </li>
        ))}
        <li>
          <span>
            <strong>{t`Recovery codes`}</strong>{' '}
            <span class="muted">{rich`${left === 1 ? t`one is` : t`${left} are`} left`}</span>
          </span>
          <button type="button" class="button button-small" onClick={onCodes}>
            {t`New codes`}
          </button>
        </li>
      </ul>
      {required && <p class="muted">{t`Your role wants a second factor, so the last one can't be removed.`}</p>}
    </>
  )
}

function FactorDialogs({
  asked,
  resource,
}: {
  asked: { value: Asked | undefined }
  resource: Resource<FactorOverview>
}) {
  const now = asked.value
  const onClose = () => {
    // A dialog that has led to the next one closes nothing.
    if (asked.value === now) asked.value = undefined
  }
  const onAdded = ({ recovery_codes: codes, session }: Added) => {
    enter(session)
    void resource.reload()
    asked.value = codes === undefined ? undefined : { action: 'shown', codes }
  }
  switch (now?.action) {
    case 'app':
      return <AppDialog onAdded={onAdded} onClose={onClose} />
    case 'passkey':
      return <PasskeyDialog onAdded={onAdded} onClose={onClose} />
    case 'shown':
      return <RecoveryCodes codes={now.codes} onClose={onClose} />
    case 'codes':
      return (
        <FormDialog
          title={t`New recovery codes?`}
          action={t`Make them`}
          onClose={onClose}
          onSubmit={async () => {
            const path = '/api/v1/auth/recovery-codes'
            const made = await call<{ recovery_codes: string[] }>(path, { method: 'POST', confirms: true })
            void resource.reload()
            asked.value = { action: 'shown', codes: made.recovery_codes }
          }}
        >
          <p>{t`The ones that you have open nothing any more.`}</p>
        </FormDialog>
      )
    case 'remove':
      return (
        <FormDialog
          title={t`Remove ${now.factor.name}?`}
          action={t`Remove`}
          isDestructive
          onClose={onClose}
          onSubmit={async () => {
            await call(`/api/v1/auth/factors/${now.factor.id}`, { method: 'DELETE', confirms: true })
            await resource.reload()
          }}
        >
          <p>{t`You are not asked for it any more, and your other sessions end.`}</p>
        </FormDialog>
      )
    default:
      return null
  }
}
