/** Keywords of JSON Schema 2020-12 that authors write by hand. */
import type { Completion } from '../../parts/editor-props.ts'

const keywords: readonly (readonly [name: string, detail: string])[] = [
  ['$ref', 'another schema of this document'],
  ['$defs', 'schemas to refer to'],
  ['$schema', 'the dialect'],
  ['$comment', 'for readers of the schema'],
]

export function schemaCompletions(): Completion[] {
  return keywords.map(([label, detail]) => ({ label, detail, type: 'keyword' }))
}
