/** The window that came back from the provider: it tells the page that waits, and closes itself where it may. */

import { useEffect } from 'preact/hooks'
import { t } from '../language.ts'
import { Mark } from '../parts/icon.tsx'
import { tellPage } from '../provider.ts'

export function ReturnedView({ query }: { query: URLSearchParams }) {
  useEffect(() => {
    document.title = t`Signed in · Quire`
    tellPage(query)
  }, [query])
  return (
    <main class="gate">
      <div class="gate-card">
        <Mark size={44} />
        <h1>{query.has('ended') ? t`Signed in` : t`Not signed in`}</h1>
        <p class="muted">{t`Close this window, and go on where you were.`}</p>
      </div>
    </main>
  )
}
