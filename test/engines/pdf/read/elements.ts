import type { XmlElement } from '../../../../src/engines/ooxml/xml.ts'
import { parseXml } from '../../../../src/engines/ooxml/xml-parser.ts'
import { namespaces } from '../word.ts'

/** One element of WordprocessingML, DrawingML, VML or a chart, with the usual prefixes declared. */
export function element(source: string): XmlElement {
  const declared = source.replace(/^<[\w:]+/, (start) => `${start} ${namespaces}`)
  const outcome = parseXml(declared)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}
