import { expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '../../src/core/finding.ts'
import { ProjectMemory } from '../../src/project/memory.ts'
import { readProject } from '../../src/project/project.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting, invoices, projectAt } from './fixture.ts'

/** What is wrong with a project of these files: `file path: message`. */
function complaints(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  return readProject(folderWith(files)).findings.map(
    ({ file, path = '', message, hint }) => `${file} ${path}: ${message} ${hint}`,
  )
}

test('reads models with the files that they name, and cases by their model', () => {
  const { models, cases } = projectAt(folderWith(greeting))
  expect(models.map(({ slug, contract }) => [slug, contract.path])).toEqual([
    ['greeting', 'contracts/person.schema.json'],
  ])
  expect(cases.map(({ stem, model }) => [stem, model.slug])).toEqual([
    ['cases/greeting/ann', 'greeting'],
    ['cases/greeting/bob', 'greeting'],
  ])
})

test('names the model, the place and the nearest file when a transformer, template or contract is missing', () => {
  const model = String(greeting['models/greeting.yaml'])
  expect(
    complaints({ ...greeting, 'models/greeting.yaml': model.replace('transformer: notice', 'transformer: notce') }),
  ).toEqual([
    'models/greeting.yaml /nodes/0/children/0/transformer: The project has no transformer "notce". Did you mean notice?',
  ])
  expect(
    complaints({ ...greeting, 'models/greeting.yaml': model.replace('template: greeting', 'template: bill') }),
  ).toEqual(['models/greeting.yaml /nodes/0/template: The project has no template "bill". Known here: greeting.'])
  expect(complaints({ ...greeting, 'models/greeting.yaml': model.replace('name: person', 'name: persons') })[0]).toBe(
    'models/greeting.yaml /contract: The project has no contract "persons". Did you mean person?',
  )
})

test('gives the findings of a broken contract and a broken model with their file', () => {
  expect(complaints({ ...greeting, 'contracts/person.schema.json': '{"type":"objekt"}' })[0]).toStartWith(
    'contracts/person.schema.json /type: ',
  )
  expect(complaints({ ...greeting, 'models/greeting.yaml': 'model: ingestion-model-v1\n' })[0]).toStartWith(
    'models/greeting.yaml /contract: ',
  )
})

test('refuses cases of a missing model, and expectations without an input', () => {
  expect(complaints({ ...greeting, 'cases/greting/eve.json': '{}' })).toEqual([
    'cases/greting : The project has no ingestion model "greting", so its cases can\'t be run. Did you mean greeting?',
  ])
  expect(complaints({ ...greeting, 'cases/greeting/eve.params.json': '{}' })).toEqual([
    'cases/greeting/eve.params.json : No input has this name, so what is expected here is never compared. Put eve.json beside it, or remove it.',
  ])
  expect(complaints({ ...greeting, 'cases/greeting/eve.expected/letter/output.json': '{}' })[0]).toStartWith(
    'cases/greeting/eve.expected : No input has this name',
  )
})

test('says of a folder without a model how to begin', () => {
  expect(complaints({ 'notes.md': '' })[0]).toContain('quire init')
})

test('takes no notice of other files, nor of the copy that Word keeps of an open template', () => {
  const folder = folderWith({ ...greeting, 'templates/~$eeting.docx': 'x', 'models/README.md': 'x', 'cases/.keep': '' })
  expect(readProject(folder).findings).toEqual([])
})

test('takes the version of a contract that the model names before one without a version', () => {
  const folder = folderWith(greeting)
  writeFileSync(join(folder, 'contracts/person@1.schema.json'), String(greeting['contracts/person.schema.json']))
  expect(projectAt(folder).models[0]?.contract.path).toBe('contracts/person@1.schema.json')
  rmSync(join(folder, 'contracts/person@1.schema.json'))
  expect(projectAt(folder).models[0]?.contract.path).toBe('contracts/person.schema.json')
})

test('a project is read again as it is now, with what has not changed taken from memory', () => {
  const folder = folderWith(greeting)
  const memory = new ProjectMemory()
  const read = () => {
    const { outcome, findings } = readProject(folder, memory)
    return outcome.ok ? outcome.value.models[0] : findings.map(({ code }) => code)
  }
  const first = read()
  const second = read()
  expect([first, second]).toEqual([expect.objectContaining({ slug: 'greeting' }), first])
  if (first === undefined || second === undefined || Array.isArray(first) || Array.isArray(second))
    throw new Error('unusable')
  expect(second.model).toBe(first.model)
  const contract = join(folder, 'contracts/person.schema.json')
  const text = readFileSync(contract, 'utf8')
  writeFileSync(contract, text.replace('"owes"]', '"name"]').replace('"name","name"', '"name"'))
  // Its condition reads what may now be missing, although its own text is as before.
  expect(read()).toContain('may_be_missing')
  writeFileSync(contract, text)
  expect(read()).toEqual(first)
})

test('a template is opened again only when it has changed, and then includes what it now says', () => {
  const folder = folderWith({ ...greeting, 'templates/clause.docx': wordPackage(p('A clause.')) })
  const memory = new ProjectMemory()
  let opened = 0
  const { inclusions } = memory
  const of = inclusions.of.bind(inclusions)
  inclusions.of = (key, make) =>
    of(key, () => {
      opened++
      return make()
    })
  const read = () => {
    const { outcome } = readProject(folder, memory)
    const template = outcome.ok ? outcome.value.models[0]?.templates.get('greeting') : undefined
    return [template?.fragments?.map(({ slug }) => slug), opened]
  }
  expect(read()).toEqual([undefined, 2])
  expect(read()).toEqual([undefined, 2])
  writeFileSync(join(folder, 'templates/greeting.docx'), wordPackage(p('{{> clause}}')))
  expect(read()).toEqual([['clause'], 3])
  // What is included changes, and what includes it does not.
  writeFileSync(join(folder, 'templates/clause.docx'), wordPackage(p('{{> end}}')))
  writeFileSync(join(folder, 'templates/end.docx'), wordPackage(p('The end.')))
  expect(read()).toEqual([['clause', 'end'], 5])
  expect(read()).toEqual([['clause', 'end'], 5])
})

test('of models whose inputs are CSV, cases may be CSV or JSON, and two of one name are refused', () => {
  expect(projectAt(folderWith({ ...invoices, 'cases/invoices/april.json': '{}' })).cases).toMatchObject([
    { name: 'april', input: 'cases/invoices/april.json', stem: 'cases/invoices/april' },
    { name: 'march', input: 'cases/invoices/march.csv', stem: 'cases/invoices/march' },
  ])
  expect(complaints({ ...invoices, 'cases/invoices/march.json': '{}' })).toEqual([
    'cases/invoices/march.json : Another input has this name, so what is expected could be of either. Rename one of them.',
  ])
  expect(complaints({ ...invoices, 'cases/invoices/april.params.json': '{}' })).toEqual([
    'cases/invoices/april.params.json : No input has this name, so what is expected here is never compared. Put april.csv beside it, or remove it.',
  ])
  // Elsewhere a file in CSV is somebody else's.
  expect(projectAt(folderWith({ ...greeting, 'cases/greeting/list.csv': 'a' })).cases).toHaveLength(2)
})

test('says where the file of a name belongs that is like no other', () => {
  const model = String(greeting['models/greeting.yaml']).replace('template: greeting', 'template: zzz')
  const { 'templates/greeting.docx': _template, ...files } = greeting
  expect(complaints({ ...files, 'models/greeting.yaml': model })).toEqual([
    'models/greeting.yaml /nodes/0/template: The project has no template "zzz". Its file belongs into the folder templates.',
  ])
})

test('a memory keeps what the last reading asked for, and nothing that it did not', () => {
  const memory = new ProjectMemory()
  let made = 0
  const ask = (name: string) =>
    memory.models.of(name, () => fail({ code: `${++made}`, severity: 'error', message: '' }))
  const codeOf = (name: string) => ask(name).findings.map(({ code }) => code)
  expect([codeOf('a'), codeOf('a'), codeOf('b')]).toEqual([['1'], ['1'], ['2']])
  memory.forgetRest()
  expect(codeOf('a')).toEqual(['1'])
  memory.forgetRest()
  expect([codeOf('a'), codeOf('b')]).toEqual([['1'], ['3']])
})
