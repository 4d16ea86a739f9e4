import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { num, Operators } from '../../../../src/engines/pdf/render/operators.ts'
import {
  compress,
  literal,
  MAX_STRING_BYTES,
  PdfFile,
  subsetTag,
  textString,
  truncateText,
} from '../../../../src/engines/pdf/render/write.ts'
import { opened } from './opened.ts'

const written = (write: (out: Operators) => void) => {
  const out = new Operators()
  write(out)
  return Buffer.from(out.take()).toString('latin1')
}

describe('A content stream', () => {
  test('has each number as short as three decimals allow, the same as in dictionaries', () => {
    const numbers = [0, 1, -1, 9, 10, 99, 100, 12_345, 0.5, 0.05, 0.005, 0.0005, 0.0004, 1.25, -1.125, 999_999.999]
    numbers.push(-0.0004, 0.1, 0.12, 0.102, 10.01, -999_999.5, 1_000_000, -1_000_000, 123_456_789.123, 2.9999)
    for (const value of numbers) expect(written((out) => out.digits(value))).toBe(num(value))
    expect(numbers.slice(0, 12).map(num)).toEqual([
      '0',
      '1',
      '-1',
      '9',
      '10',
      '99',
      '100',
      '12345',
      '0.5',
      '0.05',
      '0.005',
      '0.001',
    ])
    expect([1e21, -1e301, 1e308, -2_147_483_648, 2_147_483_646.5].map(num)).toEqual([
      ...['2147483647', '-2147483647', '2147483647', '-2147483647', '2147483646.5'],
    ])
    expect([num(-0.0004), num(0.0004), num(Number.NaN), num(Number.POSITIVE_INFINITY)]).toEqual(['0', '0', '0', '0'])
    expect(written((out) => out.digits(Number.NaN))).toBe('0')
    expect(written((out) => out.number(1.5).number(-2))).toBe('1.5 -2 ')
  })

  test('has whole numbers, and references to objects, digit by digit', () => {
    const numbers = [0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 65_535, 999_999_999, 1_000_000_000, 2_147_483_647]
    for (const value of numbers) expect(written((out) => out.whole(value))).toBe(`${value}`)
    expect(written((out) => out.reference(1_207).text('/K'))).toBe('1207 0 R/K')
  })

  test('has operands before their operator, one operator a line', () => {
    expect(written((out) => out.write('re f', 1, 2, 3, 4.5).write('S'))).toBe('1 2 3 4.5 re f\nS\n')
  })

  test('escapes what delimits a string, and a carriage return', () => {
    expect(written((out) => out.code(0x2841))).toBe('\\(A')
    expect(written((out) => out.code(0x4129))).toBe('A\\)')
    expect(written((out) => out.code(0x5c0d))).toBe('\\\\\\r')
    expect(written((out) => out.code(0x0a00))).toBe('\n\0')
    expect(written((out) => out.code(0xfffe))).toBe('\u00ff\u00fe')
  })

  test('grows beyond its first room with every kind of entry, and starts over once it is taken', () => {
    for (const fill of [
      (out: Operators) => out.text('x'.repeat(30_000)),
      (out: Operators) => out.number(-123_456.789),
      (out: Operators) => out.whole(1_234_567_890),
      (out: Operators) => out.code(0x2829),
    ]) {
      const out = new Operators()
      const once = Buffer.from(written(fill), 'latin1')
      const times = Math.ceil(200_000 / once.length)
      for (let time = 0; time < times; time++) fill(out)
      const bytes = out.take()
      expect(Buffer.alloc(once.length * times, once).equals(bytes)).toBe(true)
      expect(out.take().length).toBe(0)
      expect(Buffer.from(out.text('new').take()).toString()).toBe('new')
    }
    expect(written((out) => out.text('y'.repeat(400_000))).length).toBe(400_000)
  })
})

describe('A string', () => {
  test('is literal in ASCII, with its delimiters escaped', () => {
    expect(textString('A (b) \\c~')).toBe('(A \\(b\\) \\\\c~)')
    expect(literal('a\r\nb')).toBe('(a  b)')
  })

  test('is UTF-16 in hexadecimal as soon as one character is not plain ASCII', () => {
    expect(textString('é')).toBe('<FEFF00E9>')
    expect(textString('a\n')).toBe('<FEFF0061000A>')
    expect(textString('\x7f')).toBe('<FEFF007F>')
    expect(textString('😀')).toBe('<FEFFD83DDE00>')
  })

  test('ends at the longest length that an archivable file may have, never within a character', () => {
    expect(textString('a'.repeat(MAX_STRING_BYTES + 5)).length).toBe(MAX_STRING_BYTES + 2)
    // 32,767 bytes hold the byte order mark and 16,382 units.
    expect(textString('é'.repeat(20_000)).length).toBe(2 + 4 + 16_382 * 4)
    expect(textString(`é${'😀'.repeat(10_000)}`).length).toBe(2 + 4 + 16_381 * 4)
    expect(truncateText('abc', 3)).toBe('abc')
    expect(truncateText('abcd', 3)).toBe('abc')
    expect(truncateText('ab😀', 4)).toBe('ab😀')
    expect(truncateText('ab😀', 3)).toBe('ab')
    expect(truncateText('ab😀c', 4)).toBe('ab😀')
    expect(truncateText('a\ud800', 2)).toBe('a\ud800')
  })
})

test('Compressed data is a zlib stream with its checksum', () => {
  const data = Buffer.from('some data, some more data'.repeat(50))
  expect(inflateSync(compress(data)).equals(data)).toBe(true)
  expect(inflateSync(compress(new Uint8Array(0))).length).toBe(0)
})

test('A subset is named by six letters of its content', () => {
  expect(subsetTag(Buffer.from('one'))).toMatch(/^[A-Z]{6}$/)
  expect(subsetTag(Buffer.from('one'))).toBe(subsetTag(Buffer.from('one')))
  expect(subsetTag(Buffer.from('one'))).not.toBe(subsetTag(Buffer.from('two')))
  const tags = Array.from({ length: 200 }, (_, index) => subsetTag(Uint8Array.of(index)))
  for (let at = 0; at < 6; at++) expect(new Set(tags.map((tag) => tag[at])).size).toBe(26)
})

describe('A file', () => {
  test('holds its objects and streams where its table says, whatever their number', async () => {
    for (const count of [1, 199, 200, 201, 450]) {
      const file = new PdfFile()
      const root = file.reserve()
      const objects = Array.from({ length: count }, (_, index) => file.add(`<</Index ${index}>>`))
      const stream = file.addStream('/Own 5', Buffer.from('some text'))
      const stored = file.addFiltered('/Own 6', Buffer.from('as it is'))
      file.put(root, '<</Type/Catalog>>')
      const info = file.add('<</Title(x)>>')
      const { objects: found, streams, trailer } = await opened(file.write(root, info))
      expect(objects.map((number) => found.get(number))).toEqual(objects.map((_, index) => `<< /Index ${index} >>`))
      expect(streams.get(stream)).toMatchObject({ data: Buffer.from('some text') })
      expect(streams.get(stream)?.dictionary).toContain('/Own 5')
      expect(streams.get(stored)).toEqual({ dictionary: '<< /Own 6 /Length 8 >>', data: Buffer.from('as it is') })
      expect(`${trailer.Root} ${trailer.Info}`).toBe(`${root} 0 R ${info} 0 R`)
    }
  })

  test('says where its table is, and how far an object is from its beginning', () => {
    const file = new PdfFile()
    const root = file.add('<</Type/Catalog>>')
    const stream = file.addFiltered('', Buffer.alloc(70_000, 'x'))
    const last = file.addFiltered('', Buffer.from('last'))
    const bytes = Buffer.from(file.write(root, root))
    const text = bytes.toString('latin1')
    expect(text).toStartWith('%PDF-1.7\n%')
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
    const [, size = '', w = '', first = '', second = ''] =
      /^\d+ 0 obj\n<<\/Type\/XRef\/Size (\d+)\/W\[([^\]]*)\]\/Root \d+ 0 R\/Info \d+ 0 R\/ID\[<(\w+)><(\w+)>\]/.exec(
        text.slice(start),
      ) ?? []
    expect([w, first.length, second]).toEqual(['1 4 2', 32, first])
    const table = inflateSync(bytes.subarray(text.indexOf('stream\n', start) + 7))
    const row = (number: number) => [
      table[number * 7],
      table.readUInt32BE(number * 7 + 1),
      table.readUInt16BE(number * 7 + 5),
    ]
    expect(table.length).toBe(Number(size) * 7)
    expect(row(0)).toEqual([0, 0, 65_535])
    expect(row(stream)).toEqual([1, text.indexOf(`${stream} 0 obj`), 0])
    expect(row(last)).toEqual([1, text.indexOf(`\n${last} 0 obj`) + 1, 0])
    const [type, holder, place] = row(root)
    expect([type, place]).toEqual([2, 0])
    expect(text).toContain(`\n${holder} 0 obj\n<</Type/ObjStm/N 1/First `)
    expect(row(Number(size) - 1)).toEqual([1, start, 0])
  })

  test('has an identifier that depends on its content alone', () => {
    const identifier = (content: string) => {
      const file = new PdfFile()
      const root = file.add(content)
      return /\/ID\[<(\w+)>/.exec(Buffer.from(file.write(root, root)).toString('latin1'))?.[1]
    }
    expect(identifier('<</A 1>>')).toBe(identifier('<</A 1>>') ?? '')
    expect(identifier('<</A 1>>')).not.toBe(identifier('<</A 2>>'))
  })
})
