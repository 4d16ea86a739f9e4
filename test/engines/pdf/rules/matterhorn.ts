/**
 * The failure conditions of the Matterhorn Protocol 1.02 that a program can decide: 87 of its 136. Of the others 47 need a person,
 * and two have no test. A rule answers what breaks it; a file that keeps it gives an empty list.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib'
import { readFace } from '../../../../src/engines/pdf/font/face.ts'
import {
  arrayIn,
  bytesOf,
  dictIn,
  type Element,
  has,
  nameIn,
  numberIn,
  type OpenedPage,
  type OpenedPdf,
  type Operation,
  roleOf,
  type ShownFont,
  streamIn,
  textIn,
} from './opened.ts'

export type Rule = (file: OpenedPdf) => string[]

/** ISO 32000-1, tables 333 to 340. */
const standardTypes = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD ' +
    'THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form'
  ).split(' '),
)

const named = (element: Element) => `${element.type} ${element.dict.toString().slice(0, 80)}`
const ofRole = (file: OpenedPdf, ...roles: string[]) => file.elements.filter(({ role }) => roles.includes(role))
const annotationsOf = ({ dict }: OpenedPage) =>
  (arrayIn(dict, 'Annots')?.asArray() ?? []).flatMap((ref) => {
    const annotation = dict.context.lookup(ref)
    return annotation instanceof PDFDict ? [{ ref, annotation, subtype: nameIn(annotation, 'Subtype') }] : []
  })
const annotations = (file: OpenedPdf) => file.pages.flatMap(annotationsOf)
const elementOf = (file: OpenedPdf, ref: PDFObject) =>
  file.elements.find(({ objects }) => objects.some((object) => object === ref))
const languages = (element: Element | undefined): boolean =>
  element !== undefined && (has(element.dict, 'Lang') || languages(element.parent))
const hasLanguage = ({ catalog }: OpenedPdf) => (textIn(catalog, 'Lang') ?? '') !== ''
const formsOf = (file: OpenedPdf) =>
  file.objects.flatMap(([ref, object]) =>
    object instanceof PDFRawStream && nameIn(object.dict, 'Subtype') === 'Form' ? [{ ref, form: object }] : [],
  )
const subtyped = (file: OpenedPdf, key: string, value: string) =>
  file.dicts.filter((dict) => nameIn(dict, key) === value)

/** How deep in artifacts and in tagged content each operation is. */
function* walk(operations: readonly Operation[]): Generator<{ operation: Operation; open: readonly string[] }> {
  const open: string[] = []
  for (const operation of operations) {
    const { operator, operands } = operation
    if (operator === 'BDC' || operator === 'BMC') {
      const kind =
        operands[0] === '/Artifact'
          ? 'artifact'
          : operands[1] instanceof Map && operands[1].has('/MCID')
            ? 'tagged'
            : 'span'
      yield { operation, open: [...open, kind] }
      open.push(kind)
    } else {
      yield { operation, open }
      if (operator === 'EMC') open.pop()
    }
  }
}

const painting = new Set(['Tj', 'TJ', "'", '"', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's', 'Do', 'sh', 'BI'])

function marked(file: OpenedPdf, breaks: (operation: Operation, open: readonly string[]) => boolean): string[] {
  return file.pages.flatMap(({ operations }, index) => {
    const found: string[] = []
    for (const { operation, open } of walk(operations)) {
      if (breaks(operation, open)) found.push(`page ${index + 1}: ${operation.operator}`)
    }
    return found
  })
}

const opens = ({ operator }: Operation) => operator === 'BDC' || operator === 'BMC'

/** What an element of a role may have in it, and what it may be in; the order is not looked at. */
function placed(
  file: OpenedPdf,
  inside: Readonly<Record<string, readonly string[]>>,
  within: Readonly<Record<string, readonly string[]>>,
): string[] {
  return file.elements.flatMap((element) => {
    const allowed = inside[element.role]
    const wrong = allowed === undefined ? [] : element.elements.filter(({ role }) => !allowed.includes(role))
    const parents = within[element.role]
    const misplaced = parents !== undefined && !parents.includes(element.parent?.role ?? '')
    return [
      ...wrong.map((kid) => `${kid.role} in ${element.role}`),
      ...(misplaced ? [`${element.role} in ${element.parent?.role}`] : []),
    ]
  })
}

/** Codes of a font's ToUnicode map, with what they stand for. */
function unicodeOf({ dict }: ShownFont): Map<number, string> {
  const stream = streamIn(dict, 'ToUnicode')
  const map = new Map<number, string>()
  if (stream === undefined) return map
  const text = Buffer.from(bytesOf(stream)).toString('latin1')
  for (const [, block = ''] of text.matchAll(/beginbfchar(.*?)endbfchar/gs))
    for (const [, code = '', to = ''] of block.matchAll(/<([\dA-F]+)>\s*<([\dA-F]*)>/gi))
      map.set(Number.parseInt(code, 16), to)
  for (const [, block = ''] of text.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, from = '', until = '', to = ''] of block.matchAll(/<([\dA-F]+)>\s*<([\dA-F]+)>\s*<([\dA-F]*)>/gi))
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(until, 16); code++) map.set(code, to)
  }
  return map
}

const programOf = ({ descriptor }: ShownFont) =>
  streamIn(descriptor, 'FontFile2') ?? streamIn(descriptor, 'FontFile3') ?? streamIn(descriptor, 'FontFile')

const fontName = ({ dict }: ShownFont) => nameIn(dict, 'BaseFont')

/** The glyph of a code. */
function glyphOf({ descendant }: ShownFont, code: number): number {
  const map = streamIn(descendant, 'CIDToGIDMap')
  if (map === undefined) return code
  const bytes = bytesOf(map)
  return (bytes[code * 2] ?? 0) * 256 + (bytes[code * 2 + 1] ?? 0)
}

function widthsOf({ descendant }: ShownFont): Map<number, number> {
  const widths = new Map<number, number>()
  const list = arrayIn(descendant, 'W')?.asArray() ?? []
  const value = (item: PDFObject | undefined) => (item instanceof PDFNumber ? item.asNumber() : 0)
  for (let at = 0; at < list.length; ) {
    const [first, second] = [list[at], list[at + 1]]
    if (second instanceof PDFArray) {
      for (const [index, width] of second.asArray().entries()) widths.set(value(first) + index, value(width))
      at += 2
    } else {
      for (let code = value(first); code <= value(second); code++) widths.set(code, value(list[at + 2]))
      at += 3
    }
  }
  return widths
}

/** The number of glyphs in a bare CFF program (Technical Note 5176): the count of its CharStrings. */
function cffGlyphs(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const skip = (at: number) => {
    const count = view.getUint16(at)
    if (count === 0) return { end: at + 2, first: at + 2 }
    const size = bytes[at + 2]!
    const offset = (index: number) => {
      let value = 0
      for (let byte = 0; byte < size; byte++) value = value * 256 + bytes[at + 3 + index * size + byte]!
      return value
    }
    const data = at + 2 + (count + 1) * size
    return { end: data + offset(count), first: data + offset(0) }
  }
  const top = skip(skip(bytes[2]!).end)
  const numbers: number[] = []
  for (let at = top.first; at < top.end; ) {
    const byte = bytes[at]!
    if (byte === 17) return view.getUint16(numbers.at(-1) ?? 0)
    if (byte === 29) numbers.push(view.getInt32(at + 1))
    else if (byte === 28) numbers.push(view.getInt16(at + 1))
    else if (byte >= 32 && byte <= 246) numbers.push(byte - 139)
    else if (byte >= 247 && byte <= 250) numbers.push((byte - 247) * 256 + bytes[at + 1]! + 108)
    if (byte === 30) while ((bytes[++at]! & 15) !== 15);
    at += byte === 29 ? 5 : byte === 28 ? 3 : byte >= 247 && byte <= 254 ? 2 : byte === 12 ? 2 : 1
  }
  return 0
}

/** Subsets have no cmap, so they are no faces for Quire: the tables are read here. */
function trueType(bytes: Uint8Array): Program {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const tables = new Map<string, number>()
  for (let entry = 0; entry < view.getUint16(4); entry++) {
    const at = 12 + entry * 16
    tables.set(Buffer.from(bytes.subarray(at, at + 4)).toString('latin1'), view.getUint32(at + 8))
  }
  const [head = 0, maxp = 0, hhea = 0, hmtx = 0] = ['head', 'maxp', 'hhea', 'hmtx'].map((tag) => tables.get(tag))
  const long = view.getUint16(hhea + 34)
  const em = view.getUint16(head + 18)
  const width = (glyph: number) => (view.getUint16(hmtx + Math.min(glyph, long - 1) * 4) / em) * 1000
  return { glyphs: view.getUint16(maxp + 4), width }
}

interface Program {
  glyphs: number
  /** In thousandths of the em; of PostScript outlines, whose widths are in their programs, it is not read. */
  width?: (glyph: number) => number
}

const faces = new WeakMap<PDFRawStream, Program>()

function programIn(font: ShownFont): Program | undefined {
  const stream = programOf(font)
  if (stream === undefined) return undefined
  let known = faces.get(stream)
  if (known === undefined) {
    const bytes = bytesOf(stream)
    if (has(font.descriptor, 'FontFile2')) known = trueType(bytes)
    else known = { glyphs: has(font.descriptor, 'FontFile3') ? cffGlyphs(bytes) : 0 }
    faces.set(stream, known)
  }
  return known
}

const eachFont =
  (breaks: (font: ShownFont) => boolean): Rule =>
  (file) =>
    file.fonts.filter(breaks).map(fontName)
const eachCode =
  (breaks: (font: ShownFont, code: number) => boolean): Rule =>
  (file) =>
    file.fonts.flatMap((font) =>
      [...font.codes].filter((code) => breaks(font, code)).map((code) => `${fontName(font)} code ${code}`),
    )
const isComposite = ({ dict }: ShownFont) => nameIn(dict, 'Subtype') === 'Type0'
const encodingStream = ({ dict }: ShownFont) => streamIn(dict, 'Encoding')
const systemInfo = (dict: PDFDict | undefined, key: string) => {
  const info = dictIn(dict, 'CIDSystemInfo')
  return textIn(info, key) ?? numberIn(info, key)
}
/** Fonts whose encoding is a CMap of their own. */
const mapped = (breaks: (font: ShownFont, cmap: PDFRawStream) => boolean) =>
  eachFont((font) => {
    const cmap = encodingStream(font)
    return isComposite(font) && cmap !== undefined && breaks(font, cmap)
  })
/** The predefined CMaps (ISO 32000-1, table 118) that Latin and East Asian files use; names of the table's other rows end alike. */
const predefined = /^(?:Identity-[HV]|(?:Uni)?[A-Z][\w-]*-(?:H|V)|H|V)$/
/** A simple TrueType font, by whether its flags call it symbolic. */
const simple = (isSymbolic: boolean, breaks: (font: ShownFont) => boolean) =>
  eachFont(
    (font) =>
      nameIn(font.dict, 'Subtype') === 'TrueType' &&
      (((numberIn(font.descriptor, 'Flags') ?? 0) & 4) !== 0) === isSymbolic &&
      breaks(font),
  )
const differences = ({ dict }: ShownFont) => arrayIn(dictIn(dict, 'Encoding'), 'Differences')
/** Platforms and encodings of the cmap of a font's program. */
function cmapsOf(font: ShownFont): string[] {
  const stream = programOf(font)
  const table = stream && readFace(bytesOf(stream))?.tables.get('cmap')
  if (!table) return []
  return Array.from({ length: table.u16(2) }, (_, index) => `${table.u16(4 + index * 8)},${table.u16(6 + index * 8)}`)
}
const isUnicodeCmap = (cmap: string) => cmap !== '3,0'
/** CharSet and CIDSet: none of the files has one, so both directions ask for the same: what is listed is what there is. */
const cidSet = (font: ShownFont) => streamIn(font.descriptor, 'CIDSet')
function cidsIn(stream: PDFRawStream): Set<number> {
  const cids = new Set<number>()
  for (const [at, byte] of bytesOf(stream).entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (0x80 >> bit)) !== 0) cids.add(at * 8 + bit)
  return cids
}
const type1 = (font: ShownFont) =>
  nameIn(font.dict, 'Subtype') === 'Type1' ? textIn(font.descriptor, 'CharSet') : undefined
/** The glyph names of a Type 1 program that are in clear, which is all that a file of ours could have. */
const glyphNames = (font: ShownFont) => {
  const stream = programOf(font)
  return stream === undefined
    ? []
    : [
        ...Buffer.from(bytesOf(stream))
          .toString('latin1')
          .matchAll(/\/(\w+) \d+ (?:RD|-\|)/g),
      ].map(([, name]) => name!)
}

const widget = ({ subtype }: { subtype: string }) => subtype === 'Widget'
const apart = ['Widget', 'Link', 'PrinterMark', 'Popup']
const known = new Set(
  (
    'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup FileAttachment Sound ' +
    'Movie Widget Screen PrinterMark TrapNet Watermark 3D Redact'
  ).split(' '),
)
const attributesOf = ({ dict }: Element) => {
  const value = dict.lookup(PDFName.of('A'))
  const list = value instanceof PDFArray ? value.asArray().map((item) => dict.context.lookup(item)) : [value]
  return list.filter((item) => item instanceof PDFDict)
}
const configurations = ({ catalog }: OpenedPdf) => {
  const properties = dictIn(catalog, 'OCProperties')
  const others = (arrayIn(properties, 'Configs')?.asArray() ?? []).map((item) => catalog.context.lookup(item))
  return { standard: dictIn(properties, 'D'), others: others.filter((item) => item instanceof PDFDict) }
}
const encryption = ({ document }: OpenedPdf) => {
  const { Encrypt } = document.context.trailerInfo
  const dict = Encrypt instanceof PDFRef ? document.context.lookup(Encrypt) : Encrypt
  return dict instanceof PDFDict ? dict : undefined
}
const headingLevels = (file: OpenedPdf) =>
  file.elements.flatMap(({ role }) => (/^H[1-6]$/.test(role) ? [Number(role[1])] : []))
const noteIds = (file: OpenedPdf) => ofRole(file, 'Note').map(({ dict }) => textIn(dict, 'ID'))
const missing = (isThere: boolean, what: string) => (isThere ? [] : [what])
const media = (file: OpenedPdf) => subtyped(file, 'S', 'MCD')
const fileSpecifications = (file: OpenedPdf) => file.dicts.filter((dict) => has(dict, 'EF'))
const printerMarks = (file: OpenedPdf) => annotations(file).filter(({ subtype }) => subtype === 'PrinterMark')

export const rules: Readonly<Record<string, Rule>> = {
  '01-003': (file) =>
    marked(file, (operation, open) => opens(operation) && open.at(-1) === 'artifact' && open.includes('tagged')),
  '01-004': (file) =>
    marked(file, (operation, open) => opens(operation) && open.at(-1) === 'tagged' && open.includes('artifact')),
  '01-005': (file) =>
    marked(
      file,
      ({ operator }, open) => painting.has(operator) && !open.includes('artifact') && !open.includes('tagged'),
    ),
  '01-007': ({ catalog }) =>
    missing(dictIn(catalog, 'MarkInfo')?.lookup(PDFName.of('Suspects'))?.toString() !== 'true', 'Suspects'),
  '02-001': ({ root, elements }) => {
    const roles = dictIn(root, 'RoleMap')
    return elements.flatMap(({ type, role }) =>
      roleOf(type, roles) !== undefined && !standardTypes.has(role) ? [type] : [],
    )
  },
  '02-003': ({ root, elements }) =>
    elements.flatMap(({ type }) => (roleOf(type, dictIn(root, 'RoleMap')) === undefined ? [type] : [])),
  '02-004': ({ root }) =>
    (dictIn(root, 'RoleMap')?.keys() ?? []).map((key) => key.decodeText()).filter((type) => standardTypes.has(type)),
  '06-001': ({ xmp }) => missing(xmp !== '', 'no XMP'),
  '06-002': ({ xmp }) => missing(/<pdfuaid:part>1<\/pdfuaid:part>/.test(xmp), 'no identifier'),
  '06-003': ({ xmp }) => missing(/<dc:title><rdf:Alt><rdf:li xml:lang="[^"]+">[^<]+</.test(xmp), 'no title'),
  '07-001': ({ catalog }) =>
    missing(has(dictIn(catalog, 'ViewerPreferences'), 'DisplayDocTitle'), 'no DisplayDocTitle'),
  '07-002': ({ catalog }) =>
    missing(
      dictIn(catalog, 'ViewerPreferences')?.lookup(PDFName.of('DisplayDocTitle'))?.toString() !== 'false',
      'false',
    ),
  '09-004': (file) =>
    placed(
      file,
      {
        Table: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'],
        THead: ['TR'],
        TBody: ['TR'],
        TFoot: ['TR'],
        TR: ['TH', 'TD'],
      },
      {
        TR: ['Table', 'THead', 'TBody', 'TFoot'],
        TH: ['TR'],
        TD: ['TR'],
        THead: ['Table'],
        TBody: ['Table'],
        TFoot: ['Table'],
      },
    ),
  '09-005': (file) => placed(file, { L: ['LI', 'Caption', 'L'], LI: ['Lbl', 'LBody'] }, { LI: ['L'], LBody: ['LI'] }),
  '09-006': (file) => placed(file, { TOC: ['TOCI', 'TOC', 'Caption'] }, { TOCI: ['TOC'] }),
  '09-007': (file) => placed(file, { Ruby: ['RB', 'RT', 'RP'] }, { RB: ['Ruby'], RT: ['Ruby'], RP: ['Ruby'] }),
  '09-008': (file) => placed(file, { Warichu: ['WT', 'WP'] }, { WT: ['Warichu'], WP: ['Warichu'] }),
  '10-001': eachCode((font, code) => {
    const text = unicodeOf(font).get(code)
    return text === undefined || text === ''
  }),
  '11-001': (file) =>
    hasLanguage(file)
      ? []
      : file.elements.filter((element) => element.content.length > 0 && !languages(element)).map(named),
  '11-002': (file) =>
    hasLanguage(file)
      ? []
      : file.elements
          .filter(({ dict }) => ['Alt', 'ActualText', 'E'].some((key) => has(dict, key)))
          .filter((element) => !languages(element))
          .map(named),
  '11-003': (file) => missing(hasLanguage(file) || !has(file.catalog, 'Outlines'), 'outline without a language'),
  '11-004': (file) =>
    hasLanguage(file)
      ? []
      : annotations(file)
          .filter(({ ref, annotation }) => has(annotation, 'Contents') && !languages(elementOf(file, ref)))
          .map(({ subtype }) => subtype),
  '11-005': (file) =>
    hasLanguage(file)
      ? []
      : annotations(file)
          .filter(({ ref, annotation }) => has(annotation, 'TU') && !languages(elementOf(file, ref)))
          .map(({ subtype }) => subtype),
  '11-006': (file) => missing(hasLanguage(file) || !/<dc:title>/.test(file.xmp), 'metadata without a language'),
  '13-004': (file) =>
    ofRole(file, 'Figure')
      .filter(({ dict }) => !textIn(dict, 'Alt') && textIn(dict, 'ActualText') === undefined)
      .map(named),
  '14-002': (file) => missing((headingLevels(file)[0] ?? 1) === 1, 'the first heading is not H1'),
  '14-003': (file) => {
    const levels = headingLevels(file)
    return levels.flatMap((level, at) =>
      at > 0 && level > levels[at - 1]! + 1 ? [`H${levels[at - 1]} to H${level}`] : [],
    )
  },
  '14-006': (file) =>
    file.elements.filter(({ elements }) => elements.filter(({ role }) => role === 'H').length > 1).map(named),
  '14-007': (file) => missing(!(ofRole(file, 'H').length > 0 && headingLevels(file).length > 0), 'H and H1 to H6'),
  '15-003': (file) =>
    ofRole(file, 'TH')
      .filter(
        (element) =>
          !attributesOf(element).some((attributes) => has(attributes, 'Scope') || has(attributes, 'Headers')),
      )
      .map(named),
  '17-002': (file) =>
    ofRole(file, 'Formula')
      .filter(({ dict }) => !textIn(dict, 'Alt'))
      .map(named),
  '17-003': (file) => {
    const formulas = new Set(ofRole(file, 'Formula').flatMap(({ content }) => content))
    return file.pages.flatMap(({ ref, dict, operations }) => {
      const resources = dictIn(dictIn(dict, 'Resources'), 'Font')
      const open: (string | undefined)[] = []
      let font: ShownFont | undefined
      const saved: (ShownFont | undefined)[] = []
      return operations.flatMap(({ operator, operands }) => {
        const last = operands.at(-1)
        if (operator === 'q') saved.push(font)
        else if (operator === 'Q') font = saved.pop()
        if (operator === 'BDC' || operator === 'BMC') {
          open.push(last instanceof Map && last.has('/MCID') ? `${ref} ${last.get('/MCID')}` : open.at(-1))
        } else if (operator === 'EMC') open.pop()
        else if (operator === 'Tf') {
          const selected = dictIn(resources, String(operands[0]).slice(1))
          font = file.fonts.find((each) => each.dict === selected)
        } else if (operator === 'Tj' && font && formulas.has(open.at(-1) ?? '')) {
          const codes = unicodeOf(font)
          const bytes = operands[0] as Uint8Array
          for (let at = 0; at + 1 < bytes.length; at += 2)
            if (!codes.get(bytes[at]! * 256 + bytes[at + 1]!))
              return [`${fontName(font)} code ${bytes[at]! * 256 + bytes[at + 1]!}`]
        }
        return []
      })
    })
  },
  '19-003': (file) => noteIds(file).flatMap((id, at) => (id ? [] : [`note ${at}`])),
  '19-004': (file) =>
    noteIds(file)
      .filter((id, at, all) => id !== undefined && all.indexOf(id) !== at)
      .map(String),
  '20-001': (file) =>
    configurations(file)
      .others.filter((each) => !textIn(each, 'Name'))
      .map(String),
  '20-002': (file) => {
    const { standard } = configurations(file)
    return missing(standard === undefined || Boolean(textIn(standard, 'Name')), 'D has no Name')
  },
  '20-003': (file) => {
    const { standard, others } = configurations(file)
    return [...others, ...(standard ? [standard] : [])].filter((each) => has(each, 'AS')).map(String)
  },
  '21-001': (file) =>
    fileSpecifications(file)
      .filter((each) => !has(each, 'F') || !has(each, 'UF'))
      .map(String),
  '25-001': (file) =>
    file.objects.flatMap(([, object]) =>
      object instanceof PDFRawStream &&
      has(dictIn(file.catalog, 'AcroForm'), 'XFA') &&
      /<dynamicRender>\s*required/.test(Buffer.from(bytesOf(object)).toString('latin1'))
        ? ['dynamicRender']
        : [],
    ),
  '26-001': (file) => {
    const encrypt = encryption(file)
    return missing(encrypt === undefined || has(encrypt, 'P'), 'no P')
  },
  '26-002': (file) => {
    const encrypt = encryption(file)
    return missing(
      encrypt === undefined || !has(encrypt, 'P') || ((numberIn(encrypt, 'P') ?? 0) & 0x200) !== 0,
      'bit 10',
    )
  },
  '28-002': (file) =>
    annotations(file)
      .filter(({ ref, subtype }) => !apart.includes(subtype) && elementOf(file, ref)?.role !== 'Annot')
      .map(({ subtype }) => subtype),
  '28-004': (file) =>
    annotations(file)
      .filter((each) => !widget(each) && !['Popup', 'PrinterMark'].includes(each.subtype))
      .filter(({ ref, annotation }) => !textIn(annotation, 'Contents') && !textIn(elementOf(file, ref)?.dict, 'Alt'))
      .map(({ subtype }) => subtype),
  '28-005': (file) =>
    annotations(file)
      .filter(
        (each) => widget(each) && !textIn(each.annotation, 'TU') && !textIn(elementOf(file, each.ref)?.dict, 'Alt'),
      )
      .map(({ subtype }) => subtype),
  '28-006': (file) =>
    annotations(file)
      .filter(({ ref, subtype }) => !known.has(subtype) && elementOf(file, ref)?.role !== 'Annot')
      .map(({ subtype }) => subtype),
  '28-007': (file) =>
    annotations(file)
      .filter(({ subtype }) => subtype === 'TrapNet')
      .map(({ subtype }) => subtype),
  '28-008': (file) =>
    file.pages.flatMap((page, at) =>
      annotationsOf(page).length > 0 && !has(page.dict, 'Tabs') ? [`page ${at + 1}`] : [],
    ),
  '28-009': (file) =>
    file.pages.flatMap((page, at) =>
      annotationsOf(page).length > 0 && has(page.dict, 'Tabs') && nameIn(page.dict, 'Tabs') !== 'S'
        ? [`page ${at + 1}`]
        : [],
    ),
  '28-010': (file) =>
    annotations(file)
      .filter((each) => widget(each) && elementOf(file, each.ref)?.role !== 'Form')
      .map(({ subtype }) => subtype),
  '28-011': (file) =>
    annotations(file)
      .filter(({ ref, subtype }) => subtype === 'Link' && elementOf(file, ref)?.role !== 'Link')
      .map(({ annotation }) => annotation.toString()),
  '28-012': (file) =>
    annotations(file)
      .filter(({ annotation, subtype }) => subtype === 'Link' && !textIn(annotation, 'Contents'))
      .map(({ annotation }) => annotation.toString()),
  '28-014': (file) =>
    media(file)
      .filter((each) => !has(each, 'CT'))
      .map(String),
  '28-015': (file) =>
    media(file)
      .filter((each) => !has(each, 'Alt'))
      .map(String),
  '28-016': (file) =>
    annotations(file)
      .filter(({ annotation, subtype }) => subtype === 'FileAttachment' && !has(dictIn(annotation, 'FS'), 'UF'))
      .map(({ subtype }) => subtype),
  '28-017': (file) =>
    printerMarks(file)
      .filter(({ ref }) => elementOf(file, ref))
      .map(({ subtype }) => subtype),
  '28-018': (file) =>
    printerMarks(file)
      .filter(({ annotation }) => {
        const look = streamIn(dictIn(annotation, 'AP'), 'N')
        return look !== undefined && !Buffer.from(bytesOf(look)).toString('latin1').includes('/Artifact')
      })
      .map(({ subtype }) => subtype),
  '30-001': (file) =>
    formsOf(file)
      .filter(({ form }) => has(form.dict, 'Ref'))
      .map(({ ref }) => `${ref}`),
  '30-002': (file) =>
    formsOf(file)
      .filter(({ ref, form }) => {
        const uses = file.dicts.flatMap((dict) => dict.values().filter((value) => value === ref)).length
        return uses > 1 && Buffer.from(bytesOf(form)).toString('latin1').includes('/MCID')
      })
      .map(({ ref }) => `${ref}`),
  '31-001': mapped((font, cmap) => systemInfo(cmap.dict, 'Registry') !== systemInfo(font.descendant, 'Registry')),
  '31-002': mapped((font, cmap) => systemInfo(cmap.dict, 'Ordering') !== systemInfo(font.descendant, 'Ordering')),
  '31-003': mapped(
    (font, cmap) => Number(systemInfo(font.descendant, 'Supplement')) < Number(systemInfo(cmap.dict, 'Supplement')),
  ),
  '31-004': eachFont((font) => {
    const map = font.descendant?.lookup(PDFName.of('CIDToGIDMap'))
    return map !== undefined && !(map instanceof PDFStream) && nameIn(font.descendant, 'CIDToGIDMap') !== 'Identity'
  }),
  '31-005': eachFont(
    ({ descendant }) => nameIn(descendant, 'Subtype') === 'CIDFontType2' && !has(descendant, 'CIDToGIDMap'),
  ),
  '31-006': eachFont(
    (font) =>
      isComposite(font) && encodingStream(font) === undefined && !predefined.test(nameIn(font.dict, 'Encoding')),
  ),
  '31-007': mapped((_, cmap) => {
    const [, inside = '0'] = /\/WMode\s+(\d)/.exec(Buffer.from(bytesOf(cmap)).toString('latin1')) ?? []
    return (numberIn(cmap.dict, 'WMode') ?? 0) !== Number(inside)
  }),
  '31-008': mapped((_, cmap) => {
    const [, used] = /\/([\w-]+)\s+usecmap/.exec(Buffer.from(bytesOf(cmap)).toString('latin1')) ?? []
    return used !== undefined && !predefined.test(used)
  }),
  '31-009': eachFont((font) => font.codes.size > 0 && programOf(font) === undefined),
  '31-011': eachCode((font, code) => {
    const program = programIn(font)
    return isComposite(font) && program !== undefined && glyphOf(font, code) >= program.glyphs
  }),
  '31-012': eachFont((font) => {
    const set = type1(font)
    return set !== undefined && glyphNames(font).some((name) => name !== '.notdef' && !set.includes(`/${name}`))
  }),
  '31-013': eachFont((font) => {
    const names = glyphNames(font)
    return (type1(font) ?? '').split('/').some((name) => name !== '' && !names.includes(name))
  }),
  '31-014': eachFont((font) => {
    const set = cidSet(font)
    if (set === undefined) return false
    const cids = cidsIn(set)
    return Array.from({ length: programIn(font)?.glyphs ?? 0 }, (_, cid) => cid).some((cid) => !cids.has(cid))
  }),
  '31-015': eachFont((font) => {
    const set = cidSet(font)
    return set !== undefined && [...cidsIn(set)].some((cid) => cid >= (programIn(font)?.glyphs ?? 0))
  }),
  '31-016': eachCode((font, code) => {
    const width = programIn(font)?.width
    if (!isComposite(font) || width === undefined) return false
    return (
      Math.abs((widthsOf(font).get(code) ?? numberIn(font.descendant, 'DW') ?? 1000) - width(glyphOf(font, code))) > 1
    )
  }),
  '31-017': simple(false, (font) => !cmapsOf(font).some(isUnicodeCmap)),
  '31-018': simple(false, (font) => {
    const stream = programOf(font)
    const face = stream && readFace(bytesOf(stream))
    return [...font.codes].some((code) => face?.glyph(code & 0xff) === 0)
  }),
  '31-019': simple(false, ({ dict }) => !has(dict, 'Encoding')),
  '31-020': simple(
    false,
    ({ dict }) => dictIn(dict, 'Encoding') !== undefined && !has(dictIn(dict, 'Encoding'), 'BaseEncoding'),
  ),
  '31-021': simple(false, ({ dict }) => {
    const name = nameIn(dict, 'Encoding') || nameIn(dictIn(dict, 'Encoding'), 'BaseEncoding')
    return name !== '' && name !== 'MacRomanEncoding' && name !== 'WinAnsiEncoding'
  }),
  // Names of the Adobe Glyph List that text of ours could need: letters, and names by code.
  '31-022': simple(false, (font) =>
    (differences(font)?.asArray() ?? []).some(
      (name) => name instanceof PDFName && !/^(?:[A-Za-z]|[a-z]{3,}|uni[\dA-F]{4})$/.test(name.decodeText()),
    ),
  ),
  '31-023': simple(false, (font) => differences(font) !== undefined && !cmapsOf(font).includes('3,1')),
  '31-024': simple(true, ({ dict }) => has(dict, 'Encoding')),
  '31-025': simple(true, (font) => cmapsOf(font).length === 0),
  '31-026': simple(true, (font) => cmapsOf(font).length > 1 && !cmapsOf(font).includes('3,0')),
  '31-027': eachFont((font) => font.codes.size > 0 && isComposite(font) && !has(font.dict, 'ToUnicode')),
  '31-028': eachFont((font) => [...unicodeOf(font).values()].some((text) => /^(?:....)*0000/.test(text))),
  '31-029': eachFont((font) => [...unicodeOf(font).values()].some((text) => /^(?:....)*(?:FEFF|FFFE)/i.test(text))),
  '31-030': eachCode((font, code) => isComposite(font) && glyphOf(font, code) === 0),
}

/** What breaks each rule that a file breaks. */
export function broken(file: OpenedPdf, all: Readonly<Record<string, Rule>> = rules): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(all)
      .map(([id, rule]) => [id, rule(file)] as const)
      .filter(([, found]) => found.length > 0),
  )
}
