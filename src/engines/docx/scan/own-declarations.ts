/** Elements that declare the prefix they are written with themselves: outside of them it means nothing, or something else. */
import type { XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'

/** The prefix of a name as a part has it, with its colon: `w:`; empty for a name without. */
export function prefixOf(written: string): string {
  return written.slice(0, written.indexOf(':') + 1)
}

/**
 * What an element's start tag has to declare to be read in the place of the element: ` xmlns:x="…"`. Empty if its prefix
 * means the same around it, as in what any program of Office writes.
 *
 * @param around the elements around it, innermost first
 */
export function ownDeclaration(element: XmlElement, around: readonly XmlElement[]): string {
  const name = declares(prefixOf(element.written))
  if (element.attributes[name] !== element.uri) return ''
  const outside = around.find(({ attributes }) => attributes[name] !== undefined)
  return outside?.attributes[name] === element.uri ? '' : ` ${name}="${escapeAttribute(element.uri)}"`
}

/**
 * XML of one element as it is read outside of the elements between, whose declarations it takes along if it uses them.
 *
 * @param between the elements around it that are left behind, innermost first
 * @param around those around these
 */
export function carriedOut(xml: string, between: readonly XmlElement[], around: readonly XmlElement[]): string {
  const carried = new Map<string, string>()
  for (const [index, { attributes }] of between.entries()) {
    for (const [name, uri] of Object.entries(attributes)) {
      if (!/^xmlns(?::|$)/.test(name) || carried.has(name)) continue
      const outside = [...between.slice(index + 1), ...around].find((each) => each.attributes[name] !== undefined)
      if (outside?.attributes[name] !== uri) carried.set(name, uri)
    }
  }
  if (carried.size === 0) return xml
  const [head = ''] = /^<[^\s/>]+/.exec(xml) ?? []
  const [tag = ''] = /^<[^>]*>/.exec(xml) ?? []
  const used = [...carried].filter(([name]) => {
    const prefix = name === 'xmlns' ? '' : `${name.slice('xmlns:'.length)}:`
    const isUsed =
      prefix === '' ? /<[^\s/>:]+[\s/>]/.test(xml) : xml.includes(`<${prefix}`) || xml.includes(` ${prefix}`)
    return isUsed && !tag.includes(`${name}=`)
  })
  return head + used.map(([name, uri]) => ` ${name}="${escapeAttribute(uri)}"`).join('') + xml.slice(head.length)
}

function declares(prefix: string): string {
  return prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
}
