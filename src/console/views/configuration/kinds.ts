/** How the kinds of canonical configuration are called, and where they live. */
import type { ConfigurationKind } from '../../api/types.ts'

export const kindTexts: Readonly<Record<ConfigurationKind, { singular: string; plural: string; path: string }>> = {
  ingestion_model: { singular: 'Ingestion model', plural: 'Ingestion models', path: '/ingestion-models' },
  transformer: { singular: 'Transformer', plural: 'Transformers', path: '/transformers' },
  template: { singular: 'Template', plural: 'Templates', path: '/templates' },
}

export function pathOfFamily(kind: ConfigurationKind, familyId: string): string {
  return `${kindTexts[kind].path}/${familyId}`
}
