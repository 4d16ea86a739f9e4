/** One transformer: its draft on the workbench, and its versions. */
import { useResource } from '../api/resource.ts'
import type { DefinitionFamily, Version } from '../api/types.ts'
import { Copyable } from '../parts/copyable.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { activeTab, type Tab, Tabs } from '../parts/tabs.tsx'
import { authors, type ViewProps } from '../routes.ts'
import { holdsRole } from '../session.ts'
import { VersionSource } from './configuration/version-source.tsx'
import { shownVersion, Versions } from './configuration/versions.tsx'
import { Workbench } from './transformer/workbench.tsx'

export function TransformerView({ parameters }: ViewProps) {
  const path = `/api/v1/transformers/${encodeURIComponent(parameters.id ?? '')}`
  const { value, problem, reload } = useResource<DefinitionFamily>(path)
  const family = value.value
  const mayEdit = holdsRole(authors)
  const tabs: readonly Tab[] = [
    { key: 'draft', title: 'Workbench' },
    { key: 'versions', title: 'Versions', count: family?.versions.length },
  ]
  const shown: Version | undefined = family === undefined ? undefined : shownVersion(family.versions)
  return (
    <div class="page page-wide">
      <PageHead
        title={family?.name ?? 'Transformer'}
        parent={{ href: '/transformers', title: 'Transformers' }}
        facts={
          family && (
            <>
              <code>{family.slug}</code>
              {family.description !== '' && <span>{family.description}</span>}
              <Copyable value={family.id} label="transformer id" chars={13} />
            </>
          )
        }
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {family === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Loading the transformer" />
      )}
      {family !== undefined && (
        <>
          <Tabs label="Transformer" tabs={tabs} />
          {activeTab(tabs) === 'draft' ? (
            <Workbench family={family} mayEdit={mayEdit} reload={reload} />
          ) : (
            <Versions kind="transformer" family={family} versions={family.versions} mayEdit={mayEdit} reload={reload}>
              {shown !== undefined && <VersionSource path={path} number={shown.number} />}
            </Versions>
          )}
        </>
      )}
    </div>
  )
}
