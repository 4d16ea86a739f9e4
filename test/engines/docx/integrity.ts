import type { OoxmlPackage } from '../../../src/engines/ooxml/package.ts'
import { schemaFaults } from './schema-order.ts'

/** Everything in a package that would make Word offer a repair, as far as it can be told without Word. */
export function integrityFaults(opened: OoxmlPackage): string[] {
  const faults: string[] = []
  const sources = new Map<string, string>()
  for (const part of opened.parts) {
    const type = opened.contentType(part)
    if (type === undefined) faults.push(`${part} has no content type`)
    if (!/xml$/.test(type ?? '')) continue
    const document = opened.readXmlDocument(part)
    if (!document.ok) faults.push(`${part}: ${document.findings[0]!.message}`)
    else sources.set(part, document.value.source)
  }
  for (const [part, source] of sources) {
    if (/wordprocessingml/.test(opened.contentType(part) ?? '')) {
      faults.push(...schemaFaults(source).map((fault) => `${part}: ${fault}`))
    }
    const relations = opened.relationships(part)
    const ids = new Set(relations.map(({ id }) => id))
    if (ids.size !== relations.length) faults.push(`${part} has a relationship id twice`)
    for (const [, id] of source.matchAll(/\br:(?:id|embed|link|pict|href)="([^"]*)"/g)) {
      if (!ids.has(id!)) faults.push(`${part} refers to ${id}, which is no relationship of it`)
    }
    for (const { target, external } of relations) {
      if (!external && !opened.parts.includes(target)) faults.push(`${part} is related to ${target}, which is missing`)
    }
  }
  const idsOf = (part: string, pattern: RegExp) =>
    new Set([...(sources.get(part) ?? '').matchAll(pattern)].map((match) => match[1]!))
  const main = sources.get(opened.mainPart) ?? ''
  const lists = idsOf('word/numbering.xml', /<w:num\b[^>]*w:numId="(\d+)"/g)
  for (const [, id] of main.matchAll(/<w:numId w:val="(\d+)"/g)) {
    if (id !== '0' && !lists.has(id!)) faults.push(`list ${id} is not defined`)
  }
  for (const kind of ['footnote', 'endnote']) {
    const notes = idsOf(`word/${kind}s.xml`, new RegExp(`<w:${kind}\\b[^>]*w:id="(-?\\d+)"`, 'g'))
    for (const [, id] of main.matchAll(new RegExp(`<w:${kind}Reference\\b[^>]*w:id="(-?\\d+)"`, 'g'))) {
      if (!notes.has(id!)) faults.push(`${kind} ${id} does not exist`)
    }
  }
  return faults
}
