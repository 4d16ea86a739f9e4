import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'

/** The files of a project by their path. */
export type Files = Record<string, string | Uint8Array>

export const contract = (rest = {}) =>
  JSON.stringify({
    title: 'Person',
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 40 } },
    ...rest,
  })
export const transformer = (text: string, version = 1) =>
  `transform: declarative-v1\ncontract: Person@${version}\ntemplate: hello@${version}\noutput:\n  line: { $text: "${text} {name}", name: /name }\n`
export const model = (version = 1) => `model: ingestion-model-v1
contract: { name: Person, version: ${version} }
object: { reference: metadata.source_object, time: metadata.source_timestamp }
nodes: [{ key: letter, label: Letter, transformer: hello, template: hello, formats: [docx] }]
`
export const template = (text: string) => wordPackage(p(`${text}{{/line}}`))

export const hello: Files = {
  'README.md': 'Not a file of configuration.',
  'contracts/person.schema.json': contract(),
  'templates/hello.docx': template('1: '),
  'transformers/hello.yaml': transformer('Hello'),
  'models/hello.yaml': model(),
}

export function zipOf(files: Files): Uint8Array {
  const encoder = new TextEncoder()
  return writeZip(
    Object.entries(files).map(([name, data]) => ({
      name,
      data: typeof data === 'string' ? encoder.encode(data) : data,
    })),
  )
}

/** The files of an archive; sources as text, for tests to read. */
export function filesOf(archive: Uint8Array): Files {
  const zip = readZip(archive)
  if (!zip.ok) throw new Error('this is no archive')
  return Object.fromEntries(
    zip.value.names.map((name) => {
      const read = zip.value.read(name)
      if (!read.ok) throw new Error(`${name} can not be read`)
      return [name, name.endsWith('.docx') ? read.value : new TextDecoder().decode(read.value)]
    }),
  )
}
