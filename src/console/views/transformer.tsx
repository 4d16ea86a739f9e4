/** One transformer: its draft on the workbench, and its versions. */

import type { DefinitionFamily } from '../api/types.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { linesCompared } from './configuration/compare-lines.tsx'
import { FamilyPage } from './configuration/family-page.tsx'
import { kindTexts } from './configuration/kinds.ts'
import { sourceVersions } from './configuration/version-source.tsx'
import { Workbench } from './transformer/workbench.tsx'
import { WorkspaceLink } from './workspace/workspace-link.tsx'

export function TransformerView({ parameters }: ViewProps) {
  return (
    <FamilyPage<DefinitionFamily>
      words={kindTexts.transformer}
      id={parameters.id ?? ''}
      parts={(opened) => [
        { key: 'draft', title: t`Workbench`, show: () => <Workbench {...opened} /> },
        sourceVersions('transformer', opened),
        linesCompared('transformer', opened.family),
      ]}
      tools={({ family }) => <WorkspaceLink familyId={family.id} part="transformer" />}
    />
  )
}
