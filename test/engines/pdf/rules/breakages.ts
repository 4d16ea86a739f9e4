/** For each condition of `matterhorn.ts` a change to a good file that breaks it. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFObject,
  type PDFRef,
  PDFString,
} from 'pdf-lib'
import { embeddedSources } from '../../../../src/engines/pdf/font/embedded.ts'
import { arrayIn, dictIn, type Element, nameIn, type OpenedPdf, type ShownFont, streamIn } from './opened.ts'

export type Change = (file: OpenedPdf) => void

/** What an object of the file is made of; strings are names. */
type Literal = string | number | boolean | PDFObject | readonly Literal[] | { readonly [key: string]: Literal }

function objectOf(context: PDFContext, value: Literal): PDFObject {
  if (value instanceof PDFObject) return value
  if (typeof value === 'string') return PDFName.of(value)
  if (typeof value === 'number') return PDFNumber.of(value)
  if (typeof value === 'boolean') return value ? PDFBool.True : PDFBool.False
  if (isList(value)) {
    const list = PDFArray.withContext(context)
    for (const item of value) list.push(objectOf(context, item))
    return list
  }
  const dict = PDFDict.withContext(context)
  for (const [key, item] of Object.entries(value)) dict.set(PDFName.of(key), objectOf(context, item))
  return dict
}

function isList(value: object): value is readonly Literal[] {
  return Array.isArray(value)
}

const set = (dict: PDFDict | undefined, values: Record<string, Literal>) => {
  for (const [key, value] of Object.entries(values)) dict!.set(PDFName.of(key), objectOf(dict!.context, value))
}
const drop = (dict: PDFDict | undefined, ...keys: string[]) => {
  for (const key of keys) dict!.delete(PDFName.of(key))
}
const first = (file: OpenedPdf, role: string): Element => {
  const found = file.elements.find((element) => element.role === role)
  if (!found) throw new Error(`the file has no ${role}`)
  return found
}
const retype = (role: string, type: string) => (file: OpenedPdf) => set(first(file, role).dict, { S: type })
const add = (file: OpenedPdf, value: Literal) => file.document.context.register(objectOf(file.document.context, value))
const stream = (file: OpenedPdf, text: string | Uint8Array, values: Record<string, Literal> = {}): PDFRef => {
  const made = file.document.context.flateStream(text)
  set(made.dict, values)
  return file.document.context.register(made)
}

/** Another content of the page of that number. */
const content =
  (change: (text: string) => string, page = 0): Change =>
  (file) => {
    const { dict } = file.pages[page]!
    const old = streamIn(dict, 'Contents')!
    const text = Buffer.from(decodePDFRawStream(old).decode()).toString('latin1')
    const changed = change(text)
    if (changed === text) throw new Error('nothing in the content was changed')
    dict.set(PDFName.of('Contents'), stream(file, Buffer.from(changed, 'latin1')))
  }
const xmp =
  (change: (text: string) => string): Change =>
  (file) => {
    if (change(file.xmp) === file.xmp) throw new Error('nothing in the metadata was changed')
    file.catalog.set(
      PDFName.of('Metadata'),
      stream(file, Buffer.from(change(file.xmp), 'utf8'), { Type: 'Metadata', Subtype: 'XML' }),
    )
  }
const encrypted =
  (values: Record<string, Literal>): Change =>
  ({ document: { context } }) => {
    context.trailerInfo.Encrypt = objectOf(context, values)
  }
const noLanguage: Change = ({ catalog }) => drop(catalog, 'Lang')

/** Another annotation on the first page, in the structure where an element is named. */
const annotation =
  (values: Record<string, Literal>, role?: string): Change =>
  (file) => {
    const page = file.pages[0]!.dict
    const ref = add(file, { Type: 'Annot', Rect: [0, 0, 9, 9], ...values })
    arrayIn(page, 'Annots')!.push(ref)
    if (role === undefined) return
    const parent = file.elements[0]!.dict
    const kid = add(file, { S: role, K: [{ Type: 'OBJR', Obj: ref }] })
    ;(parent.lookup(PDFName.of('K')) as PDFArray).push(kid)
  }
const link = (file: OpenedPdf): PDFDict => file.dicts.find((dict) => nameIn(dict, 'Subtype') === 'Link')!
const kidOf = (parent: string, kid: Record<string, Literal>) => (file: OpenedPdf) => {
  const element = first(file, parent).dict
  ;(element.lookup(PDFName.of('K')) as PDFArray).push(add(file, kid))
}

const font =
  (change: (font: ShownFont, file: OpenedPdf) => void): Change =>
  (file) =>
    change(file.fonts[0]!, file)
/** The font with a CMap of its own instead of Identity-H. */
const cmap = (values: Record<string, Literal>, text = ''): Change =>
  font(({ dict }, file) =>
    dict.set(
      PDFName.of('Encoding'),
      stream(file, text, {
        Type: 'CMap',
        CIDSystemInfo: {
          Registry: PDFString.of('Adobe'),
          Ordering: PDFString.of('Identity'),
          Supplement: 0,
        },
        ...values,
      }),
    ),
  )
/** Strings are names where they are not wrapped. */
const systemInfo = (registry: string, ordering: string, supplement: number) => ({
  CIDSystemInfo: { Registry: PDFString.of(registry), Ordering: PDFString.of(ordering), Supplement: supplement },
})
const unicode = (from: RegExp, to: string): Change =>
  font(({ dict }, file) => {
    const old = Buffer.from(decodePDFRawStream(streamIn(dict, 'ToUnicode')!).decode()).toString('latin1')
    if (!from.test(old)) throw new Error('nothing in the map was changed')
    dict.set(PDFName.of('ToUnicode'), stream(file, old.replace(from, to)))
  })

/** Arimo whole, with another platform and encoding in each entry of its cmap. */
function whole(platform: number, encoding: number, entries?: number): Uint8Array {
  const bytes = Buffer.from(embeddedSources()[0]!.read())
  const at = bytes.readUInt32BE(bytes.indexOf('cmap') + 8)
  if (entries !== undefined) bytes.writeUInt16BE(entries, at + 2)
  for (let entry = 0; entry < bytes.readUInt16BE(at + 2); entry++) {
    bytes.writeUInt16BE(platform, at + 4 + entry * 8)
    bytes.writeUInt16BE(encoding, at + 6 + entry * 8)
  }
  return new Uint8Array(bytes)
}

/** The font as a simple one over this program. */
const simple = (flags: number, program: Uint8Array, values: Record<string, Literal>): Change =>
  font(({ dict, descriptor }, file) => {
    set(descriptor, { Flags: flags })
    descriptor!.set(PDFName.of('FontFile2'), stream(file, program))
    const ref = file.document.context.getObjectRef(descriptor!)!
    drop(dict, 'DescendantFonts', 'Encoding')
    set(dict, { Subtype: 'TrueType', FontDescriptor: ref, ...values })
  })
const type1 = (charSet: string, program: string): Change =>
  font(({ dict, descriptor }, file) => {
    drop(descriptor, 'FontFile2')
    descriptor!.set(PDFName.of('FontFile'), stream(file, program))
    descriptor!.set(PDFName.of('CharSet'), PDFString.of(charSet))
    const ref = file.document.context.getObjectRef(descriptor!)!
    drop(dict, 'DescendantFonts', 'Encoding')
    set(dict, { Subtype: 'Type1', FontDescriptor: ref })
  })
const cidSet = (bytes: Uint8Array): Change =>
  font(({ descriptor }, file) => descriptor!.set(PDFName.of('CIDSet'), stream(file, bytes)))
const form =
  (values: Record<string, Literal>, text = ''): Change =>
  (file) => {
    const ref = stream(file, text, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1], ...values })
    const resources = dictIn(dictIn(file.pages[0]!.dict, 'Resources'), 'XObject')!
    resources.set(PDFName.of('Fm1'), ref)
    resources.set(PDFName.of('Fm2'), ref)
  }
export const breakages: Readonly<Record<string, Change>> = {
  '01-003': content((text) => text.replace(/\/\w+<<\/MCID 0>>BDC\n/, (begin) => `${begin}/Artifact BMC\nEMC\n`)),
  '01-004': content((text) => `/Artifact BMC\n/P<</MCID 0>>BDC\nEMC\nEMC\n${text}`),
  '01-005': content((text) => `${text}\n0 0 9 9 re\nf\n`),
  '01-007': ({ catalog }) => set(dictIn(catalog, 'MarkInfo'), { Suspects: true }),
  '02-001': (file) => {
    set(first(file, 'P').dict, { S: 'Words' })
    set(file.root, { RoleMap: { Words: 'Wording' } })
  },
  '02-003': (file) => {
    set(first(file, 'P').dict, { S: 'Words' })
    set(file.root, { RoleMap: { Words: 'Wording', Wording: 'Words' } })
  },
  '02-004': ({ root }) => set(root, { RoleMap: { P: 'Div' } }),
  '06-001': ({ catalog }) => drop(catalog, 'Metadata'),
  '06-002': xmp((text) => text.replace('<pdfuaid:part>1</pdfuaid:part>', '')),
  '06-003': xmp((text) => text.replace(/<dc:title>.*<\/dc:title>/, '')),
  '07-001': ({ catalog }) => drop(dictIn(catalog, 'ViewerPreferences'), 'DisplayDocTitle'),
  '07-002': ({ catalog }) => set(dictIn(catalog, 'ViewerPreferences'), { DisplayDocTitle: false }),
  '09-004': retype('TR', 'Div'),
  '09-005': retype('LI', 'P'),
  '09-006': kidOf('P', { S: 'TOCI', K: [] }),
  '09-007': kidOf('P', { S: 'RT', K: [] }),
  '09-008': kidOf('P', { S: 'WT', K: [] }),
  '10-001': unicode(/^<0001> <[\dA-F]+>$/m, '<0001> <>'),
  '11-001': noLanguage,
  '11-002': noLanguage,
  '11-003': noLanguage,
  '11-004': noLanguage,
  '11-005': (file) => {
    noLanguage(file)
    annotation({ Subtype: 'Widget', TU: PDFString.of('Name') }, 'Form')(file)
  },
  '11-006': noLanguage,
  '13-004': (file) => drop(first(file, 'Figure').dict, 'Alt'),
  '14-002': (file) => set(first(file, 'H1').dict, { S: 'H2' }),
  '14-003': (file) => set(first(file, 'H2').dict, { S: 'H3' }),
  '14-006': (file) => {
    for (const { dict, role } of file.elements) if (/^H\d$/.test(role)) set(dict, { S: 'H' })
  },
  '14-007': (file) => set(first(file, 'H2').dict, { S: 'H' }),
  '15-003': (file) => drop(first(file, 'TH').dict, 'A'),
  '17-002': (file) => drop(first(file, 'Formula').dict, 'Alt'),
  '17-003': (file) => {
    for (const { dict } of file.fonts) dict.set(PDFName.of('ToUnicode'), stream(file, ''))
  },
  '19-003': (file) => drop(first(file, 'Note').dict, 'ID'),
  '19-004': (file) => {
    for (const { dict, role } of file.elements) if (role === 'Note') dict.set(PDFName.of('ID'), PDFString.of('note'))
  },
  '20-001': ({ catalog }) => set(catalog, { OCProperties: { D: { Name: PDFString.of('a') }, Configs: [{}] } }),
  '20-002': ({ catalog }) => set(catalog, { OCProperties: { D: {} } }),
  '20-003': ({ catalog }) => set(catalog, { OCProperties: { D: { Name: PDFString.of('a'), AS: [] } } }),
  '21-001': (file) => void add(file, { Type: 'Filespec', F: PDFString.of('a'), EF: {} }),
  '25-001': (file) => {
    const ref = stream(file, '<config><dynamicRender>required</dynamicRender></config>')
    set(file.catalog, { AcroForm: { Fields: [], XFA: ref } })
  },
  '26-001': encrypted({ Filter: 'Standard' }),
  '26-002': encrypted({ Filter: 'Standard', P: -3904 & ~0x200 }),
  '28-002': annotation({ Subtype: 'Text', Contents: PDFString.of('a') }),
  '28-004': annotation({ Subtype: 'Text' }, 'Annot'),
  '28-005': annotation({ Subtype: 'Widget' }, 'Form'),
  '28-006': annotation({ Subtype: 'Strange', Contents: PDFString.of('a') }),
  '28-007': annotation({ Subtype: 'TrapNet', Contents: PDFString.of('a') }, 'Annot'),
  '28-008': ({ pages }) => drop(pages[0]!.dict, 'Tabs'),
  '28-009': ({ pages }) => set(pages[0]!.dict, { Tabs: 'R' }),
  '28-010': annotation({ Subtype: 'Widget', TU: PDFString.of('Name') }, 'P'),
  '28-011': retype('Link', 'Span'),
  '28-012': (file) => drop(link(file), 'Contents'),
  '28-014': (file) => void add(file, { S: 'MCD', Alt: [] }),
  '28-015': (file) => void add(file, { S: 'MCD', CT: PDFString.of('a/b') }),
  '28-016': annotation({ Subtype: 'FileAttachment', Contents: PDFString.of('a'), FS: {} }, 'Annot'),
  '28-017': annotation({ Subtype: 'PrinterMark' }, 'Annot'),
  '28-018': (file) => annotation({ Subtype: 'PrinterMark', AP: { N: stream(file, '0 0 9 9 re f') } })(file),
  '30-001': form({ Ref: {} }),
  '30-002': form({}, '/P<</MCID 0>>BDC EMC'),
  '31-001': cmap(systemInfo('Other', 'Identity', 0)),
  '31-002': cmap(systemInfo('Adobe', 'Japan1', 0)),
  '31-003': cmap(systemInfo('Adobe', 'Identity', 3)),
  '31-004': font(({ descendant }) => set(descendant, { CIDToGIDMap: 'Strange' })),
  '31-005': font(({ descendant }) => drop(descendant, 'CIDToGIDMap')),
  '31-006': font(({ dict }) => set(dict, { Encoding: 'Own' })),
  '31-007': cmap({ WMode: 1 }, '/WMode 0 def'),
  '31-008': cmap({}, '/own usecmap'),
  '31-009': font(({ descriptor }) => drop(descriptor, 'FontFile2')),
  '31-011': content((text) => text.replace(/\(.*?\)\s*Tj/s, '<fff0> Tj')),
  '31-012': type1('/A', '/A 9 RD /B 9 RD'),
  '31-013': type1('/A/B', '/A 9 RD'),
  '31-014': cidSet(Uint8Array.of(0x80)),
  '31-015': cidSet(new Uint8Array(8_000).fill(0xff)),
  '31-016': font(({ descendant }) => set(descendant, { W: [0, 9_999, 5] })),
  '31-017': simple(32, whole(3, 0), { Encoding: 'WinAnsiEncoding' }),
  '31-018': simple(32, whole(3, 1, 0), { Encoding: 'WinAnsiEncoding' }),
  '31-019': simple(32, whole(3, 1), {}),
  '31-020': simple(32, whole(3, 1), { Encoding: { Differences: [] } }),
  '31-021': simple(32, whole(3, 1), { Encoding: 'StandardEncoding' }),
  '31-022': simple(32, whole(3, 1), { Encoding: { BaseEncoding: 'WinAnsiEncoding', Differences: [1, 'x-1'] } }),
  '31-023': simple(32, whole(0, 3), { Encoding: { BaseEncoding: 'WinAnsiEncoding', Differences: [1, 'A'] } }),
  '31-024': simple(4, whole(3, 0), { Encoding: 'WinAnsiEncoding' }),
  '31-025': simple(4, whole(3, 0, 0), {}),
  '31-026': simple(4, whole(3, 1), {}),
  '31-027': font(({ dict }) => drop(dict, 'ToUnicode')),
  '31-028': unicode(/^<0001> <[\dA-F]+>$/m, '<0001> <0000>'),
  '31-029': unicode(/^<0001> <[\dA-F]+>$/m, '<0001> <FEFF>'),
  '31-030': content((text) => text.replace(/\(.*?\)\s*Tj/s, '<0000> Tj')),
}

const long = 'n'.repeat(130)

/** The same for the rules of `pdfa.ts`. What is about the file as bytes is changed in the test. */
export const pdfaBreakages: Readonly<Record<string, Change>> = {
  '6.1.3 trailer': encrypted({ P: 0 }),
  '6.1.7 streams': (file) => void stream(file, 'a', { F: PDFString.of('elsewhere') }),
  '6.1.8 names': (file) => void add(file, { Strange: long }),
  '6.1.12 permissions': ({ catalog }) => set(catalog, { Perms: { Other: {} } }),
  '6.1.13 limits': content((text) => `${'q '.repeat(29)}${'Q '.repeat(29)}${text}`),
  '6.2.2 operators': content((text) => `${text}\n1 strange\n`),
  '6.2.2 resources': content((text) => `${text}\n/None gs\n`),
  '6.2.3 output intent': ({ catalog }) => drop(catalog, 'OutputIntents'),
  '6.2.4.3 colours': content((text) => `0 0 0 1 k\n${text}`),
  '6.2.4.4 inks': (file) =>
    void add(file, ['DeviceN', Array.from({ length: 33 }, (_, index) => `Ink${index}`), 'DeviceRGB', {}]),
  '6.2.5 states': (file) => void add(file, { Type: 'ExtGState', TR: 'Identity' }),
  '6.2.6 intents': content((text) => `/Strange ri\n${text}`),
  '6.2.8 pictures': (file) => void add(file, { Subtype: 'Image', Interpolate: true }),
  '6.2.9 forms': (file) => void add(file, { Subtype: 'Form', OPI: {} }),
  '6.2.10 transparency': (file) => void add(file, { Type: 'ExtGState', BM: 'Strange' }),
  '6.2.11.4 embedded': breakages['31-009']!,
  '6.2.11.5 widths': breakages['31-016']!,
  '6.2.11.7 characters (2a)': breakages['31-027']!,
  '6.2.11.8 .notdef': breakages['31-030']!,
  '6.3.1 annotations': annotation({ Subtype: 'Movie', F: 4 }),
  '6.3.2 flags': (file) => set(link(file), { F: 6 }),
  '6.3.3 appearances': annotation({ Subtype: 'Text', F: 4 }),
  '6.4 forms': ({ catalog }) => set(catalog, { AcroForm: { NeedAppearances: true } }),
  '6.5.1 actions': (file) => set(link(file), { A: { S: 'Launch' } }),
  '6.5.2 triggers': ({ catalog }) => set(catalog, { AA: {} }),
  '6.6.2 metadata': xmp((text) =>
    text
      .replace('<?xpacket begin=', '<?xpacket bytes="9" begin=')
      .replace('<?xpacket bytes', '<?xpacket begin="" bytes'),
  ),
  '6.6.2.3 extensions': xmp((text) => text.replace('<pdf:Producer>', '<own:Note>a</own:Note><pdf:Producer>')),
  '6.6.3 information': ({ document }) => document.setTitle('Another title'),
  '6.6.4 identification': xmp((text) => text.replace('<pdfaid:part>2', '<pdfaid:part>7')),
  '6.7.2 tagged (2a)': ({ catalog }) => drop(catalog, 'MarkInfo'),
  '6.7.3 structure (2a)': breakages['02-001']!,
  '6.7.4 language': ({ catalog }) => catalog.set(PDFName.of('Lang'), PDFString.of('no such language')),
  '6.8 attachments': (file) => void add(file, { Type: 'Filespec', EF: {} }),
  '6.9 layers': breakages['20-002']!,
  '6.10 presentations': ({ pages }) => set(pages[0]!.dict, { PresSteps: {} }),
  '6.11 requirements': ({ catalog }) => set(catalog, { Requirements: [] }),
}
