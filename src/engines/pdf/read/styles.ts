import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { StyleDefinition, Styles } from './model.ts'
import { readCellProps, readParagraphProps, readRowProps, readRunProps, readTableProps } from './properties.ts'
import type { Theme } from './theme.ts'
import { childValue, isOn } from './values.ts'

const types = new Set(['paragraph', 'character', 'table', 'numbering'])

/** The styles part (17.7): document defaults and every style as written, without inheritance. */
export function readStyles(root: XmlElement | undefined, theme: Theme): Styles {
  const styles: Styles = { byId: new Map(), docParagraph: {}, docRun: {} }
  if (!root) return styles
  const defaults = childNamed(root, 'w:docDefaults')
  const runDefault = defaults && childNamed(defaults, 'w:rPrDefault')
  const paragraphDefault = defaults && childNamed(defaults, 'w:pPrDefault')
  styles.docRun = readRunProps(runDefault && childNamed(runDefault, 'w:rPr'), theme)
  styles.docParagraph = readParagraphProps(paragraphDefault && childNamed(paragraphDefault, 'w:pPr'), theme)
  for (const element of childElements(root, 'w:style')) {
    const id = element.attributes['w:styleId']
    const type = element.attributes['w:type'] ?? 'paragraph'
    if (id === undefined || !types.has(type)) continue
    const isDefault = element.attributes['w:default'] !== undefined && isOn(element.attributes['w:default'])
    const basedOn = childValue(element, 'w:basedOn')
    const style: StyleDefinition = {
      id,
      name: childValue(element, 'w:name') ?? id,
      type: type as StyleDefinition['type'],
      ...(basedOn === undefined ? {} : { basedOn }),
      isDefault,
      ...readFormats(element, theme),
      conditions: new Map(),
    }
    for (const condition of childElements(element, 'w:tblStylePr')) {
      style.conditions.set(condition.attributes['w:type'] ?? '', readFormats(condition, theme))
    }
    styles.byId.set(id, style)
    if (!isDefault) continue
    if (type === 'paragraph') styles.defaultParagraph ??= id
    else if (type === 'character') styles.defaultCharacter ??= id
    else if (type === 'table') styles.defaultTable ??= id
  }
  return styles
}

function readFormats(element: XmlElement, theme: Theme) {
  return {
    paragraph: readParagraphProps(childNamed(element, 'w:pPr'), theme),
    run: readRunProps(childNamed(element, 'w:rPr'), theme),
    table: readTableProps(childNamed(element, 'w:tblPr'), theme),
    cell: readCellProps(childNamed(element, 'w:tcPr'), theme),
    row: readRowProps(childNamed(element, 'w:trPr')),
  }
}
