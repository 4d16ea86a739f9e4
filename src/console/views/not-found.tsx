import { rich, t } from '../language.ts'
import { place } from '../router.ts'

export function NotFoundView() {
  return (
    <div class="page empty-page">
      <p class="empty-figure">404</p>
      <h1 tabIndex={-1}>{t`There is no page here`}</h1>
      <p class="muted">{rich`Nothing in this console has the address ${<code>{place.value.path}</code>}.`}</p>
      <a class="button button-primary" href="/">
        {t`Go home`}
      </a>
    </div>
  )
}

/** The address exists, but not for this person; the server would say the same. */
export function NoAccessView({ title }: { title: string }) {
  return (
    <div class="page empty-page">
      <h1 tabIndex={-1}>{rich`${title} is not open to you`}</h1>
      <p class="muted">{t`Your roles do not include it. An administrator can change them.`}</p>
    </div>
  )
}
