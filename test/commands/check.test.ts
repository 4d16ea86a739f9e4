import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCheck } from '../../src/commands/check.ts'
import type { ExitCode } from '../../src/commands/command.ts'
import type { Finding } from '../../src/core/finding.ts'
import { openPackage } from '../../src/engines/ooxml/package.ts'
import { p, partText, wordPackage } from '../engines/docx/word-package.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

/** `quire check` in this process; what it prints is caught, and the folder's name left out of it. */
let folder: string
let stdout: ReturnType<typeof spyOn>
let printed: string

beforeEach(() => {
  folder = temporaryFolder()
  printed = ''
  stdout = spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => stdout.mockRestore())

const at = (name: string) => join(folder, name)
const context = {
  readConfig: () => expect.unreachable(),
  prepare: () => expect.unreachable(),
  logFor: () => expect.unreachable(),
}

/** Writes the files, checks them with these options before or behind their names, and gives what was printed. */
async function check(files: Readonly<Record<string, string | Uint8Array>>, options: readonly string[] = []) {
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content)
  return again(Object.keys(files), options)
}

async function again(names: readonly string[], options: readonly string[] = []): Promise<[ExitCode, string]> {
  printed = ''
  const code = await runCheck([...names.map(at), ...options], context)
  return [code, printed.replaceAll(`${folder}/`, '')]
}

const transformer = 'transform: declarative-v1\noutput:\n  name: /name\n'
const model = 'model: ingestion-model-v1\ncontract: { name: a, version: 1 }\n'
const contract = JSON.stringify({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
  additionalProperties: false,
})
const letter = wordPackage(p('Dear {{/name}}'))

test('check says once that all is fine, with how many files it was', async () => {
  expect(await check({ 'a.yaml': transformer })).toEqual([0, '1 file is fine\n'])
  expect(await check({ 'a.yaml': transformer, 'b.json': contract })).toEqual([0, '2 files are fine\n'])
})

test('check prints the findings of each kind of file, and then doesn’t say that all is fine', async () => {
  for (const [name, content, words] of [
    ['a.yaml', 'transform: declarative-v1\noutput: $nothing\n', 'nothing'],
    ['a.json', '{"type": "strung"}', 'strung'],
    ['a.docx', wordPackage(p('{{#if /a}}')), '#if'],
    ['a.docx', 'no archive', ''],
    ['a.yml', model, ''],
    ['a.txt', 'Bring the cake', 'This is no kind of file that is checked here.'],
  ] as const) {
    const [code, output] = await check({ [name]: content })
    expect([name, code]).toEqual([name, 1])
    expect(output).toStartWith(`${name}:`)
    expect(output).toContain(words)
    expect(output).not.toContain('fine')
  }
})

test('check knows a file by its content before its name', async () => {
  const kindOf = async (name: string, content: string | Uint8Array) => {
    const [code, output] = await check({ [name]: content })
    return code === 0 ? 'fine' : output
  }
  expect(await kindOf('letter.txt', letter)).toBe('fine')
  expect(await kindOf('letter.json', letter)).toBe('fine')
  expect(await kindOf('transformer.txt', transformer)).toBe('fine')
  expect(await kindOf('transformer.json', '{"transform": "declarative-v1", "output": 1}')).toBe('fine')
  expect(await kindOf('contract.JSON', contract)).toBe('fine')
  expect(await kindOf('letter.DOTX', letter)).toBe('fine')
  // Without the key that begins it, a YAML file is a transformer that lacks it.
  expect(await kindOf('t.yaml', 'output: 1\n')).toContain('transform')
  expect(await kindOf('model.txt', model)).not.toContain('no kind of file')
  expect(await kindOf('"model".txt', '"model": ingestion-model-v1\n')).not.toContain('no kind of file')
  expect(await kindOf('indented.txt', '  transform: declarative-v1\n')).toContain('no kind of file')
  expect(await kindOf('model.json', '{"model": "ingestion-model-v1"}')).not.toStartWith('fine')
  expect(await kindOf('list.json', '["transform"]')).not.toContain('transform: declarative')
})

test('check reads a transformer by the contract that is named, and a template by it or by the transformer', async () => {
  writeFileSync(at('contract'), contract)
  const named = ['--contract', at('contract')]
  expect(await check({ 'a.yaml': transformer }, named)).toEqual([0, '1 file is fine\n'])
  expect((await check({ 'b.yaml': transformer.replace('/name', '/nam') }, named))[1]).toMatch(/^b\.yaml:3:9 .*\/nam/)
  expect((await again(['b.yaml']))[0]).toBe(0)

  const wants = wordPackage(p('{{/nam}}'))
  expect((await check({ 'a.docx': wants }, named))[1]).toMatch(/^a\.docx: .*The contract has no \/nam/)
  expect(await again(['a.docx'])).toEqual([0, '1 file is fine\n'])
  // Beside a transformer, it is the transformer that the template must fit.
  const beside = await again(['a.docx', 'a.yaml'], named)
  expect(beside[0]).toBe(1)
  expect(beside[1]).toMatch(/^a\.yaml:.*The template wants \/nam/)
  expect(beside[1]).not.toContain('The contract has no')
})

test('check takes nothing from a template that it could read only in part', async () => {
  const [code, output] = await check({
    'broken.docx': wordPackage(p('{{#if /a}}')),
    'whole.docx': wordPackage(p('{{/nam}}')),
    'a.yaml': transformer,
  })
  expect(code).toBe(1)
  expect(output).toContain('broken.docx:')
  expect(output).not.toContain('wants /nam')
})

test('check types nothing by a contract that is wrong itself, and reports what is wrong with it', async () => {
  writeFileSync(at('contract'), '{"type": "strung"}')
  const [code, output] = await check({ 'a.yaml': transformer.replace('/name', '/nam') }, ['--contract', at('contract')])
  expect(code).toBe(1)
  expect(output).toMatch(/^contract:/)
  expect(output).not.toContain('a.yaml')
})

test('check warns of a loop over an unbounded list for the one contract that it can be of', async () => {
  const lists = JSON.stringify({ type: 'object', required: ['lines'], properties: { lines: { type: 'array' } } })
  const looping = 'transform: declarative-v1\noutput: { $each: /lines, as: l, do: $l }\n'
  const [code, output] = await check({ 'a.yaml': looping, 'c.json': lists })
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^c\.json:.*warning: .*loops over \/lines[\s\S]*2 files are fine\n$/),
  ])
  expect((await check({ 'd.json': lists, 'a.yaml': looping, 'c.json': lists }))[1]).not.toContain('loops over')
  // One that is named by the option counts as well.
  expect((await again(['a.yaml'], ['--contract', at('c.json')]))[1]).toContain('loops over')
})

test('check lays out transformers only when asked to, and counts the lines that it changed', async () => {
  const crooked = 'transform: declarative-v1\noutput:\n    name: /name\n'
  expect(await check({ 'a.yaml': crooked })).toEqual([0, '1 file is fine\n'])
  expect(readFileSync(at('a.yaml'), 'utf8')).toBe(crooked)
  expect(await again(['a.yaml'], ['--fix'])).toEqual([0, 'a.yaml: laid out anew, 1 line changed\n1 file is fine\n'])
  expect(readFileSync(at('a.yaml'), 'utf8')).toBe(transformer)
  expect(await again(['a.yaml'], ['--fix'])).toEqual([0, 'a.yaml: is laid out as it should be\n1 file is fine\n'])
  const two = 'transform: declarative-v1\noutput:\n    name: /name\n    more: 1\n'
  expect((await check({ 'a.yaml': two }, ['--fix']))[1]).toStartWith('a.yaml: laid out anew, 2 lines changed\n')
  const blank = 'transform: declarative-v1\n\n\n\noutput:\n  name: /name\n'
  const [, output] = await check({ 'a.yaml': blank }, ['--fix'])
  expect(output).toStartWith('a.yaml: laid out anew, blank lines only\n')
})

test('check leaves what it cannot lay out, and says when nothing was there to lay out', async () => {
  const broken = 'transform: declarative-v1\noutput: { a: [\n'
  const [code, output] = await check({ 'a.yaml': broken }, ['--fix'])
  expect(code).toBe(1)
  expect(output).toStartWith('a.yaml: left as it is; mend what is wrong with it first\na.yaml:')
  expect(readFileSync(at('a.yaml'), 'utf8')).toBe(broken)
  expect(await check({ 'm.docx': letter }, ['--fix'])).toEqual([
    0,
    '--fix lays out transformers, and none is among the files\n1 file is fine\n',
  ])
})

test('check wants files that are there, and takes the working directory where none is named', async () => {
  expect(await runCommand(folder, ['check'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('. has no configuration: there is no file of it in contracts'),
  })
  const [code, output] = await check({}, [at('gone.yaml')])
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('gone.yaml: cannot be read: there is no such file or folder'),
  ])
  expect(await outcomeOf(runCheck([folder], context))).toThrow('has no configuration')
})

test('check compares a transformer with the contract that it names, and tells when that is not among the files', async () => {
  const naming = (named: string, path = '/name') =>
    transformer.replace('output:', `contract: ${named}\noutput:`).replace('/name', path)
  const [code, output] = await check({ 'a.yaml': naming('missing@9') })
  expect([code, output]).toEqual([
    0,
    expect.stringContaining('a.yaml: /contract: warning: Version 9 of the contract "missing"'),
  ])
  expect(output).toEndWith('1 file is fine, as far as could be told without the contract\n')
  const titled = JSON.stringify({ title: 'Policy notice', ...JSON.parse(contract) })
  const other = '{"type": "object", "properties": {}, "additionalProperties": false}'
  // Nothing but the contract named types it, though others are there.
  for (const named of ['policy@1', 'policy@2', 'Policy notice@7']) {
    const files = { 'policy.json': titled, 'policy@3.json': other, 'other.json': other }
    expect(await check({ ...files, 'a.yaml': naming(named) })).toEqual([0, '4 files are fine\n'])
    const [refused, told] = await check({ ...files, 'a.yaml': naming(named, '/nam') })
    expect([refused, told]).toEqual([1, expect.stringMatching(/^a\.yaml:4:9 .*Did you mean/)])
  }
  expect((await check({ 'a.yaml': naming('policy@3'), 'policy@3.json': other }))[0]).toBe(1)
  expect((await check({ 'a.yaml': naming('policy@4'), 'policy@3.json': other }))[1]).toContain('not among the files')
  // A contract that is given is the one that counts.
  expect(await check({ 'a.yaml': naming('missing@9') }, ['--contract', at('policy.json')])).toEqual([
    0,
    '1 file is fine\n',
  ])
})

test('check compiles the conditions of ingestion models, and compares them with the contract', async () => {
  const naming = (when: string, contract = 'policy') =>
    `model: ingestion-model-v1\ncontract: { name: ${contract}, version: 1 }\nnodes:\n  - { key: a, label: A, transformer: t, when: ${when} }\n`
  const fits = naming('{ $is: [/name, "=", Ada] }')
  expect(await check({ 'm.yaml': fits, 'policy.json': contract })).toEqual([0, '2 files are fine\n'])
  expect((await check({ 'm.yaml': naming('{ $is: [/nam, "=", Ada] }'), 'policy.json': contract }))[1]).toContain(
    'Did you mean name?',
  )
  expect((await check({ 'm.yaml': naming('{ $nothing: 1 }') }))[0]).toBe(1)
  expect((await check({ 'm.yaml': naming('/name'), 'policy.json': contract }))[1]).toContain('this one is string')
  const [code, output] = await check({ 'm.yaml': naming('{ $is: [/name, "=", Ada] }', 'elsewhere') })
  expect([code, output]).toEqual([0, expect.stringContaining('the contract "elsewhere" is not among the files')])
})

test('check compares each of several transformers with the templates that the models give it', async () => {
  const node = (key: string, names: string) => `  - key: ${key}\n    label: ${key}\n    ${names}\n`
  const nodes = (...given: string[]) =>
    `${model}object: { reference: metadata.source_object, time: metadata.source_timestamp }\nnodes:\n${given.join('')}`
  const files = {
    'a.json': contract,
    'greeting.yaml': transformer,
    'amount.yaml': 'transform: declarative-v1\noutput:\n  total: 3\n',
    'alone.yaml': 'transform: declarative-v1\noutput:\n  other: 3\n',
    'greeting.docx': letter,
    'note@2.docx': letter,
    'bill.docx': wordPackage(p('{{/total}}')),
  }
  const fitting = nodes(
    node('one', 'transformer: greeting\n    template: greeting\n    formats: [docx]'),
    node('two', 'transformer: greeting\n    template: note\n    formats: [docx]'),
    node('three', 'transformer: amount\n    template: bill\n    formats: [docx]'),
    node('four', 'transformer: alone'),
  )
  expect(await check({ ...files, 'model.yaml': fitting })).toEqual([0, '8 files are fine\n'])
  const crossed = fitting.replace('template: bill', 'template: note')
  expect(await check({ ...files, 'model.yaml': crossed })).toEqual([
    1,
    expect.stringMatching(
      /^amount\.yaml.*The template wants \/name.*\namount\.yaml.*Nothing in the template uses \/total.*\n$/,
    ),
  ])
  // One that is not among the files may want anything.
  const absent = fitting.replace('template: note', 'template: elsewhere')
  expect(await check({ ...files, 'model.yaml': absent })).toEqual([0, '8 files are fine\n'])
})

test('check compares one of several transformers with the template that it names, and says where nothing tells which it is', async () => {
  const other = 'transform: declarative-v1\ntemplate: letter@1\noutput:\n  nam: /name\n'
  const [code, text] = await check({ 'greeting.yaml': transformer, 'other.yaml': other, 'letter.docx': letter })
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/^greeting\.yaml.*warning: Nothing tells which.*\nother\.yaml.*The template wants \/name/),
  ])
  expect((await check({ 'other.yaml': other.replace('nam:', 'name:') }))[1]).not.toContain('Nothing tells')
  expect(await again(['greeting.yaml', 'other.yaml', 'letter.docx'])).toEqual([
    0,
    expect.stringContaining('3 files are fine, as far as could be told without its template\n'),
  ])
})

test("check takes a project's folder for all of its configuration, and for nothing else in it", async () => {
  const files = {
    'README.md': '# Ours',
    'contracts/a@1.schema.json': contract,
    'contracts/notes.txt': 'ours',
    'models/greeting.yaml': `${model}object: { reference: metadata.source_object, time: metadata.source_timestamp }\nnodes:\n  - { key: one, label: One, transformer: greeting }\n`,
    'transformers/greeting.yaml': transformer,
    'cases/greeting/one.json': 'no JSON',
  }
  for (const name of ['contracts', 'models', 'transformers', 'cases/greeting']) mkdirSync(at(name), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content)
  expect(await again(['.'])).toEqual([0, '3 files are fine\n'])
  expect(await runCommand(folder, ['check'])).toEqual({ code: 0, stdout: '3 files are fine\n', stderr: '' })
  mkdirSync(at('templates'))
  writeFileSync(at('templates/~$letter.docx'), 'kept by Word')
  writeFileSync(at('templates/letter.docx.md'), 'a text without its template')
  writeFileSync(at('transformers/greeting.yaml'), 'transform: declarative-v1\noutput: $nothing\n')
  const [code, text] = await again(['.'])
  expect([code, text.split('\n').map((line) => line.split(':')[0])]).toEqual([
    1,
    [expect.stringMatching(/^templates\/letter\.docx\.md/), 'transformers/greeting.yaml', ''],
  ])
  expect(text).not.toContain('Word')
  expect(await outcomeOf(again(['cases']))).toThrow(/cases has no configuration: there is no file of it in contracts, /)
})

test("check tells what a project's model names and the folder does not have", async () => {
  const node = (more: string) => `nodes:\n  - { key: one, label: One, transformer: greeting${more} }\n`
  for (const name of ['contracts', 'models', 'transformers', 'templates']) mkdirSync(at(name))
  const files = {
    'contracts/a@1.schema.json': contract,
    'models/greeting.yaml': `${model}${node(', template: leter')}`,
    'transformers/greeting.yaml': transformer,
    'templates/letter.docx': letter,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content)
  const told =
    'models/greeting.yaml:4:62 /nodes/0/template: warning: The project has no template "leter". (Did you mean letter?)\n'
  expect(await again(['.'])).toEqual([0, `${told}4 files are fine, as far as could be told without what is absent\n`])
  // By itself a model says nothing of what lies beside it.
  expect((await again(['models/greeting.yaml', 'contracts/a@1.schema.json']))[1]).toBe('2 files are fine\n')
  writeFileSync(at('models/greeting.yaml'), `${model}${node(', template: letter')}`)
  expect(await again(['.'])).toEqual([0, '4 files are fine\n'])
})

const older = `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "required": ["pair"],
  "properties": { "pair": { "type": "array", "items": [{ "type": "string" }], "maxItems": 2 } }
}
`

test('check names the draft of an older contract, and --fix converts it, with the difference', async () => {
  expect(await check({ 'a.json': older })).toEqual([
    1,
    'a.json:2:14 /$schema: This is JSON Schema draft 7, but contracts are 2020-12. (quire check --fix converts it.)\n',
  ])
  expect(readFileSync(at('a.json'), 'utf8')).toBe(older)
  const [code, output] = await again(['a.json'], ['--fix'])
  expect(code).toBe(0)
  expect(output).toStartWith('a.json: converted from draft 7 to 2020-12\n@@ line 1 @@\n {\n-  "$schema": "http')
  expect(output).toContain('\n-  "properties": { "pair": { "type": "array", "items": [')
  expect(output).toContain('\n+  "properties": { "pair": { "type": "array", "prefixItems": [')
  expect(output).toEndWith('\n1 file is fine\n')
  const converted = readFileSync(at('a.json'), 'utf8')
  expect(converted).toContain('"prefixItems"')
  expect(await again(['a.json'], ['--fix'])).toEqual([0, '1 file is fine\n'])
  expect(readFileSync(at('a.json'), 'utf8')).toBe(converted)
})

test('check --fix leaves a contract alone that can’t be converted, and says why and where', async () => {
  const refused = older.replace('"maxItems": 2', '"contains": { "$ref": "other.json" }')
  const [code, output] = await check({ 'a.json': refused }, ['--fix'])
  expect(code).toBe(1)
  expect(output.split('\n').map((line) => line.slice(0, 60))).toEqual([
    'a.json: not converted; mend what is wrong with it first',
    'a.json:2:14 /$schema: This is JSON Schema draft 7, but contr',
    expect.stringContaining('a.json:5:'),
    '',
  ])
  expect(output).toContain('/properties/pair/contains/$ref: The reference "other.json" leads out of the document')
  expect(readFileSync(at('a.json'), 'utf8')).toBe(refused)
})

test('check --fix says about a contract what the difference does not explain', async () => {
  const referring = older.replace('"maxItems": 2', '"contains": { "$ref": "#", "minLength": 1 }')
  const [, output] = await check({ 'a.json': referring }, ['--fix'])
  expect(output).toContain(
    'a.json: /properties/pair/contains/minLength: minLength: left out: draft 7 ignores it beside $ref\n',
  )
  // The difference shows the rest.
  expect(output.match(/^a\.json: \/.*/gm)).toHaveLength(1)
})

test('check has a code for each kind of finding, by which programs know it', async () => {
  for (const name of ['contracts', 'models', 'transformers']) mkdirSync(at(name))
  writeFileSync(at('models/ours.yaml'), `${model}nodes:\n  - { key: one, label: One, transformer: greeting }\n`)
  const naming = transformer.replace('output:', 'contract: gone@1\noutput:')
  const files = { 'a.json': older, 'a.txt': 'a text', 'b.yaml': naming, 'c.yaml': transformer, 'letter.docx': letter }
  const elsewhere = join(temporaryFolder(), 'gone.json')
  const [code, json] = await check(files, ['--json', elsewhere, folder])
  expect(code).toBe(1)
  const { files: told, ...counts } = JSON.parse(json)
  const seen = told.map(({ path, findings }: { path: string; findings: Finding[] }) => [
    path,
    ...findings.map(({ code: of, severity, path: place, line }) => [of, severity, place, line]),
  ])
  expect(Object.fromEntries(seen.map(([path, ...rest]: [string, ...unknown[]]) => [path, rest]))).toEqual({
    'a.json': [['schema.dialect', 'error', '/$schema', 2]],
    'a.txt': [['check.unknown_kind', 'error', undefined, undefined]],
    'b.yaml': [
      ['check.unresolved_contract', 'warning', '/contract', undefined],
      ['check.unresolved_template', 'warning', '/template', undefined],
    ],
    'c.yaml': [['check.unresolved_template', 'warning', '/template', undefined]],
    [elsewhere]: [['check.unreadable', 'error', undefined, undefined]],
    'letter.docx': [],
    'models/ours.yaml': [
      ['check.unresolved_contract', 'warning', '/contract', undefined],
      ['check.absent_part', 'warning', '/nodes/0/transformer', 4],
    ],
  })
  expect(counts).toEqual({ errors: 3, warnings: 5 })
})

test('a finding of a template has its page, heading and words, and is a comment in a copy on request', async () => {
  const letter = wordPackage(p('Dear {{name}},') + p('{{pagebreak}}') + p('you owe {{/total}} by {{/due}}.'))
  const contract = '{"type":"object","required":["total"],"properties":{"total":{"type":"number"}}}'
  const [code, text] = await check({ 'letter.docx': letter }, ['--annotate', at('out.docx')])
  expect([code, text]).toEqual([1, expect.stringContaining('[page 1, at “Dear {{name}},”]\n')])
  const copy = openPackage(new Uint8Array(readFileSync(at('out.docx'))))
  expect(copy.ok && partText(copy.value, 'word/comments.xml')).toContain('{ { name } } is not a tag')
  // What the contract says of it has its place as well, and no comment is written where nothing is wrong.
  const mended = wordPackage(p('{{/total}}') + p('{{/due}}'))
  const compared = ['--contract', at('contract.json'), '--annotate', at('out.docx'), '--json']
  writeFileSync(at('contract.json'), contract)
  const [, json] = await check({ 'letter.docx': mended }, compared)
  expect(JSON.parse(json).files[0].findings[0].near).toEqual({ words: '{{/total}} ¶ {{/due}}', page: 1 })
  const again_ = await check({ 'letter.docx': wordPackage(p('{{/total}}')) }, compared)
  expect(again_[0]).toBe(0)
  const clean = openPackage(new Uint8Array(readFileSync(at('out.docx'))))
  expect(clean.ok && clean.value.parts.some((part) => part.includes('comments'))).toBe(false)
})

test('a copy with comments is of one template, and of one that can be opened', async () => {
  const letter = wordPackage(p('text'))
  const options = ['--annotate', at('out.docx')]
  expect(await outcomeOf(check({ 'a.docx': letter, 'b.docx': letter }, options))).toThrow('name just one')
  expect(await outcomeOf(check({ 'c.docx': 'no archive' }, options))).toThrow("the template can't be opened")
  expect(existsSync(at('out.docx'))).toBe(false)
})
