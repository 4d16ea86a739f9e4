/** Which schemas apply to which values of a valid payload. Limits, violations and coverage build on this. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { joinPointer } from '../../../core/pointer.ts'
import { Evaluation } from '../evaluate.ts'
import { dynamicTarget, type SchemaModel, type SchemaNode, type SchemaResource } from '../model.ts'

export interface Applied {
  /** JSON Pointer of the value. */
  path: string
  value: JsonValue
  /** The value's container; undefined for the whole payload. */
  parent: JsonValue | undefined
  token: string | number | undefined
  /** The schemas that apply to it and hold. */
  nodes: SchemaNode[]
}

interface Entry {
  node: SchemaNode
  scope: readonly SchemaResource[]
}

/**
 * Every value of a valid payload with its schemas, outermost first.
 * @throws EvaluationExhausted when telling the branches apart takes more than `maxSteps`
 */
export function appliedSchemas(model: SchemaModel, payload: JsonValue, maxSteps: number): Applied[] {
  const walk = new Walk(model, maxSteps)
  walk.visit(payload, '', undefined, undefined, [{ node: model.root, scope: [] }])
  return walk.found
}

class Walk {
  readonly found: Applied[] = []
  private readonly evaluation: Evaluation

  constructor(
    private readonly model: SchemaModel,
    maxSteps: number,
  ) {
    this.evaluation = new Evaluation(model, maxSteps)
  }

  visit(
    value: JsonValue,
    path: string,
    parent: JsonValue | undefined,
    token: string | number | undefined,
    entries: readonly Entry[],
  ): void {
    const applied = this.inPlace(value, entries)
    const nodes = applied.map(({ node }) => node)
    this.found.push({ path, value, parent, token, nodes })
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        this.visit(item, joinPointer(path, index), value, index, this.ofItem(applied, item, index))
      })
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        this.visit(member, joinPointer(path, key), value, key, this.ofProperty(applied, key, member))
      }
    }
  }

  private inPlace(value: JsonValue, entries: readonly Entry[]): Entry[] {
    const made: Entry[] = []
    const queue = [...entries]
    const met = new Set<SchemaNode>()
    for (const { node, scope: outer } of queue) {
      if (node.always !== undefined || met.has(node)) continue
      met.add(node)
      const isSame = !this.model.isDynamic || outer[outer.length - 1] === node.resource
      const scope = isSame ? outer : [...outer, node.resource]
      made.push({ node, scope })
      const add = (part: SchemaNode) => queue.push({ node: part, scope })
      const holds = (part: SchemaNode) => this.evaluation.holds(part, value, scope)
      if (node.ref !== undefined) add(node.ref)
      if (node.dynamicRef !== undefined) add(dynamicTarget(node.dynamicRef, scope))
      for (const part of node.allOf ?? []) add(part)
      for (const part of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) if (holds(part)) add(part)
      if (node.condition !== undefined) {
        const isTrue = holds(node.condition)
        if (isTrue) add(node.condition)
        const branch = isTrue ? node.whenTrue : node.whenFalse
        if (branch !== undefined) add(branch)
      }
      if (isJsonObject(value)) {
        for (const [key, part] of node.dependentSchemas ?? []) if (Object.hasOwn(value, key)) add(part)
      }
    }
    return made
  }

  private ofItem(applied: readonly Entry[], item: JsonValue, index: number): Entry[] {
    const entries: Entry[] = []
    for (const { node, scope } of applied) {
      const schema = node.prefixItems?.[index] ?? node.items
      if (schema !== undefined) entries.push({ node: schema, scope })
      for (const part of [node.contains, node.unevaluatedItems]) {
        if (part !== undefined && this.evaluation.holds(part, item, scope)) entries.push({ node: part, scope })
      }
    }
    return entries
  }

  private ofProperty(applied: readonly Entry[], key: string, value: JsonValue): Entry[] {
    const entries: Entry[] = []
    for (const { node, scope } of applied) {
      const declared = node.properties?.get(key)
      if (declared !== undefined) entries.push({ node: declared, scope })
      let isCovered = declared !== undefined
      for (const { pattern, schema } of node.patternProperties ?? []) {
        if (!pattern.test(key)) continue
        isCovered = true
        entries.push({ node: schema, scope })
      }
      if (!isCovered && node.additionalProperties !== undefined)
        entries.push({ node: node.additionalProperties, scope })
      const further = node.unevaluatedProperties
      // Only the whole evaluation knows whether it counts; if it holds, it may.
      if (further !== undefined && !isCovered && this.evaluation.holds(further, value, scope)) {
        entries.push({ node: further, scope })
      }
    }
    return entries
  }
}
