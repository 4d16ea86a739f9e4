/** Which templates a template includes, and which include it. */

import type { Template } from '../../api/types.ts'
import { t } from '../../language.ts'

export function Included({ template }: { template: Template }) {
  const { versions, included_by: users = [] } = template
  const newest = versions.reduce(
    (one, other) => (other.number > one.number ? other : one),
    versions[0] ?? { number: 0 },
  )
  const slugs = 'fragments' in newest ? (newest.fragments ?? []) : []
  if (slugs.length === 0 && users.length === 0) return null
  return (
    <section class="panel" aria-label={t`Included templates`}>
      <dl class="facts">
        {slugs.length > 0 && (
          <div>
            <dt>{t`Includes`}</dt>
            <dd>{slugs.join(', ')}</dd>
          </div>
        )}
        {users.length > 0 && (
          <div>
            <dt>{t`Included by`}</dt>
            <dd>
              {users.map(({ template_id: id, slug, version, chain }, index) => (
                <span key={slug}>
                  {index > 0 && ', '}
                  <a href={`/templates/${id}`}>
                    {slug} v{version}
                  </a>
                  {chain.length > 2 && t` through ${chain.slice(1, -1).join(', ')}`}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
