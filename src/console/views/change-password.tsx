import { useResource } from '../api/resource.ts'
import type { OwnAccount } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { Moment } from '../parts/moment.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { session, signsInAtProvider } from '../session.ts'
import { PasswordView } from './password.tsx'

export function ChangePasswordView() {
  return signsInAtProvider() ? (
    <ProviderAccount />
  ) : (
    <PasswordView forced={session.value?.must_change_password === true} />
  )
}

/** Nothing can be changed here: the provider has the password, or whatever it asks for. */
function ProviderAccount() {
  const resource = useResource<OwnAccount>('/api/v1/auth/account')
  const [value, problem] = [resource.value.value, resource.problem.value]
  return (
    <div class="page page-narrow">
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{t`How you sign in`}</h1>
          <p class="lede">
            {rich`You have no password here. Change the one you have at ${value?.provider_name ?? t`the provider`}.`}
          </p>
        </div>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} retry={resource.reload} />}
      {value !== undefined && (
        <dl class="facts facts-wrapped">
          <dt>{t`Signed in with`}</dt>
          <dd>{value.provider_name}</dd>
          <dt>{t`Provider`}</dt>
          <dd>{value.issuer}</dd>
          <dt>{t`Your subject there`}</dt>
          <dd>{value.subject}</dd>
          <dt>{t`Last signed in`}</dt>
          <dd>{value.confirmed_at === null ? t`not told by the provider` : <Moment at={value.confirmed_at} />}</dd>
        </dl>
      )}
    </div>
  )
}
