import { type Binding, isInCondition } from '../core/binding.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonValue } from '../core/json.ts'
import { pathSlip } from '../core/path-slips.ts'
import { parsePointer } from '../core/pointer.ts'
import { isFit, wantedWords } from '../engines/declarative/bindings.ts'
import { typeOfSchema } from '../engines/declarative/contract.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import { isUnknown, stepInto, type Type } from '../engines/declarative/types.ts'
import { misuseOf } from '../engines/declarative/uses.ts'

/**
 * Reports where data that the contract accepts need not fit the template: members that the contract doesn't declare, values
 * that may be missing and have no default, a list or an object where the tag wants a single value (or the reverse), and
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
    // A tag with a default is only warned of, one without is not.
    if (unfit?.severity === 'error') reported.add(pointer)
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
    const step = stepInto(token === '*' ? { ...type, missing: false, null: false } : type, token, {
      star: 'every item',
    })
    if (!step.ok) {
      const hint =
        slippedPath(token) ??
        memberElsewhere(pointer, root) ??
        suggest(token, step.names) ??
        'Declare it in the contract, or point to what the contract has.'
      // A condition about it would always be false; a default may be for a value that the contract will have later.
      const severity = required || isInCondition(binding) ? 'error' : 'warning'
      const message = `The contract has no ${pointer}.`
      return { finding: { code: 'docx.unbound', severity, message, hint, path: placeOf(binding) } }
    }
    type = step.type
  }
  return { type }
}

/** For a name that is written as a path of another language, or as a calculation. */
function slippedPath(name: string): string | undefined {
  const slip = pathSlip(name)
  switch (slip?.kind) {
    case 'member':
      return `Write ${slip.pointer}: a slash leads to a member, and to an item by its number from 0.`
    case 'length':
      return 'Ask {{#if /list is not empty}}, write {{@count}} in its loop, or let the transformer count it with $count.'
    case 'all':
      return name === '*' ? undefined : 'Loop with {{#each /list}}: the members of its items are ./name.'
    case 'comparison':
    case 'formula':
      return 'Templates don’t calculate. Let the transformer make the value.'
    case 'nothing':
      return 'Write one slash before each name, and none at the end.'
    default:
      return undefined
  }
}

/** Hints at a name that the root lacks but a member or its items have: inside of its block it is ./name. */
function memberElsewhere(pointer: string, root: Type): string | undefined {
  const [name, ...rest] = parsePointer(pointer) ?? []
  if (name === undefined || rest.length > 0) return undefined
  for (const alternative of root.alternatives) {
    if (alternative.kind !== 'object') continue
    for (const field of [...alternative.shape.names].slice(0, 200)) {
      const within = stepInto(root, field, { star: 'every item' })
      if (!within.ok) continue
      const present = { ...within.type, missing: false, null: false }
      const items = stepInto(present, '*', { star: 'every item' })
      if (items.ok && !isUnknown(items.type) && stepInto(items.type, name).ok) {
        return `Inside of {{#each /${field}}} write ./${name}.`
      }
      if (!isUnknown(present) && stepInto(present, name).ok) {
        return `Write /${field}/${name}, or ./${name} inside of {{#with /${field}}}.`
      }
    }
  }
  return undefined
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
  if (isFit(shape, { isList, isObject })) return undefined
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
