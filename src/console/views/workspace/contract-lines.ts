/** Lines of a contract that declare what was read, and findings where something isn't declared. Pure. */
import type { Finding } from '../../../core/finding.ts'
import { readJson } from '../../../core/json.ts'
import { locatePointers } from '../../../core/positions.ts'
import { t } from '../../language.ts'
import type { BrokenLink } from './links.ts'
import { declaredAt } from './schema-places.ts'

export interface AskedLines {
  /** The contract. */
  text: string
  /** JSON Pointers into the input. */
  inputs: readonly string[]
  /** Links that touch the contract. */
  undeclared: readonly BrokenLink[]
}

export interface ContractLines {
  lit: readonly number[]
  findings: readonly Finding[]
}

export function linesInContract({ text, inputs, undeclared }: AskedLines): ContractLines {
  const read = readJson(text)
  if (!read.ok) return { lit: [], findings: [] }
  const places = inputs.map((pointer) => declaredAt(read.value, pointer).place)
  const at = locatePointers(text, [...places, ...undeclared.map(({ contractPlace = '' }) => contractPlace)])
  return {
    lit: [...new Set(places.flatMap((each) => at.get(each)?.line ?? []))],
    findings: undeclared.flatMap(({ kind, pointer, contractPlace = '' }) =>
      kind === 'undeclared'
        ? {
            code: 'undeclared',
            severity: 'error' as const,
            message: t`The transformer reads ${pointer}, which isn’t declared here.`,
            ...at.get(contractPlace),
          }
        : [],
    ),
  }
}
