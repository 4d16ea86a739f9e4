import type { XmlElement } from '../../ooxml/xml.ts'
import type { Chart } from './model.ts'
export function readChart(_root: XmlElement, _part: string, _place: unknown): Chart | undefined {
  return { summary: '' }
}
