/** Mends a nearly valid payload by taking out optional members that are at fault. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { parsePointer } from '../../../core/pointer.ts'
import { type CompiledSchema, validatePayload } from '../schema.ts'

/** The value without the members that break the schema; undefined if some can't be removed. Changes the value. */
export function prune(schema: CompiledSchema, value: JsonValue, maxSteps: number): JsonValue | undefined {
  for (let round = 0; round < limits.casePruneRounds; round++) {
    const findings = validatePayload(schema, value, { maxSteps, maxFindings: 20 })
    if (findings.length === 0) return value
    let hasChanged = false
    for (const { path } of findings) if (path !== undefined && removeAt(value, path)) hasChanged = true
    if (!hasChanged) return undefined
  }
  return undefined
}

function removeAt(root: JsonValue, path: string): boolean {
  const tokens = parsePointer(path) ?? []
  const last = tokens.pop()
  if (last === undefined) return false
  let at: JsonValue | undefined = root
  for (const token of tokens) {
    if (Array.isArray(at)) at = at[Number(token)]
    else at = isJsonObject(at) && Object.hasOwn(at, token) ? at[token] : undefined
  }
  if (Array.isArray(at)) return at.splice(Number(last), 1).length > 0
  return isJsonObject(at) && Object.hasOwn(at, last) && delete at[last]
}
