import type { Binding } from '../core/binding.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonValue } from '../core/json.ts'
import { parsePointer } from '../core/pointer.ts'
import { typeOfSchema } from '../engines/declarative/contract.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import { isUnknown, stepInto, type Type } from '../engines/declarative/types.ts'

/**
 * Finds what a template needs although the contract does not guarantee it: members nobody declares, values that may be
 * missing without the template saying what then happens, and single values where there are lists or objects.
 */
export function checkAgainstContract(bindings: readonly Binding[], contract: JsonValue): Finding[] {
  const root = typeOfSchema(contract)
  const reported = new Set<string>()
  const findings: Finding[] = []
  for (const binding of bindings) {
    const finding = reported.has(binding.pointer) ? undefined : checkBinding(binding, root)
    if (finding === undefined) continue
    reported.add(binding.pointer)
    findings.push(finding)
  }
  return findings
}

function checkBinding(binding: Binding, root: Type): Finding | undefined {
  const { pointer, required, shape } = binding
  const path = `${binding.part}#${binding.paragraph}:${binding.position}`
  let type = root
  for (const token of parsePointer(pointer) ?? []) {
    // Inside a loop the list exists; that it may be missing is reported for the loop itself.
    const step = stepInto(token === '*' ? { ...type, missing: false, null: false } : type, token, true)
    if (!step.ok) {
      const hint = suggest(token, step.names) ?? 'Declare it in the contract, or point to what the contract has.'
      const severity = required ? 'error' : 'warning'
      return { code: 'docx.unbound', severity, message: `The contract has no ${pointer}.`, hint, path }
    }
    type = step.type
  }
  if (isUnknown(type)) return undefined
  if (required && (type.missing || type.null)) {
    const message = `The contract lets ${pointer} be missing or null.`
    const hint = 'Make it required, write | default "…" in the tag, or put #if around it.'
    return { code: 'docx.may_be_missing', severity: 'error', message, hint, path }
  }
  const isList = type.alternatives.some(({ kind }) => kind === 'array')
  const isSingle = !isList && type.alternatives.every(({ kind }) => kind !== 'object')
  if (shape === 'flag' || (shape === 'list' ? isList : isSingle)) return undefined
  const message = `The tag wants ${shape === 'list' ? 'a list' : 'a single value'} at ${pointer}; the contract has something else there.`
  return { code: 'docx.unfit', severity: 'error', message, hint: 'Point to a member of it, or loop with #each.', path }
}
