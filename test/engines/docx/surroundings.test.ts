import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/core/finding.ts'
import { splitMarks } from '../../../src/core/marks.ts'
import { annotateTemplate, markPlaces } from '../../../src/engines/docx/annotate.ts'
import { compileTemplate } from '../../../src/engines/docx/docx.ts'
import { withSurroundings } from '../../../src/engines/docx/surroundings.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { embeddedFonts } from '../../../src/engines/pdf/font/embedded.ts'
import { withPages } from '../../../src/runner/template-pages.ts'
import { integrityFaults } from './integrity.ts'
import { canOpen, convert } from './office.ts'
import { p, partText, wordPackage, wordPart } from './word-package.ts'

const headings =
  '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
const heading = (text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const bold = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

function open(bytes: Uint8Array) {
  const package_ = openPackage(bytes)
  if (!package_.ok) throw new Error(package_.findings[0]?.message)
  return package_.value
}

function refused(body: string, parts: Record<string, string> = {}): { bytes: Uint8Array; findings: Finding[] } {
  const bytes = wordPackage(body, { 'word/styles.xml': wordPart('styles', headings), ...parts })
  const template = compileTemplate(bytes)
  return { bytes, findings: withSurroundings(bytes, template.findings) }
}

describe('the place of a finding as its author sees it', () => {
  test('is the nearest heading, and the words around the tag, whatever runs they are in', () => {
    const { findings } = refused(
      heading('1 Scope') +
        p('Nothing wrong here.') +
        heading('2 Liability') +
        p('The insurer pays {', '{premium', '}} within thirty days.') +
        p('{{x}}') +
        p('and no more.'),
    )
    expect(findings.map(({ path, near }) => [path, near])).toEqual([
      ['word/document.xml#4:17', { heading: '2 Liability', words: 'The insurer pays {{premium}} within thirty days.' }],
      // A paragraph with nothing else is shown with its neighbours.
      [
        'word/document.xml#5:0',
        { heading: '2 Liability', words: 'The insurer pays {{premium}} within thirty days. ¶ {{x}} ¶ and no more.' },
      ],
    ])
  })

  test('names the part outside of the body, where no heading is', () => {
    const header = wordPart('hdr', p('Policy {{number}}'))
    const { findings } = refused(heading('1 Scope') + p('Text'), { 'word/header1.xml': header })
    expect(findings.map(({ near }) => near)).toEqual([{ in: 'header', words: 'Policy {{number}}' }])
  })

  test('is cut between words, and fits the context of an issue', () => {
    const long = 'Lorem ipsum dolor sit amet '.repeat(20)
    const { findings } = refused(heading(`A ${long}`) + p(`${long}{{wrong}} ${long}`))
    const { heading: title = '', words = '' } = findings[0]?.near ?? {}
    expect(words).toStartWith('…')
    expect(words).toContain('sit amet {{wrong}} Lorem ipsum')
    expect(words).toEndWith('…')
    expect([title.length <= 256, words.length <= 256]).toEqual([true, true])
  })

  test('has the page of the template as it is', () => {
    const { bytes, findings } = refused(
      p('First {{one}}') + pageBreak + p('Second') + pageBreak + p('Third {{two}} and {{three}}'),
      { 'word/footnotes.xml': wordPart('footnotes', `<w:footnote w:id="2">${p('{{note}}')}</w:footnote>`) },
    )
    const pages = withPages(bytes, findings, embeddedFonts).map(({ path, near }) => [path, near?.page])
    expect(pages).toEqual([
      // A note that nothing refers to is on no page.
      ['word/footnotes.xml#1:0', undefined],
      ['word/document.xml#1:6', 1],
      ['word/document.xml#5:6', 3],
      ['word/document.xml#5:18', 3],
    ])
  })
})

describe('a copy with comments', () => {
  const { bytes, findings } = refused(
    heading('2 Liability') +
      `<w:p>${bold('Pays {{premium}} and {{')}${bold('total}}')}<w:r><w:t> a year</w:t></w:r></w:p>` +
      '<w:p/>',
    { 'word/header1.xml': wordPart('hdr', p('Policy {{number}}')) },
  )
  const annotated = annotateTemplate(bytes, findings)
  if (!annotated.ok) throw new Error('the template could not be annotated')
  const copy = annotated.value

  test('has one for each finding, around its tag, with the runs as they looked', () => {
    expect(findings.length).toBe(3)
    const opened = open(copy)
    expect(integrityFaults(opened)).toEqual([])
    const document = partText(opened, 'word/document.xml')
    const comments = partText(opened, 'word/comments.xml')
    expect([...comments.matchAll(/w:id="(\d)" w:author="Quire"/g)].map(([, id]) => id)).toEqual(['0', '1', '2'])
    expect(comments).toContain('Policy { { number } }')
    const around = (id: number) =>
      new RegExp(`<w:commentRangeStart w:id="${id}"/>(.*?)<w:commentRangeEnd w:id="${id}"/>`)
        .exec(document)?.[1]
        ?.replace(/<[^>]*>/g, '')
    // The header's is at the first paragraph.
    expect([0, 1, 2].map(around)).toEqual(['2 Liability', '{{premium}}', '{{total}}'])
    expect(document.match(/<w:r><w:rPr><w:b\/><\/w:rPr>/g)?.length).toBe(5)
    // Words would run together where the text of a divided run lost the blank at its end.
    expect(document).toContain('<w:t xml:space="preserve">Pays </w:t>')
  })

  test('is a template with the same findings, and none about its comments', () => {
    const again = compileTemplate(copy)
    expect(again.findings.map(({ message }) => message)).toEqual(findings.map(({ message }) => message))
  })

  test('has the same bytes for the same findings, and keeps comments that were there', () => {
    const once = annotateTemplate(bytes, findings)
    expect(once.ok && Buffer.from(once.value).equals(copy)).toBe(true)
    const twice = annotateTemplate(copy, findings)
    const comments = twice.ok ? partText(open(twice.value), 'word/comments.xml') : ''
    expect([...comments.matchAll(/w:id="(\d)" /g)].map(([, id]) => id)).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  test.skipIf(!canOpen)('opens in LibreOffice, with its comments', () => {
    const { copy: odt } = convert({ copy }, 'fodt')
    const text = new TextDecoder().decode(odt)
    expect(text.match(/<office:annotation /g)?.length).toBe(3)
    expect(text).toContain('<dc:creator>Quire</dc:creator>')
  })
})

test('a copy with marks has one at the very character of each place that is there', () => {
  const places = [3, 0].map((position) => `word/document.xml#1:${position}`)
  const marked = markPlaces(wordPackage(p('ab', 'c{{/x}}d')), [...places, 'word/document.xml#9:0', 'word/none.xml#1:0'])
  const text = partText(open(marked!.bytes), 'word/document.xml').replace(/<[^>]*>/g, '')
  expect(splitMarks(text).map((one) => [one.text, one.mark])).toEqual([
    ['a', 1],
    ['bc', undefined],
    ['{', 0],
    ['{/x}}d', undefined],
  ])
})
