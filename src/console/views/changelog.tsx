/** What changed, as CHANGELOG.md tells it: made into HTML when the console was built. */
import changelog from '../../../CHANGELOG.md'

export function ChangelogView() {
  return (
    <div class="page page-text">
      {/* Our own file, made into HTML with HTML in it switched off. */}
      <article class="prose" dangerouslySetInnerHTML={{ __html: changelog.replace('<h1>', '<h1 tabindex="-1">') }} />
    </div>
  )
}
