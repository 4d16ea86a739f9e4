/**
 * The namespaces of Office documents and the prefix everyone uses for them. Strict documents (ISO/IEC 29500-1) have
 * their own URIs for the same vocabulary; both resolve to the same prefix, so that an engine only knows `w:p`.
 */
const transitional: Record<string, string> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm',
  'http://schemas.openxmlformats.org/officeDocument/2006/bibliography': 'b',
  'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties': 'ep',
  'http://schemas.openxmlformats.org/officeDocument/2006/custom-properties': 'op',
  'http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes': 'vt',
}

const strict: Record<string, string> = {
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a',
  'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing': 'wp',
  'http://purl.oclc.org/ooxml/drawingml/picture': 'pic',
  'http://purl.oclc.org/ooxml/drawingml/chart': 'c',
  'http://purl.oclc.org/ooxml/drawingml/diagram': 'dgm',
  'http://purl.oclc.org/ooxml/officeDocument/extendedProperties': 'ep',
  'http://purl.oclc.org/ooxml/officeDocument/customProperties': 'op',
  'http://purl.oclc.org/ooxml/officeDocument/docPropsVTypes': 'vt',
}

/** Extensions and the package's own vocabularies; the latter are written without a prefix. */
const others: Record<string, string> = {
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  'urn:schemas-microsoft-com:office:word': 'w10',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'http://schemas.microsoft.com/office/word/2012/wordml': 'w15',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing': 'wp14',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingShape': 'wps',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup': 'wpg',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas': 'wpc',
  'http://schemas.microsoft.com/office/drawing/2010/main': 'a14',
  'http://schemas.microsoft.com/office/drawing/2007/8/2/chart': 'c14',
  'http://schemas.openxmlformats.org/package/2006/metadata/core-properties': 'cp',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/dc/terms/': 'dcterms',
  'http://schemas.openxmlformats.org/package/2006/content-types': '',
  'http://schemas.openxmlformats.org/package/2006/relationships': '',
  'http://www.w3.org/XML/1998/namespace': 'xml',
}

const prefixes = new Map(Object.entries({ ...transitional, ...strict, ...others }))

export const conventionalPrefixes: ReadonlySet<string> = new Set(prefixes.values())

/** The usual prefix of a namespace; undefined for one we don't know. */
export function conventionalPrefix(uri: string): string | undefined {
  return prefixes.get(uri)
}

const transitionalRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
const strictRelationships = 'http://purl.oclc.org/ooxml/officeDocument/relationships/'

/** A relationship type in its transitional form; others stay as they are. */
export function normalizeRelationshipType(type: string): string {
  return type.startsWith(strictRelationships)
    ? transitionalRelationships + type.slice(strictRelationships.length)
    : type
}

/** The two forms of the format (ISO/IEC 29500, parts 1 and 4). */
export type Conformance = 'transitional' | 'strict'

/** The form of a part, by the namespace of its root. */
export function conformanceOf(uri: string): Conformance {
  return uri.startsWith('http://purl.oclc.org/') ? 'strict' : 'transitional'
}

/** The full relationship type for the last word of it: `image`, `hyperlink`, `header` … */
export function relationshipType(word: string, conformance: Conformance = 'transitional'): string {
  return (conformance === 'strict' ? strictRelationships : transitionalRelationships) + word
}

/** The namespace of attributes that refer to relationships (`r:id`). */
export function relationshipUri(conformance: Conformance): string {
  return relationshipType('', conformance).slice(0, -1)
}
