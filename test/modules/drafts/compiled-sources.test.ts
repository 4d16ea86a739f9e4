import { expect, test } from 'bun:test'
import type { Binding } from '../../../src/core/binding.ts'
import { runCases } from '../../../src/modules/drafts/case-runs.service.ts'
import {
  compiledSchema,
  compiledTemplate,
  compiledTransformer,
  runnableTransformer,
} from '../../../src/modules/drafts/compiled-sources.service.ts'
import { checkContent } from '../../../src/modules/drafts/content.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'

const contract = JSON.stringify({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
const number = contract.replace('"string"', '"number"')
const source = 'transform: declarative-v1\ncontract: person@1\noutput:\n  name: /name\n'
const transformer = { source, format: 'yaml' } as const
const docx = wordPackage(p('Dear {{/name}},'))

test('a source is compiled once for its content, whoever asks', () => {
  expect(compiledSchema(contract)).toBe(compiledSchema(`${contract}`))
  expect(compiledTemplate(docx)).toBe(compiledTemplate(docx.slice()))
  expect(compiledTransformer(transformer)).toBe(compiledTransformer({ ...transformer }))
  expect(compiledTransformer(transformer, { contract })).toBe(compiledTransformer({ ...transformer }, { contract }))
})

test('other content, another format and another contract are compiled by themselves', () => {
  const alone = compiledTransformer(transformer)
  expect(alone.ok).toBe(true)
  expect(compiledTransformer(transformer, { contract })).not.toBe(alone)
  expect(compiledTransformer(transformer, { contract: number })).not.toBe(
    compiledTransformer(transformer, { contract }),
  )
  // As JSON the same text can't be read.
  expect(compiledTransformer({ source, format: 'json' }).ok).toBe(false)
  expect(compiledTransformer(transformer).ok).toBe(true)
  expect(compiledSchema(number)).not.toBe(compiledSchema(contract))
})

test('a transformer to run is the one that was compiled with bindings, unless they or another contract are in its way', () => {
  const own = { ...transformer, source: `${source}# to run\n` }
  const misfit: Binding = { pointer: '/other', shape: 'scalar', required: true, part: 'p', paragraph: 1, position: 0 }
  expect(compiledTransformer(own, { contract, bindings: [misfit] }).ok).toBe(false)
  const alone = runnableTransformer(own, contract)
  expect([alone.ok, alone]).toEqual([true, compiledTransformer(own, { contract })])
  const again = { ...transformer, source: `${source}# to run again\n` }
  const typed = compiledTransformer(again, { contract, bindings: [] })
  expect(runnableTransformer(again, contract)).toBe(typed)
  expect(runnableTransformer(again, number)).not.toBe(typed)
})

test('a source that can’t be used is refused with the same findings each time', () => {
  const content = { bytes: wordPackage(p('{{#each /items}}')), format: 'docx' } as const
  const first = checkContent({ kind: 'template', content })
  expect(first.findings.map(({ code }) => code)).toEqual(['docx.unbalanced'])
  expect(checkContent({ kind: 'template', content })).toEqual(first)
})

test('cases are judged by the contract that is theirs, after another was asked about with the same transformer', () => {
  const nodes = [{ key: 'letter', when: undefined, transformer, template: docx, children: [] }]
  const cases = [{ name: 'ann', raw: '{"name":"Ann"}', params: undefined }]
  expect(runCases({ contract, nodes, cases })).toEqual([])
  expect(runCases({ contract: number, nodes, cases })).toMatchObject([
    { name: 'ann', node: 'letter', step: 'validate' },
  ])
  expect(runCases({ contract, nodes, cases })).toEqual([])
})
