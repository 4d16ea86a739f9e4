import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { SourceFormat } from '../../../src/core/source/read.ts'
import type { SourceNode } from '../../../src/core/source/tree.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { formatSource } from '../../../src/engines/declarative/format.ts'
import { readSource } from '../../../src/engines/declarative/source.ts'
import { invoiceSource, letterSource } from './examples.ts'
import { pick, type Random, seeded } from './seeded.ts'

// Thousands of generated sources take some seconds where the machine is busy.
setDefaultTimeout(60_000)

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

  test('keeps invisible characters escaped, and escapes them in double quotes', () => {
    const source =
      'transform: declarative-v1\noutput: {a: "1\\_000", b: "soft\u00adly", c: "x\u2011y", d: "\u00e4 \u20ac"}\n'
    const formatted = formatSource(source, 'yaml')
    expect(formatted).toMatchObject({
      value:
        'transform: declarative-v1\noutput: { a: "1\\_000", b: "soft\\u00adly", c: "x\\u2011y", d: "\u00e4 \u20ac" }\n',
    })
  })

  test('is refused where the source is', () => {
    expect(formatSource('a: &x 1\nb: *x', 'yaml').ok).toBe(false)
  })
})

/** Untidy YAML of any shape: odd indents and blanks, all styles of scalars and collections, comments everywhere. */
class Untidy {
  readonly comments: string[] = []
  private keys = 0

  constructor(private readonly random: Random) {}

  source(): string {
    return `${this.comment('')}transform:${this.blanks()}declarative-v1${this.trailing()}\noutput:${this.block(1, 3)}\n${this.comment('')}`
  }

  /** What follows a key and its colon: a scalar on the line, or a block below it. */
  private block(indent: number, depth: number): string {
    const margin = ' '.repeat(indent + this.random(4))
    if (depth === 0 || this.random(4) === 0) return `${this.blanks()}${this.scalar(margin)}`
    const count = 1 + this.random(3)
    const lines: string[] = []
    const isList = this.random(3) === 0
    for (let index = 0; index < count; index++) {
      if (this.random(5) === 0) lines.push(this.comment(margin).trimEnd())
      const value = this.block(margin.length + 1, depth - 1)
      lines.push(isList ? `${margin}-${value}` : `${margin}${this.key()}:${value}`)
    }
    return `${this.trailing()}\n${lines.join(this.random(6) === 0 ? '\n\n' : '\n')}`
  }

  private key(): string {
    const name = `k${this.keys++}`
    return pick(this.random, [name, `"${name}"`, `'${name}'`, `"${name} #"`, `${name} b`])
  }

  private scalar(margin: string): string {
    const { random } = this
    if (random(5) === 0) return `|\n${margin} text: # of ${random(99)}\n${margin}  more`
    if (random(6) === 0) return `>-\n${margin} folded\n${margin} text\n\n${margin} end`
    return `${pick(random, [this.flow(2), this.plain(), this.plain()])}${this.trailing()}`
  }

  private plain(): string {
    const long = 'a long text that goes on and on, '.repeat(1 + this.random(6)).trim()
    const numbers = ['0.10', '-0', '1e3', '12345678901234567890.50', '0x1F', '.5', '+3']
    const words = [
      'true',
      'null',
      '~',
      '/a/b',
      '"$x"',
      `'it''s'`,
      '"tab\\tquote\\" ü"',
      'a # b',
      '""',
      `"${long}"`,
      long,
    ]
    return pick(this.random, [...numbers, ...words.map((word) => (word === 'a # b' ? '"a # b"' : word))])
  }

  private flow(depth: number): string {
    const parts = Array.from({ length: this.random(4) }, () => (depth === 0 ? this.plain() : this.flow(depth - 1)))
    if (this.random(2) === 0) return depth === 0 ? quoted(this.plain()) : `[${parts.map(quoted).join(' ,  ')}]`
    return `{${parts.map((part) => ` k${this.keys++}:   ${quoted(part)}`).join(',')} }`
  }

  private blanks(): string {
    return ' '.repeat(1 + this.random(3))
  }

  private trailing(): string {
    return this.random(5) === 0 ? `  ${this.note()}` : ''
  }

  private comment(margin: string): string {
    return `${margin}${this.note()}\n`
  }

  private note(): string {
    const text = `# note ${this.comments.length};`
    this.comments.push(text)
    return text
  }
}

/** Inside brackets a plain text must hold no comma. */
function quoted(text: string): string {
  return /^[a-z ,]+$/.test(text) && text.includes(',') ? `"${text}"` : text
}

test('of every generated source, formatting keeps the meaning and the comments, and does nothing the second time', () => {
  let changed = 0
  for (let seed = 1; seed <= 400; seed++) {
    const untidySource = new Untidy(seeded(seed))
    const source = untidySource.source()
    const before = meaning(source)
    const once = formatted(source)
    if (meaning(once) !== before) throw new Error(`seed ${seed} changes its meaning:\n${source}\n→\n${once}`)
    const lost = untidySource.comments.find((comment) => !once.includes(comment))
    if (lost !== undefined) throw new Error(`seed ${seed} loses "${lost}":\n${source}\n→\n${once}`)
    if (formatted(once) !== once) throw new Error(`seed ${seed} changes again:\n${once}\n→\n${formatted(once)}`)
    if (once !== source) changed++
  }
  // A source that comes back as it was keeps its meaning too, so nearly all must have been laid out.
  expect(changed).toBeGreaterThan(380)
})
