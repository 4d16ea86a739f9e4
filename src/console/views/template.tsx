/** One template: its file, its bindings, what it looks like filled, and its versions. */

import type { Template } from '../api/types.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { FamilyPage } from './configuration/family-page.tsx'
import { kindTexts } from './configuration/kinds.ts'
import { Versions } from './configuration/versions.tsx'
import { FamilySuites } from './suite/suite-panel.tsx'
import { Bindings } from './template/bindings.tsx'
import { ComparePages } from './template/compare-pages.tsx'
import { Included } from './template/included.tsx'
import { Preview } from './template/preview.tsx'
import { TemplateFile } from './template/template-file.tsx'
import { WorkspaceLink } from './workspace/workspace-link.tsx'

export function TemplateView({ parameters }: ViewProps) {
  return (
    <FamilyPage<Template>
      words={kindTexts.template}
      id={parameters.id ?? ''}
      tools={({ family }) => <WorkspaceLink familyId={family.id} part="template" />}
      parts={({ family, mayEdit, reload }) => [
        {
          key: 'file',
          title: t`Draft`,
          show: () => (
            <>
              <TemplateFile template={family} mayEdit={mayEdit} reload={reload} />
              <FamilySuites familyId={family.id} revision={family.draft_revision} mayEdit={mayEdit} />
            </>
          ),
        },
        { key: 'bindings', title: t`Bindings`, show: () => <Bindings template={family} mayPreview={mayEdit} /> },
        // The server fills templates for authors only.
        ...(mayEdit ? [{ key: 'preview', title: t`Preview`, show: () => <Preview template={family} /> }] : []),
        {
          key: 'versions',
          title: t`Versions`,
          count: family.versions.length,
          show: () => (
            <>
              <Included template={family} />
              <Versions kind="template" family={family} versions={family.versions} mayEdit={mayEdit} reload={reload} />
            </>
          ),
        },
        ...(mayEdit ? [{ key: 'compare', title: t`Compare`, show: () => <ComparePages template={family} /> }] : []),
      ]}
    />
  )
}
