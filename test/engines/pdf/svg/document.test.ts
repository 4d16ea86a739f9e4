import { expect, test } from 'bun:test'
import { compileTemplate, composeMarked, composeTemplate, type Template } from '../../../../src/engines/docx/docx.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { drawDocx } from '../../../../src/engines/pdf/pdf.ts'
import { p as paragraph, wordPackage } from '../../docx/word-package.ts'
import { inkOf, needs, qpdfCheck } from '../tools.ts'
import { dumpPaths, layoutOf, renderingOf } from '../word.ts'

const drawing = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100" height="50" ${fill}/></svg>`
const vector = drawing('fill="#00ff00"')
const blurred = drawing('fill="#00ff00" filter="url(#f)"').replace(
  '<rect',
  '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect',
)

function template(): Template {
  const compiled = compileTemplate(wordPackage(paragraph('{{image /logo width=100pt}}')))
  if (!compiled.ok) throw new Error(compiled.findings[0]?.message)
  return compiled.value
}

function composed(logo: string): Uint8Array {
  const outcome = composeTemplate(template(), { logo })
  if (!outcome.ok) throw new Error(outcome.findings[0]?.message)
  return outcome.value
}

function pathsOf(logo: string): string[] {
  return dumpPaths(layoutOf(composed(logo)).pages[0]!.frames)
}

/** The upper left corner of a drawing on its page. */
function placeOf(logo: string): [x: number, y: number] {
  const [x = Number.NaN, y = Number.NaN] =
    /^M([\d.]+),([\d.]+)/
      .exec(pathsOf(logo)[0] ?? '')
      ?.slice(1)
      .map(Number) ?? []
  return [x, y]
}

test('a drawing is outlines on the page, and pixels only where it has what only pixels show', () => {
  const [left, top] = placeOf(vector)
  expect(pathsOf(vector)).toEqual([
    `M${left},${top} L${left + 50},${top} L${left + 50},${top + 25} L${left},${top + 25} Z fill 00FF00`,
  ])
  const names = (docx: Uint8Array) =>
    Buffer.from(renderingOf(docx).pdf)
      .toString('latin1')
      .match(/\/Subtype\s*\/Image/g)?.length ?? 0
  expect(names(composed(vector))).toBe(0)
  // Its colours and its opacities.
  expect(names(composed(blurred))).toBe(2)
})

test('a drawing shows where its value is on the page', () => {
  const marked = composeMarked(template(), { logo: vector })
  if (!marked.ok) throw new Error('not composed')
  const drawn = drawDocx(marked.value.bytes, { fonts: embeddedFonts() }, marked.value.pictures)
  if (!drawn.ok) throw new Error('not drawn')
  const [mark, ...others] = drawn.value.pages[0]!.marks
  expect(others).toEqual([])
  expect(mark).toMatchObject({ width: 100, height: 50 })
})

test.skipIf(!needs('pdftoppm') || !needs('qpdf'))('a drawing is where other programs look for it', () => {
  const { pdf, report } = renderingOf(composed(drawing('fill="#000080"')))
  expect(report).toEqual([])
  expect(qpdfCheck('drawing.pdf', pdf)).toBe(0)
  const ink = inkOf('drawing.pdf', pdf)
  const [left, top] = placeOf(drawing('fill="#000080"'))
  expect(ink(left + 2, top + 2, 46, 21)).toBe(1)
  expect(ink(left + 52, top + 2, 40, 40)).toBe(0)
})
