/** Compares a transformer's output with what a template needs. */
import { type Binding, isInCondition } from '../../core/binding.ts'
import { joinPointer, parsePointer } from '../../core/pointer.ts'
import { shorten } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import type { Findings } from './findings.ts'
import { describeType, isUnknown, itemsOf, stepInto, type Type } from './types.ts'
import { misuseOf } from './uses.ts'

/**
 * Reports values that the template needs and nothing writes, and (as warnings) values that are written but not used.
 */
export function checkBindings(findings: Findings, output: SourceNode, type: Type, bindings: readonly Binding[]): void {
  const reported = new Set<string>()
  const wanted: Wanted = { members: new Map(), taken: false }
  for (const binding of bindings) {
    const tokens = parsePointer(binding.pointer) ?? []
    note(wanted, tokens, binding)
    const used = `${binding.pointer} ${JSON.stringify(binding.use)}`
    if (reported.has(binding.pointer) || reported.has(used)) continue
    const found = checkBinding(findings, output, type, tokens, binding)
    if (found === 'unfit') reported.add(binding.pointer)
    if (found === 'misused') reported.add(used)
  }
  warnOfUnused(findings, type, wanted, '')
}

/** Whether values that may be lists, objects or neither can be what a tag wants. */
export function isFit(shape: Binding['shape'], { isList, isObject }: { isList: boolean; isObject: boolean }): boolean {
  if (shape === 'flag') return true
  if (shape === 'list') return isList || isObject
  return shape === 'object' ? isObject : !isList && !isObject
}

export const wantedWords: Readonly<Record<string, string>> = { list: 'a list or an object', object: 'an object' }

interface Wanted {
  members: Map<string, Wanted>
  /** The value itself is used, with everything inside it. */
  taken: boolean
}

function note(wanted: Wanted, tokens: readonly string[], binding: Binding): void {
  let at = wanted
  for (const token of tokens) {
    let next = at.members.get(token)
    if (next === undefined) {
      next = { members: new Map(), taken: false }
      at.members.set(token, next)
    }
    at = next
  }
  // A binding to a list or flag only asks whether there is something; what is inside needs its own bindings.
  if (binding.shape !== 'list' && binding.shape !== 'object' && binding.shape !== 'flag') at.taken = true
}

/** What was reported: the value itself, or only this use of it. */
function checkBinding(
  findings: Findings,
  output: SourceNode,
  root: Type,
  tokens: readonly string[],
  binding: Binding,
): 'unfit' | 'misused' | undefined {
  const place = `${binding.part}, paragraph ${binding.paragraph}`
  let type = root
  let node = output
  for (const token of tokens) {
    const step = stepInto(type, token, { star: 'every item' })
    if (!step.ok) {
      if (!binding.required && !isInCondition(binding)) return undefined
      const message = `The template wants ${shorten(binding.pointer)} (${place}); nothing writes it.`
      findings.error('unbound_binding', node, message, findings.suggest(token, step.names))
      return 'unfit'
    }
    type = step.type
    node = step.at ?? node
  }
  if (isUnknown(type)) return undefined
  if (type.missing && binding.required) {
    const message = `The template wants ${shorten(binding.pointer)} (${place}); it may be left out.`
    findings.error(
      'unbound_binding',
      node,
      message,
      'Give it with $default, or let the template say what happens without it.',
    )
    return 'unfit'
  }
  const isArray = type.alternatives.some((each) => each.kind === 'array')
  const isObject = type.alternatives.some((each) => each.kind === 'object')
  if (isFit(binding.shape, { isList: isArray, isObject })) {
    const misuse = misuseOf(binding, type, root)
    if (misuse === undefined) return undefined
    const { does, is, hint } = misuse
    const what = `The template (${place}) ${shorten(does)}; ${shorten(binding.pointer)} is written as ${shorten(is)}.`
    findings.error('type', node, what, hint)
    return 'misused'
  }
  const message = `The template wants ${wantedWords[binding.shape] ?? 'one value'} at ${shorten(binding.pointer)} (${place}); ${describeType(type)} is written.`
  findings.error('type', node, message)
  return 'unfit'
}

function warnOfUnused(findings: Findings, type: Type, wanted: Wanted, pointer: string): void {
  if (wanted.taken) return
  for (const alternative of type.alternatives) {
    if (alternative.kind === 'array') {
      const items = wanted.members.get('*')
      if (items !== undefined) warnOfUnused(findings, itemsOf(type).item, items, `${pointer}/*`)
    }
    if (alternative.kind !== 'object') continue
    for (const name of alternative.shape.names) {
      const field = alternative.shape.field(name)
      if (field?.at === undefined) continue
      const member = wanted.members.get(name) ?? wanted.members.get('*')
      const place = joinPointer(pointer, name)
      if (member !== undefined) warnOfUnused(findings, field.type, member, place)
      else
        findings.warning(
          'unused_output',
          field.at,
          `Nothing in the template uses ${shorten(place)}.`,
          'Remove it, or use it.',
        )
    }
  }
}
