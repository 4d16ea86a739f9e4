import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { ProjectUnusable, quire } from '../../src/testing/testing.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'

const bob = { name: 'Bob', owes: 7 }
const params = { place: 'Lille' }

/** A table row with these cells. */
const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join('')}</w:tr>`
const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`

/** A model with a table of items, and one that makes data only. */
const invoice: Readonly<Record<string, string | Uint8Array>> = {
  'contracts/invoice.schema.json': JSON.stringify({
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        type: 'array',
        maxItems: 50,
        items: {
          type: 'object',
          required: ['name', 'count'],
          properties: { name: { type: 'string', maxLength: 40 }, count: { type: 'integer', minimum: 1 } },
        },
      },
    },
  }),
  'transformers/invoice.yaml': 'transform: declarative-v1\ncontract: invoice@1\noutput: { items: /items }\n',
  'templates/invoice.docx': wordPackage(
    p('Your\u00a0order \u202fof today') +
      table(row('Item', 'Count'), row('{{#each /items}}{{./name}}', '{{./count}}{{#end}}')) +
      p('Thank you'),
  ),
  'models/invoice.yaml':
    'model: ingestion-model-v1\ncontract: { name: invoice, version: 1 }\nobject: { reference: metadata.source_object, time: metadata.source_timestamp }\nnodes:\n  - { key: paper, label: Paper, transformer: invoice, template: invoice, formats: [docx, pdf] }\n',
  'models/two.yaml':
    'model: ingestion-model-v1\ncontract: { name: invoice, version: 1 }\nobject: { reference: metadata.source_object, time: metadata.source_timestamp }\nnodes:\n  - { key: first, label: First, transformer: invoice }\n  - { key: second, label: Second, transformer: invoice }\n',
}
const items = [
  { name: 'Pen', count: 2 },
  { name: 'Ink', count: 1 },
]

/** What a matcher says when it fails. */
async function messageOf(assertion: () => unknown): Promise<string> {
  const error = await rejectionOf((async () => assertion())())
  if (!(error instanceof Error)) throw error
  // The report is meant to stay for whoever reads the message.
  const report = /in frames: (\S+\.html)/.exec(error.message)?.[1]
  if (report !== undefined) onTestsEnd(() => rmSync(report, { force: true }))
  // bun puts the call before a matcher's own message.
  return Bun.stripANSI(error.message).replace(/^expect\(received\)\.\S+\(.*\)\n\n/, '')
}

describe('a run', () => {
  test('has what the service would make of the input: output, text, DOCX, PDF, pages', async () => {
    const run = await quire(folderWith(greeting)).run('greeting', bob, { params })
    expect(run.refusal).toBeUndefined()
    expect(run.output).toEqual({ name: 'Bob', owes: 7, place: 'Lille' })
    expect(run.text).toBe('Dear Bob of Lille,\n')
    expect([...run.docx.subarray(0, 2)]).toEqual([...Buffer.from('PK')])
    expect(Buffer.from(run.pdf.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(run.pageCount).toBe(1)
    const pages = await run.pages()
    expect(pages.map(({ number, svg }) => [number, svg.slice(0, 5)])).toEqual([[1, '<svg ']])
    expect(inspect(run)).toBe('greeting { letter, letter/notice }')
  })

  test('has all its nodes, and gives the only one at the top without being asked', async () => {
    const run = await quire(folderWith(greeting)).run('greeting', bob, { params })
    expect(run.nodes.map(({ address }) => address)).toEqual(['letter', 'letter/notice'])
    expect(run.node('letter/notice').output).toEqual({ amount: '7 EUR' })
    expect(() => run.node('letter/bill')).toThrow('No node letter/bill ran; letter, letter/notice.')
    expect(() => run.node('letter/notice').pdf).toThrow('The node letter/notice makes no PDF.')
    expect(() => run.node('letter/notice').docx).toThrow('The node letter/notice makes no DOCX.')
    expect(() => run.node('letter/notice').text).toThrow('The node letter/notice makes no text.')
    const both = await quire(folderWith(invoice)).run('two', { items })
    expect(() => both.output).toThrow("More than one node ran: first, second. Take one: run.node('first').")
    expect(both.node('second').output).toEqual({ items })
  })

  test('has the refusal with its places, and says so wherever something is asked of a document', async () => {
    const run = await quire(folderWith(greeting)).run('greeting', { name: 5, owes: 'much' }, { params })
    expect(run.refusal).toMatchObject({ step: 'validate', code: 'contract_violated' })
    expect(run.refusal?.issues.map(({ path }) => path)).toEqual(['/name', '/owes'])
    const refused =
      'its input was refused.\nvalidate: The input does not satisfy its contract: 2 issues.\n/name: must be a string, is 5'
    expect(() => run.text).toThrow(`There is no text of letter: ${refused}`)
    expect(() => run.pdf).toThrow('There is no PDF of letter')
    expect(() => run.report).toThrow('There is no report of letter')
    expect(await messageOf(() => expect(run).not.toContainText('Dear'))).toContain(refused)
  })

  test('reports the fonts that others replace, by their names in the document', async () => {
    const named = `<w:p><w:r><w:rPr><w:rFonts w:ascii="Nobody's Font" w:hAnsi="Nobody's Font"/></w:rPr><w:t>Dear {{/name}} of {{/place}}</w:t></w:r></w:p>`
    const run = await quire(folderWith({ ...greeting, 'templates/greeting.docx': wordPackage(named) })).run(
      'greeting',
      bob,
      { params },
    )
    const { fonts, remarks } = run.report
    expect(fonts.find(({ family }) => family === "Nobody's Font")).toEqual({
      family: "Nobody's Font",
      code: 'render.font_substituted',
      message: expect.stringContaining('widths are guessed'),
    })
    expect(remarks.length).toBeGreaterThanOrEqual(fonts.length)
  })

  test('takes an input as text exactly as it would be submitted', async () => {
    const project = quire(folderWith(greeting))
    expect((await project.run('greeting', '{"name":"Bob","name":"Ann","owes":0}', { params })).refusal?.code).toBe(
      'input_not_json',
    )
    expect((await project.run('greeting', '{"name":"Ann","owes":0}', { params })).text).toBe('Dear Ann of Lille,\n')
  })

  test('refuses an input that JSON does not have, before it runs', async () => {
    const project = quire(folderWith(greeting))
    expect(await outcomeOf(project.run('greeting', { name: 'Bob', owes: Number.NaN }))).toThrow(
      'The input has NaN at "owes"',
    )
    expect(await outcomeOf(project.run('greeting', [undefined]))).toThrow('The input has undefined at "0"')
    expect(await outcomeOf(project.run('greeting', null as never))).toThrow('The input must be an object')
  })
})

describe('a project', () => {
  test('runs its cases by name, with their params', async () => {
    const project = quire(pathToFileURL(folderWith(greeting)))
    expect([project.models, project.cases]).toEqual([['greeting'], ['greeting/ann', 'greeting/bob']])
    expect((await project.runCase('greeting/ann')).text).toBe('Dear Ann of Ghent,\n')
    expect(await outcomeOf(project.runCase('greeting/anna'))).toThrow(
      'The project has no case "greeting/anna". Did you mean greeting/ann?',
    )
    expect(await outcomeOf(project.run('greting', {}))).toThrow(
      'The project has no ingestion model "greting". Did you mean greeting?',
    )
  })

  test('is read again when a file of it has changed', async () => {
    const folder = folderWith(greeting)
    const project = quire(folder)
    const textOf = async () => (await project.run('greeting', bob, { params })).text
    expect(await textOf()).toBe('Dear Bob of Lille,\n')
    writeFileSync(join(folder, 'templates/greeting.docx'), wordPackage(p('Hello {{/name}} from {{/place}},')))
    expect(await textOf()).toBe('Hello Bob from Lille,\n')
    rmSync(join(folder, 'templates/greeting.docx'))
    const unusable = await textOf().catch((error: unknown) => error)
    expect(unusable).toBeInstanceOf(ProjectUnusable)
    expect(String(unusable)).toContain('models/greeting.yaml/nodes/0/template: The project has no template "greeting".')
  })

  test('is a folder', () => {
    const folder = temporaryFolder()
    expect(() => quire(join(folder, 'none'))).toThrow('is no folder, so no project either; "quire init" makes one.')
  })
})

describe('toContainText', () => {
  test('finds text across blanks of any kind, over lines, and by pattern', async () => {
    const run = await quire(folderWith(invoice)).run('invoice', { items })
    expect(run).toContainText('Your order of today')
    expect(run).toContainText('Pen | 2\n\n  Ink | 1')
    expect(run).toContainText(/^Ink \| \d$/m)
    expect(run).not.toContainText('Pencil')
    expect('any text').toContainText('any  text')
  })

  test('fails with the line that is most like it, and the text', async () => {
    const run = await quire(folderWith(invoice)).run('invoice', { items })
    expect(await messageOf(() => expect(run).toContainText('Your order of yesterday'))).toBe(
      [
        'The document does not contain:\n  Your order of yesterday\n\nMost like it:\n   1  Your order of today\n',
        'Its text:\n   1  Your order of today\n   2  Item | Count\n   3  Pen | 2\n   4  Ink | 1\n   5  Thank you',
      ].join('\n'),
    )
    expect(await messageOf(() => expect(run).not.toContainText('Thank you'))).toBe(
      'The document contains:\n  Thank you',
    )
  })

  test('says how it is used when it is used otherwise', async () => {
    const run = quire(folderWith(invoice)).run('invoice', { items })
    expect(await messageOf(() => expect(run).toContainText('Pen'))).toContain('takes what run() made; await it before.')
    expect(await messageOf(() => expect('text').toContainText(' '))).toContain('takes a text with words')
  })
})

describe('toHaveRows', () => {
  const made = () => quire(folderWith(invoice)).run('invoice', { items })

  test('finds rows one after another in one table, with all their cells', async () => {
    const run = await made()
    expect(run.tables).toEqual([
      [
        ['Item', 'Count'],
        ['Pen', '2'],
        ['Ink', '1'],
      ],
    ])
    expect(run).toHaveRows([
      ['Pen', 2],
      ['Ink', 1],
    ])
    expect(run).toHaveRows([
      ['Item', /count/i],
      [expect.stringMatching(/^P/), expect.anything()],
    ])
    for (const rows of [
      [['Pen']],
      [
        ['Ink', 1],
        ['Pen', 2],
      ],
      [
        ['Item', 'Count'],
        ['Ink', 1],
      ],
      [['Pen', 2, '']],
      [['Pen'], ['Ink', 1]],
      [
        ['Ink', 1],
        ['Ink', 1],
      ],
    ])
      expect(run).not.toHaveRows(rows)
  })

  test('fails with what differs at the place that is most like them', async () => {
    const run = await made()
    expect(
      await messageOf(() =>
        expect(run).toHaveRows([
          [/^Pen/, 2],
          ['Ink', 3],
        ]),
      ),
    ).toBe(
      [
        'No table of the document has these rows. Most like them, from row 2 of a table of 3 rows (- expected, + made):',
        '   Pen | 2\n  -Ink | 3\n  +Ink | 1\n\nThe whole table:\n  Item | Count\n  Pen | 2\n  Ink | 1',
      ].join('\n'),
    )
    const letter = await quire(folderWith(greeting)).run('greeting', bob, { params })
    expect(await messageOf(() => expect(letter).toHaveRows([['a']]))).toBe('The document has no table.')
    expect(await messageOf(() => expect(run).toHaveRows([]))).toContain('toHaveRows takes rows of cells, at least one')
  })
})

describe('toMatchPages', () => {
  /** As when a person has asked for it. */
  async function updating(work: () => Promise<unknown>): Promise<void> {
    process.env.QUIRE_UPDATE = '1'
    try {
      await work()
    } finally {
      delete process.env.QUIRE_UPDATE
    }
  }

  test('compares with what QUIRE_UPDATE wrote, and writes nothing by itself', async () => {
    const folder = folderWith(greeting)
    const run = await quire(folder).run('greeting', bob, { params })
    const message = await messageOf(() => expect(run).toMatchPages('pages/letter'))
    expect(message).toContain('pages/letter has no pages to compare with. QUIRE_UPDATE=1 writes them')
    expect(existsSync(join(folder, 'pages'))).toBe(false)
    await updating(() => expect(run).toMatchPages('pages/letter'))
    await expect(run).toMatchPages('pages/letter')
    const other = await quire(folder).run('greeting', { ...bob, name: 'Rob' }, { params })
    await expect(other).not.toMatchPages('pages/letter')
    const failure = await messageOf(() => expect(other).toMatchPages('pages/letter'))
    expect(failure).toMatch(/pages\/letter\/page-1\.svg is drawn otherwise: \d+ gone, \d+ new$/m)
    const report = /in frames: (\S+\.html)/.exec(failure)?.[1] ?? ''
    expect(readFileSync(report, 'utf8')).toContain('<figcaption>Expected</figcaption>')
  })

  test('knows the pages that a case expects, and reports one too many and one too few', async () => {
    const folder = folderWith(greeting)
    const run = await quire(folder).runCase('greeting/ann')
    await updating(() => expect(run).toMatchPages())
    const pages = join(folder, 'cases/greeting/ann.expected/letter')
    await expect(run).toMatchPages()
    writeFileSync(join(pages, 'page-2.svg'), readFileSync(join(pages, 'page-1.svg')))
    expect(await messageOf(() => expect(run).toMatchPages())).toContain('page-2.svg: The document ends at page 1.')
    rmSync(join(pages, 'page-1.svg'))
    expect(await messageOf(() => expect(run).toMatchPages())).toContain('has 1 pages; nothing is expected of page 1.')
    await updating(() => expect(run).toMatchPages())
    expect([existsSync(join(pages, 'page-1.svg')), existsSync(join(pages, 'page-2.svg'))]).toEqual([true, false])
    const free = await quire(folder).run('greeting', bob, { params })
    expect(await messageOf(() => expect(free).toMatchPages())).toContain('Say where the expected pages are')
  })
})

describe('toSatisfyContract', () => {
  test('holds values against a contract of the project, a schema, or the model’s own', async () => {
    const project = quire(folderWith(greeting))
    expect(bob).toSatisfyContract(project.contract('person'))
    expect({ name: 5 }).not.toSatisfyContract(project.contract('person'))
    expect([1, 2]).toSatisfyContract({ type: 'array', items: { type: 'integer' } })
    expect(await project.run('greeting', bob, { params })).toSatisfyContract()
    expect(await project.run('greeting', { name: 'Bob' }, { params })).not.toSatisfyContract()
  })

  test('fails with every place that is wrong', async () => {
    const project = quire(folderWith(greeting))
    const person = project.contract('person')
    expect(await messageOf(() => expect({ name: 5, owes: 1, extra: 1 }).toSatisfyContract(person))).toBe(
      'The value does not satisfy the contract:\n  /name: must be a string, is 5\n  /extra: is not a known property',
    )
    expect(person.issuesOf({ name: 'Bob', owes: 'a' })).toMatchObject([{ path: '/owes', keyword: 'type' }])
    expect(() => project.contract('persn')).toThrow('The project has no contract "persn". Did you mean person?')
    const run = await project.run('greeting', bob, { params })
    expect(await messageOf(() => expect(run).toSatisfyContract(person))).toContain('takes a value: expect(doc.output)')
    expect(await messageOf(() => expect(1).toSatisfyContract({ type: 'nothing' }))).toContain(
      "The contract given can't be used:",
    )
  })
})
