import { type ListLevel, readLists } from '../../ooxml/numbering.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Numbering, NumberingLevel } from '../model/document.ts'
import { readBulletPictures } from './picture-bullet.ts'
import { readParagraphProps, readRunProps } from './properties.ts'
import type { Theme } from './theme.ts'
import { childValue } from './values.ts'

/** The numbering part (17.9), with what layout needs of each level beside its numbers. */
export function readNumbering(
  root: XmlElement | undefined,
  theme: Theme,
  numberingOfStyle: (style: string) => string | undefined,
): Numbering {
  if (!root) return { instances: new Map() }
  const pictures = readBulletPictures(root)
  const complete = (level: ListLevel, element: XmlElement): NumberingLevel => {
    const suffix = childValue(element, 'w:suff')
    const align = childValue(element, 'w:lvlJc')
    const paragraph = readParagraphProps(childNamed(element, 'w:pPr'), theme)
    // A level belongs to its numbering already; naming one here could only lead round in a circle.
    delete paragraph.numberingId
    delete paragraph.numberingLevel
    const picture = pictures.get(childValue(element, 'w:lvlPicBulletId') ?? '')
    return {
      ...level,
      suffix: suffix === 'space' || suffix === 'nothing' ? suffix : 'tab',
      align: align === 'center' ? 'center' : align === 'right' || align === 'end' ? 'right' : 'left',
      paragraph,
      run: readRunProps(childNamed(element, 'w:rPr'), theme),
      ...(picture === undefined ? {} : { picture }),
    }
  }
  return { instances: readLists(root, numberingOfStyle, complete) }
}
