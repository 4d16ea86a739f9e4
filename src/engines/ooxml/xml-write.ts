import type { XmlElement } from './xml.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 does not allow.
export const illegalCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const attributeEscapes = /[&<>"\t\n\r]/

const textEscapes = /[&<>\r]/

/** Text for element content. */
export function escapeText(text: string): string {
  if (!textEscapes.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}

/** Text for an attribute value in double quotes. */
export function escapeAttribute(text: string): string {
  if (!attributeEscapes.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
}

/** Characters XML 1.0 can't carry in any form; values that hold one can't go into a document. */
export function hasIllegalCharacter(text: string): boolean {
  return illegalCharacter.test(text) || !text.isWellFormed()
}

/** An element and what it holds as XML text, with the names the file had; no XML declaration. */
export function serializeXml(element: XmlElement): string {
  let out = `<${element.written}`
  for (const [name, value] of Object.entries(element.attributes)) {
    out += ` ${element.writtenAttributes?.[name] ?? name}="${escapeAttribute(value)}"`
  }
  if (element.children.length === 0) return `${out}/>`
  out += '>'
  for (const child of element.children) out += child.kind === 'text' ? escapeText(child.text) : serializeXml(child)
  return `${out}</${element.written}>`
}
