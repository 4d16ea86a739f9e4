import { describe, expect, test } from 'bun:test'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { formatSource } from '../../../src/engines/declarative/format.ts'
import { readSource, type SourceFormat, type SourceNode } from '../../../src/engines/declarative/source.ts'
import { invoiceSource, letterSource } from './examples.ts'

function formatted(source: string, format: SourceFormat = 'yaml'): string {
  const result = formatSource(source, format)
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value
}

/** What a source says, without its positions. */
function meaning(source: string, format: SourceFormat = 'yaml'): string {
  const read = readSource(source, format)
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  const strip = (node: SourceNode): unknown => {
    if (node.kind === 'list') return node.items.map(strip)
    if (node.kind === 'map') return node.entries.map((entry) => [entry.key, strip(entry.value)])
    return typeof node.value === 'object' && node.value !== null ? `number ${node.value.toPlain()}` : node.value
  }
  return JSON.stringify(strip(read.value))
}

const untidy = `# before everything
transform:   declarative-v1   # the language
output:
      # above a
      a:    0.10
      b: [1,2,   /x]
      c: 12345678901234567890123
      d: "d\\_MMM"


      e: |
        text
         more
      "true": {$sum: /a}
      f: 'null'
# after everything
`

describe('formatting a source', () => {
  const sources: [string, SourceFormat][] = [
    [letterSource, 'yaml'],
    [invoiceSource, 'yaml'],
    [untidy, 'yaml'],
    [untidy.replaceAll('\n', '\r\n'), 'yaml'],
    ['{"transform":"declarative-v1","output":{"b":1.50,"a":["/x",null]}}', 'json'],
    ['{"transform":"declarative-v1","output":{"2":1,"1":{"__proto__":1}}}', 'json'],
  ]
  for (const [source, format] of sources) {
    test(`changes no meaning and does nothing the second time: ${source.slice(0, 30).trim()}… (${format})`, () => {
      const once = formatted(source, format)
      expect(meaning(once, format)).toBe(meaning(source, format))
      expect(formatted(once, format)).toBe(once)
      expect(compileTransformer(once, format).ok).toBe(true)
    })
  }

  test('lays out blanks and indents, and keeps every comment and every digit', () => {
    const text = formatted(untidy)
    for (const comment of ['# before everything', '# the language', '# above a', '# after everything'])
      expect(text).toContain(comment)
    expect(text).toContain('\n  b: [ 1, 2, /x ]\n')
    expect(text).toContain('12345678901234567890123')
    expect(text).not.toContain('      a:')
  })

  test('is refused where the source is', () => {
    expect(formatSource('a: &x 1\nb: *x', 'yaml').ok).toBe(false)
  })
})
