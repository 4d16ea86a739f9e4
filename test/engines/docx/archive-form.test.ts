import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { p, wordPackage } from './word-package.ts'

const template = compileTemplate(wordPackage(p('Dear {{/name}}, dear {{/name}},')))

function archiveOf(bytes: Uint8Array) {
  const zip = readZip(bytes)
  if (!zip.ok) throw new Error(zip.findings[0]?.message)
  return zip.value
}

function composed(name: string, form: 'small' | 'quick'): Uint8Array {
  if (!template.ok) throw new Error(JSON.stringify(template.findings))
  const made = composeTemplate(template.value, { name }, form)
  if (!made.ok) throw new Error(JSON.stringify(made.findings))
  return made.value
}

test('a document to be read back has the parts of the one that is kept, in its order, and is not compressed', () => {
  const name = 'Ada'
  const [small, quick] = [archiveOf(composed(name, 'small')), archiveOf(composed(name, 'quick'))]
  expect(quick.names).toEqual(small.names)
  for (const part of small.names) expect(quick.read(part)).toEqual(small.read(part))
  const methods = ({ names, entry }: typeof small) => new Set(names.map((part) => entry(part)?.method))
  expect(methods(small)).toContain(8)
  expect(methods(quick)).toEqual(new Set([0]))
})

test('what a reader would refuse of the document that is kept, it refuses of the other as well', () => {
  const name = ' '.repeat(limits.zipRatioFreeBytes)
  for (const form of ['small', 'quick'] as const) {
    const read = readZip(composed(name, form))
    expect([read.ok, read.findings.map(({ code }) => code)]).toEqual([false, ['zip.ratio']])
  }
})
