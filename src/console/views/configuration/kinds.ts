/** How the kinds of canonical configuration are called, and where they live. */

import type { ConfigurationKind } from '../../api/types.ts'
import { t } from '../../language.ts'

export const kindTexts: Readonly<Record<ConfigurationKind, { singular: string; plural: string; path: string }>> = {
  ingestion_model: { singular: t`Ingestion model`, plural: t`Ingestion models`, path: '/ingestion-models' },
  transformer: { singular: t`Transformer`, plural: t`Transformers`, path: '/transformers' },
  template: { singular: t`Template`, plural: t`Templates`, path: '/templates' },
}

export function pathOfFamily(kind: ConfigurationKind, familyId: string): string {
  return `${kindTexts[kind].path}/${familyId}`
}
