import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Finding } from '../../src/core/finding.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { readBody, selectBody, validationFault } from '../../src/http/body.ts'
import { emptyBody, jsonBody, type MultipartBody } from '../../src/http/operation.ts'
import { object, text } from '../../src/http/wire.ts'
import { rejectionOf } from '../support/outcome.ts'

const mediaType = 'application/x-letter'
const json = jsonBody(object({ a: text() }), 16)
const bytes = { kind: 'bytes', mediaType, maxBytes: 4 } as const
const form: MultipartBody = {
  kind: 'multipart',
  fields: object({ name: text(), note: Type.Optional(text()) }),
  fileMediaTypes: [mediaType],
  maxBytes: 2_000,
}

function post(body: string | Uint8Array<ArrayBuffer> | ReadableStream, headers: Record<string, string> = {}): Request {
  return new Request('http://quire.test/', { method: 'POST', body, headers })
}

describe('the form of a body', () => {
  const choice = { kind: 'choice', of: [json, form] } as const

  test('is the one that its Content-Type names, whatever its case and its parameters', () => {
    expect(selectBody(choice, 'Application/JSON ; charset=UTF-8')).toBe(json)
    expect(selectBody(choice, 'application/json;charset="utf8"')).toBe(json)
    expect(selectBody(choice, 'multipart/form-data; boundary=x')).toBe(form)
    expect(selectBody(bytes, mediaType)).toBe(bytes)
    expect(selectBody(emptyBody, 'application/json')).toBe(emptyBody)
  })

  test('is refused with those that are taken, each named once', () => {
    for (const [of, given, accepted] of [
      [choice, 'text/plain', 'application/json or multipart/form-data'],
      [choice, null, 'application/json or multipart/form-data'],
      [choice, 'application/json; charset=latin1', 'application/json or multipart/form-data'],
      [{ kind: 'choice', of: [json, json] } as const, 'multipart/form-data', 'application/json'],
      [bytes, 'application/json', mediaType],
    ] as const) {
      const refusal = {
        code: 'unsupported_media_type',
        detail: `Content-Type must be ${accepted}. Send that header with the request.`,
      }
      expect(() => selectBody(of, given)).toThrow(expect.objectContaining(refusal))
    }
  })
})

describe('a body', () => {
  test('is read up to its limit of bytes, in however many pieces it comes', async () => {
    const pieces = ['ab', 'cd'].map((piece) => new TextEncoder().encode(piece))
    const stream = new ReadableStream({
      start(one) {
        for (const piece of pieces) one.enqueue(piece)
        one.close()
      },
    })
    expect((await readBody(bytes, post(stream))).value).toEqual(new TextEncoder().encode('abcd'))
    expect(await readBody(bytes, post('abcd', { 'content-length': '4' }))).toEqual({
      value: new TextEncoder().encode('abcd'),
      findings: [],
      identity: sha256Hex('abcd'),
    })
  })

  test('is refused one byte past its limit, by what it declares before a byte is read, else by what it sends', async () => {
    let pulled = 0
    const endless = () =>
      new ReadableStream(
        { pull: (one) => (pulled++ > 9 ? one.close() : one.enqueue(new Uint8Array(3))) },
        { highWaterMark: 0 },
      )
    const tooLarge = { code: 'validation_failed', detail: 'The body must be at most 4 bytes. Send a smaller one.' }
    expect(await rejectionOf(readBody(bytes, post(endless(), { 'content-length': '5' })))).toMatchObject(tooLarge)
    expect(pulled).toBe(0)
    expect(await rejectionOf(readBody(bytes, post(endless())))).toMatchObject(tooLarge)
    expect(pulled).toBeLessThan(5)
    const refused = { detail: 'The body must be empty. Send no body.', extras: { findings: [{ code: 'body.size' }] } }
    expect(await rejectionOf(readBody(emptyBody, post('x')))).toMatchObject(refused)
    expect(await readBody(emptyBody, post(''))).toEqual({ value: undefined, findings: [], identity: null })
  })

  test('of bytes must not be empty', async () => {
    const { findings } = await readBody(bytes, post(''))
    expect(findings).toMatchObject([
      { code: 'body.empty', message: 'The body is empty.', hint: `Send the ${mediaType} bytes.` },
    ])
  })

  test('of JSON is its value, which is also what a repetition is compared by', async () => {
    expect(await readBody(json, post('{"a":"b"}'))).toEqual({ value: { a: 'b' }, findings: [], identity: { a: 'b' } })
    const wrong = await readBody(json, post('{"a":1}'))
    expect([wrong.value, wrong.identity, wrong.findings.map(({ code }) => code)]).toEqual([
      { a: 1 },
      { a: 1 },
      ['body.type'],
    ])
    const broken = await readBody(json, post('{"a":'))
    expect([broken.value, broken.identity, broken.findings.length]).toEqual([undefined, null, 1])
  })
})

describe('a form with a file', () => {
  interface Part {
    head: string
    content?: string
  }
  const file = (more = '', type = `Content-Type: ${mediaType}`): Part => ({
    head: `Content-Disposition: form-data; name="file"; filename="a.letter"${more}${type === '' ? '' : `\r\n${type}`}`,
    content: 'bytes',
  })
  const field = (name: string, content = 'x'): Part => ({
    head: `Content-Disposition: form-data; name="${name}"`,
    content,
  })
  function read(
    parts: readonly Part[],
    contentType = 'multipart/form-data; boundary=b',
    end = '--b--\r\n',
    maxBytes: number = form.maxBytes,
  ) {
    const body = parts.map(({ head, content = '' }) => `--b\r\n${head}\r\n\r\n${content}\r\n`).join('')
    return readBody({ ...form, maxBytes }, post(body + end, { 'content-type': contentType }))
  }
  const codesOf = ({ findings }: { findings: readonly Finding[] }) => findings.map(({ code }) => code)

  test('gives its fields, and its file under its name with the hash of its bytes', async () => {
    expect(await read([field('name', 'one'), file()])).toEqual({
      value: {
        fields: { name: 'one' },
        file: { fileName: 'a.letter', mediaType, bytes: new TextEncoder().encode('bytes') },
      },
      findings: [],
      identity: { fields: { name: 'one' }, file: sha256Hex('bytes') },
    })
  })

  test('is refused for each part that is missing, unknown, given twice or of another kind', async () => {
    for (const [parts, codes] of [
      [[file()], ['body.required']],
      [[field('name')], ['body.required']],
      [[field('name'), field('colour'), file()], ['body.unknown']],
      [[field('name'), field('__proto__'), file()], ['body.unknown']],
      [[field('name'), field('name'), file()], ['body.repeated']],
      [[field('name'), file(), file()], ['body.repeated']],
      [[field('name', '\0'), file()], ['body.text']],
      [[field('name'), file('', '')], ['body.file_type']],
      [[field('name'), file('', 'Content-Type: text/plain')], ['body.file_type']],
      [[field('name'), { ...file(), head: file().head.replace('"file"', '"other"') }, file()], ['body.unknown']],
    ] as const) {
      expect([parts.map(({ head }) => head), codesOf(await read(parts))]).toEqual([
        parts.map(({ head }) => head),
        [...codes],
      ])
    }
  })

  test('names what is wrong with its parts in their order, then its fields, and at last the file', async () => {
    const other = { ...file(), head: file().head.replace('"file"', '"other"') }
    expect(codesOf(await read([field('note'), field('note'), other, file()]))).toEqual([
      'body.repeated',
      'body.unknown',
      'body.required',
    ])
    const { findings } = await read([field('note'), field('note'), other])
    expect(findings.map(({ message }) => message)).toEqual([
      'Body part note is given twice.',
      'Body part other must not be a file.',
      'Body field name is missing.',
      'Body part file is missing.',
    ])
  })

  test('repeats no more of a long name than shows which it is', async () => {
    const long = 'n'.repeat(300)
    const other = { ...file(), head: file().head.replace('"file"', `"${long}"`) }
    const { findings } = await read([field(long), field(long), other, field('name'), file()])
    expect(findings.map(({ message }) => message.length)).toSatisfy((lengths) => Math.max(...lengths) < 200)
  })

  test('takes the type that the part of the file declares, not that of a part before it', async () => {
    const typed = { ...field('name'), head: `${field('name').head}\r\nContent-Type: text/plain` }
    expect(codesOf(await read([typed, file()]))).toEqual([])
    expect(codesOf(await read([typed, file('', `content-type: ${mediaType}; charset=x`)]))).toEqual([])
    expect(codesOf(await read([field('name'), file()], 'multipart/form-data; boundary="b"'))).toEqual([])
  })

  test('keeps each byte of its file, also what looks like a boundary, a header or the end', async () => {
    for (const content of ['', '\r\n', 'a\r\n\r\nb', '--b', '\n--b--', '\r\n-b\r\n--c', 'a\r\n--', '\0\xff']) {
      for (const parts of [
        [{ ...file(), content }, field('name')],
        [field('name'), { ...file(), content }],
      ]) {
        const { value, findings } = await read(parts)
        expect([content, findings, value]).toEqual([
          content,
          [],
          {
            fields: { name: 'x' },
            file: { fileName: 'a.letter', mediaType, bytes: new TextEncoder().encode(content) },
          },
        ])
      }
    }
  })

  test('is refused where its texts have more bytes together than any may have, before they are looked at', async () => {
    const rest = (await read([field('name', ''), file()])).findings.length
    expect(rest).toBe(0)
    for (const parts of [
      [field('name', 'x'.repeat(limits.multipartTextBytes)), file()],
      [
        field('name', 'x'.repeat(limits.multipartTextBytes / 2)),
        field('other', 'x'.repeat(limits.multipartTextBytes / 2)),
        file(),
      ],
      [
        {
          ...file(),
          head: 'Content-Disposition: form-data; name="other"; filename="f"',
          content: 'x'.repeat(limits.multipartTextBytes),
        },
      ],
    ]) {
      expect(codesOf(await read(parts, undefined, undefined, 10_000_000))).toEqual(['body.size'])
    }
    const large = { ...file(), content: 'x'.repeat(limits.multipartTextBytes) }
    expect(codesOf(await read([field('name', 'x'), large], undefined, undefined, 10_000_000))).toEqual([])
  })

  test('is refused by the number of its parts before they are looked at', async () => {
    const codesFor = async (part: Part, count: number) => {
      const parts = Array.from({ length: count }, () => part)
      return codesOf(await read(parts, 'multipart/form-data; boundary=b', '--b--\r\n', 64_000_000))
    }
    for (const part of [field('name'), file()]) {
      expect(await codesFor(part, limits.multipartParts)).not.toContain('body.parts')
      expect(await codesFor(part, limits.multipartParts + 1)).toEqual(['body.parts'])
      // Seconds of the thread that serves everybody, before they were counted.
      expect(await codesFor(part, 250_000)).toEqual(['body.parts'])
    }
  })

  test('is refused where bytes of another part, or not all, would be taken for its file', async () => {
    const named = (head: string, content: string): Part => ({
      head: `Content-Disposition: form-data; ${head}\r\nContent-Type: ${mediaType}`,
      content,
    })
    const rule = 'Body part file does not begin and end where the boundary says.'
    for (const parts of [
      // Another part's, of which a parameter has what looks like the name.
      [named('name="name"; x="; name=file"', 'other'), file()],
      [named('name="note"; x="; name=file', 'other'), field('name'), file()],
      // A line of the file that begins with the boundary.
      [field('name'), { ...file(), content: 'one\r\n--bc two' }],
      // No bytes, and no line end before the boundary.
      [{ ...file(), content: '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx' }, field('note')],
    ]) {
      const { value, identity, findings } = await read(parts)
      expect([parts, value, identity, findings.at(-1)?.message]).toEqual([parts, undefined, null, rule])
    }
    const unended = await read([field('name'), file()], 'multipart/form-data; boundary=b', 'x--b--\r\n')
    expect(unended.findings.map(({ message }) => message)).toEqual([rule])
  })

  test('is refused by the headers of a part before the runtime reads them, which takes long', async () => {
    const head = `Content-Disposition: form-data; name="name"`
    const long = (bytes: number) => ({ head: `${head};${'x'.repeat(bytes - head.length - 3)}`, content: 'x' })
    const more = { head: `${file().head};${';'.repeat(limits.multipartHeaderBytes)}`, content: 'bytes' }
    expect(codesOf(await read([long(limits.multipartHeaderBytes), file()], undefined, undefined, 64_000))).toEqual([])
    for (const parts of [
      [long(limits.multipartHeaderBytes + 1), file()],
      [file(), long(limits.multipartHeaderBytes + 1)],
      [field('name'), more],
    ]) {
      const { findings } = await read(parts, undefined, undefined, 64_000)
      expect(findings.map(({ message }) => message)).toEqual([
        `A body part has more than ${limits.multipartHeaderBytes} bytes of headers.`,
      ])
    }
  })

  test('is refused as a whole where it has no boundary, another one, or no end', async () => {
    for (const [contentType, end] of [
      ['multipart/form-data', '--b--\r\n'],
      ['multipart/form-data; boundary=other', '--b--\r\n'],
      ['multipart/form-data; boundary=b', ''],
    ] as const) {
      const refused = await read([field('name'), file()], contentType, end)
      expect([refused.value, refused.identity, codesOf(refused)]).toEqual([undefined, null, ['body.multipart']])
    }
  })
})

describe('the refusal for findings', () => {
  const finding = (code: string, more: Partial<Finding> = {}): Finding => ({
    code,
    severity: 'error',
    message: `${code}!`,
    ...more,
  })

  test('names the first five in its detail, and counts the rest', () => {
    const of = (count: number) => Array.from({ length: count }, (_, index) => finding(`body.n${index}`))
    expect(validationFault(of(5)).detail).toBe('body.n0! body.n1! body.n2! body.n3! body.n4!')
    expect(validationFault(of(6)).detail).toEndWith('body.n4! And 1 more.')
    expect(validationFault(of(9)).detail).toEndWith('body.n4! And 4 more.')
    expect(validationFault(of(9)).extras.findings).toHaveLength(9)
  })

  test('gives each remedy, and the place of what is no field', () => {
    expect(validationFault([finding('query.type', { hint: 'Mend it.' })]).detail).toBe('query.type! Mend it.')
    expect(validationFault([finding('json.syntax', { line: 2, column: 3 } as Partial<Finding>)]).detail).toStartWith(
      'The body is not acceptable JSON at ',
    )
    expect(validationFault([finding('x.json.')]).detail).not.toContain('JSON')
    const placed = finding('schema.type', { path: '/a' })
    expect(validationFault([placed]).detail).toContain('/a')
    expect(validationFault([{ ...placed, code: 'header.type' }]).detail).toBe('schema.type!')
  })

  test('carries its stage and its resource', () => {
    const extras = { stage: 'shape', resourceKind: 'template', resourceId: 'x' }
    expect(validationFault([finding('body.a')], extras)).toMatchObject({ code: 'validation_failed', extras })
  })
})
