import { useEffect, useLayoutEffect } from 'preact/hooks'
import { safeReturn } from '../address.ts'
import { t } from '../language.ts'
import { Mark } from '../parts/icon.tsx'
import { LanguageChoice } from '../parts/language-choice.tsx'
import { PasskeyButton } from '../parts/passkey-button.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { ProviderButton } from '../parts/provider-button.tsx'
import { SignInForm } from '../parts/sign-in-form.tsx'
import { Version } from '../parts/version.tsx'
import { goToProvider, methods, problemOf, readMethods } from '../provider.ts'
import { place } from '../router.ts'
import { halfSession } from '../session.ts'

export function SignInView() {
  useLayoutEffect(() => {
    document.title = t`Sign in · Quire`
  }, [])
  useEffect(() => void readMethods(), [])
  const { query } = place.value
  const refused = query.get('refused')
  const hasProvider = methods.value?.provider != null
  const hasPasswords = methods.value?.passwords !== false
  return (
    <main class="gate">
      <div class="gate-card">
        <Mark size={44} />
        <h1>{t`Sign in to Quire`}</h1>
        <p class="muted">
          {query.has('next') ? t`Afterwards you are back where you were.` : t`Documents, made from versions.`}
        </p>
        {refused !== null && <ProblemNote problem={problemOf(refused, query.get('reference') ?? '')} />}
        {hasPasswords ? (
          <SignInForm />
        ) : (
          <ProviderButton isPrimary={true} onUse={() => goToProvider(safeReturn(query.get('next')))} />
        )}
        {halfSession.value === undefined && hasPasswords && <PasskeyButton />}
        {hasPasswords && hasProvider && (
          <>
            <p class="gate-or muted">{t`or`}</p>
            <ProviderButton onUse={() => goToProvider(safeReturn(query.get('next')))} />
          </>
        )}
        {!hasPasswords && (
          <details class="gate-other">
            <summary>{t`Sign in with a password`}</summary>
            <p class="muted">{t`Only the account for emergencies has one.`}</p>
            <SignInForm />
          </details>
        )}
      </div>
      <LanguageChoice />
      <Version />
    </main>
  )
}
