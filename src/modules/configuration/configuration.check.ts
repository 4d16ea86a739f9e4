import type { Binding } from '../../core/binding.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import type { JsonValue } from '../../core/json.ts'
import type { FamilyKind } from '../../db/schema.ts'
import { compileTransformer, type Transformer } from '../../engines/declarative/declarative.ts'
import { compileTemplate } from '../../engines/docx/docx.ts'
import { compileIngestionModel, type IngestionModel, type ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { compileSchema } from '../../engines/schema/schema.ts'

export type Content = { source: string; format: TextFormat } | { bytes: Uint8Array; format: 'docx' }

/** What freezing needs to know of a draft: that its engine accepts it, and for templates what they bind. */
export function checkContent(kind: FamilyKind, content: Content): Outcome<{ bindings: Binding[] | null }> {
  if ('bytes' in content) {
    const template = compileTemplate(content.bytes)
    return template.ok ? succeed({ bindings: [...template.value.bindings] }, template.findings) : template
  }
  const compiled = compileSource(kind, content.source, content.format)
  return compiled.ok ? succeed({ bindings: null }, compiled.findings) : compiled
}

/** Whether the kind's engine accepts a source text taken by itself. */
export function compileSource(kind: FamilyKind, source: string, format: TextFormat): Outcome<unknown> {
  switch (kind) {
    case 'contract':
      return compileSchema(source)
    case 'ingestion_model':
      return compileModel(source, format)
    case 'transformer':
      return compileTransformer(source, format)
    case 'template':
      throw new Error('a template has bytes, not source text')
  }
}

function compileModel(source: string, format: TextFormat): Outcome<IngestionModel> {
  const compiled = compileIngestionModel(source, format)
  if (!compiled.ok) return compiled
  const findings = conditionsOf(compiled.value.nodes, '/nodes').flatMap(({ path, when }) =>
    compileCondition(when).findings.map((finding) => atNode(finding, path)),
  )
  return findings.some(({ severity }) => severity === 'error') ? fail(...findings) : succeed(compiled.value, findings)
}

/** A node's `when` as a program of declarative-v1 whose output is the condition's value. */
export function compileCondition(when: JsonValue): Outcome<Transformer> {
  return compileTransformer(JSON.stringify({ transform: 'declarative-v1', output: when }), 'json')
}

function conditionsOf(nodes: readonly ModelNode[], path: string): { path: string; when: JsonValue }[] {
  return nodes.flatMap((node, index) => [
    ...(node.when === undefined ? [] : [{ path: `${path}/${index}/when`, when: node.when }]),
    ...conditionsOf(node.children, `${path}/${index}/children`),
  ])
}

/** A finding of the condition's own small program, moved to where the condition stands in the model. */
function atNode({ line: _line, column: _column, ...finding }: Finding, path: string): Finding {
  return { ...finding, path: `${path}${(finding.path ?? '').replace(/^\/output/, '')}` }
}
