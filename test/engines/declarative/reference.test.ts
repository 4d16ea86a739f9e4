import { describe, expect, test } from 'bun:test'
import { type JsonValue, readJson } from '../../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { describeOperator } from '../../../src/engines/declarative/reference.ts'

const page = await Bun.file(new URL('../../../docs/declarative-v1.md', import.meta.url)).text()

interface Example {
  section: string
  source: string
  input: string
  params: string
  output: string
}

function examplesOf(markdown: string): Example[] {
  const examples: Example[] = []
  let section = ''
  for (const block of markdown.matchAll(
    /^### `(\$\w+)`$|```yaml\n# input {2}?(.*)\n(?:# params (.*)\n)?([\s\S]*?)\n# output (.*)\n```/gm,
  )) {
    if (block[1] !== undefined) section = block[1]
    else
      examples.push({
        section,
        input: block[2]!,
        params: block[3] ?? '{}',
        source: `transform: declarative-v1\n${block[4]}\n`,
        output: block[5]!,
      })
  }
  return examples
}

function json(text: string): JsonValue {
  const read = readJson(text.trim())
  if (!read.ok) throw new Error(`${text}: ${read.findings[0]?.message}`)
  return read.value
}

const examples = examplesOf(page)

describe('the reference page', () => {
  test('shows every operator with the text of its declaration', () => {
    for (const operator of operators.values()) expect(page).toContain(describeOperator(operator))
    const headings = [...page.matchAll(/^### `(\$\w+)`$/gm)].map((match) => match[1]!)
    expect(new Set(headings)).toEqual(new Set(operators.keys()))
  })

  test('has a run example for every operator', () => {
    const shown = new Set(examples.map((example) => example.section))
    for (const name of operators.keys()) expect(shown).toContain(name)
    expect([...page.matchAll(/```yaml/g)].length).toBe(examples.length)
  })

  for (const example of examples) {
    test(`gives the printed output for the example of ${example.section || 'the form'}`, () => {
      const compiled = compileTransformer(example.source, 'yaml')
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
      expect(compiled.findings).toEqual([])
      const result = evaluateTransformer(compiled.value, json(example.input), {
        params: json(example.params) as Record<string, JsonValue>,
      })
      if (!result.ok) throw new Error(JSON.stringify(result.findings))
      expect(result.value.output).toEqual(json(example.output))
    })
  }
})
