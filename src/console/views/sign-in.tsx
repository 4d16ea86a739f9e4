import { useLayoutEffect } from 'preact/hooks'
import { Mark } from '../parts/icon.tsx'
import { SignInForm } from '../parts/sign-in-form.tsx'
import { Version } from '../parts/version.tsx'
import { place } from '../router.ts'

export function SignInView() {
  useLayoutEffect(() => {
    document.title = 'Sign in · Quire'
  }, [])
  const returning = place.value.query.has('next')
  return (
    <main class="gate">
      <div class="gate-card">
        <Mark size={44} />
        <h1>Sign in to Quire</h1>
        <p class="muted">{returning ? 'Afterwards you are back where you were.' : 'Documents, made from versions.'}</p>
        <SignInForm />
      </div>
      <Version />
    </main>
  )
}
