import { describe, expect, test } from 'bun:test'
import { Document, Packer, Paragraph } from 'docx'
import type { Finding } from '../../src/core/finding.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import type { Reading } from '../../src/core/reading.ts'
import { demo } from '../../src/demo/demo.ts'
import { documentText } from '../../src/engines/ooxml/document-text.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { type Source, type StepJob, type StepResult, type StepSuccess, sourceKey } from '../../src/runner/job.ts'
import { createPerformer } from '../../src/runner/perform.ts'
import { withPages } from '../../src/runner/template-pages.ts'
import { p, wordPackage, wordPart } from '../engines/docx/word-package.ts'
import { letterSources, validInput } from './letter.ts'

const performer = createPerformer({
  fonts: () => {
    throw new Error('nothing is rendered here')
  },
})
const letter = await letterSources()

const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'

const sourceOf = (content: string, format: Source['format']): Source => ({ hash: sha256Hex(content), format, content })
const contractOf = (schema: object) => sourceOf(JSON.stringify(schema), 'json')

function failureOf(results: readonly StepResult[]) {
  const last = results.at(-1)
  if (last === undefined || last.ok) throw new Error('the last step did not fail')
  return last.failure
}
const validated = (contract: Source, rawInput: string) =>
  performer.perform({ steps: ['validate'], sources: { contract }, rawInput })

describe('a performer', () => {
  test('reads the raw input in the format of its model, but not what a child gets from its parent', () => {
    const rows = { type: 'array', items: { properties: { a: { maximum: 2 } } } }
    const contract = contractOf({ type: 'object', required: ['rows'], properties: { rows } })
    const transformer = sourceOf('transform: declarative-v1\noutput: { n: { $count: /rows } }\n', 'yaml')
    const types = { a: 'number' } as const
    const inputFormat = {
      format: 'csv',
      delimiter: ',',
      header: 'first line',
      rows: 'rows',
      decimal: '.',
      trim: false,
      empty: 'omit',
      types,
    } as const
    const csv = { ...inputFormat, types: { ...types } }
    const job = {
      steps: ['validate', 'transform.declarative'],
      sources: { contract, transformer },
      inputFormat: csv,
    } satisfies StepJob
    const perform = (rawInput: string, more: Partial<StepJob> = {}) =>
      performer.perform({ ...job, rawInput, input: rawInput, ...more })
    expect(perform('a\n1\n2').at(-1)).toMatchObject({ ok: true, output: { text: '{"n":2}' } })
    expect(failureOf(perform('a\n1\n3'))).toMatchObject({
      code: 'contract_violated',
      issues: [{ path: '/rows/1/a', message: 'must be at most 2, is 3 (line 3, column 1)' }],
    })
    expect(failureOf(perform('a\nx'))).toMatchObject({ code: 'input_not_csv', issues: [{ path: 'line 2, column 1' }] })
    const child = perform('a\n1', { input: '{"rows": [1, 2, 3]}', readsParent: true })
    expect(child.at(-1)).toMatchObject({ ok: true, output: { text: '{"n":3}' } })
  })

  test('makes the steps of a letter in order, each with what it was made from', () => {
    const made = performer.perform({
      steps: ['validate', 'transform.declarative'],
      sources: letter,
      rawInput: validInput,
      input: validInput,
    })
    const text = '{"greeting":"Dear Ada","total":"1,234.50"}'
    expect(made).toMatchObject([
      { step: 'validate', ok: true, summary: { input_bytes: validInput.length, contract_hash: letter.contract.hash } },
      {
        step: 'transform.declarative',
        ok: true,
        summary: { output_bytes: text.length, transformer_hash: letter.transformer.hash },
        output: { text, hash: sha256Hex(text) },
      },
    ])
    for (const { durationMs } of made) expect(durationMs).toBeGreaterThan(0)
    const [composed] = performer.perform({ steps: ['compose'], sources: letter, output: text })
    if (composed?.ok !== true || composed.file === undefined) throw new Error('no file')
    expect(composed.summary).toEqual({ template_hash: letter.template.hash })
    expect(composed.file.hash).toBe(sha256Hex(composed.file.bytes))
  })

  test('says of a rendering how many pages it has, which fonts it was given besides its own, and what is not shown', () => {
    const rendering = (hash?: string) => {
      const { perform } = createPerformer({
        fonts: embeddedFonts,
        ...(hash === undefined ? {} : { fontsHash: () => hash }),
      })
      const [composed] = perform({ steps: ['compose'], sources: letter, output: '{"greeting":"Dear Ada","total":"1"}' })
      if (composed?.ok !== true || composed.file === undefined) throw new Error('no file')
      const [rendered] = perform({ steps: ['render'], sources: {}, docx: composed.file.bytes })
      if (rendered?.ok !== true) throw new Error('not rendered')
      return rendered
    }
    const plain = rendering()
    expect(plain.summary).toMatchObject({ pages: 1 })
    expect(Object.keys(plain.summary)).not.toContain('fonts_hash')
    expect(rendering('abc').summary).toEqual({ ...plain.summary, fonts_hash: 'abc' })
    expect(Buffer.from(plain.file?.bytes.subarray(0, 5) ?? []).toString()).toBe('%PDF-')
    const { remarks = [], remark_count: count = 0 } = plain.summary as { remarks?: unknown[]; remark_count?: number }
    expect(remarks.length).toBe(count)
  })

  test('tells of a template what is read by the rules of its time', async () => {
    const text = new Document({ sections: [{ children: [new Paragraph('{{#if /a and /b}}x{{#end}}')] }] })
    const content = new Uint8Array(await Packer.toBuffer(text))
    const composed = (reading: Reading) => {
      const template: Source = { hash: sha256Hex(content), format: 'docx', content, reading }
      const output = '{"a":true,"b":true,"a and /b":true}'
      return createPerformer({ fonts: embeddedFonts }).perform({ steps: ['compose'], sources: { template }, output })[0]
    }
    expect(composed(1)).toMatchObject({
      ok: true,
      summary: { remarks: [{ code: 'docx.earlier_reading' }], remark_count: 1 },
    })
    const today = composed(2)
    expect(today?.ok && today.summary).toEqual({ template_hash: sha256Hex(content) })
  })

  test('ends with the first step that fails', () => {
    const job: StepJob = { steps: ['validate', 'transform.declarative'], sources: letter, rawInput: '{}', input: '{}' }
    const results = performer.perform(job)
    expect(results.map(({ step, ok }) => [step, ok])).toEqual([['validate', false]])
    expect(results[0]!.durationMs).toBeGreaterThan(0)
    expect(failureOf(results)).toMatchObject({
      code: 'contract_violated',
      message: 'The input does not satisfy its contract: 2 issues.',
    })
  })

  test('throws where a job lacks what its step reads, since that is nobody’s input', () => {
    for (const [job, name] of [
      [{ steps: ['validate'], sources: letter }, 'raw input'],
      [{ steps: ['validate'], sources: {}, rawInput: '1' }, 'contract'],
      [{ steps: ['transform.declarative'], sources: letter }, 'input'],
      [{ steps: ['compose'], sources: letter }, 'output'],
      [{ steps: ['compose'], sources: {}, output: '{}' }, 'template'],
      [{ steps: ['render'], sources: {} }, 'docx'],
    ] as [StepJob, string][])
      expect(() => performer.perform(job)).toThrow(`the job lacks its ${name}`)
  })

  test('refuses texts that are no JSON, and configuration that cannot be used, under codes of their own', () => {
    const code = (job: StepJob) => failureOf(performer.perform(job)).code
    const bad = { json: sourceOf('{', 'json'), yaml: sourceOf('a: [', 'yaml'), docx: sourceOf('no zip', 'docx') }
    expect([
      code({ steps: ['validate'], sources: letter, rawInput: '{"a":1,"a":2}' }),
      code({ steps: ['transform.declarative'], sources: letter, input: '{' }),
      code({ steps: ['transform.declarative'], sources: letter, input: '{}', params: '{' }),
      code({ steps: ['compose'], sources: letter, output: '{' }),
      code({ steps: ['validate'], sources: { contract: bad.json }, rawInput: '1' }),
      code({ steps: ['transform.declarative'], sources: { transformer: bad.yaml }, input: '1' }),
      code({ steps: ['compose'], sources: { template: bad.docx }, output: '{}' }),
      code({ steps: ['transform.declarative'], sources: letter, input: '{}' }),
      code({ steps: ['compose'], sources: letter, output: '{}' }),
    ]).toEqual([
      ...['input_not_json', 'input_not_json', 'params_unreadable', 'output_unreadable', 'contract_unusable'],
      ...['transformer_unusable', 'template_unusable', 'transform_failed', 'compose_failed'],
    ])
  })

  test('tells where in the template data was refused, as its author sees it, and the page in a preview', () => {
    const template = {
      hash: 'places',
      format: 'docx',
      content: wordPackage(p('The premium is {{/premium}} a year.')),
    } as const
    const job: StepJob = { steps: ['compose'], sources: { template }, output: '{}' }
    const refused = createPerformer({ fonts: embeddedFonts })
    const issueOf = (draws: boolean) => failureOf(refused.perform({ ...job, draws })).issues[0]
    const place = 'at “The premium is {{/premium}} a year.”'
    expect([issueOf(false), issueOf(true)]).toMatchObject([
      { path: 'word/document.xml#1:15', message: expect.stringMatching(new RegExp(`\\(${place}\\)$`)) },
      { path: 'word/document.xml#1:15', message: expect.stringMatching(new RegExp(`\\(page 1, ${place}\\)$`)) },
    ])
  })

  test('tells the first page that a place is on, of findings that are seen there, and leaves all others as they are', () => {
    const first = p('{{/here}} {{#each /lines}}{{./text}}{{#end}}')
    const template = wordPackage(`${first}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${p('{{/there}}')}`)
    const at = (path: string | undefined, words?: string) => ({
      ...{ code: 'c', severity: 'error', message: 'No.' },
      ...(path === undefined ? {} : { path }),
      ...(words === undefined ? {} : { near: { words } }),
    })
    const findings = [
      at('word/document.xml#1:0', 'here'),
      at('word/document.xml#3:0', 'there'),
      at('word/document.xml#1:0'),
      at('word/document.xml#9:0', 'nowhere'),
      at(undefined, 'of no place'),
    ] as Finding[]
    const paged = withPages(template, findings, embeddedFonts)
    expect(paged.slice(2)).toEqual(findings.slice(2))
    expect(paged.slice(0, 2)).toEqual([
      { ...findings[0], near: { words: 'here', page: 1 } },
      { ...findings[1], near: { words: 'there', page: 2 } },
    ] as Finding[])
    const unasked = () => {
      throw new Error('nothing is laid out')
    }
    // Without a place there is nothing to look for, and what is no document has no pages.
    expect(withPages(template, findings.slice(2, 3), unasked)).toEqual(findings.slice(2, 3))
    expect(withPages(new Uint8Array([1]), findings, unasked)).toEqual(findings)
  })

  test('marks in a preview where each tag of the template and each value of the data went', () => {
    const header = wordPart('hdr', p('of {{/name}}'))
    const related = `<Relationship Id="h" Type="${officeRelations}/header" Target="header1.xml"/>`
    const section =
      '<w:sectPr><w:headerReference w:type="default" r:id="h"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    const body = p('Dear {{/name}},') + p('{{#each /lines}}') + p('{{./text}} {{@index}}') + p('{{#end}}') + section
    const parts = {
      'word/header1.xml': header,
      'word/_rels/document.xml.rels': `<Relationships xmlns="${packageRelations}">${related}</Relationships>`,
    }
    const content = wordPackage(body, parts)
    const drawing = createPerformer({ fonts: embeddedFonts })
    const [composed] = drawing.perform({
      steps: ['compose'],
      sources: { template: { hash: sha256Hex(content), format: 'docx', content } },
      output: '{"name":"Ada","lines":[{"text":"one"},{"text":"two"}]}',
      draws: true,
    })
    if (composed?.ok !== true || composed.drawn === undefined) throw new Error('nothing was drawn')
    expect(composed).not.toHaveProperty('file')
    expect(composed.drawn).toMatchObject({ totalPages: 1, pages: [{ svg: expect.stringMatching(/^<svg/) }] })
    const [page] = composed.drawn.pages
    expect(
      new Map(page!.marks.map(({ place, pointer }) => [`${place} of ${pointer}`, true])).keys().toArray().sort(),
    ).toEqual([
      'word/document.xml#1:5 of /name',
      'word/document.xml#3:0 of /lines/0/text',
      'word/document.xml#3:0 of /lines/1/text',
      'word/document.xml#3:11 of undefined',
      'word/header1.xml#1:3 of /name',
    ])
    for (const { x, y, width, height } of page!.marks) {
      expect([x, y, page!.width - x - width, page!.height - y - height].every((gap) => gap > 0)).toBe(true)
      expect(width * height).toBeGreaterThan(0)
    }
  })

  test('takes an output up to the bound of payloads, and refuses the next byte', () => {
    const echo = sourceOf('transform: declarative-v1\noutput: { text: /text }\n', 'yaml')
    const outputOf = (chars: number) =>
      performer.perform({
        steps: ['transform.declarative'],
        sources: { transformer: echo },
        input: JSON.stringify({ text: 'x'.repeat(chars) }),
      })
    const frame = '{"text":""}'.length
    expect(outputOf(limits.payloadBytes - frame)).toMatchObject([{ ok: true }])
    expect(failureOf(outputOf(limits.payloadBytes - frame + 1))).toEqual({
      code: 'output_too_large',
      message: `The output has ${limits.payloadBytes + 1} bytes; at most ${limits.payloadBytes} are allowed.`,
      issues: [],
    })
  })

  test('hands each transformer the params that it declares, and no others', () => {
    const source = 'transform: declarative-v1\nparams: { tone: string }\noutput: { tone: $tone }\n'
    const sources = { transformer: sourceOf(source, 'yaml') }
    const job: StepJob = { steps: ['transform.declarative'], sources, input: '{}' }
    const [result] = performer.perform({ ...job, params: '{"tone":"warm","of_another":1}' })
    expect(result).toMatchObject({ ok: true, output: { text: '{"tone":"warm"}' } })
    for (const params of ['{}', '{"of_another":1}', '[]'])
      expect(failureOf(performer.perform({ ...job, params })).code).toBe('transform_failed')
    expect(failureOf(performer.perform(job)).code).toBe('transform_failed')
  })
})

describe('a job of a whole document', () => {
  const { perform } = createPerformer({ fonts: embeddedFonts })
  const whole: StepJob = {
    steps: ['validate', 'transform.declarative', 'compose', 'render'],
    sources: letter,
    rawInput: validInput,
    input: validInput,
  }
  const madeBy = (results: readonly StepResult[]): Partial<StepSuccess>[] =>
    results.map(({ durationMs: _, ...rest }) => rest as Partial<StepSuccess>)
  const without = ({ file: _, ...rest }: Partial<StepSuccess> = {}): Partial<StepSuccess> => rest

  test('makes byte for byte what its steps make one by one', () => {
    const apart: StepResult[] = []
    let job: StepJob = whole
    for (const step of whole.steps) {
      const [result] = perform({ ...job, steps: [step] })
      if (result?.ok !== true) throw new Error(`${step} failed`)
      apart.push(result)
      if (result.output !== undefined) job = { ...job, output: result.output.text }
      if (result.file !== undefined) job = { ...job, docx: result.file.bytes }
    }
    expect(madeBy(perform(whole))).toEqual(madeBy(apart))
  })

  test('tells the text of the document where it is asked to, and leaves the files out where nobody wants them', () => {
    const told = perform({ ...whole, tellsText: true })
    const [, , composed, rendered] = told
    if (composed?.ok !== true || rendered?.ok !== true) throw new Error('the letter was not made')
    expect(composed.text).toBe('Dear Ada,\nyou owe 1,234.50.\n')
    expect(documentText(composed.file!.bytes)).toMatchObject({ value: composed.text })
    expect(rendered.file).toBeDefined()
    const discarded = perform({ ...whole, tellsText: true, discardsFiles: true })
    expect(madeBy(discarded)).toEqual(madeBy(told).map(without))
    for (const result of discarded) expect(result).not.toHaveProperty('file')
  })

  test('makes the same PDF of the demo’s letter, with its headers and fields, whether its text is told or not', async () => {
    const [{ raw_input: input }] = demo.scenarios
    const bytes = await demo.template.bytes()
    const sources = {
      contract: sourceOf(demo.contract.schema, 'json'),
      transformer: sourceOf(demo.transformer.source, 'yaml'),
      template: { hash: sha256Hex(bytes), format: 'docx', content: bytes } as const,
    }
    const job: StepJob = { ...whole, sources, rawInput: input, input }
    const [composed, rendered] = madeBy(perform(job)).slice(2)
    const [told, again] = madeBy(perform({ ...job, tellsText: true })).slice(2)
    const [read, laidOut] = madeBy(perform({ ...job, tellsText: true, discardsFiles: true })).slice(2)
    if (composed?.file === undefined || rendered?.file === undefined) throw new Error('the letter was not made')
    expect(again).toEqual(rendered)
    expect(told).toEqual({ ...composed, text: expect.stringContaining('Policy') })
    expect(read).toEqual(without(told))
    expect(laidOut).toEqual(without(rendered))
  })
})

describe('the issues of a failure', () => {
  const manyErrors = (count: number) =>
    failureOf(validated(contractOf({ items: { type: 'string' } }), JSON.stringify(Array(count).fill(1))))

  test('are as many as the interface takes, and their count is reported', () => {
    expect(manyErrors(1).message).toBe('The input does not satisfy its contract.')
    expect(manyErrors(2).message).toBe('The input does not satisfy its contract: 2 issues.')
    const last = manyErrors(limits.stepIssues - 1)
    expect([last.issues.length, last.message]).toEqual([
      limits.stepIssues - 1,
      `The input does not satisfy its contract: ${limits.stepIssues - 1} issues.`,
    ])
    for (const count of [limits.stepIssues, limits.stepIssues + 5]) {
      const { issues, message } = manyErrors(count)
      expect([issues.length, message]).toEqual([
        limits.stepIssues,
        `The input does not satisfy its contract: ${limits.stepIssues} or more issues.`,
      ])
    }
  })

  test('are no more of a transformer that has many mistakes', () => {
    const wrong = Array.from({ length: limits.stepIssues + 5 }, (_, index) => `  m${index}: { $nothing: 1 }`).join('\n')
    const transformer = sourceOf(`transform: declarative-v1\noutput:\n${wrong}\n`, 'yaml')
    const results = performer.perform({ steps: ['transform.declarative'], sources: { transformer }, input: '{}' })
    expect(failureOf(results).issues).toHaveLength(limits.stepIssues)
  })

  test('name their place and keyword, cut where the interface ends, and never in the middle of a character', () => {
    const contract = contractOf({ type: 'object', additionalProperties: { type: 'string' } })
    // With one more character before them, the cut is in the middle of a pair.
    for (const key of ['😀'.repeat(400), `a${'😀'.repeat(400)}`]) {
      const [issue] = failureOf(validated(contract, JSON.stringify({ [key]: 1 }))).issues
      expect(issue!.path.length).toBe(limits.issuePathChars)
      expect([issue!.path.isWellFormed(), issue!.path.endsWith('…'), issue!.keyword]).toEqual([true, true, 'type'])
    }
    const [short] = failureOf(validated(contract, '{"a":1}')).issues
    expect(short!.path).toBe('/a')
    expect(short!.message.length).toBeLessThanOrEqual(limits.stepIssueMessageChars)
  })

  test('name the line and column of a text that has no paths', () => {
    const { issues } = failureOf(validated(letter.contract, '{\n  "name" 1}'))
    expect(issues.map(({ path }) => path)).toEqual(['/name'])
    expect(failureOf(validated(letter.contract, '\n  tru')).issues[0]!.path).toBe('line 2, column 3')
  })
})

describe('what a performer has compiled', () => {
  test('is used for every job with the same source, until it is told to forget it', () => {
    const contract = contractOf({ type: 'string' })
    expect(validated(contract, '"a"')).toMatchObject([{ ok: true }])
    // The hash names the content, so another content under it is never looked at.
    const other = { ...contract, content: '{"type":"number"}' }
    expect(validated(other, '"a"')).toMatchObject([{ ok: true }])
    performer.forget(sourceKey('contract', letter.contract))
    expect(validated(other, '"a"')).toMatchObject([{ ok: true }])
    performer.forget(sourceKey('contract', contract))
    expect(failureOf(validated(other, '"a"')).code).toBe('contract_violated')
  })
})
