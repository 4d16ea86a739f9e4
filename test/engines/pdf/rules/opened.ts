/** A finished PDF as rules look at it: objects, contents of pages, structure and fonts, read by pdf-lib and not by Quire. */
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib'

/** An operand of a content stream; names keep their slash. */
export type Operand = string | number | Uint8Array | Operand[] | Map<string, Operand>

export interface Operation {
  operator: string
  operands: Operand[]
}

export interface OpenedPage {
  ref: PDFRef
  dict: PDFDict
  operations: Operation[]
}

/** An element of the structure tree. */
export interface Element {
  dict: PDFDict
  /** Its type as it is written, and after the role map. */
  type: string
  role: string
  parent: Element | undefined
  elements: Element[]
  /** Marked content, by the page's reference and its id. */
  content: string[]
  /** Annotations and pictures. */
  objects: PDFRef[]
}

/** A font as a text operator selects it, with all codes that are shown in it. */
export interface ShownFont {
  dict: PDFDict
  descendant: PDFDict | undefined
  descriptor: PDFDict | undefined
  codes: Set<number>
}

export interface OpenedPdf {
  bytes: Uint8Array
  document: PDFDocument
  catalog: PDFDict
  objects: [PDFRef, PDFObject][]
  dicts: PDFDict[]
  pages: OpenedPage[]
  root: PDFDict | undefined
  elements: Element[]
  fonts: ShownFont[]
  xmp: string
}

export const nameIn = (dict: PDFDict | undefined, key: string): string => {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : ''
}
export const dictIn = (dict: PDFDict | undefined, key: string): PDFDict | undefined => {
  const value = dict?.lookup(PDFName.of(key))
  if (value instanceof PDFStream) return value.dict
  return value instanceof PDFDict ? value : undefined
}
export const arrayIn = (dict: PDFDict | undefined, key: string): PDFArray | undefined => {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFArray ? value : undefined
}
export const streamIn = (dict: PDFDict | undefined, key: string): PDFRawStream | undefined => {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFRawStream ? value : undefined
}
export const textIn = (dict: PDFDict | undefined, key: string): string | undefined => {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined
}
export const numberIn = (dict: PDFDict | undefined, key: string): number | undefined => {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFNumber ? value.asNumber() : undefined
}
export const has = (dict: PDFDict | undefined, key: string): boolean => dict?.has(PDFName.of(key)) === true
export const bytesOf = (stream: PDFRawStream): Uint8Array => decodePDFRawStream(stream).decode()

export async function openPdf(bytes: Uint8Array, encrypted?: 'encrypted too'): Promise<OpenedPdf> {
  const document = await PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
    ignoreEncryption: encrypted !== undefined,
  })
  const { context, catalog } = document
  const objects = context.enumerateIndirectObjects()
  const dicts: PDFDict[] = []
  for (const [, object] of objects) collectDicts(object, dicts)
  const pages = document.getPages().map(({ ref, node }) => ({
    ref,
    dict: node as PDFDict,
    operations: operationsOf(contentOf(context, node)),
  }))
  const root = dictIn(catalog, 'StructTreeRoot')
  const metadata = streamIn(catalog, 'Metadata')
  return {
    bytes,
    document,
    catalog,
    objects,
    dicts,
    pages,
    root,
    elements: root === undefined ? [] : elementsOf(root),
    fonts: fontsOf(pages),
    xmp: metadata === undefined ? '' : Buffer.from(bytesOf(metadata)).toString('utf8'),
  }
}

function collectDicts(object: PDFObject, into: PDFDict[]): void {
  if (object instanceof PDFStream) collectDicts(object.dict, into)
  else if (object instanceof PDFDict) {
    into.push(object)
    for (const value of object.values()) collectDicts(value, into)
  } else if (object instanceof PDFArray) for (const value of object.asArray()) collectDicts(value, into)
}

function contentOf(context: PDFContext, page: PDFDict): string {
  const contents = page.lookup(PDFName.of('Contents'))
  const parts = contents instanceof PDFArray ? contents.asArray().map((part) => context.lookup(part)) : [contents]
  return parts
    .map((part) => (part instanceof PDFRawStream ? Buffer.from(bytesOf(part)).toString('latin1') : ''))
    .join('\n')
}

const token = /\s*(?:%[^\n]*|\((?:\\.|[^\\()])*\)|<<|>>|<[\dA-Fa-f\s]*>|\[|\]|\/[^\s/()<>[\]]*|[^\s/()<>[\]]+)/gsy

/** The operations of a content stream. Strings without nested brackets, as Quire escapes them. */
export function operationsOf(content: string): Operation[] {
  const operations: Operation[] = []
  const stack: Operand[][] = [[]]
  token.lastIndex = 0
  for (;;) {
    const match = token.exec(content)
    if (match === null) break
    const text = match[0].trim()
    const top = stack.at(-1)!
    if (text === '' || text.startsWith('%')) continue
    if (text === '[' || text === '<<') stack.push([])
    else if (text === ']') stack.at(-2)?.push(stack.pop()!)
    else if (text === '>>') {
      const items = stack.pop()!
      const map = new Map<string, Operand>()
      for (let at = 0; at + 1 < items.length; at += 2) map.set(String(items[at]), items[at + 1]!)
      stack.at(-1)?.push(map)
    } else if (text.startsWith('(')) top.push(literalBytes(text.slice(1, -1)))
    else if (text.startsWith('<')) top.push(new Uint8Array(Buffer.from(text.slice(1, -1).replace(/\s/g, ''), 'hex')))
    else if (text.startsWith('/')) top.push(text)
    else if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) top.push(Number(text))
    else if (text === 'true' || text === 'false' || text === 'null') top.push(text)
    else operations.push({ operator: text, operands: stack[0]!.splice(0) })
  }
  return operations
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function literalBytes(text: string): Uint8Array {
  const plain = text.replace(/\\(\d{1,3}|\r\n|.)/gs, (_, code: string) =>
    /^\d/.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8))
      : /^[\r\n]/.test(code)
        ? ''
        : (escapes[code] ?? code),
  )
  return new Uint8Array(Buffer.from(plain, 'latin1'))
}

function elementsOf(root: PDFDict): Element[] {
  const { context } = root
  const roles = dictIn(root, 'RoleMap')
  const found: Element[] = []
  const visit = (object: PDFObject | undefined, parent: Element | undefined, page: string): void => {
    const value = object instanceof PDFRef ? context.lookup(object) : object
    if (value instanceof PDFArray) for (const item of value.asArray()) visit(item, parent, page)
    else if (value instanceof PDFNumber) parent?.content.push(`${page} ${value.asNumber()}`)
    else if (value instanceof PDFDict) {
      const own = value.get(PDFName.of('Pg'))?.toString() ?? page
      const kind = nameIn(value, 'Type')
      if (kind === 'MCR') parent?.content.push(`${own} ${numberIn(value, 'MCID')}`)
      else if (kind === 'OBJR') {
        const target = value.get(PDFName.of('Obj'))
        if (target instanceof PDFRef) parent?.objects.push(target)
      } else {
        const type = nameIn(value, 'S')
        const element: Element = {
          dict: value,
          type,
          role: roleOf(type, roles) ?? '',
          parent,
          elements: [],
          content: [],
          objects: [],
        }
        parent?.elements.push(element)
        found.push(element)
        visit(value.get(PDFName.of('K')), element, own)
      }
    }
  }
  visit(root.get(PDFName.of('K')), undefined, '')
  return found
}

/** What a type is after the role map; undefined for a mapping that goes in a circle. */
export function roleOf(type: string, roles: PDFDict | undefined): string | undefined {
  const seen = new Set<string>()
  let role = type
  while (has(roles, role)) {
    if (seen.has(role)) return undefined
    seen.add(role)
    role = nameIn(roles, role)
  }
  return role
}

function fontsOf(pages: readonly OpenedPage[]): ShownFont[] {
  const fonts = new Map<PDFDict, ShownFont>()
  for (const { dict, operations } of pages) {
    const resources = dictIn(dictIn(dict, 'Resources'), 'Font')
    let shown: ShownFont | undefined
    const saved: (ShownFont | undefined)[] = []
    for (const { operator, operands } of operations) {
      if (operator === 'q') saved.push(shown)
      else if (operator === 'Q') shown = saved.pop()
      if (operator === 'Tf') {
        const font = dictIn(resources, String(operands[0]).slice(1))
        shown = font && (fonts.get(font) ?? fontOf(font))
        if (font && shown) fonts.set(font, shown)
      }
      if (!['Tj', 'TJ', "'", '"'].includes(operator) || !shown) continue
      for (const operand of operands.flat()) {
        if (!(operand instanceof Uint8Array)) continue
        for (let at = 0; at + 1 < operand.length; at += 2) shown.codes.add(operand[at]! * 256 + operand[at + 1]!)
      }
    }
  }
  return [...fonts.values()]
}

function fontOf(dict: PDFDict): ShownFont {
  const first = arrayIn(dict, 'DescendantFonts')?.lookup(0)
  const descendant = first instanceof PDFDict ? first : undefined
  return { dict, descendant, descriptor: dictIn(descendant ?? dict, 'FontDescriptor'), codes: new Set() }
}
