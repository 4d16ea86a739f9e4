import { useResource } from '../api/resource.ts'
import type { OwnAccount } from '../api/types.ts'
import { Moment } from '../parts/moment.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { signsInAtProvider } from '../session.ts'
import { PasswordView } from './password.tsx'

export function ChangePasswordView() {
  return signsInAtProvider() ? <ProviderAccount /> : <PasswordView forced={false} />
}

/** Nothing can be changed here: the provider has the password, or whatever it asks for. */
function ProviderAccount() {
  const resource = useResource<OwnAccount>('/api/v1/auth/account')
  const [value, problem] = [resource.value.value, resource.problem.value]
  return (
    <div class="page page-narrow">
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>How you sign in</h1>
          <p class="lede">
            You have no password here. Change the one you have at {value?.provider_name ?? 'the provider'}.
          </p>
        </div>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} retry={resource.reload} />}
      {value !== undefined && (
        <dl class="facts facts-wrapped">
          <dt>Signed in with</dt>
          <dd>{value.provider_name}</dd>
          <dt>Provider</dt>
          <dd>{value.issuer}</dd>
          <dt>Your subject there</dt>
          <dd>{value.subject}</dd>
          <dt>Last signed in</dt>
          <dd>{value.confirmed_at === null ? 'not told by the provider' : <Moment at={value.confirmed_at} />}</dd>
        </dl>
      )}
    </div>
  )
}
