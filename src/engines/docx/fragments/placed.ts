/** Included text in the place of its tag. */
import { childElements } from '../../ooxml/xml.ts'
import type { Include } from './includes.ts'

/** Where a paragraph of the result is from: `word/document.xml`, or `clause>word/document.xml`. */
export interface Origin {
  part: string
  number: number
}

/** What becomes of a tag: text, and the origins of its paragraphs. */
export interface Content {
  xml: string
  origins: Origin[]
  /** Whether its first and last blocks are tables. */
  begins: 'table' | 'text'
  ends: 'table' | 'text'
}

/**
 * The content in place of its tag. A paragraph is kept where it is needed: between two tables, which would become one; at
 * the end of a container that must end with one; and where the tag's own paragraph ends a section.
 */
export function placedAt(
  { paragraph: { element, ancestors }, section, declares }: Include,
  content: Content,
  own: Origin,
): Content {
  const [holder] = ancestors
  const blocks = (holder === undefined ? [] : childElements(holder)).filter(({ name }) => isBlock.test(name))
  const at = blocks.indexOf(element)
  const empty = `<${element.written}${declares}/>`
  let { xml } = content
  const origins = [...content.origins]
  if (content.begins === 'table' && blocks[at - 1]?.name === 'w:tbl') {
    xml = empty + xml
    origins.unshift(own)
  }
  const next = blocks[at + 1]
  const isLast = next === undefined || next.name === 'w:sectPr'
  const wantsEnd = isLast ? content.ends === 'table' || xml === '' : content.ends === 'table' && next.name === 'w:tbl'
  if (section !== '') {
    return {
      ...content,
      xml: `${xml}<${element.written}${declares}>${section}</${element.written}>`,
      origins: [...origins, own],
    }
  }
  if (wantsEnd) {
    xml += empty
    origins.push(own)
  }
  return { ...content, xml, origins }
}

const isBlock = /^w:(?:p|tbl|sdt|sectPr)$/
