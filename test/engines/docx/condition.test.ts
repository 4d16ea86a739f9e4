import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { type Condition, parseCondition } from '../../../src/engines/docx/scan/condition.ts'
import type { Expression } from '../../../src/engines/docx/scan/expression.ts'
import { compileCodes, composedLines, p, wordPackage } from './word-package.ts'

/** The condition in full parentheses; a refused one as its code and message. */
function read(source: string): string {
  const parsed = parseCondition(source)
  return parsed.ok ? written(parsed.condition) : `${parsed.code}: ${parsed.message}`
}

function written(condition: Condition): string {
  switch (condition.kind) {
    case 'truth':
      return value(condition.value)
    case 'compare':
      return `(${value(condition.left)} ${condition.operator} ${value(condition.right)})`
    case 'in':
      return `(${value(condition.value)} in ${condition.list.map(value).join(' ')})`
    case 'empty':
      return `(${value(condition.value)} empty)`
    case 'not':
      return `not ${written(condition.condition)}`
    case 'all':
      return `(${condition.conditions.map(written).join(' and ')})`
    case 'any':
      return `(${condition.conditions.map(written).join(' or ')})`
  }
}

function value(expression: Expression): string {
  if (expression.kind === 'literal') return JSON.stringify(expression.value)
  if (expression.kind === 'meta') return `@${expression.name}`
  return `${expression.kind === 'relative' ? `^${expression.up}` : ''}/${expression.tokens.join('/')}`
}

const hintOf = (source: string) => {
  const parsed = parseCondition(source)
  return parsed.ok ? undefined : parsed.hint
}

const calculates = 'Templates don’t calculate. Let the transformer make the value.'

describe('a condition', () => {
  test.each(['=', '!=', '<', '<=', '>', '>='])('compares with %s, with and without blanks around it', (sign) => {
    for (const source of [`/a ${sign} 5`, `/a${sign}5`, `/a ${sign}5`, `/a${sign} 5`]) {
      expect(read(source)).toBe(`(/a ${sign} 5)`)
    }
    expect(read(`/a${sign}-1.5`)).toBe(`(/a ${sign} -1.5)`)
    expect(read(`./a${sign}../b`)).toBe(`(^0/a ${sign} ^1/b)`)
    expect(read(`"x"${sign}/a`)).toBe(`("x" ${sign} /a)`)
  })

  test('takes == for =', () => {
    expect(read('/a==5')).toBe('(/a = 5)')
  })

  test('binds not before and before or, and all of them looser than a comparison', () => {
    expect(read('/a or /b and /c')).toBe('(/a or (/b and /c))')
    expect(read('/a and /b or /c and /d')).toBe('((/a and /b) or (/c and /d))')
    expect(read('not /a and /b')).toBe('(not /a and /b)')
    expect(read('not /a = 1 or /b')).toBe('(not (/a = 1) or /b)')
    expect(read('/a and not /b > 3 and /c')).toBe('(/a and not (/b > 3) and /c)')
    expect(read('not (/a or /b) and /c')).toBe('(not (/a or /b) and /c)')
    expect(read('(/a or /b)and(/c)')).toBe('((/a or /b) and /c)')
    expect(read('!/a and !(/b)')).toBe('(not /a and not /b)')
    expect(read('not not /a')).toBe('not not /a')
  })

  test('asks whether a value is in a list, or empty', () => {
    expect(read('/a in ["x", 2, /b]')).toBe('(/a in "x" 2 /b)')
    expect(read('/a in["x","y"]')).toBe('(/a in "x" "y")')
    expect(read('/a not in ["x"]')).toBe('not (/a in "x")')
    expect(read('not /a in ["x"]')).toBe('not (/a in "x")')
    expect(read('/a is empty and /b is not empty')).toBe('((/a empty) and not (/b empty))')
  })

  test.each(['"x"', "'x'", '“x”', '„x“', '”x”', '«x»', '»x«', '‘x’', '‚x‘', '’x’', '‹x›', '"x”', '“x"'])(
    'reads the text %s',
    (text) => {
      expect(read(`/a=${text}and/b in [${text},${text}]`)).toBe('((/a = "x") and (/b in "x" "x"))')
    },
  )

  test.each<[string, string]>([
    ['"', '"”“‟'],
    ['“', '”“‟"'],
    ['”', '”"'],
    ['„', '“”‟"'],
    ['‟', '”"'],
    ['«', '»"'],
    ['»', '«"'],
    ["'", "'’‘"],
    ['‘', "’‘'"],
    ['’', "’'"],
    ['‚', "‘’'"],
    ['‛', "’'"],
    ['‹', "›'"],
    ['›', "‹'"],
  ])('a text that %s begins is ended by each of %s, and by no other mark', (opening, closing) => {
    for (const mark of '"”“‟„«»\'’‘‚‛‹›') {
      const text = read(`/a = ${opening}x${mark}`)
      if (closing.includes(mark)) expect([mark, text]).toEqual([mark, '(/a = "x")'])
      else expect([mark, text]).not.toEqual([mark, '(/a = "x")'])
    }
  })

  test('takes a curly mark for the second of two straight ones, and leaves marks inside of them alone', () => {
    expect(read("/a = 'x’")).toBe('(/a = "x")')
    expect(read("/a = 'it’s'")).toBe('(/a = "it’s")')
    expect(read('/a = "the “x” of „y“" or /b')).toBe('((/a = "the “x” of „y“") or /b)')
  })

  test('ends a name at a blank or sign, unless it is in quotes', () => {
    expect(read('/first-name.x:y_1/@type')).toBe('/first-name.x:y_1/@type')
    expect(read('/größe>1')).toBe('(/größe > 1)')
    expect(read('/"first name"="x" and ./“a=b”')).toBe('((/first name = "x") and ^0/a=b)')
    expect(read('/a~1b = 1')).toBe('(/a/b = 1)')
    expect(read('@index > 1 and @last')).toBe('((@index > 1) and @last)')
    expect(read('/a = . or .. = 1')).toBe('((/a = ^0/) or (^1/ = 1))')
    expect(read('/not and /or')).toBe('(/not and /or)')
  })

  test.each<[string, string, string]>([
    ['/a && /b', '&&', 'Write and instead of &&.'],
    ['/a & /b', '&', 'Write and instead of &.'],
    ['/a || /b', '||', 'Write or instead of ||.'],
    ['/a | /b', '|', 'Write or between two tests. Formats have no place in a condition: compare the value itself.'],
    ['/a AND /b', 'AND', 'Write and in small letters.'],
    ['/a und /b', 'und', 'Write and instead of und.'],
    ['/a === 1', '===', 'Write = instead of ===.'],
    ['/a eq 1', 'eq', 'Write = instead of eq.'],
    ['/a !== 1', '!==', 'Write != instead of !==.'],
    ['/a <> 1', '<>', 'Write != instead of <>.'],
    ['/a ne 1', 'ne', 'Write != instead of ne.'],
    ['/a ≠ 1', '≠', 'Write != instead of ≠.'],
    ['/a => 1', '=>', 'Write >= instead of =>.'],
    ['/a gte 1', 'gte', 'Write >= instead of gte.'],
    ['/a ≥ 1', '≥', 'Write >= instead of ≥.'],
    ['/a =< 1', '=<', 'Write <= instead of =<.'],
    ['/a lt 1', 'lt', 'Write < instead of lt.'],
    ['/a exists', 'exists', 'Write is not empty instead of exists.'],
    ['/a empty', 'empty', 'Write is empty instead of empty.'],
    ['/a is null', 'null', 'Write = null instead of is null.'],
    ['/a is "x"', '"x"', 'Write = "x" instead of is "x".'],
    ['/a is missing', 'missing', 'After is, write empty or not empty: /list is empty.'],
    ['/a in "x"', '"x"', 'Write the values in brackets: in ["a", "b"].'],
    ['/a in ["x" "y"]', '"y"', 'Put commas between the values, and ] behind the last: in ["a", "b"].'],
    ['/a not = 1', '=', 'Write not in ["a", "b"], or put not before the whole test: not /a = 3.'],
    ['/a + /b > 3', '+', calculates],
    ['/a*2 > 3', '*', calculates],
    ['/a ? 1 : 2', '?', 'Write {{#if /a}} … {{#else}} … {{#end}} for a choice.'],
    ['1 < /a < 3', '<', 'A comparison has two sides. Join two of them: /a < /b and /b < /c.'],
    ['/a > 1,000', ',', 'Write numbers without separators (1000.5), and lists in brackets: in ["a", "b"].'],
    ['/a contains "x"', 'contains', 'Write /value in ["a", "b"], or let the transformer test the text.'],
  ])('%s is refused at %p with the form that Quire has for it', (source, piece, hint) => {
    expect(read(source)).toBe(
      `docx.bad_condition: “${piece}” can’t be read at this place of the condition “${source}”.`,
    )
    expect(hintOf(source)).toBe(hint)
  })

  test('what other languages write for each of its words and signs is refused with ours', () => {
    const ours: Readonly<Record<string, string>> = {
      ...{ '∧': 'and', et: 'and', '∨': 'or', oder: 'or', ou: 'or', equals: '=', equal: '=', '≡': '=' },
      ...{ neq: '!=', isnt: '!=', '≤': '<=', '⇐': '<=', '⩽': '<=', lte: '<=', le: '<=', gt: '>' },
      ...{ '⇒': '>=', '⩾': '>=', ge: '>=', isempty: 'is empty', blank: 'is empty', isblank: 'is empty' },
      ...{ defined: 'is not empty', present: 'is not empty', isdefined: 'is not empty' },
    }
    for (const [theirs, form] of Object.entries(ours))
      expect([theirs, hintOf(`/a ${theirs} 1`)]).toEqual([theirs, `Write ${form} instead of ${theirs}.`])
    for (const [theirs, form] of Object.entries({ '¬': 'not', nicht: 'not', unless: 'not' }))
      expect([theirs, hintOf(`/a and ${theirs} /b`)]).toEqual([theirs, `Write ${form} instead of ${theirs}.`])
    for (const sign of '+-*%^×÷−·') expect([sign, hintOf(`/a ${sign} 2`)]).toEqual([sign, calculates])
  })

  test.each<[string, string]>([
    ['/first name = 1', 'name'],
    ['/a /b', '/b'],
    ['/a "x"', '"x"'],
    ['/a or /b)', ')'],
    ['()', ')'],
    ['and /a', 'and'],
    ['in [/a]', 'in'],
    ['is empty', 'is'],
    ['/a = or', 'or'],
    ['/a in []', ']'],
    ['/a!', '!'],
  ])('%s is refused at %p with an example of the grammar', (source, piece) => {
    expect(read(source)).toBe(
      `docx.bad_condition: “${piece}” can’t be read at this place of the condition “${source}”.`,
    )
    expect(hintOf(source)).toContain('A condition joins tests by and, or and not')
  })

  test.each(['/a =', '/a and', 'not', '(/a or /b', '/a in', '/a in ["x"', '/a is', '/a is not', '/a not'])(
    '%s is refused because it ends too early',
    (source) => {
      expect(read(source)).toBe(`docx.bad_condition: The condition “${source}” ends too early.`)
    },
  )

  test('is refused if a side is a bare word, which may be meant as a name or as a text', () => {
    expect(read('name')).toBe('docx.bad_pointer: “name” is neither a pointer nor a value.')
    expect(read('/a = name')).toBe('docx.bad_pointer: “name” is neither a pointer nor a value.')
    expect(hintOf('/a = name')).toBe('Write /name for the value named name, or "name" for the text.')
    expect(hintOf('@next')).toBe('The words of a loop are @index, @first, @last, @count, @name.')
    for (const bad of ['.x', '/a~2', '@next', '1.', '1e3', '1a']) {
      expect(read(`/a = ${bad}`)).toBe(`docx.bad_pointer: “${bad}” is neither a pointer nor a value.`)
    }
  })

  test('is refused if a part of it does not depend on the data', () => {
    expect(read('/a = "x" or "y"')).toBe(
      'docx.bad_condition: "y" by itself tests nothing in the condition “/a = "x" or "y"”.',
    )
    expect(hintOf('/a = "x" or "y"')).toBe('Compare it with a value: /kind = "y", or /kind in ["a", "y"].')
    for (const source of ['"/a"', '5', '(/a or 5)', 'null']) expect(read(source)).toContain('by itself tests nothing')
    for (const source of ['"/a" = "x"', '1 in [1, 2]', '"" is empty']) {
      expect(read(source)).toBe(`docx.bad_condition: The condition “${source}” compares nothing of the data.`)
    }
    for (const source of ['true', 'false']) expect(read(source)).toBe(source)
    expect(read('"x" in ["y", /a]')).toBe('("x" in "y" /a)')
  })

  test('is refused if a text is not closed, or a number has more digits than numbers keep', () => {
    expect(read('/a = "x')).toBe('docx.bad_condition: The text "x is not closed in the condition “/a = "x”.')
    expect(read('/a = 12345678901234567891')).toContain('The number 12345678901234567891 has more digits')
    expect(read('/a = "12345678901234567891"')).toBe('(/a = "12345678901234567891")')
  })

  test('has a bounded depth and length', () => {
    const deep = (depth: number) => read(`${'('.repeat(depth)}/a${')'.repeat(depth)}`)
    expect(deep(limits.templateConditionDepth)).toBe('/a')
    expect(deep(limits.templateConditionDepth + 1)).toContain('is nested more than 32 deep')
    expect(read(Array.from({ length: 100 }, () => '(not /a)').join(' or '))).toStartWith('(not /a or not /a')
    expect(read(`${'not '.repeat(5_000)}/a`)).toContain('is nested more than 32 deep')
    const long = (tests: number) => read(Array.from({ length: tests }, () => '/a').join(' and '))
    expect(long(limits.templateConditionTests)).toStartWith('(/a and')
    expect(long(limits.templateConditionTests + 1)).toContain('has more than 256 tests')
  })
})

describe('a condition in a document', () => {
  const data = {
    kind: 'a',
    total: 5,
    flag: true,
    off: false,
    x: 'it’s',
    blank: '',
    list: [],
    full: [0],
    object: {},
    zero: 0,
    none: null,
    'first name': 'Ada',
  }
  const answers = (source: string) => composedLines(p(`{{#if ${source}}}yes{{#else}}no{{#end}}`), data)[0]

  test.each<[string, boolean]>([
    ['/kind="a"', true],
    ['/total>3', true],
    ['/flag and /total > 3', true],
    ['/flag and /total > 5', false],
    ['/off or /total >= 5', true],
    ['not /flag and /total', false],
    ['not /off and /total', true],
    ['not (/off and /total)', true],
    ['/off and /flag or /total = 5', true],
    ['/off and (/flag or /total = 5)', false],
    ['/kind in ["b", “a”]', true],
    ['/total in ["5.0"]', true],
    ['/kind not in ["b"]', true],
    ['/absent in [null]', true],
    ['/blank is empty and /list is empty and /object is empty and /none is empty and /absent is empty', true],
    ['/full is empty or /zero is empty or /off is empty or /kind is empty', false],
    ['/full is not empty', true],
    ["/x = 'it’s'", true],
    ["/x = “it's”", true],
    ["/x != “it's”", false],
    ['/x in ["it\'s"]', true],
    ['/x = "its"', false],
    ['/"first name" = "Ada"', true],
  ])('%s gives %p', (source, answer) => {
    expect(answers(source.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))).toBe(answer ? 'yes' : 'no')
  })

  test('that can not be read is a finding at its place, and no document', () => {
    const body = p('Dear {{#if /a &amp;&amp; /b}}x{{#end}}') + p('{{#if /a = "x}} said "no" {{#end}}')
    expect(compileCodes(wordPackage(body))).toEqual([
      'docx.bad_condition word/document.xml#1:5',
      'docx.bad_condition word/document.xml#2:0',
    ])
  })
})

test('a tag ends at the first braces outside of its quotes', () => {
  const body = (text: string) => composedLines(p(text), { a: 'A', "it's": 'B' })[0]
  expect(body('{{"}}"}} {{\'}}\'}} {{“}}”}} {{"{{"}}')).toBe('}} }} }} {{')
  expect(body("{{/a}} isn’t {{/it's}}, “{{/a}}”")).toBe('A isn’t B, “A”')
  expect(body('{{/b | default "x”}} said "hello" {{/a}}')).toBe('x said "hello" A')
})
