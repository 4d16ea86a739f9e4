import { describe, expect, test } from 'bun:test'
import type { Outcome } from '../../src/core/finding.ts'
import { type JsonValue, readJson } from '../../src/core/json.ts'
import { demo } from '../../src/demo/demo.ts'
import { compileTransformer, evaluateTransformer } from '../../src/engines/declarative/declarative.ts'
import { formatSource } from '../../src/engines/declarative/format.ts'
import { compileTemplate, composeTemplate } from '../../src/engines/docx/docx.ts'
import { compileIngestionModel } from '../../src/engines/ingestion/ingestion-model.ts'
import { openPackage } from '../../src/engines/ooxml/package.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { layoutDocx, renderPdf } from '../../src/engines/pdf/pdf.ts'
import { compileSchema, validatePayload } from '../../src/engines/schema/schema.ts'

const template = value(compileTemplate(await demo.template.bytes()))
const contract = value(compileSchema(demo.contract.schema))
const transformer = compileTransformer(demo.transformer.source, demo.transformer.format, {
  contract: value(readJson(demo.contract.schema)),
  bindings: template.bindings,
})

function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, null, 2))
  return outcome.value
}

function input(id: string): JsonValue {
  const scenario = demo.scenarios.find((candidate) => candidate.id === id)
  return value(readJson(scenario?.raw_input ?? ''))
}

function letterData(id: string): Record<string, JsonValue> {
  const evaluated = value(evaluateTransformer(value(transformer), input(id)))
  return evaluated.output as Record<string, JsonValue>
}

/** The body's paragraphs as text. */
function letterText(id: string): string[] {
  const bytes = value(composeTemplate(template, letterData(id)))
  const opened = value(openPackage(bytes))
  const xml = new TextDecoder().decode(value(opened.readBytes('word/document.xml')))
  return xml.split('</w:p>').map((paragraph) => paragraph.replaceAll(/<[^>]*>/g, ''))
}

describe('the demo configuration', () => {
  test('has no errors or warnings from the contract to the template', () => {
    expect(transformer.findings).toEqual([])
    expect(template.findings).toEqual([])
    expect(transformer.ok).toBe(true)
  })

  test('names its own contract, transformer and template', () => {
    const model = value(compileIngestionModel(demo.ingestionModel.source, demo.ingestionModel.format))
    expect(model.contract).toEqual({ name: demo.contract.name, version: 1 })
    expect(model.nodes.map(({ transformer, template, formats }) => ({ transformer, template, formats }))).toEqual([
      { transformer: demo.transformer.slug, template: demo.template.slug, formats: ['docx', 'pdf'] },
    ])
    expect(value(transformer).contract).toEqual({ name: demo.contract.name, version: 1 })
    expect(value(transformer).template).toEqual({ slug: demo.template.slug, version: 1 })
  })

  test('accepts the three good scenarios', () => {
    for (const id of ['monthly', 'semiannual', 'annual']) expect(validatePayload(contract, input(id))).toEqual([])
  })

  test('refuses the invalid scenario for its three faults only', () => {
    const findings = validatePayload(contract, input('invalid'))
    expect(findings.map(({ path, keyword }) => `${path} ${keyword}`).sort()).toEqual([
      '/instalments/1/amount type',
      '/policy/number pattern',
      '/policyholder/title enum',
    ])
  })
})

describe('the demo letter', () => {
  test('has one row for each due date, with the period that its payment covers', () => {
    for (const [id, rows] of [
      ['monthly', 12],
      ['semiannual', 2],
      ['annual', 1],
    ] as const) {
      expect(letterData(id).schedule).toHaveLength(rows)
    }
    const text = letterText('monthly')
    expect(text.filter((paragraph) => paragraph === '€101.66')).toHaveLength(12)
    expect(text).toContain('1 Feb 2027 – 28 Feb 2027')
    expect(letterText('annual')).toContain('30 Jun 2026 – 29 Jun 2027')
  })

  test('adds up exactly: total, contained levy and the surcharge for instalments', () => {
    const { total, levy, surcharge, annualPremium } = letterData('monthly')
    expect({ total, levy, surcharge, annualPremium }).toEqual({
      total: '€1,219.92',
      levy: '€35.53',
      surcharge: '€35.52',
      annualPremium: '€1,184.40',
    })
  })

  test('mentions a surcharge, an adviser and the way to pay only if the notice has them', () => {
    const monthly = letterText('monthly').join('\n')
    expect(monthly).toContain('Paying in instalments adds €35.52')
    expect(monthly).toContain('account ending in 4402')
    expect(monthly).toContain('Tomás Gallagher')
    expect(monthly).not.toContain('Please transfer')
    expect(monthly).not.toContain('Our customer service')

    const semiannual = letterText('semiannual').join('\n')
    expect(semiannual).toContain('Please transfer each amount')
    expect(semiannual).not.toContain('account ending in')

    const annual = letterText('annual').join('\n')
    expect(annual).toContain('Our customer service will be glad to help')
    expect(annual).not.toContain('Paying in instalments')
    expect(annual).not.toContain('Insured')
  })

  test('greets each person by title, if there is one, and name', () => {
    expect(letterText('monthly')).toContain('Dear Ms Brennan,')
    expect(letterText('semiannual')).toContain('Dear Mr Weiß,')
    expect(letterText('annual')).toContain('Dear Alex Okonkwo,')
  })

  test('leaves no tag behind', () => {
    for (const id of ['monthly', 'semiannual', 'annual']) expect(letterText(id).join('\n')).not.toMatch(/\{\{|\}\}|\$/)
  })

  test('breaks no number of the policy or the mandate at its hyphens', () => {
    for (const id of ['monthly', 'semiannual', 'annual']) {
      const { reference, mandate } = letterData(id) as { reference: string; mandate: string }
      const docx = value(composeTemplate(template, letterData(id)))
      const { pages } = value(layoutDocx(docx, { fonts: embeddedFonts() }))
      const frames = pages.flatMap((page) => page.frames).filter((frame) => frame.kind === 'text')
      const lines = Map.groupBy(frames, ({ y }) => y)
      const ends = [...lines.values()].map((line) =>
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      )
      expect(ends.filter((line) => line.includes(reference)).length).toBeGreaterThanOrEqual(2)
      for (const number of [reference, mandate].filter((text) => text.includes('-'))) {
        const pieces = number.split('-')
        const broken = pieces.slice(1).map((_, at) => `${pieces.slice(0, at + 1).join('-')}-`)
        expect(ends.filter((line) => broken.some((start) => line.endsWith(start)))).toEqual([])
      }
    }
  })

  test('has its transformer formatted as `quire check --fix` does', () => {
    expect(value(formatSource(demo.transformer.source, 'yaml'))).toBe(demo.transformer.source)
  })

  test('takes one page, and its information another, and replaces nothing but a font by its metric twin', () => {
    for (const id of ['monthly', 'semiannual', 'annual']) {
      const docx = value(composeTemplate(template, letterData(id)))
      const rendering = value(renderPdf(docx, { fonts: embeddedFonts() }))
      expect(rendering.pages).toBe(2)
      expect(rendering.report.map(({ code }) => code)).toEqual(['render.font_twin'])
    }
  })
})
