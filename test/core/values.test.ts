/** The small pure values that everything else shares: pointers, bindings, marks, traces, findings, faults, the clock. */
import { describe, expect, test } from 'bun:test'
import { boundValue } from '../../src/core/binding.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Fault, faultKinds } from '../../src/core/faults.ts'
import { describeFinding, describeFindings, type Finding, tellCount } from '../../src/core/finding.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { epochMsOf } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog, type LogLevel } from '../../src/core/log.ts'
import { hasMarks, markText, maxMarks, splitMarks, withoutMarks } from '../../src/core/marks.ts'
import { formatPointer, joinPointer, parsePointer } from '../../src/core/pointer.ts'
import { formatTraceparent, parseTraceparent } from '../../src/core/traceparent.ts'

describe('a JSON Pointer', () => {
  test('goes to tokens and back, tildes and slashes included', () => {
    const pointers: [pointer: string, tokens: string[]][] = [
      ['', []],
      ['/', ['']],
      ['/a/0', ['a', '0']],
      ['/a~1b/~0', ['a/b', '~']],
      ['/~01', ['~1']],
      ['/~0~1', ['~/']],
      ['//', ['', '']],
    ]
    for (const [pointer, tokens] of pointers) {
      expect(parsePointer(pointer)).toEqual(tokens)
      expect(formatPointer(tokens)).toBe(pointer)
      expect(tokens.reduce<string>((made, token) => joinPointer(made, token), '')).toBe(pointer)
    }
    expect(formatPointer([1, 'a'])).toBe('/1/a')
  })

  test('is refused without its slash and with a tilde that escapes nothing', () => {
    for (const text of ['a', 'a/b', '/~', '/~2', '/a~/b', '/~~0']) expect(parsePointer(text)).toBeUndefined()
  })
})

describe('what a binding finds', () => {
  const data = {
    name: 'Ada',
    n: 0,
    none: null,
    flag: false,
    lines: [{ net: 1 }, { net: 2 }, {}],
    empty: [],
    deep: { list: [[1, 2], [3]] },
  }
  test.each([
    ['/name', { resolved: true, text: 'Ada' }],
    ['/n', { resolved: true, text: '0' }],
    ['/none', { resolved: true, text: 'null' }],
    ['/flag', { resolved: true, text: 'false' }],
    ['/nothing', { resolved: false }],
    ['/name/length', { resolved: false }],
    ['/toString', { resolved: false }],
    ['/lines', { resolved: true }],
    ['/lines/*/net', { resolved: false, text: '1' }],
    ['/lines/0/net', { resolved: true, text: '1' }],
    ['/lines/00/net', { resolved: false }],
    ['/lines/-1', { resolved: false }],
    ['/lines/3', { resolved: false }],
    ['/empty/*/net', { resolved: true }],
    ['/deep/list/*/*', { resolved: true, text: '1' }],
    ['', { resolved: true }],
  ])('at %s is %j', (pointer, found) => {
    expect(boundValue(data, pointer)).toEqual(found)
  })

  test('is cut by characters, not by their halves', () => {
    const long = '😀'.repeat(limits.shownValueChars + 1)
    expect(boundValue({ long }, '/long').text).toBe('😀'.repeat(limits.shownValueChars))
  })
})

describe('marks in a text', () => {
  test('keep every distinct number through a round trip', () => {
    for (const mark of [0, 1, 15, 16, 255, 4_096, 43_981, maxMarks - 1]) {
      const marked = `before ${markText('value', mark)} after`
      expect(splitMarks(marked)).toEqual([{ text: 'before ' }, { text: 'value', mark }, { text: ' after' }])
      expect(hasMarks(marked)).toBe(true)
      expect(withoutMarks(marked)).toBe('before value after')
    }
    expect(maxMarks).toBe(65_536)
  })

  test('may follow one another, be empty, and be none', () => {
    expect(splitMarks(markText('a', 1) + markText('b', 2))).toEqual([
      { text: 'a', mark: 1 },
      { text: 'b', mark: 2 },
    ])
    const several = `a${markText('b', 1)}c${markText('d', 2)}e`
    expect(splitMarks(several).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(splitMarks(`x${markText('', 3)}y`)).toEqual([{ text: 'x' }, { text: 'y' }])
    expect(splitMarks('plain')).toEqual([{ text: 'plain' }])
    expect(splitMarks('')).toEqual([])
    expect(hasMarks('plain')).toBe(false)
    expect(withoutMarks('plain')).toBe('plain')
  })
})

describe('a trace parent', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const spanId = 'b7ad6b7169203331'
  test('is read in version 00 and in later ones that keep its form', () => {
    for (const [text, isSampled] of [
      [`00-${traceId}-${spanId}-01`, true],
      [`00-${traceId}-${spanId}-00`, false],
      [`00-${traceId}-${spanId}-03`, true],
      [`00-${traceId}-${spanId}-02`, false],
      [`cc-${traceId}-${spanId}-01-more`, true],
    ] as const)
      expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled })
  })

  test('is rejected with ids of zeros, in version ff, or in another form', () => {
    for (const text of [
      `ff-${traceId}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId}-${spanId}`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      '',
      null,
      undefined,
    ])
      expect(parseTraceparent(text)).toBeUndefined()
  })

  test('is written so that it is read again as the same', () => {
    for (const isSampled of [true, false]) {
      const context = { traceId, spanId, isSampled }
      expect(parseTraceparent(formatTraceparent(context))).toEqual(context)
    }
  })
})

describe('findings', () => {
  const finding = (message: string, more: Partial<Finding> = {}): Finding => ({
    code: 'x',
    severity: 'error',
    message,
    ...more,
  })
  test('read in one line with place, path and remedy, as far as they have them', () => {
    expect(describeFinding(finding('It is wrong.'))).toBe('It is wrong.')
    expect(describeFinding(finding('It is wrong.', { path: '' }))).toBe('It is wrong.')
    expect(describeFinding(finding('It is wrong.', { line: 3, hint: 'Mend it.' }))).toBe('3:1 It is wrong. (Mend it.)')
    const whole = finding('It is wrong.', { line: 12, column: 4, path: '/a', hint: 'Mend it.' })
    expect(describeFinding(whole)).toBe('12:4 /a: It is wrong. (Mend it.)')
  })

  test('read together up to a number, with how many there are besides', () => {
    const three = ['One.', 'Two.', 'Three.'].map((message) => finding(message))
    expect(describeFindings(three, 3)).toBe('One.; Two.; Three.')
    expect(describeFindings(three, 2)).toBe('One.; Two.; and 1 more')
    expect(describeFindings([], 2)).toBe('')
  })

  test('are listed up to the limit, and the last one tells their count', () => {
    const most = limits.configurationIssues
    const many = Array.from({ length: most + 5 }, (_, index) => finding(`Number ${index}.`))
    expect(tellCount(many.slice(0, most), most)).toEqual(many.slice(0, most))
    const told = tellCount(many, most + 5, 'at least ')
    expect(told).toHaveLength(most)
    expect(told[most - 1]?.message).toBe(
      `Number ${most - 1}. (This is number ${most} of at least ${most + 5} findings; the others are not listed.)`,
    )
    expect(told.slice(0, -1)).toEqual(many.slice(0, most - 1))
    expect(many[most - 1]?.message).toBe(`Number ${most - 1}.`)
    expect(tellCount([], 200)).toEqual([])
  })
})

describe('faults', () => {
  test('have the status of their code, which is closed', () => {
    const statuses = Object.fromEntries(Object.entries(faultKinds).map(([code, { status }]) => [code, status]))
    expect(statuses).toEqual({
      authentication_required: 401,
      invalid_credentials: 401,
      forbidden: 403,
      csrf_rejected: 403,
      origin_rejected: 403,
      not_found: 404,
      method_not_allowed: 405,
      conflict: 409,
      content_unavailable: 410,
      precondition_failed: 412,
      unsupported_media_type: 415,
      validation_failed: 422,
      precondition_required: 428,
      rate_limited: 429,
      internal_error: 500,
      dependency_unavailable: 503,
    })
  })

  test('carry a cause for the log if there is one', () => {
    const cause = new Error('behind it')
    const fault = new Fault('conflict', 'Name it otherwise.', { cause })
    expect(fault).toMatchObject({ name: 'Fault', status: 409, title: 'Conflict', detail: 'Name it otherwise.', cause })
    expect(fault.message).toBe('Name it otherwise.')
    expect('cause' in new Fault('not_found', 'There is none.')).toBe(false)
  })
})

describe('the log', () => {
  const linesAt = (level: LogLevel, readable: boolean) => {
    const lines: string[] = []
    const log = createLog({ level, readable, write: (line) => lines.push(line) })
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each](each)
    return lines
  }

  test('writes its level and those above it', () => {
    expect(linesAt('debug', false).map((line) => JSON.parse(line).level)).toEqual(['debug', 'info', 'warn', 'error'])
    expect(linesAt('warn', false).map((line) => JSON.parse(line).level)).toEqual(['warn', 'error'])
    expect(linesAt('error', false)).toHaveLength(1)
  })

  test('writes readable lines with time, level, message and fields', () => {
    const lines: string[] = []
    const log = createLog({ level: 'info', readable: true, write: (line) => lines.push(line) })
    log.with({ request: 'r1' }).info('it starts', { port: 80, names: ['a'] })
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}it starts {2}request=r1 {2}port=80 {2}names=\["a"\]\n$/)
  })

  test('follows causes five deep, and a failed statement only up to its values', () => {
    const written = (cause: unknown) => {
      const lines: string[] = []
      createLog({ level: 'info', readable: false, write: (line) => lines.push(line) }).error('it failed', { cause })
      return JSON.parse(lines[0] ?? '{}').cause as string
    }
    let error = new Error('level 7')
    for (let level = 6; level >= 1; level--) error = new Error(`level ${level}`, { cause: error })
    expect(
      written(error)
        .match(/level \d/g)
        ?.slice(-5),
    ).toEqual(['level 1', 'level 2', 'level 3', 'level 4', 'level 5'])
    const statement = `Failed query: select ${'x'.repeat(limits.loggedStatementChars)}\nparams: secret`
    const told = written(new Error(statement))
    expect(told).not.toContain('secret')
    expect(told.split('\n')[0]).toHaveLength('Error: '.length + limits.loggedStatementChars)
  })
})

test('the clock tells the time of the machine', () => {
  const before = Date.now()
  const now = epochMsOf(systemClock.now())
  expect(now).toBeWithin(before - 50, Date.now() + 51)
})

test('a hash is the lower-case SHA-256 of the bytes, and of a text its UTF-8', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256Hex('é')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])))
})
