import { type Binding, isInCondition } from '../core/binding.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonValue } from '../core/json.ts'
import { parsePointer } from '../core/pointer.ts'
import { isFit, wantedWords } from '../engines/declarative/bindings.ts'
import { typeOfSchema } from '../engines/declarative/contract.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import { isUnknown, stepInto, type Type } from '../engines/declarative/types.ts'
import { misuseOf } from '../engines/declarative/uses.ts'

/**
 * What a template wants and data that the contract accepts need not have: members nobody declares, values that may be
 * missing without the template saying what then happens, single values where there are lists or objects, and values of
 * types that the tag can't use.
 */
export function checkAgainstContract(bindings: readonly Binding[], contract: JsonValue): Finding[] {
  const root = typeOfSchema(contract)
  const reported = new Set<string>()
  const findings: Finding[] = []
  for (const binding of bindings) {
    const { pointer, use } = binding
    const used = `${pointer} ${JSON.stringify(use)}`
    if (reported.has(pointer) || reported.has(used)) continue
    const found = typeAt(binding, root)
    const unfit = 'finding' in found ? found.finding : checkShape(binding, found.type)
    const misused = unfit === undefined && 'type' in found ? checkUse(binding, found.type, root) : undefined
    if (unfit !== undefined) reported.add(pointer)
    else if (misused !== undefined) reported.add(used)
    const finding = unfit ?? misused
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}

function placeOf({ part, paragraph, position }: Binding): string {
  return `${part}#${paragraph}:${position}`
}

function typeAt(binding: Binding, root: Type): { type: Type } | { finding: Finding } {
  const { pointer, required } = binding
  let type = root
  for (const token of parsePointer(pointer) ?? []) {
    // Inside a loop the list exists; that it may be missing is reported for the loop itself.
    const step = stepInto(token === '*' ? { ...type, missing: false, null: false } : type, token, true)
    if (!step.ok) {
      const hint = suggest(token, step.names) ?? 'Declare it in the contract, or point to what the contract has.'
      // A condition about it would always be false; a default may be for a value that the contract will have later.
      const severity = required || isInCondition(binding) ? 'error' : 'warning'
      const message = `The contract has no ${pointer}.`
      return { finding: { code: 'docx.unbound', severity, message, hint, path: placeOf(binding) } }
    }
    type = step.type
  }
  return { type }
}

function checkShape(binding: Binding, type: Type): Finding | undefined {
  const { pointer, required, shape } = binding
  const path = placeOf(binding)
  if (isUnknown(type)) return undefined
  if (required && (type.missing || type.null)) {
    const message = `The contract lets ${pointer} be missing or null.`
    const hint = 'Make it required, write | default "…" in the tag, or put #if around it.'
    return { code: 'docx.may_be_missing', severity: 'error', message, hint, path }
  }
  const isList = type.alternatives.some(({ kind }) => kind === 'array')
  const isObject = type.alternatives.some(({ kind }) => kind === 'object')
  if (isFit(shape, isList, isObject)) return undefined
  const message = `The tag wants ${wantedWords[shape] ?? 'a single value'} at ${pointer}; the contract has something else there.`
  return { code: 'docx.unfit', severity: 'error', message, hint: 'Point to a member of it, or loop with #each.', path }
}

function checkUse(binding: Binding, type: Type, root: Type): Finding | undefined {
  const misuse = misuseOf(binding, type, root)
  if (misuse === undefined) return undefined
  const { does, is, hint } = misuse
  const message = `The tag ${does}; ${binding.pointer} is ${is}.`
  return { code: 'docx.unfit', severity: 'error', message, hint, path: placeOf(binding) }
}
