/** Loads the texts of the language, then everything else: many modules make their texts when they are loaded. */
import { readTexts, t } from './language.ts'

try {
  await readTexts()
  await import('./start.tsx')
} catch (error) {
  showNotStarted(error)
  throw error
}

/** An empty page would not say that the browser lacks something, or that a file could not be loaded. */
function showNotStarted(error: unknown): void {
  const title = document.createElement('h1')
  title.textContent = t`The console could not start`
  const reason = document.createElement('p')
  reason.textContent = error instanceof Error ? error.message : String(error)
  const remedy = document.createElement('p')
  remedy.textContent = t`Reload the page. If that doesn’t help, update the browser, or open the console in another one.`
  const reload = document.createElement('button')
  reload.className = 'button'
  reload.textContent = t`Reload`
  reload.addEventListener('click', () => window.location.reload())
  const page = document.createElement('main')
  page.className = 'page page-narrow'
  page.append(title, reason, remedy, reload)
  document.getElementById('console')?.replaceChildren(page)
}
