/** The patterns of one schema. Each text is read once; they are compiled once all together are known to be cheap enough. */
import { limits } from '../../core/limits.ts'
import { type CompiledPattern, readPattern } from '../../core/pattern/pattern.ts'
import type { PatternFault } from '../../core/pattern/reader.ts'
import type { SchemaDocument } from './model.ts'
import type { SchemaFindings } from './schema-findings.ts'

/** Where a pattern is written. */
interface PatternPlace {
  document: SchemaDocument
  /** JSON Pointer in the document. */
  place: string
  keyword: string
}

export class PatternPool {
  private readonly known = new Map<string, CompiledPattern>()
  private readonly pending: { at: PatternPlace; compile(): PatternFault | undefined }[] = []
  private weight = 0

  constructor(private readonly findings: SchemaFindings) {}

  /** Undefined after a finding. Don't use the result before `compile` has found no fault. */
  read(text: string, at: PatternPlace): CompiledPattern | undefined {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const read = readPattern(text)
    if (!read.ok) {
      this.report(at, read.fault)
      return undefined
    }
    const { compile, value } = read
    this.known.set(text, value)
    this.weight += value.weight
    this.pending.push({ at, compile })
    return value
  }

  /** Compiling is the expensive part, so it waits until the total weight of all patterns is known. */
  compile(): void {
    const last = this.pending.at(-1)
    if (last !== undefined && this.weight > limits.schemaPatternsInstructions) {
      this.report(last.at, {
        kind: 'unsupported',
        message: 'The patterns of this schema together take too long to compile.',
        hint: 'Bound lengths with minLength and maxLength instead of counters, and use $ref for equal parts.',
      })
      return
    }
    for (const { at, compile } of this.pending) {
      const fault = compile()
      if (fault !== undefined) this.report(at, fault)
    }
  }

  private report({ document, place, keyword }: PatternPlace, { kind, message, hint }: PatternFault): void {
    const code = kind === 'syntax' ? 'schema.pattern' : 'schema.pattern-unsupported'
    this.findings.error(document, { code, path: place, keyword, message: capitalised(message), hint })
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
