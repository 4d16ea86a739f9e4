import type { Reading } from '../../../core/reading.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Styles } from '../scan/styles.ts'

/** Which paragraphs are list items, that loops in them repeat. */
export interface ListItems {
  isItem(paragraph: XmlElement): boolean
  /** Whether blocks around a loop, and a loop with `#else`, repeat the item too. */
  takesAll: boolean
  /** Whether the item may also hold the beginning or end of a block that spans other paragraphs. */
  takesEnds: boolean
  /** What today's rules say, where these are earlier ones. */
  today?: ListItems
}

/** For texts without paragraphs. */
export const noListItems: ListItems = { isItem: () => false, takesAll: true, takesEnds: true }

export function listItemsOf(styles: Styles, reading: Reading): ListItems {
  const today: ListItems = { isItem: (paragraph) => isNumbered(paragraph, styles), takesAll: true, takesEnds: true }
  if (reading >= 6) return today
  if (reading > 1) return { ...today, takesEnds: false, today }
  return { isItem: (paragraph) => numberingOf(paragraph) !== undefined, takesAll: false, takesEnds: false, today }
}

/** By its own properties, or else by its style. */
function isNumbered(paragraph: XmlElement, styles: Styles): boolean {
  const numbering = numberingOf(paragraph)
  const list = numbering === undefined ? undefined : childNamed(numbering, 'w:numId')
  if (list !== undefined) return list.attributes['w:val'] !== '0'
  const properties = childNamed(paragraph, 'w:pPr')
  const style = properties === undefined ? undefined : childNamed(properties, 'w:pStyle')?.attributes['w:val']
  return numbering !== undefined || styles.numbered.has(style ?? styles.defaultParagraph ?? '')
}

function numberingOf(paragraph: XmlElement): XmlElement | undefined {
  const properties = childNamed(paragraph, 'w:pPr')
  return properties === undefined ? undefined : childNamed(properties, 'w:numPr')
}
