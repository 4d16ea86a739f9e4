/**
 * Rewrites a contract from an older draft of JSON Schema into 2020-12, so that it accepts the same values. Used only where
 * an author sees the difference and saves it: a contract's hash covers the text that judges inputs.
 *
 * Steps: read the text with exact numbers, find every schema and what refers to it, rewrite each, print it in the author's
 * layout, and compile.
 */
import type { Finding } from '../../../core/finding.ts'
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { parsePointer } from '../../../core/pointer.ts'
import { locatePointers } from '../../../core/positions.ts'
import { compileSchema } from '../schema.ts'
import { type Draft, draftNames, draftOf, guessDraft } from './dialects.ts'
import { readExactly } from './exact-numbers.ts'
import { layoutOf, printJson } from './print.ts'
import { type Change, type Written, writeSchemas } from './write-schemas.ts'

export type { Change } from './write-schemas.ts'

export interface Conversion {
  /** The draft that the text was read as, in words; and whether it says so itself. */
  from: string
  isNamed: boolean
  /** The contract in 2020-12. */
  text: string
  changes: readonly Change[]
}

/** Whether a contract can be used as it is, could be after a conversion, or neither. */
export type Convertible =
  | { kind: 'current' }
  | { kind: 'older'; conversion: Conversion }
  | { kind: 'refused'; from: string; findings: Finding[] }

/**
 * A contract's text in 2020-12. A text that Quire compiles is left alone, and so is one in an unknown dialect. If the
 * converted contract still can't be used, the findings say why, at their places in the given text.
 */
export function convertContract(text: string): Convertible {
  const compiled = compileSchema(text)
  if (compiled.ok) return { kind: 'current' }
  const exact = readExactly(text)
  // What isn't JSON has its findings already.
  if (!exact.ok) return { kind: 'current' }
  const { root, offsets } = exact.value
  const named = isJsonObject(root) ? root.$schema : undefined
  const draft = named === undefined ? guessDraft(root) : draftOf(named)
  if (draft === undefined) return { kind: 'current' }
  const layout = layoutOf(text)
  const written = writeSchemas(root, draft, (from, to) => {
    const offset = offsets.get(from)
    if (offset !== undefined) offsets.set(to, offset)
  })
  const changes = [...exact.value.changes, ...written.changes]
  const from = draftNames[draft]
  const isInline = (value: JsonValue) => layout.isInline(offsets.get(value) ?? -1)
  const converted = printJson(written.value, layout, isInline)
  const outcome = compileSchema(converted)
  if (outcome.ok) return { kind: 'older', conversion: { from, isNamed: named !== undefined, text: converted, changes } }
  // Nothing was converted, so the contract's own findings say it best.
  if (changes.length === 0 && (draft === 2020 || named === undefined)) return { kind: 'current' }
  return { kind: 'refused', from, findings: backInPlace(outcome.findings, text, written) }
}

/** The same for a document that is already read. */
export function convertSchemaValue(root: JsonValue, draft: Draft): JsonValue {
  return writeSchemas(root, draft).value
}

/** Findings of the converted contract, where their cause is in the given one. */
function backInPlace(findings: readonly Finding[], text: string, { moved }: Written): Finding[] {
  const before = new Map([...moved].map(([from, to]) => [to, from]))
  const located = findings.map(({ line: _line, column: _column, ...finding }) => {
    const path = finding.path ?? ''
    let around = path
    while (around !== '' && !before.has(around)) around = around.slice(0, around.lastIndexOf('/'))
    return { ...finding, path: (before.get(around) ?? '') + path.slice(around.length) }
  })
  const places = locatePointers(
    text,
    located.flatMap(({ path }) => ancestors(path)),
  )
  return located.map((finding) => {
    const place = ancestors(finding.path).find((path) => places.has(path))
    return { ...finding, ...(place === undefined ? {} : places.get(place)) }
  })
}

/** A pointer and those around it, innermost first: what was renamed has no place of its own. */
function ancestors(pointer: string): string[] {
  const count = parsePointer(pointer)?.length ?? 0
  const made = [pointer]
  for (let rest = count; rest > 0; rest--) made.push((made.at(-1) ?? '').replace(/\/[^/]*$/, ''))
  return made
}
