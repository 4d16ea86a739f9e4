import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileTemplate, composeTemplate } from '../../src/engines/docx/docx.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { p as p2, wordDocument } from '../engines/pdf/word.ts'
import { runCommand } from '../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-commands-'))
const at = (name: string) => join(folder, name)

beforeAll(() => {
  writeFileSync(at('letter.docx'), wordPackage(p('Dear {{/name}}') + p('{{#each /lines}}{{./text}}{{#end}}')))
  writeFileSync(at('broken.docx'), wordPackage(p('{{#if /a}}') + p('{{name}}')))
  writeFileSync(at('data.json'), '{"name": "Ann", "lines": [{"text": "one"}]}')
  writeFileSync(at('bad.json'), '{"name": "Ann",\n "name": "Bob"}')
  writeFileSync(
    at('contract.json'),
    JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        lines: {
          type: 'array',
          maxItems: 100,
          items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        },
      },
      additionalProperties: false,
    }),
  )
  writeFileSync(
    at('transformer.yaml'),
    'transform: declarative-v1\noutput:\n    name: /name\n    lines: { $each: /lines, as: l, do: {text: $l/text} }\n',
  )
  writeFileSync(at('wrong.yaml'), 'transform: declarative-v1\noutput:\n  name: /nam\n')
  writeFileSync(at('model.yaml'), 'model: ingestion-model-v1\ncontract: { name: a, version: 1 }\n')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quire = (...args: string[]) => runCommand(folder, args)

describe('quire compose', () => {
  test('writes the bytes that the engine composes, and no other file', async () => {
    const before = readdirSync(folder)
    expect(await quire('compose', 'letter.docx', 'data.json', '-o', 'out.docx')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    const template = compileTemplate(new Uint8Array(readFileSync(at('letter.docx'))))
    const composed = template.ok
      ? composeTemplate(template.value, JSON.parse(readFileSync(at('data.json'), 'utf8')))
      : template
    expect(composed.ok && Buffer.from(composed.value).equals(readFileSync(at('out.docx')))).toBe(true)
    expect(readdirSync(folder).sort()).toEqual([...before, 'out.docx'].sort())
  })

  test('prints each finding on a line with its place, ends with 1, and leaves an older output unchanged', async () => {
    writeFileSync(at('kept.docx'), 'older')
    writeFileSync(at('empty.json'), '{}')
    const missing = await quire('compose', 'letter.docx', 'empty.json', '--output', 'kept.docx')
    expect(missing.code).toBe(1)
    expect(missing.stdout).toBe('')
    expect(missing.stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^letter\.docx: word\/document\.xml#1:5: \/name is missing\. \(.+\) \[at “.+”\]$/),
      expect.stringMatching(/^letter\.docx: word\/document\.xml#2:0: \/lines is missing/),
    ])
    const bad = await quire('compose', 'broken.docx', 'bad.json', '-o', 'kept.docx')
    expect(bad.code).toBe(1)
    expect(bad.stderr).toMatch(/^broken\.docx: word\/document\.xml#1:0: /m)
    expect(bad.stderr).toMatch(/^broken\.docx: word\/document\.xml#2:0: /m)
    expect(bad.stderr).toMatch(/^bad\.json:2:\d+ .*name/m)
    expect(readFileSync(at('kept.docx'), 'utf8')).toBe('older')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('says what is wrong with files that cannot be read or written', async () => {
    mkdirSync(at('inner'), { recursive: true })
    for (const [args, message] of [
      [['none.docx', 'data.json', '-o', 'x.docx'], 'none.docx cannot be read: there is no such file'],
      [['letter.docx', 'data.json', '-o', 'nowhere/x.docx'], 'nowhere/x.docx cannot be written: there is no such file'],
    ] as const) {
      const { code, stderr } = await quire('compose', ...args)
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  test('writes to a device or through a link without replacing it', async () => {
    expect((await quire('compose', 'letter.docx', 'data.json', '-o', '/dev/null')).code).toBe(0)
    expect(readFileSync('/dev/null')).toHaveLength(0)
    writeFileSync(at('target.docx'), '')
    symlinkSync(at('target.docx'), at('link.docx'))
    expect((await quire('compose', 'letter.docx', 'data.json', '-o', 'link.docx')).code).toBe(0)
    expect(readFileSync(at('target.docx')).subarray(0, 2).toString()).toBe('PK')
  })

  test.each([[[]], [['letter.docx']], [['letter.docx', 'data.json']], [['--verbose']]])(
    'refuses %j as wrong usage, with 2 and one line',
    async (args: string[]) => {
      const { code, stdout, stderr } = await quire('compose', ...args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^quire: .+\n$/)
    },
  )
})

describe('quire render', () => {
  test('renders a PDF, and reports replaced fonts only when asked to', async () => {
    const quiet = await quire('render', 'letter.docx', '-o', 'out.pdf')
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(at('out.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    const loud = await quire('render', 'letter.docx', '-o', 'out.pdf', '--report')
    expect(loud.code).toBe(0)
    for (const line of loud.stdout.trimEnd().split('\n').filter(Boolean))
      expect(line).toMatch(/^letter\.docx: .*warning: /)
  })

  test('ends with 3 under --strict if something is not shown as written, with its place as text and as JSON', async () => {
    const attached =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="t" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="file:///C:/letter.dotx" TargetMode="External"/></Relationships>'
    writeFileSync(at('twin.docx'), wordDocument(p2('Dear Ann'), { others: { '_rels/settings.xml.rels': attached } }))
    writeFileSync(at('emoji.docx'), wordDocument(p2('Dear Ann') + p2('so glad 😀')))
    const exact = await quire('render', 'twin.docx', '-o', 'out.pdf', '--report', '--strict')
    expect(exact.code).toBe(0)
    expect(exact.stdout).toContain('word/settings.xml refers to an external attachedTemplate')
    const strict = await quire('render', 'emoji.docx', '-o', 'out.pdf', '--report', '--strict')
    expect(strict.code).toBe(3)
    expect(strict.stdout).toMatch(/^emoji\.docx: font#Arial: warning: No font has .+\) \[page 1, at “so glad 😀”\]$/m)
    expect((await quire('render', 'emoji.docx', '-o', 'out.pdf', '--report')).code).toBe(0)
    const { code, stdout } = await quire('render', 'emoji.docx', '-o', 'out.pdf', '--json', '--strict')
    const near = { words: 'so glad 😀', page: 1 }
    expect([code, JSON.parse(stdout)]).toMatchObject([
      3,
      {
        files: [
          { findings: expect.arrayContaining([expect.objectContaining({ code: 'render.glyph_missing', near })]) },
        ],
      },
    ])
    for (const paths of [['twin.docx'], ['twin.docx', 'emoji.docx']])
      expect([paths.length, (await quire('render', ...paths, '-o', 'strict/', '--strict')).code]).toEqual([
        paths.length,
        paths.length === 2 ? 3 : 0,
      ])
  })

  test('gives findings and no PDF for a file that is not a document', async () => {
    const { code, stderr } = await quire('render', 'data.json', '-o', 'none.pdf')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^data\.json: .+ \(.+\)\n$/)
    expect(readdirSync(folder)).not.toContain('none.pdf')
    expect((await quire('render')).code).toBe(2)
  })
})

describe('quire check', () => {
  test('recognises each kind of file, and prints nothing about correct ones', async () => {
    const { code, stdout, stderr } = await quire('check', 'letter.docx', 'contract.json', 'transformer.yaml')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe('3 files are fine\n')
  })

  test('prints every finding of every file and ends with 1', async () => {
    const { code, stdout } = await quire(
      'check',
      'broken.docx',
      'wrong.yaml',
      'model.yaml',
      '--contract',
      'contract.json',
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/^broken\.docx: word\/document\.xml#1:0: .+ \(.+\) \[page 1, at “.+”\]$/m)
    expect(stdout).toMatch(/^broken\.docx: word\/document\.xml#2:0: /m)
    expect(stdout).toMatch(/^wrong\.yaml:3:9 .*\/nam/m)
    expect(stdout).toMatch(/^model\.yaml:/m)
    expect(stdout).not.toContain('fine')
  })

  test('warns of loops over lists that the contract does not bound, and of rules that cannot matter', async () => {
    const schema = {
      type: 'object',
      required: ['name', 'lines'],
      properties: {
        name: { type: 'string' },
        lines: { type: 'array', items: { type: 'object' } },
        tags: { type: 'array' },
      },
      anyOf: [true, false],
    }
    writeFileSync(at('loose.json'), JSON.stringify(schema))
    const { code, stdout } = await quire('check', 'loose.json', 'transformer.yaml')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^loose\.json:1:\d+ \/properties\/lines: warning: A transformer loops over \/lines, .*maxItems/,
      ),
      expect.stringMatching(/^loose\.json:1:\d+ \/anyOf\/1: warning: No value can take this branch/),
      '2 files are fine',
    ])
    const alone = await quire('check', 'loose.json')
    expect(alone.stdout).not.toContain('loops over')
  })

  test('checks the types of params, which no contract declares', async () => {
    const source = (use: string) =>
      `transform: declarative-v1\nparams: { day: date, rate: decimal }\noutput:\n  at: { $format: $day, date: yyyy, locale: en }\n  rate: ${use}\n`
    writeFileSync(at('params.yaml'), source('{ $calc: "r * 2", r: $rate }'))
    expect(await quire('check', 'params.yaml')).toMatchObject({ code: 0, stdout: '1 file is fine\n' })
    writeFileSync(at('params.yaml'), source('{ $calc: "r * 2", r: $day }'))
    const { code, stdout } = await quire('check', 'params.yaml')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^params\.yaml:5:\d+ \/output\/rate.*\$day is a date/)
    writeFileSync(at('params.yaml'), source('$rats').replace('rate: decimal', 'rate: money'))
    expect((await quire('check', 'params.yaml')).stdout).toMatch(
      /type of a param is one of .*decimal[\s\S]*\$rats.*\$rate/,
    )
  })

  test('checks a template against the contract, or against the transformer between them', async () => {
    writeFileSync(
      at('wants.docx'),
      wordPackage(
        p('{{/name}} {{/nam}} {{#if /lines}}{{#each /lines}}{{./txt}}{{#end}}{{#end}} {{/name/first | default "x"}}') +
          p('{{#each /lines}}{{./text}}{{#end}} {{#each /name}}x{{#end}}'),
      ),
    )
    const { code, stdout } = await quire('check', 'wants.docx', '--contract', 'contract.json')
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^wants\.docx: word\/document\.xml#1:10: The contract has no \/nam\. \(.*name.*\) \[page 1, at “.+”\]$/,
      ),
      expect.stringMatching(/^wants\.docx: word\/document\.xml#1:\d+: warning: The contract has no \/lines\/\*\/txt/),
      expect.stringMatching(/^wants\.docx: word\/document\.xml#1:\d+: warning: The contract has no \/name\/first/),
      expect.stringMatching(/^wants\.docx: word\/document\.xml#2:0: The contract lets \/lines be missing/),
      expect.stringMatching(/^wants\.docx: word\/document\.xml#2:\d+: The tag wants a list or an object at \/name/),
    ])
    const through = await quire('check', 'wants.docx', 'transformer.yaml')
    expect(through.code).toBe(1)
    expect(through.stdout).toMatch(/^transformer\.yaml:.*The template wants \/nam /m)
    expect(through.stdout).not.toMatch(/^wants\.docx/m)
  })

  test('formats transformers with --fix, and only then', async () => {
    const before = readFileSync(at('transformer.yaml'), 'utf8')
    await quire('check', 'transformer.yaml')
    expect(readFileSync(at('transformer.yaml'), 'utf8')).toBe(before)
    const first = await quire('check', 'transformer.yaml', '--fix')
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^transformer\.yaml: laid out anew, 2 lines changed$/m),
    })
    const again = await quire('check', 'transformer.yaml', '--fix')
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('transformer.yaml: is laid out as it should be'),
    })
    const after = readFileSync(at('transformer.yaml'), 'utf8')
    expect(after).not.toBe(before)
    expect(after).toContain('\n  name: /name\n')
  })

  test('names the files that --fix cannot format, and leaves them unchanged', async () => {
    const broken = 'transform: declarative-v1\noutput: { a: [\n'
    writeFileSync(at('broken.yaml'), broken)
    const left = await quire('check', 'broken.yaml', '--fix')
    expect(left).toMatchObject({ code: 1, stdout: expect.stringContaining('broken.yaml: left as it is') })
    expect(readFileSync(at('broken.yaml'), 'utf8')).toBe(broken)
    const none = await quire('check', 'letter.docx', '--fix')
    expect(none.stdout).toContain('--fix lays out transformers, and none is among the files')
  })

  test('refuses a file of an unknown kind, and does not trust a name alone', async () => {
    writeFileSync(at('notes.txt'), 'Bring the cake: please\n')
    const { code, stdout } = await quire('check', 'notes.txt', 'letter.docx')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^notes\.txt: .*no kind of file.*\.docx.*\.yaml/m)
    expect(stdout.split('\n')).toHaveLength(2)
    writeFileSync(at('letter.txt'), readFileSync(at('letter.docx')))
    writeFileSync(at('wrong.txt'), readFileSync(at('wrong.yaml')))
    for (const name of ['letter.txt', 'wrong.txt']) expect(await quire('check', name)).toMatchObject({ code: 0 })
  })

  test('prints no control character of a file to the terminal', async () => {
    writeFileSync(at('escape.json'), '{"\\u001b[2J": 1, "\\u001b[2J": 2}')
    const { stdout } = await quire('check', 'escape.json')
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toMatch(/^escape\.json/)
  })
})
