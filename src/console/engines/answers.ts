/** What the engines are asked by the console's screens, and what they answer. Runs in engines.worker.ts. Pure. */
import type { Finding } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { reviewSchema } from '../../engines/schema/review.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { type ContractChange, compareContracts } from '../contract-diff.ts'
import { type FormRow, formRowsOf, wholeTypeOf } from './form-rows.ts'

export interface CheckedSchema {
  findings: readonly Finding[]
  /** Undefined while the schema has errors. */
  form?: { rows: readonly FormRow[]; wholeType: string }
}

export const answers = {
  /** The same engine as the server's: what it says here is what freezing will say. */
  schema(text: string): CheckedSchema {
    if (text === '') return { findings: [] }
    const compiled = compileSchema(text)
    if (!compiled.ok) return { findings: compiled.findings.slice(0, limits.configurationIssues) }
    const { model } = compiled.value
    const findings = [...compiled.findings, ...reviewSchema(compiled.value, { text })]
    return {
      findings: findings.slice(0, limits.configurationIssues),
      form: { rows: formRowsOf(model), wholeType: wholeTypeOf(model) },
    }
  },

  /** Undefined if one of the two isn't JSON. */
  comparison({ before, after }: { before: string; after: string }): readonly ContractChange[] | undefined {
    const old = readJson(before)
    const young = readJson(after)
    return old.ok && young.ok ? compareContracts(old.value, young.value) : undefined
  },
}

export type Question = keyof typeof answers
export type Asked<Q extends Question> = Parameters<(typeof answers)[Q]>[0]
export type Answer<Q extends Question> = ReturnType<(typeof answers)[Q]>
