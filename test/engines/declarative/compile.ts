/** Short ways for tests to compile and run. */
import type { Finding } from '../../../src/core/finding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  type CompileContext,
  compileTransformer,
  type EvaluateOptions,
  type Evaluation,
  evaluateTransformer,
  type Transformer,
} from '../../../src/engines/declarative/declarative.ts'

/** The source of a transformer whose output is the given YAML value. */
export function sourceOf(output: string, before = ''): string {
  const indented = output
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
  return `transform: declarative-v1\n${before}output:\n${indented}\n`
}

export function compile(source: string, context: CompileContext = {}): Transformer {
  const compiled = compileTransformer(source, 'yaml', context)
  if (!compiled.ok) throw new Error(`${source}\n${JSON.stringify(compiled.findings, null, 1)}`)
  return compiled.value
}

/** All findings, errors and warnings alike. */
export function findingsOf(source: string, context: CompileContext = {}): Finding[] {
  return compileTransformer(source, 'yaml', context).findings
}

export function codesOf(source: string, context: CompileContext = {}): string[] {
  return findingsOf(source, context).map((finding) => finding.code)
}

export function evaluate(transformer: Transformer, input: JsonValue, options: EvaluateOptions = {}): Evaluation {
  const result = evaluateTransformer(transformer, input, options)
  if (!result.ok) throw new Error(JSON.stringify(result.findings, null, 1))
  return result.value
}

export function faultOf(transformer: Transformer, input: JsonValue, options: EvaluateOptions = {}): Finding {
  const result = evaluateTransformer(transformer, input, options)
  if (result.ok) throw new Error(`no fault: ${JSON.stringify(result.value.output)}`)
  expectOne(result.findings)
  return result.findings[0]!
}

function expectOne(findings: readonly Finding[]): void {
  if (findings.length !== 1) throw new Error(`wanted one finding: ${JSON.stringify(findings)}`)
}

/** The output for a YAML value, compiled without a contract. */
export function outputOf(output: string, input: JsonValue, before = ''): JsonValue {
  return evaluate(compile(sourceOf(output, before)), input).output
}
