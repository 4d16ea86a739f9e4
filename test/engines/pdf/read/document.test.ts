import { describe, expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { limits } from '../../../../src/core/limits.ts'
import { openPackage } from '../../../../src/engines/ooxml/package.ts'
import { createRenderCache } from '../../../../src/engines/pdf/cache.ts'
import { compatibilityOf } from '../../../../src/engines/pdf/model/compatibility.ts'
import type { DocumentModel } from '../../../../src/engines/pdf/model/document.ts'
import { readDocument } from '../../../../src/engines/pdf/read/document.ts'
import { readTheme } from '../../../../src/engines/pdf/read/theme.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { namespaces, p, type WordParts, wordDocument } from '../word.ts'
import { element } from './elements.ts'

const cache = createRenderCache({ maxBytes: 0 })

/** What is read of a document, and what was reported about it. */
function readFile(docx: Uint8Array) {
  const container = openPackage(docx, 'ignored')
  if (!container.ok) throw new Error('the document can’t be read')
  const report = new Report()
  return { outcome: readDocument(container.value, cache, report), findings: report.findings }
}
function read(parts: WordParts = {}, body = ''): DocumentModel {
  const { outcome } = readFile(wordDocument(body, parts))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}
const settings = (content: string) => read({ settings: content }).settings
const compat = (content: string) => settings(`<w:compat>${content}</w:compat>`)

describe('The settings of a document', () => {
  test('that says nothing are Word’s own', () => {
    expect(settings('<w:x/>')).toEqual({
      ...{ evenAndOddHeaders: false, defaultTab: 36, compatibility: compatibilityOf(0), namesVersion: false },
      ...{ tableStyleSize: true, addSpacing: false, doNotExpandShiftReturn: false, gridInTables: false },
      ...{ compressesPunctuation: false, mirrorMargins: false },
      footnotes: { format: 'decimal', start: 1, restart: 'continuous', beneathText: false },
      endnotes: { format: 'lowerRoman', start: 1, restart: 'continuous', atSectionEnd: false },
    })
  })

  test('are those that it states', () => {
    expect(settings('<w:evenAndOddHeaders/>').evenAndOddHeaders).toBe(true)
    expect(settings('<w:mirrorMargins/>').mirrorMargins).toBe(true)
    const compresses = (value: string) =>
      settings(`<w:characterSpacingControl w:val="${value}"/>`).compressesPunctuation
    expect(['doNotCompress', 'compressPunctuation', 'compressPunctuationAndJapaneseKana'].map(compresses)).toEqual([
      false,
      true,
      true,
    ])
    expect(['720', '0', '-20'].map((tab) => settings(`<w:defaultTabStop w:val="${tab}"/>`).defaultTab)).toEqual([
      36, 1, 1,
    ])
    expect(compat('<w:doNotExpandShiftReturn/>').doNotExpandShiftReturn).toBe(true)
    expect(compat('<w:doNotUseHTMLParagraphAutoSpacing/>').addSpacing).toBe(true)
    expect(compat('<w:adjustLineHeightInTable/>').gridInTables).toBe(true)
    const setting = (name: string, value: string) =>
      compat(`<w:compatSetting w:name="x" w:val="9"/><w:compatSetting w:name="${name}" w:val="${value}"/>`)
    expect(setting('compatibilityMode', '14')).toMatchObject({ compatibility: compatibilityOf(14), namesVersion: true })
    const overridden = 'overrideTableStyleFontSizeAndJustification'
    expect([setting(overridden, '1').tableStyleSize, setting(overridden, '0').tableStyleSize]).toEqual([false, true])
  })

  test('have the numbers and places of notes', () => {
    const notes = (content: string) =>
      `<w:numFmt w:val="upperLetter"/><w:numStart w:val="3"/><w:numRestart w:val="eachPage"/>${content}`
    const own = { format: 'upperLetter', start: 3, restart: 'eachPage' } as const
    const read = settings(
      `<w:footnotePr>${notes('<w:pos w:val="beneathText"/>')}</w:footnotePr><w:endnotePr>${notes('<w:pos w:val="sectEnd"/>')}</w:endnotePr>`,
    )
    expect(read.footnotes).toMatchObject({ ...own, beneathText: true })
    expect(read.endnotes).toMatchObject({ ...own, atSectionEnd: true })
    const elsewhere = settings(
      '<w:footnotePr><w:pos w:val="pageBottom"/></w:footnotePr><w:endnotePr><w:pos w:val="docEnd"/></w:endnotePr>',
    )
    expect([elsewhere.footnotes.beneathText, elsewhere.endnotes.atSectionEnd]).toEqual([false, false])
  })

  test('hyphenate only where they say so, in a zone, so many lines, with or without capitals', () => {
    expect(settings('<w:hyphenationZone w:val="400"/>')).not.toHaveProperty('hyphens')
    expect(settings('<w:autoHyphenation w:val="0"/>')).not.toHaveProperty('hyphens')
    expect(settings('<w:autoHyphenation/>').hyphens).toEqual({ zone: 18, limit: 0, keepCapitals: false })
    expect(
      settings(
        '<w:autoHyphenation/><w:hyphenationZone w:val="400"/><w:consecutiveHyphenLimit w:val="2"/><w:doNotHyphenateCaps/>',
      ).hyphens,
    ).toEqual({ zone: 20, limit: 2, keepCapitals: true })
    expect(
      settings('<w:autoHyphenation/><w:hyphenationZone w:val="-1"/><w:consecutiveHyphenLimit w:val="-1"/>').hyphens,
    ).toMatchObject({ zone: 0, limit: 0 })
  })

  test('name the language that the document was begun in, after that of its styles', () => {
    const language = (parts: WordParts) => read({ settings: '<w:themeFontLang w:val="de-CH"/>', ...parts }).language
    expect([language({}), language({ defaults: '<w:docDefaults/>' })]).toEqual(['en-GB', 'de-CH'])
    expect(read({ settings: '<w:x/>', defaults: '<w:docDefaults/>' }).language).toBe('')
  })

  test('linked to a template give paragraphs Word’s own spacing, unless the styles state theirs', () => {
    const spacing = (content: string, defaults?: string) =>
      read({ settings: content, ...(defaults === undefined ? {} : { defaults }) }).styles.docParagraph
    expect(spacing('<w:linkStyles/>')).toEqual({ after: 10, line: 1.15, lineRule: 'auto' })
    expect(spacing('<w:x/>')).toEqual({})
    const own = '<w:docDefaults><w:pPrDefault><w:pPr><w:spacing w:after="0"/></w:pPr></w:pPrDefault></w:docDefaults>'
    expect(spacing('<w:linkStyles/>', own)).toMatchObject({ after: 0, line: 1.15 })
  })
})

describe('A gutter at the top', () => {
  const section = (top: number) =>
    `<w:pgMar w:top="${top}" w:left="1000" w:right="1000" w:bottom="1000" w:header="400" w:footer="400" w:gutter="100"/>`
  const margins = (top: number, content = '<w:gutterAtTop/>') => {
    const model = read(
      { settings: content, section: section(top) },
      `<w:p><w:pPr><w:sectPr>${section(top)}</w:sectPr></w:pPr></w:p>`,
    )
    const [first] = model.body
    return [first?.kind === 'paragraph' && first.section?.margins, model.lastSection.margins]
  }

  test('widens the top margin and the header’s in every section, also where the body may not grow', () => {
    for (const found of margins(1000)) expect(found).toMatchObject({ top: 55, header: 25, gutter: 0, left: 50 })
    for (const found of margins(-1000)) expect(found).toMatchObject({ top: -55, header: 25, gutter: 0 })
  })

  test('is none where the document says nothing of it', () => {
    for (const found of margins(1000, '<w:x/>')) expect(found).toMatchObject({ top: 50, header: 20, gutter: 5 })
  })
})

describe('A background', () => {
  const background = (attributes: string, content = '<w:displayBackgroundShape/>', inside = '') => {
    const { outcome, findings } = readFile(
      wordDocument('', { background: `<w:background ${attributes}>${inside}</w:background>`, settings: content }),
    )
    return [outcome.ok ? outcome.value.background : 'unread', findings.map(({ code }) => code)]
  }

  test('is a colour in six digits, where the settings show it', () => {
    expect(background('w:color="aabbcc"')).toEqual(['AABBCC', []])
    for (const [color, shown] of [
      ['auto'],
      ['AABBC'],
      ['AABBCCD'],
      ['aabbcc', '<w:x/>'],
      ['aabbcc', '<w:displayBackgroundShape w:val="0"/>'],
    ] as const)
      expect(background(`w:color="${color}"`, shown)).toEqual([undefined, []])
  })

  test('has no picture, and says so', () => {
    const fill = (attributes: string) =>
      background('w:color="AABBCC"', undefined, `<v:background><v:fill ${attributes}/></v:background>`)
    expect(fill('')).toEqual(['AABBCC', []])
    expect(fill('r:id="rId1"')).toEqual(['AABBCC', ['render.unsupported']])
  })
})

describe('The parts of a document', () => {
  test('give it its title, author and subject, and no more of them than a bound', () => {
    const files = unzipSync(wordDocument(''))
    const put = (name: string, text: string) => {
      files[name] = new TextEncoder().encode(text)
    }
    const long = 'x'.repeat(1_001)
    put(
      'docProps/core.xml',
      `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> A title </dc:title><dc:creator>B</dc:creator><dc:subject>${long}</dc:subject></cp:coreProperties>`,
    )
    put(
      '_rels/.rels',
      new TextDecoder()
        .decode(files['_rels/.rels'])
        .replace(
          '</Relationships>',
          '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
        ),
    )
    const { outcome } = readFile(zipSync(files))
    expect(outcome).toMatchObject({ ok: true, value: { title: 'A title', author: 'B', subject: long.slice(1) } })
    expect(read()).toMatchObject({ title: '', author: '', subject: '' })
  })

  test('give it its notes by number and the line above them, and no other separators', () => {
    const note = (attributes: string, text: string) => `<w:footnote ${attributes}>${p(text)}</w:footnote>`
    const model = read({
      footnotes: `${note('w:id="-1" w:type="separator"', 'line')}${note('w:id="0" w:type="continuationSeparator"', 'more')}${note('w:id="2"', 'two')}${note('w:id="3" w:type="normal"', 'three')}${note('w:id="x"', 'none')}`,
    })
    expect([...model.footnotes.keys()]).toEqual(['2', '3'])
    expect(JSON.stringify(model.footnotes.get('3'))).toContain('"three"')
    expect(JSON.stringify(model.footnoteSeparator)).toContain('"line"')
    expect([model.endnotes.size, model.endnoteSeparator]).toEqual([0, undefined])
  })

  test('that are damaged are left out with their name, except the main one, which has to have a body', () => {
    const damaged = (name: string) => {
      const files = unzipSync(wordDocument('<w:p/>', { settings: '<w:mirrorMargins/>', headers: { first: p('Head') } }))
      files[name] = new TextEncoder().encode('<w:x')
      return readFile(zipSync(files))
    }
    for (const name of ['word/settings.xml', 'word/styles.xml', 'word/first.xml']) {
      const { outcome, findings } = damaged(name)
      expect([name, outcome.ok, findings.map(({ code, path }) => [code, path])]).toEqual([
        name,
        true,
        [['render.part_unreadable', name]],
      ])
    }
    expect(damaged('word/document.xml').outcome.ok).toBe(false)
    const files = unzipSync(wordDocument(''))
    files['word/document.xml'] = new TextEncoder().encode(`<w:document ${namespaces}/>`)
    expect(readFile(zipSync(files)).outcome).toMatchObject({
      ok: false,
      findings: [{ code: 'render.no_body', path: 'word/document.xml' }],
    })
  })
})

describe('The fonts that a document carries', () => {
  const key = '{00112233-4455-6677-8899-AABBCCDDEEFF}'
  const plain = Uint8Array.from({ length: 40 }, (_, at) => at)
  /** By 17.8.1: the key's bytes, last first, over the first 32 of the file. */
  const keyBytes = [...key.replace(/[{}-]/g, '').matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16)).reverse()
  const obfuscated = plain.map((byte, at) => (at < 32 ? byte ^ (keyBytes[at % 16] ?? 0) : byte))
  const fontsOf = (content: string, bytes = obfuscated) =>
    read({ fontTable: { content, files: { f1: bytes, f2: bytes } } }).fonts

  test('are restored by their key, or taken as they are without one', () => {
    const font = (attributes: string) => `<w:font w:name="Own"><w:embedRegular r:id="f1" ${attributes}/></w:font>`
    expect(fontsOf(font(`w:fontKey="${key}"`))[0]?.read()).toEqual(plain)
    for (const attributes of ['', 'w:fontKey="{0011}"'])
      expect(fontsOf(font(attributes), plain)[0]?.read()).toEqual(plain)
    const short = obfuscated.slice(0, 20)
    expect(fontsOf(font(`w:fontKey="${key}"`), short)[0]?.read()).toEqual(plain.slice(0, 20))
  })

  test('have a name and one file for each style, as far as the bound', () => {
    const styles = ['embedRegular', 'embedBold', 'embedItalic', 'embedBoldItalic']
    const all = styles.map((style) => `<w:${style} r:id="f1"/>`).join('')
    expect(fontsOf(`<w:font w:name="Own">${all}</w:font><w:font>${all}</w:font>`)).toMatchObject([
      { family: 'Own', bold: false, italic: false },
      { family: 'Own', bold: true, italic: false },
      { family: 'Own', bold: false, italic: true },
      { family: 'Own', bold: true, italic: true },
    ])
    expect(fontsOf('<w:font w:name="Own"><w:embedBold r:id="none"/></w:font>')).toEqual([])
    const many = `<w:font w:name="Own"><w:embedBold r:id="f1"/></w:font>`.repeat(limits.renderEmbeddedFonts + 1)
    expect(fontsOf(many)).toHaveLength(limits.renderEmbeddedFonts)
  })
})

describe('A theme', () => {
  const theme = (content: string, languages = {}) =>
    readTheme(element(`<a:theme><a:themeElements>${content}</a:themeElements></a:theme>`), languages)

  test('has its colours under each of the names by which properties ask for them', () => {
    const colors = 'dk1 lt1 dk2 lt2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink'.split(' ')
    const scheme = colors
      .map((name, at) => `<a:${name}><a:srgbClr val="0000${(at + 16).toString(16)}"/></a:${name}>`)
      .join('')
    const { colors: found } = theme(`<a:clrScheme>${scheme}</a:clrScheme>`)
    expect(Object.fromEntries(found)).toEqual({
      ...{ dk1: '000010', dark1: '000010', text1: '000010', tx1: '000010' },
      ...{ lt1: '000011', light1: '000011', background1: '000011', bg1: '000011' },
      ...{ dk2: '000012', dark2: '000012', text2: '000012', tx2: '000012' },
      ...{ lt2: '000013', light2: '000013', background2: '000013', bg2: '000013' },
      ...{ accent1: '000014', accent2: '000015', accent3: '000016', accent4: '000017', accent5: '000018' },
      ...{ accent6: '000019', hlink: '00001A', hyperlink: '00001A', folHlink: '00001B', followedHyperlink: '00001B' },
    })
    const system = theme(
      '<a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="0a0b0c"/></a:dk1><a:lt1><a:sysClr val="window"/></a:lt1></a:clrScheme>',
    )
    expect([system.colors.get('dk1'), system.colors.has('lt1')]).toEqual(['0A0B0C', false])
  })

  test('has fonts for text and headings, those of other scripts by the document’s languages', () => {
    const scripts = {
      ...{ ja: 'Jpan', ko: 'Hang', ar: 'Arab', fa: 'Arab', ur: 'Arab', he: 'Hebr', th: 'Thai', hi: 'Deva', mr: 'Deva' },
      ...{ ne: 'Deva', bn: 'Beng', gu: 'Gujr', pa: 'Guru', ta: 'Taml', te: 'Telu', kn: 'Knda', ml: 'Mlym', si: 'Sinh' },
      ...{ km: 'Khmr', lo: 'Laoo', bo: 'Tibt', 'zh-CN': 'Hans', zh: 'Hans', 'zh-TW': 'Hant', 'zh-Hant-CN': 'Hant' },
      ...{ 'zh-HK': 'Hant', 'zh-MO': 'Hant' },
    }
    const listed = [...new Set(Object.values(scripts))]
      .map((script) => `<a:font script="${script}" typeface="of ${script}"/>`)
      .join('')
    const fonts = `<a:fontScheme><a:minorFont><a:latin typeface="L"/><a:ea typeface=""/><a:cs typeface=""/>${listed}</a:minorFont></a:fontScheme>`
    for (const [language, script] of Object.entries(scripts)) {
      const { fonts: found } = theme(fonts, { eastAsia: language, complex: language })
      expect([language, found.get('minorEastAsia'), found.get('minorBidi')]).toEqual([
        language,
        `of ${script}`,
        `of ${script}`,
      ])
    }
    const { fonts: plain } = theme(fonts, { eastAsia: 'fr-FR' })
    expect(Object.fromEntries(plain)).toEqual({ minorHAnsi: 'L', minorAscii: 'L' })
    const stated =
      '<a:fontScheme><a:majorFont><a:latin typeface="M"/><a:ea typeface="E"/><a:cs typeface="C"/></a:majorFont></a:fontScheme>'
    expect(Object.fromEntries(theme(stated, { eastAsia: 'ja-JP' }).fonts)).toEqual({
      ...{ majorHAnsi: 'M', majorAscii: 'M', majorEastAsia: 'E', majorBidi: 'C' },
    })
  })
})
