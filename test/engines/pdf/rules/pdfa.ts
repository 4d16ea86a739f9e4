/**
 * Rules of ISO 19005-2 (PDF/A-2b, and where it says so 2a) that a program can decide without drawing the page, by the numbers of its
 * clauses. Those of fonts are in `matterhorn.ts`: both standards ask the same of them.
 */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib'
import { rules as accessibility, type Rule } from './matterhorn.ts'
import { arrayIn, bytesOf, dictIn, has, nameIn, numberIn, type OpenedPdf, streamIn, textIn } from './opened.ts'

/** Every value in the file, those of nested dictionaries and arrays too. */
function* values(file: OpenedPdf): Generator<PDFObject> {
  const queue = file.objects.map(([, object]) => object)
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    yield object
    if (object instanceof PDFArray) queue.push(...object.asArray())
    else if (object instanceof PDFDict) for (const [key, value] of object.entries()) queue.push(key, value)
    else if (object instanceof PDFStream) queue.push(object.dict)
  }
}

const found = (isFound: boolean, what: string) => (isFound ? [what] : [])
const withKeys = (file: OpenedPdf, isOf: (dict: PDFDict) => boolean, ...keys: string[]) =>
  file.dicts.flatMap((dict) => (isOf(dict) ? keys.filter((key) => has(dict, key)) : []))
const streams = (file: OpenedPdf) =>
  file.objects.flatMap(([, object]) => (object instanceof PDFRawStream ? [object.dict] : []))
const ofSubtype = (subtype: string) => (dict: PDFDict) => nameIn(dict, 'Subtype') === subtype
const filters = (dict: PDFDict) => {
  const filter = dict.lookup(PDFName.of('Filter'))
  return filter instanceof PDFArray ? filter.asArray().map(String) : [String(filter)]
}
const annotations = (file: OpenedPdf) =>
  file.pages.flatMap(({ dict }) =>
    (arrayIn(dict, 'Annots')?.asArray() ?? []).flatMap((ref) => {
      const annotation = dict.context.lookup(ref)
      return annotation instanceof PDFDict ? [annotation] : []
    }),
  )
const actions = (file: OpenedPdf) =>
  file.dicts.filter((dict) => has(dict, 'S') && (nameIn(dict, 'Type') === 'Action' || isAction(nameIn(dict, 'S'))))
const forbiddenActions =
  'Launch Sound Movie ResetForm ImportData Hide SetOCGState Rendition Trans GoTo3DView JavaScript'.split(' ')
const isAction = (name: string) => ['URI', 'GoTo', 'Named', ...forbiddenActions].includes(name)
const intents = ({ catalog }: OpenedPdf) =>
  (arrayIn(catalog, 'OutputIntents')?.asArray() ?? []).flatMap((item) => {
    const intent = item instanceof PDFRef ? catalog.context.lookup(item) : item
    return intent instanceof PDFDict ? [intent] : []
  })
const flagged = (dict: PDFDict, bit: number) => ((numberIn(dict, 'F') ?? 0) & (1 << (bit - 1))) !== 0
const xmpValue = ({ xmp }: OpenedPdf, property: string) =>
  new RegExp(`<${property}>(?:<rdf:(?:Alt|Seq)><rdf:li[^>]*>)?([^<]*)`).exec(xmp)?.[1]
const unescaped = (text: string | undefined) =>
  text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const info = ({ document }: OpenedPdf) => {
  const { Info } = document.context.trailerInfo
  const dict = Info instanceof PDFRef ? document.context.lookup(Info) : Info
  return dict instanceof PDFDict ? dict : undefined
}
const properties = [
  ['Title', 'dc:title'],
  ['Author', 'dc:creator'],
  ['Subject', 'dc:description'],
  ['Producer', 'pdf:Producer'],
] as const
/** Operators of ISO 32000-1, annex A. */
const operators = new Set(
  (
    `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg ri s S SC sc SCN ` +
    `scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`
  ).split(' '),
)
const blendModes =
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  )

export const pdfaRules: Readonly<Record<string, Rule>> = {
  '6.1.2 header': ({ bytes }) => {
    const head = Buffer.from(bytes.subarray(0, 20)).toString('latin1')
    return found(!/^%PDF-1\.[0-7]\r?\n%[\x80-\xff]{4}/.test(head), head)
  },
  '6.1.3 trailer': ({ document, bytes }) => [
    ...found(!document.context.trailerInfo.ID, 'no ID'),
    ...found(Boolean(document.context.trailerInfo.Encrypt), 'encrypted'),
    ...found(!/%%EOF\r?\n?$/.test(Buffer.from(bytes.subarray(-8)).toString('latin1')), 'bytes behind the end'),
  ],
  '6.1.7 streams': (file) => [
    ...streams(file).flatMap((dict) => ['F', 'FFilter', 'FDecodeParms'].filter((key) => has(dict, key))),
    ...streams(file).flatMap((dict) => filters(dict).filter((filter) => /LZW|Crypt/.test(filter))),
  ],
  '6.1.8 names': (file) =>
    [...values(file)].flatMap((value) =>
      value instanceof PDFName && Buffer.byteLength(value.decodeText()) > 127 ? [String(value)] : [],
    ),
  '6.1.12 permissions': ({ catalog }) =>
    (dictIn(catalog, 'Perms')?.keys() ?? []).map(String).filter((key) => key !== '/UR3' && key !== '/DocMDP'),
  '6.1.13 limits': (file) => [
    ...found(file.objects.length > 8_388_607, 'objects'),
    ...[...values(file)].flatMap((value) => {
      if (value instanceof PDFString || value instanceof PDFHexString)
        return found(value.asBytes().length > 32_767, 'string')
      return value instanceof PDFNumber ? found(Math.abs(value.asNumber()) > 2_147_483_647, String(value)) : []
    }),
    ...file.pages.flatMap(({ operations }, index) => {
      let depth = 0
      let most = 0
      for (const { operator } of operations) {
        if (operator === 'q') most = Math.max(most, ++depth)
        if (operator === 'Q') depth--
      }
      return [
        ...found(most > 28, `page ${index + 1}: ${most} states`),
        ...found(depth !== 0, `page ${index + 1}: q and Q`),
      ]
    }),
    ...file.pages.flatMap(({ operations }) =>
      operations.flatMap(({ operands }) =>
        operands.flat().flatMap((operand) => found(operand instanceof Uint8Array && operand.length > 32_767, 'string')),
      ),
    ),
  ],
  '6.2.2 operators': (file) =>
    file.pages.flatMap(({ operations }) =>
      operations.map(({ operator }) => operator).filter((each) => !operators.has(each)),
    ),
  '6.2.2 resources': (file) =>
    file.pages.flatMap(({ dict, operations }) => {
      const resources = dictIn(dict, 'Resources')
      const kinds: Record<string, string> = { Tf: 'Font', Do: 'XObject', gs: 'ExtGState', sh: 'Shading' }
      return operations.flatMap(({ operator, operands }) => {
        const kind = kinds[operator]
        const name = String(operands[0]).slice(1)
        return kind !== undefined && !has(dictIn(resources, kind), name) ? [`${operator} ${name}`] : []
      })
    }),
  '6.2.3 output intent': (file) => {
    const own = intents(file).filter((intent) => nameIn(intent, 'S') === 'GTS_PDFA1')
    const profile = streamIn(own[0], 'DestOutputProfile')
    if (own.length !== 1 || profile === undefined) return ['not one intent with a profile']
    const bytes = Buffer.from(bytesOf(profile))
    return [
      ...found(numberIn(profile.dict, 'N') !== 3 || bytes.toString('latin1', 16, 20) !== 'RGB ', 'not RGB'),
      ...found(bytes.length !== bytes.readUInt32BE(0) || bytes.toString('latin1', 36, 40) !== 'acsp', 'no ICC profile'),
      ...found(bytes[8]! > 4, 'version of the profile'),
    ]
  },
  '6.2.4.3 colours': (file) => [
    ...[...values(file)].flatMap((value) =>
      found(value instanceof PDFName && value.decodeText() === 'DeviceCMYK', 'DeviceCMYK'),
    ),
    ...file.pages.flatMap(({ operations }) =>
      operations.flatMap(({ operator }) => found(operator === 'k' || operator === 'K', operator)),
    ),
  ],
  '6.2.4.4 inks': (file) =>
    [...values(file)].flatMap((value) =>
      value instanceof PDFArray && String(value.get(0)) === '/DeviceN'
        ? found((value.lookup(1) as PDFArray).size() > 32, 'DeviceN')
        : [],
    ),
  '6.2.5 states': (file) => [
    ...withKeys(file, (dict) => nameIn(dict, 'Type') === 'ExtGState', 'TR', 'HTP', 'HTO'),
    ...file.dicts.map((dict) => nameIn(dict, 'TR2')).filter((name) => name !== '' && name !== 'Default'),
  ],
  '6.2.6 intents': (file) =>
    file.pages.flatMap(({ operations }) =>
      operations.flatMap(({ operator, operands }) =>
        found(
          operator === 'ri' &&
            !/^\/(?:RelativeColorimetric|AbsoluteColorimetric|Perceptual|Saturation)$/.test(String(operands[0])),
          String(operands[0]),
        ),
      ),
    ),
  '6.2.8 pictures': (file) => [
    ...withKeys(file, ofSubtype('Image'), 'Alternates', 'OPI'),
    ...file.dicts.flatMap((dict) => found(dict.lookup(PDFName.of('Interpolate')) === PDFBool.True, 'Interpolate')),
    ...file.dicts.flatMap((dict) => {
      const bits = numberIn(dict, 'BitsPerComponent')
      return found(ofSubtype('Image')(dict) && bits !== undefined && ![1, 2, 4, 8, 16].includes(bits), `${bits} bits`)
    }),
  ],
  '6.2.9 forms': (file) => [
    ...withKeys(file, ofSubtype('Form'), 'OPI', 'PS', 'Ref', 'Subtype2'),
    ...found(file.dicts.some(ofSubtype('PS')), 'PS'),
  ],
  '6.2.10 transparency': (file) => [
    ...file.dicts.map((dict) => nameIn(dict, 'BM')).filter((mode) => mode !== '' && !blendModes.includes(mode)),
    ...file.dicts.flatMap((dict) =>
      [numberIn(dict, 'CA'), numberIn(dict, 'ca')]
        .filter((alpha) => alpha !== undefined && (alpha < 0 || alpha > 1))
        .map(String),
    ),
  ],
  '6.2.11.4 embedded': (file) => accessibility['31-009']!(file),
  '6.2.11.5 widths': (file) => accessibility['31-016']!(file),
  '6.2.11.7 characters (2a)': (file) => ['31-027', '31-028', '31-029'].flatMap((id) => accessibility[id]!(file)),
  '6.2.11.8 .notdef': (file) => accessibility['31-030']!(file),
  '6.3.1 annotations': (file) =>
    annotations(file)
      .map((dict) => nameIn(dict, 'Subtype'))
      .filter((name) => ['3D', 'Sound', 'Screen', 'Movie', ''].includes(name)),
  '6.3.2 flags': (file) =>
    annotations(file)
      .filter((dict) => nameIn(dict, 'Subtype') !== 'Popup')
      .filter((dict) => !flagged(dict, 3) || [1, 2, 6, 9].some((bit) => flagged(dict, bit)))
      .map((dict) => `${nameIn(dict, 'Subtype')} ${numberIn(dict, 'F')}`),
  '6.3.3 appearances': (file) =>
    annotations(file)
      .filter((dict) => !['Popup', 'Link'].includes(nameIn(dict, 'Subtype')) && !has(dictIn(dict, 'AP'), 'N'))
      .map((dict) => nameIn(dict, 'Subtype')),
  '6.4 forms': ({ catalog }) => {
    const form = dictIn(catalog, 'AcroForm')
    return [
      ...found(form?.lookup(PDFName.of('NeedAppearances')) === PDFBool.True, 'NeedAppearances'),
      ...found(has(form, 'XFA'), 'XFA'),
    ]
  },
  '6.5.1 actions': (file) =>
    actions(file).flatMap((dict) => {
      const name = nameIn(dict, 'S')
      const step = nameIn(dict, 'N')
      return found(
        forbiddenActions.includes(name) ||
          (name === 'Named' && !['NextPage', 'PrevPage', 'FirstPage', 'LastPage'].includes(step)),
        name,
      )
    }),
  '6.5.2 triggers': (file) =>
    found(
      file.dicts.some((dict) => has(dict, 'AA')),
      'AA',
    ),
  '6.6.2 metadata': ({ catalog, xmp }) => {
    const stream = dictIn(catalog, 'Metadata')
    return [
      ...found(nameIn(stream, 'Type') !== 'Metadata' || nameIn(stream, 'Subtype') !== 'XML', 'no XMP'),
      ...found(/<\?xpacket begin[^>]*(?:bytes|encoding)=/.test(xmp), 'bytes or encoding'),
      ...found(!/^<\?xpacket begin=.*<\?xpacket end=['"][wr]['"]\?>\s*$/s.test(xmp), 'no packet'),
    ]
  },
  '6.6.2.3 extensions': ({ xmp }) =>
    [...xmp.matchAll(/<(\w+):\w+[ >]/g)]
      .map(([, prefix = '']) => prefix)
      .filter(
        (prefix) =>
          !['x', 'rdf', 'dc', 'pdf', 'xmp', 'pdfaid', 'pdfaExtension', 'pdfaSchema', 'pdfaProperty'].includes(prefix),
      )
      .filter((prefix) => !xmp.includes(`<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>`)),
  '6.6.3 information': (file) =>
    properties.flatMap(([key, property]) => {
      const stated = textIn(info(file), key)
      return found(stated !== undefined && stated !== unescaped(xmpValue(file, property)), key)
    }),
  '6.6.4 identification': (file) =>
    found(
      xmpValue(file, 'pdfaid:part') !== '2' || !/^[ABU]$/.test(xmpValue(file, 'pdfaid:conformance') ?? ''),
      'pdfaid',
    ),
  '6.7.2 tagged (2a)': ({ catalog, root }) => [
    ...found(dictIn(catalog, 'MarkInfo')?.lookup(PDFName.of('Marked')) !== PDFBool.True, 'Marked'),
    ...found(root === undefined, 'no structure'),
  ],
  '6.7.3 structure (2a)': (file) => ['02-001', '02-003', '02-004'].flatMap((id) => accessibility[id]!(file)),
  '6.7.4 language': ({ dicts }) =>
    dicts
      .map((dict) => textIn(dict, 'Lang'))
      .filter((tag) => tag !== undefined && tag !== '' && !/^[a-zA-Z]{1,8}(?:-[a-zA-Z\d]{1,8})*$/.test(tag))
      .map(String),
  '6.8 attachments': (file) =>
    found(
      file.dicts.some((dict) => has(dict, 'EF')),
      'EF',
    ),
  '6.9 layers': (file) => ['20-001', '20-002', '20-003'].flatMap((id) => accessibility[id]!(file)),
  '6.10 presentations': ({ catalog, pages }) => [
    ...found(has(dictIn(catalog, 'Names'), 'AlternatePresentations'), 'AlternatePresentations'),
    ...found(
      pages.some(({ dict }) => has(dict, 'PresSteps')),
      'PresSteps',
    ),
  ],
  '6.11 requirements': ({ catalog }) => found(has(catalog, 'Requirements'), 'Requirements'),
}
