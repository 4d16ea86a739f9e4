/** What matchers find and say, by their parts and by misuse; testing.test.ts has them as a test file uses them. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inspect } from 'node:util'
import { contractOf } from '../../src/testing/contract.ts'
import { matchPages, pagesNamed } from '../../src/testing/pages-match.ts'
import { ProjectUnusable } from '../../src/testing/project.ts'
import type { Made } from '../../src/testing/result.ts'
import { findRows, rowsMessage } from '../../src/testing/rows-match.ts'
import { quire } from '../../src/testing/testing.ts'
import { comparableText, indented, notFoundMessage } from '../../src/testing/text-match.ts'
import type { Page } from '../../src/testing/types.ts'
import { folderWith, greeting, invoices } from '../project/fixture.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const equals = (actual: unknown, expected: unknown) => Bun.deepEquals(actual, expected)
const bob = { name: 'Bob', owes: 7 }
const params = { place: 'Lille' }

describe('a text', () => {
  test('is compared by its words, line by line, without blank lines and blanks at ends', () => {
    expect(comparableText('  a \t b\u00a0c \r\n\n \n d  ')).toBe('a b c\nd')
    expect(indented('a\n\nb')).toBe('  a\n  \n  b')
  })

  test('that is missing is reported with the lines most like it, the best first, three at most', () => {
    const text = ['a b c d', 'a b c', 'x y z', 'a b', 'A, b; C: d!', 'b a d c e'].join('\n')
    const [, near = ''] = /Most like it:\n(.*?)\n\n/s.exec(notFoundMessage(text, 'a b c d')) ?? []
    expect(near.split('\n')).toEqual(['   1  a b c d', '   5  A, b; C: d!', '   6  b a d c e'])
    // One word of five in common is too little.
    expect(notFoundMessage('a b c', 'a d e')).not.toContain('Most like it')
    expect(notFoundMessage('a b', 'a d e')).toContain('Most like it:\n   1  a b\n')
    expect(notFoundMessage(text, /a b c/)).toBe(
      `The document does not contain:\n  /a b c/\n\nIts text:\n${text
        .split('\n')
        .map((line, at) => `   ${at + 1}  ${line}`)
        .join('\n')}`,
    )
  })

  test('that is long is shown as far as a page of a terminal goes, and the rest is counted', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `line${at + 1}`)
    expect(notFoundMessage(lines(30).join('\n'), 'zzz')).toEndWith('\n  30  line30')
    expect(notFoundMessage(lines(32).join('\n'), 'zzz')).toEndWith('\n  30  line30\n  … 2 more lines')
  })
})

describe('rows', () => {
  const small = [['Item', 'Count']]
  const large = [
    ['Item', 'Count'],
    ['Pen', '2'],
    ['Ink\nblue', '1'],
  ]

  test('are found in any table, at the first place that has all of them', () => {
    expect(findRows([small, large, large], [['Pen', 2]], equals)).toEqual({
      ...{ table: large, first: 1, equalCells: 2, isWhole: true },
    })
    expect(findRows([large, large], [[/Item|Pen/, /./]], equals)).toMatchObject({ first: 0, isWhole: true })
    expect(findRows([], [['Pen']], equals)).toBeUndefined()
  })

  test('that are nowhere are reported by the first of the places that have most of their cells', () => {
    expect(findRows([small, large], [['Pen', 3]], equals)).toMatchObject({ table: large, first: 1, equalCells: 1 })
    expect(findRows([large, large], [['none', 'none']], equals)).toMatchObject({
      first: 0,
      equalCells: 0,
      isWhole: false,
    })
    // More rows than the table has.
    expect(
      findRows(
        [small],
        [
          ['Item', 'Count'],
          ['Pen', '2'],
        ],
        equals,
      ),
    ).toMatchObject({ first: 0, isWhole: false })
    expect(findRows([large], [['Pen', '2', '']], equals)).toMatchObject({ isWhole: false })
  })

  test('that are nowhere are shown beside what is there, and the whole table only where there is more of it', () => {
    const told = (tables: string[][][], wanted: string[][]) =>
      rowsMessage(findRows(tables, wanted, equals), wanted, equals).split('\n')
    expect(told([small], [['Item', 'Sum']])).toEqual([
      'No table of the document has these rows. Most like them, from row 1 of a table of 1 rows (- expected, + made):',
      ...['  -Item | Sum', '  +Item | Count'],
    ])
    expect(told([large], [['Ink\nblue', '3']]).slice(1)).toEqual([
      ...['  -Ink / blue | 3', '  +Ink / blue | 1', '', 'The whole table:', '  Item | Count', '  Pen | 2'],
      '  Ink / blue | 1',
    ])
    const wanted = [[/^Pen/, { asymmetric: 1 } as unknown as string]]
    expect(rowsMessage(findRows([large], wanted, equals), wanted, equals)).toContain('\n  -Pen | { asymmetric: 1 }\n')
  })
})

describe('a contract', () => {
  test('takes values that JSON has, and reports those that it lacks', () => {
    const contract = contractOf('a', '{"type":"object","properties":{"n":{"type":"integer"}}}')
    expect([contract.name, contract.issuesOf({ n: 1, left: undefined })]).toEqual(['a', []])
    expect(contract.issuesOf({ n: 1.5 })).toEqual([
      { path: '/n', keyword: 'type', message: expect.stringContaining('integer') },
    ])
    expect(contract.issuesOf(undefined)).toEqual([{ path: '', message: 'It is no JSON: undefined' }])
    expect(contractOf('never', 'false').issuesOf(1)).toHaveLength(1)
  })

  test('that can not be used is reported with each of its places', () => {
    expect(() => contractOf('a', '{"type":"nothing"}')).toThrow("The contract a can't be used:\n  /type: ")
    expect(() => contractOf('a', '{')).toThrow(/^The contract a can't be used:\n {2}\S/)
  })
})

describe('pages', () => {
  const svg = (x: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs></defs><rect x="${x}" y="1" width="2" height="2"/></svg>`
  const pagesOf = (...xs: number[]): Page[] => xs.map((x, at) => ({ number: at + 1, svg: svg(x) }))
  /** As much of a result as pages are asked of. */
  const resultOf = (folder: string, pages: Page[], stem?: string) =>
    ({
      setting: { folder, stem },
      address: 'letter',
      docx: new Uint8Array(1),
      pages: async () => pages,
    }) as unknown as Made

  test('are below the project: where it is said, else where the case expects them', () => {
    const made = (stem?: string) => resultOf('/p', [], stem)
    expect(pagesNamed(made('cases/a/b'), undefined, {})).toEqual({ below: 'cases/a/b.expected/letter', tolerance: 0.5 })
    expect(pagesNamed(made('cases/a/b'), 'pages', { tolerance: 0 })).toEqual({ below: 'pages', tolerance: 0 })
    expect(() => pagesNamed(made(), undefined, {})).toThrow("toMatchPages('pages/letter')")
    for (const tolerance of [-0.1, Number.NaN, '1'])
      expect(() => pagesNamed(made(), 'pages', { tolerance } as never)).toThrow('The tolerance is a number of points.')
  })

  test('match within the tolerance, in the order of their numbers, and other files are none', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'pages'))
    for (const [name, x] of [
      ['page-1', 1],
      ['page-2', 2],
      ['page-01', 7],
      ['page-0', 7],
      ['mypage-3', 7],
    ] as const)
      writeFileSync(join(folder, `pages/${name}.svg`), svg(x))
    const expected = { below: 'pages', tolerance: 0.5 }
    expect(await matchPages(resultOf(folder, pagesOf(1.5, 1.6)), expected)).toEqual({
      ...{ pass: true, message: `The pages look as those in ${join(folder, 'pages')}.` },
    })
    const { pass, message } = await matchPages(resultOf(folder, pagesOf(1.6, 2, 3, 4)), expected)
    const lines = message.split('\n')
    expect([pass, lines[0]]).toEqual([
      false,
      `The pages differ from those in ${relative(process.cwd(), join(folder, 'pages'))}:`,
    ])
    expect(lines.slice(1, 3)).toEqual([
      '  pages/page-1.svg is drawn otherwise: 1 gone, 1 new',
      '  pages: The document has 4 pages; nothing is expected of page 3, 4.',
    ])
    expect(lines.at(-1)).toBe('If they are as they should be, QUIRE_UPDATE=1 writes them.')
  })

  test('are written where that is asked for, those that are the same not again, and those too many are removed', async () => {
    const folder = temporaryFolder()
    const write = async (...xs: number[]) => {
      process.env.QUIRE_UPDATE = '1'
      try {
        return await matchPages(resultOf(folder, pagesOf(...xs)), { below: 'a/b', tolerance: 0 })
      } finally {
        delete process.env.QUIRE_UPDATE
      }
    }
    expect((await write(1, 2, 3)).pass).toBe(true)
    const first = join(folder, 'a/b/page-1.svg')
    utimesSync(first, 1, 1)
    writeFileSync(join(folder, 'a/b/notes.txt'), '')
    expect((await write(1, 5)).message).toBe(`The pages in ${join(folder, 'a/b')} were just written.`)
    expect(readdirSync(join(folder, 'a/b')).sort()).toEqual(['notes.txt', 'page-1.svg', 'page-2.svg'])
    expect(statSync(first).mtimeMs).toBe(1_000)
    expect(readFileSync(join(folder, 'a/b/page-2.svg'), 'utf8')).toBe(`${svg(5)}\n`)
  })
})

describe('misuse', () => {
  const of = async (assertion: () => unknown) => String(await rejectionOf((async () => assertion())()))

  test('of a matcher is reported by what it takes', async () => {
    const run = await quire(folderWith(greeting)).run('greeting', bob, { params })
    const rows = 'toHaveRows takes rows of cells, at least one: [["Pen", "2"]].'
    for (const wanted of [[], [[]], [['a'], []], [[null]], [[true]], 'a', undefined])
      expect(await of(() => expect(run).toHaveRows(wanted as never))).toContain(rows)
    expect(await of(() => expect(run).toContainText(7 as never))).toContain('toContainText takes a text or a pattern.')
    expect(await of(() => expect(run).toMatchPages(7 as never))).toContain('toMatchPages takes the path of a folder.')
    for (const contract of [undefined, 'person', null])
      expect(await of(() => expect(bob).toSatisfyContract(contract as never))).toContain(
        'toSatisfyContract takes a contract, such as',
      )
    for (const received of [{}, null, 'text'])
      expect(await of(() => expect(received).toHaveRows([['a']]))).toContain(
        'expect(…).toHaveRows takes what run() made.',
      )
  })

  test('is no failure of a document: what is not wanted is reported when it is there', async () => {
    const run = await quire(folderWith(greeting)).run('greeting', bob, { params })
    expect(await of(() => expect(bob).not.toSatisfyContract({ type: 'object' }))).toContain(
      'The value satisfies the contract.',
    )
    expect(await of(() => expect(run).not.toContainText(/Bob/))).toContain('The document contains:\n  /Bob/')
  })
})

describe('a project under test', () => {
  test('that can not be used is reported with each finding, its place and what to do', () => {
    const finding = { code: 'c', severity: 'error', file: 'a.yaml', message: 'It is wrong.' } as const
    const error = new ProjectUnusable('/p', [
      { ...finding, line: 3, path: '/x', hint: 'Mend it.' },
      { ...finding, path: '/y' },
      finding,
    ])
    expect(error.message).toBe(
      "The project /p can't be used:\n  a.yaml:3: It is wrong. Mend it.\n  a.yaml/y: It is wrong.\n  a.yaml: It is wrong.",
    )
  })

  test('has contracts by name, title and version', () => {
    const text = (type: string, title?: string) => JSON.stringify({ type, ...(title === undefined ? {} : { title }) })
    const project = quire(
      folderWith({
        ...greeting,
        'contracts/a@1.json': text('string'),
        'contracts/a@2.json': text('integer', 'The A'),
        'contracts/broken.json': '{',
      }),
    )
    const takes = (name: string) => ['x', 1].filter((value) => project.contract(name).issuesOf(value).length === 0)
    expect([takes('a@1'), takes('a@2'), takes('a'), takes('The A'), takes('a@9')]).toEqual([
      ['x'],
      [1],
      ['x'],
      [1],
      ['x'],
    ])
    expect(() => project.contract('broken')).toThrow('The project has no contract "broken".')
  })

  test('reads inputs in the form that its model says, and reports one that can not be read', async () => {
    const project = quire(folderWith(invoices))
    const run = await project.runCase('invoices/march')
    expect(run.text).toBe('Total 3.50 from A-1\n')
    expect(run).toSatisfyContract()
    const bad = await project.run('invoices', 'number;amount\nA;x')
    expect(bad.refusal?.code).toBe('input_not_csv')
    expect(String(await rejectionOf((async () => expect(bad).toSatisfyContract())()))).toContain(
      'The input is not CSV as Quire reads it.',
    )
    const person = await quire(folderWith(greeting)).run('greeting', 'no JSON')
    expect(String(await rejectionOf((async () => expect(person).toSatisfyContract())()))).toContain(
      'The input is not JSON as Quire reads it.',
    )
  })

  test('takes inputs of every shape that JSON has, and names the place of what it lacks', async () => {
    const project = quire(folderWith(greeting))
    const run = (input: unknown, more?: unknown) =>
      outcomeOf(project.run('greeting', input as never, { params: more } as never))
    expect(await run({ name: 'Bob', owes: 7, extra: [Number.POSITIVE_INFINITY] })).toThrow(
      'The input has Infinity at "0"',
    )
    expect(await run(7)).toThrow('as it would be submitted; it is 7.')
    expect(await run(bob, { place: Number.NaN })).toThrow('The input has NaN at "place"')
    expect((await run({ ...bob, left: undefined }, '{"place":"Ulm"}'))().text).toBe('Dear Bob of Ulm,\n')
  })

  test('says that no node wants an input, and which ran', async () => {
    const always = String(greeting['models/greeting.yaml'])
    const model = always.replace(
      '    transformer: greeting\n',
      '    transformer: greeting\n    when: { $is: [/owes, ">", 0] }\n',
    )
    const run = await quire(folderWith({ ...greeting, 'models/greeting.yaml': model })).run('greeting', {
      name: 'Ann',
      owes: 0,
    })
    expect(() => run.text).toThrow('No node of greeting wants this input.')
    expect(() => run.node('letter')).toThrow('No node letter ran; none did.')
    expect(inspect(run)).toBe('greeting {  }')
    const both = await quire(folderWith(greeting)).run('greeting', bob, { params })
    expect(inspect(both.node('letter/notice'))).toBe('greeting { letter/notice }')
    expect(both.node('letter').report.remarks).toEqual(both.report.remarks)
  })
})
