import { describe, expect, test } from 'bun:test'
import { parseExpression } from '../../../src/engines/docx/scan/expression.ts'
import { parseTag } from '../../../src/engines/docx/scan/parse-tag.ts'

/** What the tag says; a refused one as its code and message. */
function read(inner: string): unknown {
  const parsed = parseTag(inner)
  return parsed.ok ? parsed.tag : `${parsed.code}: ${parsed.message}`
}
const hintOf = (inner: string) => {
  const parsed = parseTag(inner)
  return parsed.ok ? undefined : parsed.hint
}

const a = { kind: 'absolute', tokens: ['a'] }
const literal = (value: string | number | boolean | null) => ({ kind: 'literal', value })
const text = (value: unknown) => ({ kind: 'text', value, filters: [] })

describe('a tag', () => {
  test.each<[string, unknown]>([
    ['/a', a],
    ['/a/b~1c/0', { kind: 'absolute', tokens: ['a', 'b/c', '0'] }],
    ['/', { kind: 'absolute', tokens: [''] }],
    ['.', { kind: 'relative', up: 0, tokens: [] }],
    ['./', { kind: 'relative', up: 0, tokens: [] }],
    ['./x/y', { kind: 'relative', up: 0, tokens: ['x', 'y'] }],
    ['..', { kind: 'relative', up: 1, tokens: [] }],
    ['../x', { kind: 'relative', up: 1, tokens: ['x'] }],
    ['../../x', { kind: 'relative', up: 2, tokens: ['x'] }],
    ['@index', { kind: 'meta', name: 'index' }],
    ['@first', { kind: 'meta', name: 'first' }],
    ['@last', { kind: 'meta', name: 'last' }],
    ['@count', { kind: 'meta', name: 'count' }],
    ['"a b"', literal('a b')],
    ['\'a "b"\'', literal('a "b"')],
  ])('reads the value %s', (source, value) => {
    expect(read(source)).toEqual(text(value))
    expect(read(`  ${source}\u00a0`)).toEqual(text(value))
  })

  test.each<[string, unknown]>([
    ['12', 12],
    ['-1.5', -1.5],
    ['true', true],
    ['false', false],
    ['null', null],
    ['""', ''],
  ])('reads %s as a literal in a comparison', (source, value) => {
    expect(parseExpression(source)).toEqual({ kind: 'literal', value } as never)
  })

  test.each(['1.', '.5', '--1', '1e3', '"a', 'name', '@next', '.x', '...', '..x', '/a~2', ''])(
    'finds no value in %p',
    (source) => {
      expect(parseExpression(source)).toBeUndefined()
    },
  )

  test.each(['12', 'true', 'null', 'name', '@next', '', '#each', '#if', '#foo /x', '#end /x', 'page break'])(
    'is refused as unknown if it says %p',
    (source) => {
      expect(read(source)).toBe(`docx.unknown_tag: {{${source}}} is not a tag that Quire knows.`)
    },
  )

  test('with a bare word is refused with the likely pointer, or with an example of one', () => {
    expect(hintOf('name')).toBe(
      'Write {{/name}} for the value named name; inside of a block, {{./name}} for a member of its item.',
    )
    expect(hintOf('first_name.x-1')).toBe(
      'Write {{/first_name/x-1}}, or {{/first_name.x-1}} for the value named first_name.x-1.',
    )
    expect(hintOf('two words')).toStartWith('Write a JSON Pointer such as')
    expect(read('x'.repeat(100))).toBe(`docx.unknown_tag: {{${'x'.repeat(80)}}} is not a tag that Quire knows.`)
  })

  test('with a broken pointer is refused as such', () => {
    expect(read('/a~2')).toBe('docx.bad_pointer: “/a~2” is neither a pointer nor a value.')
    expect(read('.x')).toBe('docx.bad_pointer: “.x” is neither a pointer nor a value.')
  })

  test('reads hard spaces and typographic quotes as their plain forms', () => {
    expect(read('#if\u00a0/a\u202f=\u2007„x“')).toEqual(read('#if /a = "x"'))
    for (const quoted of ['“x”', '„x‟', '«x»', '‘x’', '‚x‘', '‹x›', '"x”', "'x’"]) {
      expect([quoted, read(quoted)]).toEqual([quoted, text(literal('x'))])
    }
  })

  test('keeps the quotes inside of a quoted text as they are written', () => {
    expect(read('"siehe „x“"')).toEqual(text(literal('siehe „x“')))
    expect(read("'„x“'")).toEqual(text(literal('„x“')))
    expect(read('“it’s”')).toEqual(text(literal('it’s')))
    expect(read('/a | default “it’s | so”')).toMatchObject({ filters: [{ name: 'default', text: 'it’s | so' }] })
  })

  test('may have names with blanks, slashes and signs in quotes', () => {
    expect(read('/"first name"/“a/b = c”')).toEqual(text({ kind: 'absolute', tokens: ['first name', 'a/b = c'] }))
    expect(read('#each ./"line items"')).toMatchObject({ value: { kind: 'relative', up: 0, tokens: ['line items'] } })
    expect(read('image /"the logo" width=1cm')).toMatchObject({ value: { kind: 'absolute', tokens: ['the logo'] } })
    expect(read("/it's")).toEqual(text({ kind: 'absolute', tokens: ["it's"] }))
  })

  test('is refused if two values are side by side, because a format needs its bar', () => {
    for (const head of ['/a /b', '/a ./b', '/a "x"', '/kind="a"', '/a @index', '/a = b', '/due “d.M.yyyy”']) {
      expect(read(head)).toBe(`docx.bad_pointer: “${head}” is neither a pointer nor a value.`)
    }
    expect(hintOf('/due "d"')).toContain('Put a bar before each format')
    expect(read('/with space | upper')).toMatchObject({ value: { kind: 'absolute', tokens: ['with space'] } })
  })

  test('of another template language is answered with the tag that Quire has for it', () => {
    expect(hintOf('else')).toBe('Write {{#else}}, or {{/else}} for the value named else.')
    expect(hintOf('#endif')).toBe('Write {{#end}}.')
    expect(hintOf('#elseif /a')).toBe('Write {{#else if /flag}}.')
    expect(hintOf('#unless /a')).toBe('Write {{#if not /flag}}.')
    expect(hintOf('#for x in /a')).toBe('Write {{#each /list}}.')
  })

  test('can end a block, divide it and break a page', () => {
    expect(read('#end')).toEqual({ kind: 'end' })
    expect(read('#else')).toEqual({ kind: 'else' })
    expect(read('pagebreak')).toEqual({ kind: 'pagebreak' })
  })

  test('loops over a list, and restarts numbered lists if asked to', () => {
    expect(read('#each /a')).toEqual({ kind: 'each', value: a, restarts: false })
    expect(read('#each /a restart')).toEqual({ kind: 'each', value: a, restarts: true })
    expect(read('#each  ./x')).toEqual({
      kind: 'each',
      value: { kind: 'relative', up: 0, tokens: ['x'] },
      restarts: false,
    })
    for (const source of ['"x"', '@index', 'x', '12']) {
      expect(read(`#each ${source}`)).toBe(`docx.bad_pointer: “${source}” does not point to a list.`)
    }
    expect(read('#each /a as x')).toBe('docx.bad_option: “as x” is not an option of #each.')
    expect(hintOf('#each /a as x')).toContain('Write {{#each /a}}')
    expect(read('#each /line items')).toBe('docx.bad_option: “items” is not an option of #each.')
    expect(hintOf('#each /line items')).toContain('/"line items"')
  })
})

describe('a format', () => {
  const filters = (source: string) => {
    const parsed = parseTag(`/a | ${source}`)
    if (!parsed.ok) return `${parsed.code}: ${parsed.message}`
    return parsed.tag.kind === 'text' ? parsed.tag.filters.map((filter) => filter.name) : []
  }

  test('can follow another, and takes quoted texts and bare words', () => {
    expect(filters('upper | lower | default "x | y"')).toEqual(['upper', 'lower', 'default'])
    expect(filters("number '0.00' de | upper")).toEqual(['number', 'upper'])
    expect(filters('date yyyy')).toEqual(['date'])
    expect(read('/a | default \'it "is"\'')).toMatchObject({ filters: [{ name: 'default', text: 'it "is"' }] })
    expect(read('/a | default ""')).toMatchObject({ filters: [{ name: 'default', text: '' }] })
  })

  test('takes no path for the text of a default, which was printed as it is until the sixth rules', () => {
    const parsed = parseTag('/a | upper | default /b/c')
    expect(parsed).toEqual({
      ok: false,
      code: 'docx.unknown_format',
      message: 'default takes a text, and /b/c is a path.',
      hint: 'Write {{#if /a is empty}}{{/b/c}}{{#else}}{{/a}}{{#end}}, or "/b/c" in quotes for that text.',
    })
    expect(parseTag('/a | default /b', 5)).toMatchObject({ tag: { filters: [{ name: 'default', text: '/b' }] } })
    for (const path of ['./b', '../b', '@index'])
      expect([path, parseTag(`/a | default ${path}`).ok]).toEqual([path, false])
    for (const text of ['"/b"', 'n/a', '/', '...', '–'])
      expect([text, parseTag(`/a | default ${text}`).ok]).toEqual([text, true])
  })

  test('needs the exact number of words', () => {
    for (const bad of [
      'upper "x"',
      'lower x',
      'default',
      'default "a" "b"',
      'number',
      'number "0" de x',
      'date',
      '',
      '"x"',
      'Upper',
      'default "a',
    ]) {
      expect([bad, filters(bad)]).toEqual([bad, `docx.unknown_format: “${bad}” is not a format.`])
    }
  })

  test('behind default has to fit the text that default prints', () => {
    expect(filters('default "0" | number "0.00"')).toEqual(['default', 'number'])
    for (const name of ['number', 'date', 'default']) {
      expect(filters(`default "x" | ${name} "0"`.replace('date "0"', 'date "d"'))).toBe(
        `docx.unknown_format: The format ${name} behind default "x" can never be applied to that text.`,
      )
    }
  })

  test('of dates is refused if minutes replace months, or months minutes', () => {
    for (const [pattern, better] of [
      ['dd/mm/yyyy', 'dd/MM/yyyy'],
      ['yyyy-mm', 'yyyy-MM'],
      ["d 'mm' m yy", "d 'mm' M yy"],
      ['EEEE m', 'EEEE M'],
    ]) {
      expect(filters(`date "${pattern}"`)).toBe(
        `docx.bad_pattern: “${pattern}” is no pattern: m is for minutes, and it has no hours.`,
      )
      expect(hintOf(`/a | date "${pattern}"`)).toBe(`Write M for the month: ${better}.`)
    }
    for (const pattern of ['HH:MM', 'dd.MM.yyyy H:M']) {
      expect(filters(`date "${pattern}"`)).toBe(
        `docx.bad_pattern: “${pattern}” is no pattern: M is for months, but its place here is that of minutes.`,
      )
    }
    for (const pattern of ['dd.MM.yyyy HH:mm', 'mm:ss', 'h:mm a', 'HH:mm d. MM.', "HH 'Uhr'", 'MM HH']) {
      expect([pattern, filters(`date "${pattern}"`)]).toEqual([pattern, ['date']])
    }
  })

  test('is in English unless a language is named', () => {
    expect(read('/a | number "0"')).toMatchObject({ filters: [{ locale: { tag: 'en' } }] })
    expect(filters('number "0" "xx-XX"')).toBe('docx.unknown_locale: There is no locale “xx-XX”.')
  })

  test('is refused with an invalid pattern', () => {
    expect(filters('number "0.0.0"')).toMatch(/^docx\.bad_pattern: “0\.0\.0” is no pattern: /)
    expect(filters('date "QQQQQQ"')).toMatch(/^docx\.bad_pattern: “QQQQQQ” is no pattern: /)
    expect(hintOf('/a | number "0.0.0"')).toBe('A pattern looks like "#,##0.00".')
    expect(hintOf('/a | date "VVVV"')).toBe('A pattern looks like "d MMMM yyyy".')
    expect(hintOf('/a | date "QQQQQQ"')).toContain('$datePart')
    expect(hintOf('/a | date "EEEE, d MMMM y"')).toBe('Write EEEE, d MMMM yyyy.')
    expect(hintOf('/a | number "0.00 EUR"')).toBe('Write "0.00 \'EUR\'".')
    expect(hintOf('/a | date "DD.MM.YYYY"')).toBe('Write dd.MM.yyyy.')
    expect(hintOf('/a | date "d. \'DD\' Y"')).toBe('A pattern looks like "d MMMM yyyy".')
    expect(hintOf('/a | date "\'D\' YYYY"')).toBe("Write 'D' yyyy.")
  })
})

describe('a picture or rich text', () => {
  test.each<[string, number]>([
    ['1cm', 360_000],
    ['1mm', 36_000],
    ['1in', 914_400],
    ['1pt', 12_700],
    ['1px', 9_525],
    ['1.5cm', 540_000],
    ['22in', 20_116_800],
  ])('accepts the length %s', (length, emu) => {
    expect(read(`image /a width=${length}`)).toEqual({ kind: 'image', value: a, size: { widthEmu: emu } })
    expect(read(`image /a height="${length}"`)).toEqual({ kind: 'image', value: a, size: { heightEmu: emu } })
    expect(read(`qr /a size='${length}'`)).toEqual({ kind: 'qr', value: a, size: { widthEmu: emu } })
  })

  test.each(['0cm', '22.1in', '3', '-1cm', '1 cm', '1em', '.5cm'])('refuses the length %s', (length) => {
    expect(read(`image /a width="${length}"`)).toBe(`docx.bad_option: “width=${length}” is not an option of image.`)
  })

  test('accepts only the options of its kind', () => {
    expect(read('image /a width=1cm height=2cm')).toMatchObject({ size: { widthEmu: 360_000, heightEmu: 720_000 } })
    expect(read('barcode /a')).toEqual({ kind: 'barcode', value: a, size: {}, symbology: 'code128' })
    for (const type of ['code128', 'code39', 'ean13', 'ean8', 'upc', 'itf', 'itf14', 'codabar']) {
      expect(read(`barcode /a type=${type}`)).toMatchObject({ symbology: type })
    }
    expect(read('rich /a')).toEqual({ kind: 'rich', value: a })
    expect(read('rich /a format=html')).toEqual({ kind: 'rich', value: a, format: 'html' })
    expect(read('rich /a format="markdown"')).toEqual({ kind: 'rich', value: a, format: 'markdown' })
    for (const [tag, option] of [
      ['image', 'size=1cm'],
      ['image', 'type=ean13'],
      ['barcode', 'size=1cm'],
      ['barcode', 'type=qr'],
      ['qr', 'type=ean13'],
      ['rich', 'width=1cm'],
      ['rich', 'format=rtf'],
    ]) {
      expect(read(`${tag} /a ${option}`)).toBe(`docx.bad_option: “${option}” is not an option of ${tag}.`)
    }
  })

  test('is refused if something beside its options is left over', () => {
    for (const [options, read_] of [
      ['3cm', '3cm'],
      ['width=3cm foo', 'foo'],
      ['width=3cm Height=3cm', 'Height=3cm'],
      ['width=3cm width=4cm', 'width=4cm'],
      ['logo width=3cm', 'logo width=3cm'],
    ]) {
      expect(read(`image /a ${options}`)).toBe(`docx.bad_option: “${read_}” is not an option of image.`)
    }
  })

  test('is refused with a hint that names the options of its kind', () => {
    expect(hintOf('image /a x=1')).toContain('width=3cm')
    expect(hintOf('qr /a x=1')).toContain('size=2cm')
    expect(hintOf('barcode /a x=1')).toContain('code128, code39, ean13, ean8, upc, itf, itf14, codabar')
    expect(hintOf('rich /a x=1')).toContain('format=html')
  })

  test('needs a value, which can be text but not a position in a loop', () => {
    expect(read('qr "https://x.org"')).toMatchObject({ value: literal('https://x.org') })
    for (const source of ['@index', 'name']) {
      expect(read(`image ${source}`)).toBe(`docx.bad_pointer: “${source}” is neither a pointer nor a value.`)
    }
  })
})
