import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/core/finding.ts'
import { limits } from '../../../src/core/limits.ts'
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

  /** What is near a place of a template. */
  function near(body: string, path: string, parts: Record<string, string> = {}) {
    const bytes = wordPackage(body, { 'word/styles.xml': wordPart('styles', headings), ...parts })
    const [told] = withSurroundings(bytes, [{ code: 'x', severity: 'error', message: 'm', path }])
    return told?.near
  }
  const inMain = (at: number, position = 0) => `word/document.xml#${at}:${position}`

  test('names each kind of part as its readers do', () => {
    const note = (name: string) => wordPart(`${name}s` as never, `<w:${name} w:id="2">${p('Some words')}</w:${name}>`)
    const parts = {
      'word/header1.xml': wordPart('hdr', p('Some words')),
      'word/footer1.xml': wordPart('ftr', p('Some words')),
      'word/footnotes.xml': note('footnote'),
      'word/endnotes.xml': note('endnote'),
      'word/comments.xml': note('comment'),
      'docProps/core.xml':
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> </dc:title><dc:subject>Some words</dc:subject></cp:coreProperties>',
      'word/charts/chart1.xml':
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:v>Some words</c:v></c:chartSpace>',
    }
    const told = Object.keys(parts).map((part) => near(heading('A') + p('Text'), `${part}#1:0`, parts))
    expect(told.map((one) => [one?.in, one?.words, one?.heading])).toEqual(
      ['header', 'footer', 'footnotes', 'endnotes', 'comments', 'document properties', 'chart'].map((name) => [
        name,
        'Some words',
        undefined,
      ]),
    )
    for (const path of ['word/none.xml#1:0', 'word/header1.xml#2:0', inMain(9), '', 'x'])
      expect([path, near(p('Text'), path, parts)]).toEqual([path, undefined])
  })

  test('takes headings by the level of their style or their own, and none that is blank or of the body’s level', () => {
    const outlined = (level: number, text: string, style = '') =>
      `<w:p><w:pPr>${style}<w:outlineLvl w:val="${level}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
    const headingOf = (before: string) =>
      near(before + p('Enough words'), inMain(before.split('<w:p>').length))?.heading
    expect(headingOf(heading('One') + heading(' ') + p('Text'))).toBe('One')
    expect(headingOf(heading('One') + outlined(8, 'Deep'))).toBe('Deep')
    expect(headingOf(heading('One') + outlined(9, 'Body', '<w:pStyle w:val="berschrift1"/>'))).toBe('One')
    expect(headingOf(p('Text'))).toBeUndefined()
    expect(near(heading('One') + heading('Two words'), inMain(2))?.heading).toBe('Two words')
  })

  test('is cut at its bounds, between words only where that costs less than half', () => {
    const [a, b] = ['a', 'b'].map((letter) => (count: number) => letter.repeat(count))
    if (a === undefined || b === undefined) throw new Error('two')
    const most = limits.placeHeadingChars
    const headingOf = (text: string) => near(heading(text) + p('Enough words'), inMain(2))?.heading
    expect(headingOf(a(most))).toBe(a(most))
    expect(headingOf(a(most + 1))).toBe(`${a(most)}…`)
    expect(headingOf(`${a(most / 2 + 1)} ${b(most / 2)}`)).toBe(`${a(most / 2 + 1)}…`)
    expect(headingOf(`${a(most / 2)} ${b(most / 2)}`)).toBe(`${a(most / 2)} ${b(most / 2 - 1)}…`)
    expect(headingOf(`${a(most - 1)}😀`)).toBe(`${a(most - 1)}\ufffd…`)
    const words = (before: string, after: string) => near(p(before + after), inMain(1, before.length))?.words
    const [back, on] = [limits.placeCharsBefore, limits.placeCharsAfter]
    expect(words(a(back), b(on))).toBe(a(back) + b(on))
    expect(words(a(back + 1), b(on + 1))).toBe(`…${a(back)}${b(on)}…`)
    expect(words(`xx ${a(back - 1)}`, b(on))).toBe(`…${a(back - 1)}${b(on)}`)
    expect(words(`x${a(back / 2 - 1)} ${a(back / 2)}`, b(on))).toBe(`…${a(back / 2)}${b(on)}`)
    expect(words(`x${a(back / 2)} ${a(back / 2 - 1)}`, b(on))).toBe(`…${a(back / 2)} ${a(back / 2 - 1)}${b(on)}`)
  })

  test('has neighbours where a side has few characters, the nearest with text', () => {
    const few = 'a'.repeat(limits.placeCharsEnough - 1)
    const words = (text: string, position: number) =>
      near(p('first') + p('before') + p(' ') + p(text) + p('') + p('behind') + p('last'), inMain(4, position))?.words
    expect(words(`${few} x`, few.length + 1)).toBe(`before ¶ ${few} x ¶ behind`)
    expect(words(`${few}a${few}a`, few.length + 1)).toBe(`${few}a${few}a`)
    expect(words(`${few}a${few}`, few.length + 1)).toBe(`${few}a${few} ¶ behind`)
    expect(words(`${few}a`, 99)).toBe(`${few}a ¶ behind`)
    expect(near(p(''), inMain(1))).toEqual({})
  })

  test('is told for as many findings as are reported', () => {
    const one: Finding = { code: 'x', severity: 'error', message: 'm', path: inMain(1) }
    const told = withSurroundings(wordPackage(p('Enough words')), Array(limits.configurationIssues + 1).fill(one))
    expect(told.slice(-2).map((each) => each.near?.words)).toEqual(['Enough words', undefined])
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

  test('says in each how grave it is, what to do and where it is, in signs that are no tags', () => {
    const texts = (body: string, ...all: Partial<Finding>[]) => {
      const annotated = annotateTemplate(
        wordPackage(body),
        all.map((one) => ({ code: 'x', severity: 'error' as const, message: 'No.', ...one })),
      )
      const opened = open(annotated.ok ? annotated.value : new Uint8Array())
      const comments = opened.parts.includes('word/comments.xml') ? partText(opened, 'word/comments.xml') : ''
      return [...comments.matchAll(/<w:comment .*?<\/w:comment>/g)].map(([comment]) =>
        comment
          .split('</w:p>')
          .map((line) => line.replace(/<[^>]*>/g, ''))
          .filter((line) => line !== ''),
      )
    }
    const path = 'word/document.xml#1:0'
    expect(
      texts(
        p('{{a}}'),
        { path, severity: 'warning', hint: 'Do it.' },
        { path, near: { words: 'here' } },
        { path, near: { in: 'header', words: 'there' } },
        { path: 'docProps/core.xml', hint: '' },
        { near: { heading: 'A', page: 3 } },
        { path, message: 'a\u0001b {x} «y» \ud800' },
      ),
    ).toEqual([
      ['Warning: No.', 'Do it.'],
      ['No.'],
      ['No.', 'in the header, at “there”'],
      ['No.', 'docProps/core.xml'],
      ['No.', 'page 3, under “A”'],
      ['a\ufffdb { x } « y » \ufffd'],
    ])
    expect(texts('', { path })).toEqual([])
  })

  test('is around what it is about: the tag, up to its end or that of the paragraph, or all of the paragraph', () => {
    const marked = (body: string, ...positions: number[]) => {
      const annotated = annotateTemplate(
        wordPackage(body),
        positions.map((position) => {
          return { code: 'x', severity: 'error', message: 'No.', path: `word/document.xml#1:${position}` }
        }),
      )
      if (!annotated.ok) throw new Error('not annotated')
      expect(integrityFaults(open(annotated.value))).toEqual([])
      const document = partText(open(annotated.value), 'word/document.xml')
      const inner = document.slice(document.indexOf('<w:body>') + 8, document.indexOf('</w:body>'))
      return inner
        .replace(/<w:r><w:commentReference[^>]*><\/w:r>/g, '')
        .replace(/<w:commentRangeStart[^>]*>/g, '[')
        .replace(/<w:commentRangeEnd[^>]*>/g, ']')
    }
    const shown = (body: string, ...positions: number[]) => marked(body, ...positions).replace(/<[^>]*>/g, '')
    expect(shown(p('a {{b}} c'), 2)).toBe('a [{{b}}] c')
    expect(shown(p('a {{b c'), 2)).toBe('a [{{b c]')
    expect(shown(p('a {{b}} c'), 0)).toBe('[a {{b}} c]')
    expect(shown(p('{{a}}{{b}}'), 5)).toBe('{{a}}[{{b}}]')
    expect(marked('<w:p><w:pPr><w:jc/></w:pPr></w:p>', 0)).toBe('<w:p><w:pPr><w:jc/></w:pPr>[]</w:p>')
    expect(marked('<w:p w:rsidR="1"/>', 0)).toBe('<w:p w:rsidR="1">[]</w:p>')
    expect(marked('<w:p />', 0, 1)).toBe('<w:p >[][]</w:p>')
    expect(shown(p('a {{b}} {{c'), 2, 8)).toBe('a [{{b}}] [{{c]')
    // A run of nothing but the tag stays whole; one with a tab beside it is divided.
    expect(marked(p('a', '{{b}}', 'c'), 1)).toBe(
      p('a', '{{b}}', 'c').replace(/(<w:r>(?:(?!<w:r>).)*\{\{b.*?<\/w:r>)/, '[$1]'),
    )
    expect(marked('<w:p><w:r><w:tab/><w:t>{{b}}</w:t></w:r></w:p>', 1)).toBe(
      '<w:p><w:r><w:tab/><w:t xml:space="preserve"></w:t></w:r>[<w:r><w:t xml:space="preserve">{{b}}</w:t></w:r>]<w:r><w:t xml:space="preserve"></w:t></w:r></w:p>',
    )
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

test('a copy with marks has one for each character, at the nearest text where a place is in none', () => {
  const texts = (body: string, positions: number[], parts: Record<string, string> = {}, part = 'word/document.xml') => {
    const marked = markPlaces(
      wordPackage(body, parts),
      positions.map((position) => `${part}#1:${position}`),
    )
    const text = partText(open(marked?.bytes ?? new Uint8Array()), part).replace(/<[^>]*>/g, '')
    return splitMarks(text).map((one) => [one.text, one.mark])
  }
  expect(texts(p('ab'), [0, 0, 1])).toEqual([
    ['a', 0],
    ['b', 2],
  ])
  expect(texts(p('ab'), [9])).toEqual([
    ['a', undefined],
    ['b', 0],
  ])
  const tabbed = '<w:p><w:r><w:tab/><w:t>ab</w:t></w:r></w:p>'
  expect(texts(tabbed, [0])).toEqual([
    ['a', 0],
    ['b', undefined],
  ])
  expect(texts(p('a😀b'), [1])).toEqual([
    ['a', undefined],
    ['😀', 0],
    ['b', undefined],
  ])
  expect(texts(p('x'), [0], { 'word/header1.xml': wordPart('hdr', p('h')) }, 'word/header1.xml')).toEqual([['h', 0]])
  expect(texts(p(''), [0])).toEqual([])
  expect(markPlaces(new Uint8Array([1, 2]), [])).toBeUndefined()
})

test('a copy with marks has one at the very at the very character of each place that is there', () => {
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
