import { place } from '../router.ts'

export function NotFoundView() {
  return (
    <div class="page empty-page">
      <p class="empty-figure">404</p>
      <h1 tabIndex={-1}>There is no page here</h1>
      <p class="muted">
        Nothing in this console has the address <code>{place.value.path}</code>.
      </p>
      <a class="button button-primary" href="/">
        Go home
      </a>
    </div>
  )
}

/** The address exists, but not for this person; the server would say the same. */
export function NoAccessView({ title }: { title: string }) {
  return (
    <div class="page empty-page">
      <h1 tabIndex={-1}>{title} is not open to you</h1>
      <p class="muted">Your roles do not include it. An administrator can change them.</p>
    </div>
  )
}
