/** The examples of a page of docs: YAML whose first comment is the input, and whose last one is the output. */
import { type JsonValue, readJson } from '../../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'

export interface Example {
  /** What the nearest heading names. */
  section: string
  source: string
  input: JsonValue
  params: JsonValue
  output: JsonValue
}

export async function readPage(name: string): Promise<string> {
  return Bun.file(new URL(`../../../docs/${name}.md`, import.meta.url)).text()
}

/** @param heading what a heading looks like, with a group for its name */
export function examplesOf(page: string, heading: RegExp): Example[] {
  const examples: Example[] = []
  let section = ''
  const block = /^#+ .*$|```yaml\n# input {2}?(.*)\n(?:# params (.*)\n)?([\s\S]*?)\n# output (.*)\n```/gm
  for (const [text, input = '', params = '{}', source = '', output = ''] of page.matchAll(block)) {
    if (text.startsWith('#')) section = heading.exec(text)?.[1] ?? section
    else {
      const values = { input: json(input), params: json(params), output: json(output) }
      examples.push({ section, source: `transform: declarative-v1\n${source}\n`, ...values })
    }
  }
  return examples
}

/** What the example makes. @throws if it gets any finding, a warning included */
export function outputOfExample({ source, input, params }: Example): JsonValue {
  const compiled = compileTransformer(source, 'yaml')
  if (!compiled.ok || compiled.findings.length > 0) throw new Error(JSON.stringify(compiled.findings))
  const result = evaluateTransformer(compiled.value, input, { params: params as Record<string, JsonValue> })
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value.output
}

function json(text: string): JsonValue {
  const read = readJson(text.trim())
  if (!read.ok) throw new Error(`${text}: ${read.findings[0]?.message}`)
  return read.value
}
