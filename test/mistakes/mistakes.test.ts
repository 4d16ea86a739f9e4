/** What people type wrong is answered with its place, its cause and the form that Quire has for it. */
import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../src/core/finding.ts'
import {
  type Mistake,
  ofCase,
  ofChangedCase,
  ofContract,
  ofData,
  ofInput,
  ofMetadata,
  ofModel,
  ofTemplate,
  ofTransformer,
} from './answers.ts'
import { inContracts } from './contracts.ts'
import { inCases, inCsv, inJson, inMetadata, inModels, inXml } from './intake.ts'
import { inData, inTemplates } from './templates.ts'
import { inTransformers } from './transformers.ts'

const tables: [where: string, mistakes: readonly Mistake[], answer: (written: string) => Finding[]][] = [
  ['a template', inTemplates, ofTemplate],
  ['the data of a template', inData, ofData],
  ['a transformer', inTransformers, ofTransformer],
  ['a contract', inContracts, ofContract],
  ['an ingestion model', inModels, ofModel],
  ['an input in CSV', inCsv, ofInput],
  ['an input in XML', inXml, ofInput],
  ['the JSON of a case', inJson, ofCase],
  ['a case', inCases, ofChangedCase],
  ['the metadata of a submission', inMetadata, ofMetadata],
]

describe.each(tables)('in %s', (_, mistakes, answer) => {
  test.each(mistakes)('%s is answered: %s, %s', (written, found, form) => {
    const [first] = answer(written)
    expect(first?.message.length).toBeGreaterThan(10)
    expect([told(first), first?.hint ?? '']).toEqual([found, form])
  })
})

test('there are mistakes of every kind, each once', () => {
  const all = tables.flatMap(([where, mistakes]) => mistakes.map(([written]) => `${where}: ${written}`))
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(120)
  expect(tables.filter(([, mistakes]) => mistakes.length < 5)).toEqual([])
})

/** `code place`: line and column where there are some, else the place in the document or value. */
function told(finding: Finding | undefined): string {
  if (finding === undefined) return 'nothing'
  const { code, line, column, path = '' } = finding
  return `${code} ${line === undefined ? path.replace('word/document.xml', '') : `${line}:${column}`}`
}
