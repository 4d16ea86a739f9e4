/** One template: its file, its bindings, what it looks like filled, and its versions. */
import { useResource } from '../api/resource.ts'
import type { Template } from '../api/types.ts'
import { Copyable } from '../parts/copyable.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { activeTab, type Tab, Tabs } from '../parts/tabs.tsx'
import { authors, type ViewProps } from '../routes.ts'
import { holdsRole } from '../session.ts'
import { Versions } from './configuration/versions.tsx'
import { Bindings } from './template/bindings.tsx'
import { ComparePages } from './template/compare-pages.tsx'
import { Preview } from './template/preview.tsx'
import { TemplateFile } from './template/template-file.tsx'

export function TemplateView({ parameters }: ViewProps) {
  const path = `/api/v1/templates/${encodeURIComponent(parameters.id ?? '')}`
  const { value, problem, reload } = useResource<Template>(path)
  const template = value.value
  const mayEdit = holdsRole(authors)
  const tabs: readonly Tab[] = [
    { key: 'file', title: 'Draft' },
    { key: 'bindings', title: 'Bindings' },
    ...(mayEdit ? [{ key: 'preview', title: 'Preview' }] : []),
    { key: 'versions', title: 'Versions', count: template?.versions.length },
    ...(mayEdit ? [{ key: 'compare', title: 'Compare' }] : []),
  ]
  return (
    <div class="page page-wide">
      <PageHead
        title={template?.name ?? 'Template'}
        parent={{ href: '/templates', title: 'Templates' }}
        facts={
          template && (
            <>
              <code>{template.slug}</code>
              {template.description !== '' && <span>{template.description}</span>}
              <Copyable value={template.id} label="template id" chars={13} />
            </>
          )
        }
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {template === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Loading the template" />
      )}
      {template !== undefined && (
        <>
          <Tabs label="Template" tabs={tabs} />
          {activeTab(tabs) === 'file' && <TemplateFile template={template} mayEdit={mayEdit} reload={reload} />}
          {activeTab(tabs) === 'bindings' && <Bindings template={template} mayPreview={mayEdit} />}
          {activeTab(tabs) === 'preview' && <Preview template={template} />}
          {activeTab(tabs) === 'versions' && (
            <Versions
              kind="template"
              family={template}
              versions={template.versions}
              mayEdit={mayEdit}
              reload={reload}
            />
          )}
          {activeTab(tabs) === 'compare' && <ComparePages template={template} />}
        </>
      )}
    </div>
  )
}
