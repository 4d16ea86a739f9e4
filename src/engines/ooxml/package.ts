import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { type FieldCode, FieldFinder, fieldKeyword, findFields, startsPrograms } from './fields.ts'
import { normalizeRelationshipType, relationshipType } from './namespaces.ts'
import { decodePath, resolveTarget } from './targets.ts'
import { noTrees, parsePart, type TreeCache } from './trees.ts'
import { childElements, childNamed, type XmlDocument, type XmlElement } from './xml.ts'
import { decodeXml, encodingFinding, parseXmlDocument, visitXml } from './xml-parser.ts'
import { readZip, type ZipArchive } from './zip.ts'

export interface Relationship {
  id: string
  /** Always in the transitional form; compare with `relationshipType('image')`. */
  type: string
  /** For internal targets, the part name (`word/media/image1.png`); otherwise the target as written, which is never followed. */
  target: string
  external: boolean
}

export interface OoxmlPackage {
  readonly archive: ZipArchive
  /** Part names without a leading slash, `[Content_Types].xml` and the relationship parts included. */
  readonly parts: readonly string[]
  /** The part that holds the document (`word/document.xml`). */
  readonly mainPart: string
  contentType(part: string): string | undefined
  /** Relationships of a part; `''` asks for those of the package. Empty when it has none. */
  relationships(part: string): readonly Relationship[]
  /** The bytes of a part, whatever the case of its name (ECMA-376 part 2, 6.2.2.3). */
  readBytes(part: string): Outcome<Uint8Array>
  /** The tree of an XML part, parsed at the first call and then kept. */
  readXml(part: string): Outcome<XmlElement>
  /** The same with the source that the tree's offsets refer to. */
  readXmlDocument(part: string): Outcome<XmlDocument>
  /**
   * Passes the children of a document's body to `visit` one by one, with the source that their offsets refer to. Keeps
   * none of them, also not in the returned tree. Uses a cached tree as it is.
   *
   * @param alike see `visitXml`
   */
  visitBody(
    part: string,
    visit: (child: XmlElement, source: string) => void,
    alike?: ReadonlySet<string>,
  ): Outcome<XmlDocument>
  /** Drops a kept tree: that of a long document is larger than everything made from it. */
  release(part: string): void
}

const documentTypes = new Set([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
])

/** What to do with macros, controls, embedded objects and fields that start programs; nothing ever runs them. */
export type ActiveContent = 'refused' | 'ignored'

/**
 * Opens a WordprocessingML package (ECMA-376 part 2): content types, relationships and the main document part. Macros,
 * ActiveX controls, OLE objects and DDE fields are errors; if `active` is `ignored`, one warning names each kind.
 * External relationships other than hyperlinks are warnings and are never followed.
 *
 * @param trees cache of parsed parts of earlier packages
 */
export function openPackage(
  bytes: Uint8Array,
  active: ActiveContent = 'refused',
  trees: TreeCache = noTrees,
): Outcome<OoxmlPackage> {
  const zip = readZip(bytes)
  if (!zip.ok) return zip
  const archive = zip.value
  const spelling = spellingsOf(archive.names)
  const types = readContentTypes(archive, spelling, trees)
  if (!types.ok) return types
  const relations = readAllRelationships(archive, spelling, trees)
  if (!relations.ok) return relations
  const root = relations.value.get('')?.find((relation) => relation.type === relationshipType('officeDocument'))
  const mainPart = root === undefined || root.external ? undefined : spelling.get(root.target.toLowerCase())
  if (mainPart === undefined) {
    return fail(packageFinding('ooxml.no_document', 'The package names no main document part.', '_rels/.rels'))
  }
  const findings = admitted(findActiveContent(archive, types.value, relations.value), active)
  const texts = new Map<string, string>()
  if (!isDocumentType(types.value(mainPart) ?? '')) {
    findings.push(packageFinding('ooxml.not_word', 'The package is not a Word document (.docx).', mainPart))
  }
  if (findings.some((finding) => finding.severity === 'error')) return fail(...findings)
  const opened = packageOf({ archive, spelling, texts, trees }, mainPart, types.value, relations.value)
  findings.push(...admitted(findActiveFields(opened, texts), active))
  return findings.some((finding) => finding.severity === 'error') ? fail(...findings) : succeed(opened, findings)
}

/**
 * Part names by their spellings: lower case, with percent signs and decoded. Relationships and content types may say
 * `word/d%C3%B6c.xml` for the file `word/döc.xml`, or the reverse.
 */
function spellingsOf(names: readonly string[]): Map<string, string> {
  const spelling = new Map(names.map((name) => [decodePath(name).toLowerCase(), name]))
  for (const name of names) spelling.set(name.toLowerCase(), name)
  return spelling
}

function isDocumentType(type: string): boolean {
  const folded = type.toLowerCase()
  return documentTypes.has(folded) || /^application\/vnd\.ms-word\..*macroenabled/.test(folded)
}

/** Errors about active content as they are, or as one warning a kind where it is ignored. */
function admitted(findings: readonly Finding[], active: ActiveContent): Finding[] {
  if (active === 'refused') return [...findings]
  const codes = new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code))
  const warnings = [...codes].map((code): Finding => {
    const path = findings.find((finding) => finding.code === code)?.path ?? ''
    return { code, severity: 'warning', message: ignoredContent[code] ?? '', hint: 'Nothing runs them.', path }
  })
  return [...warnings, ...findings.filter(({ severity }) => severity !== 'error')]
}

const ignoredContent: Record<string, string> = {
  'ooxml.active_content':
    'Macros are ignored; controls and embedded objects are shown by the pictures that were stored for them.',
  'ooxml.dde': 'Fields that can start programs show the results that were stored for them.',
}

interface PackageContents {
  archive: ZipArchive
  spelling: Map<string, string>
  /** Texts of parts that were decoded before they are parsed; each is given up to its tree. */
  texts: Map<string, string>
  trees: TreeCache
}

function packageOf(
  { archive, spelling, texts, trees }: PackageContents,
  mainPart: string,
  contentType: (part: string) => string | undefined,
  relations: Map<string, Relationship[]>,
): OoxmlPackage {
  const documents = new Map<string, Outcome<XmlDocument>>()
  const readBytes = (part: string) => archive.read(spelling.get(part.toLowerCase()) ?? part)
  const readXmlDocument = (part: string) => {
    let parsed = documents.get(part)
    if (parsed === undefined) {
      const text = texts.get(part)
      const read = text === undefined ? readXmlBytes(archive, spelling.get(part.toLowerCase()) ?? part) : succeed(text)
      texts.delete(part)
      const parse = part === mainPart ? parseXmlDocument : parsePart
      parsed = read.ok ? parse(read.value, part, trees) : read
      documents.set(part, parsed)
    }
    return parsed
  }
  const visitBody: OoxmlPackage['visitBody'] = (part, visit, alike) => {
    const kept = documents.get(part)
    if (kept !== undefined) {
      const body = kept.ok ? childNamed(kept.value.root, 'w:body') : undefined
      if (kept.ok && body) for (const child of childElements(body)) visit(child, kept.value.source)
      return kept
    }
    const text = texts.get(part)
    const bytes = () => readXmlBytes(archive, spelling.get(part.toLowerCase()) ?? part)
    const read = text === undefined ? decoded(bytes(), part) : succeed(text)
    return read.ok ? visitXml(read.value, part, 'w:body', (child) => visit(child, read.value), alike) : read
  }
  return {
    archive,
    parts: archive.names,
    mainPart,
    contentType,
    relationships: (part) => relations.get(part.toLowerCase()) ?? [],
    readBytes,
    readXmlDocument,
    visitBody,
    release(part) {
      documents.delete(part)
      texts.delete(part)
    },
    readXml(part) {
      const parsed = readXmlDocument(part)
      return parsed.ok ? succeed(parsed.value.root) : parsed
    },
  }
}

function decoded(bytes: Outcome<Uint8Array>, part: string): Outcome<string> {
  if (!bytes.ok) return bytes
  const text = decodeXml(bytes.value)
  return text === undefined ? fail(encodingFinding(part)) : succeed(text)
}

function readXmlBytes(archive: ZipArchive, part: string, allowed: number = limits.xmlPartBytes): Outcome<Uint8Array> {
  const bytes = archive.entry(part)?.inflatedBytes ?? 0
  if (bytes <= allowed) return archive.read(part)
  const message = `${part} has ${bytes} bytes of XML; ${allowed} are allowed.`
  return fail({ code: 'xml.size', severity: 'error', message, hint: 'Divide the document.', path: part })
}

/** Fields that show or fetch external content when a reader updates them. */
const fetchingFields = new Set(['INCLUDEPICTURE', 'INCLUDETEXT', 'INCLUDE', 'IMPORT', 'LINK', 'DATABASE', 'RD'])

/** DDE fields start programs on the reader's machine. Unreadable parts are reported elsewhere, when they are read. */
function findActiveFields(opened: OoxmlPackage, texts: Map<string, string>): Finding[] {
  const findings: Finding[] = []
  for (const part of opened.parts) {
    if (!/wordprocessingml/i.test(opened.contentType(part) ?? '') || !mayHoldFields(opened, part, texts)) continue
    const fetching = new Set<string>()
    for (const field of fieldsOf(opened, part)) {
      if (startsPrograms(field)) {
        findings.push(dataLink(part, paragraphNumber(opened, part, field.element)))
        break
      }
      const keyword = fieldKeyword(field.code)
      if (fetchingFields.has(keyword)) fetching.add(keyword)
    }
    for (const keyword of fetching) findings.push(externalTarget(part, `source by a field ${keyword}`))
  }
  return findings
}

/** Nearly all parts hold no field, and searching their text is cheaper than parsing. Keeps the inflated text for later. */
function mayHoldFields(opened: OoxmlPackage, part: string, texts: Map<string, string>): boolean {
  if ((opened.archive.entry(part)?.inflatedBytes ?? 0) > limits.xmlPartBytes) return false
  const bytes = opened.readBytes(part)
  const text = bytes.ok ? decodeXml(bytes.value) : undefined
  if (text === undefined) return false
  texts.set(part, text)
  return text.includes('instr') && /instrText|instr\s*=/.test(text)
}

function isLong(opened: OoxmlPackage, part: string): boolean {
  return part === opened.mainPart && (opened.archive.entry(part)?.inflatedBytes ?? 0) > limits.packageKeptPartBytes
}

function fieldsOf(opened: OoxmlPackage, part: string): FieldCode[] {
  if (isLong(opened, part)) {
    const finder = new FieldFinder()
    const rest = opened.visitBody(part, (child) => finder.add(child))
    if (!rest.ok) return []
    // Elements beside the body may hold fields as well.
    finder.add(rest.value.root)
    return finder.found
  }
  const root = opened.readXml(part)
  return root.ok ? findFields(root.value) : []
}

function paragraphNumber(opened: OoxmlPackage, part: string, target: XmlElement): number {
  let count = 0
  const walk = (element: XmlElement) => {
    if (element.start > target.start) return
    if (element.name === 'w:p') count++
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  if (isLong(opened, part)) opened.visitBody(part, walk)
  else {
    const root = opened.readXml(part)
    if (root.ok) walk(root.value)
  }
  return Math.max(1, count)
}

function dataLink(part: string, paragraph: number): Finding {
  return {
    code: 'ooxml.dde',
    severity: 'error',
    message:
      'The document holds a field that can start programs (DDE), or one whose kind is put together by other fields.',
    hint: 'Remove the field (Alt+F9 shows field codes).',
    path: `${part}#${paragraph}:0`,
  }
}

const contentTypesPart = '[Content_Types].xml'

function readContentTypes(
  archive: ZipArchive,
  spelling: Map<string, string>,
  trees: TreeCache,
): Outcome<(part: string) => string | undefined> {
  const name = spelling.get(contentTypesPart.toLowerCase())
  if (name === undefined) {
    return fail(packageFinding('ooxml.no_content_types', 'The archive is not an Office document.', contentTypesPart))
  }
  const bytes = readXmlBytes(archive, name, limits.packageXmlBytes)
  if (!bytes.ok) return bytes
  const parsed = parsePart(bytes.value, name, trees)
  if (!parsed.ok) return parsed
  const defaults = new Map<string, string>()
  const overrides = new Map<string, string>()
  for (const child of childElements(parsed.value.root)) {
    const type = child.attributes.ContentType ?? ''
    if (child.name === 'Default') defaults.set((child.attributes.Extension ?? '').toLowerCase(), type)
    if (child.name === 'Override') {
      const part = (child.attributes.PartName ?? '').replace(/^\//, '')
      for (const name of [part, decodePath(part)]) overrides.set(name.toLowerCase(), type)
    }
  }
  return succeed((part) => {
    const folded = part.toLowerCase()
    const override = overrides.get(folded) ?? overrides.get(decodePath(part).toLowerCase())
    return override ?? defaults.get(folded.slice(folded.lastIndexOf('.') + 1))
  })
}

/** Every relationship part of the package, by the lower-cased name of the part it belongs to. */
function readAllRelationships(
  archive: ZipArchive,
  spelling: Map<string, string>,
  trees: TreeCache,
): Outcome<Map<string, Relationship[]>> {
  const all = new Map<string, Relationship[]>()
  for (const name of archive.names) {
    const [, folder = '', owned] = /^(?:(.*)\/)?_rels\/([^/]*)\.rels$/i.exec(name) ?? []
    if (owned === undefined) continue
    const owner = folder === '' ? owned : `${folder}/${owned}`
    const bytes = readXmlBytes(archive, name, limits.packageXmlBytes)
    if (!bytes.ok) return bytes
    const parsed = parsePart(bytes.value, name, trees)
    if (!parsed.ok) return parsed
    const relations = readRelationships(parsed.value.root, decodePath(folder))
    for (const relation of relations) {
      if (!relation.external) relation.target = spelling.get(relation.target.toLowerCase()) ?? relation.target
    }
    const part = spelling.get(owner.toLowerCase()) ?? spelling.get(decodePath(owner).toLowerCase()) ?? owner
    all.set(part.toLowerCase(), relations)
  }
  return succeed(all)
}

function readRelationships(root: XmlElement, folder: string): Relationship[] {
  return childElements(root, 'Relationship').map((element) => {
    const external = element.attributes.TargetMode === 'External'
    const written = element.attributes.Target ?? ''
    return {
      id: element.attributes.Id ?? '',
      type: normalizeRelationshipType(element.attributes.Type ?? ''),
      target: external ? written : resolveTarget(written, folder),
      external,
    }
  })
}

const activeTypes: Record<string, string> = {
  vbaProject: 'a macro project',
  wordVbaData: 'a macro project',
  oleObject: 'an OLE object',
  control: 'an ActiveX control',
  activeXControlBinary: 'an ActiveX control',
  attachedToolbars: 'a toolbar with macros',
}

function findActiveContent(
  archive: ZipArchive,
  contentType: (part: string) => string | undefined,
  relations: Map<string, Relationship[]>,
): Finding[] {
  const findings: Finding[] = []
  for (const part of archive.names) {
    const type = contentType(part) ?? ''
    if (/macroEnabled|vbaProject|vbaData|activeX|oleObject/i.test(type)) {
      findings.push(activeContent(part, `${part} is active content (${type}).`))
    }
  }
  for (const [owner, list] of relations) {
    for (const relation of list) {
      const word = relation.type.slice(relation.type.lastIndexOf('/') + 1)
      const active = Object.hasOwn(activeTypes, word) ? activeTypes[word] : undefined
      if (active !== undefined) findings.push(activeContent(owner, `${owner} refers to ${active}.`))
      else if (relation.external && word !== 'hyperlink') findings.push(externalTarget(owner, word))
    }
  }
  return findings
}

function activeContent(part: string, message: string): Finding {
  return {
    code: 'ooxml.active_content',
    severity: 'error',
    message,
    hint: 'Remove macros, controls and embedded objects, and save as a document without macros (.docx).',
    path: part,
  }
}

function externalTarget(part: string, word: string): Finding {
  return {
    code: 'ooxml.external_target',
    severity: 'warning',
    message: `${part} refers to an external ${word}, which is never fetched.`,
    hint: 'Embed what the document needs.',
    path: part,
  }
}

function packageFinding(code: string, message: string, path: string): Finding {
  return { code, severity: 'error', message, hint: 'Save the document as .docx in Word and hand that file in.', path }
}
