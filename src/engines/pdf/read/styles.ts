import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { FrameAttributes, StyleDefinition, Styles } from '../model/document.ts'
import { readParagraphProps, readRunProps } from './properties.ts'
import { readCellProps, readRowProps, readTableProps } from './table-properties.ts'
import type { Theme } from './theme.ts'
import { childValue, isOn } from './values.ts'

const types: readonly StyleDefinition['type'][] = ['paragraph', 'character', 'table', 'numbering']

/** The styles part (17.7): document defaults and every style as written, without inheritance. */
export function readStyles(root: XmlElement | undefined, theme: Theme): Styles {
  const styles: Styles = { byId: new Map(), frames: new Map(), docParagraph: {}, docRun: {} }
  if (!root) return { ...styles, isMissing: true }
  const defaults = childNamed(root, 'w:docDefaults')
  const runDefault = defaults && childNamed(defaults, 'w:rPrDefault')
  const paragraphDefault = defaults && childNamed(defaults, 'w:pPrDefault')
  styles.docRun = readRunProps(runDefault && childNamed(runDefault, 'w:rPr'), theme)
  styles.docParagraph = readParagraphProps(paragraphDefault && childNamed(paragraphDefault, 'w:pPr'), theme)
  const frames = new Map<string, FrameAttributes>()
  for (const element of childElements(root, 'w:style')) {
    const name = childValue(element, 'w:name')
    // A style without an identifier is known by its name: report generators write such styles, and Word accepts them.
    const id = element.attributes['w:styleId'] ?? (name !== undefined && styles.byId.has(name) ? undefined : name)
    const stated = element.attributes['w:type'] ?? 'paragraph'
    const type = types.find((known) => known === stated)
    if (id === undefined || type === undefined) continue
    const isDefault = element.attributes['w:default'] !== undefined && isOn(element.attributes['w:default'])
    const basedOn = childValue(element, 'w:basedOn')
    const style: StyleDefinition = {
      id,
      name: name ?? id,
      type,
      ...(basedOn === undefined ? {} : { basedOn }),
      isDefault,
      ...readFormats(element, theme),
      conditions: new Map(),
    }
    for (const condition of childElements(element, 'w:tblStylePr')) {
      style.conditions.set(condition.attributes['w:type'] ?? '', readFormats(condition, theme))
    }
    styles.byId.set(id, style)
    const properties = type === 'paragraph' ? childNamed(element, 'w:pPr') : undefined
    const frame = properties && childNamed(properties, 'w:framePr')
    if (frame) frames.set(id, frame.attributes)
    if (!isDefault) continue
    if (type === 'paragraph') styles.defaultParagraph ??= id
    else if (type === 'character') styles.defaultCharacter ??= id
    else if (type === 'table') styles.defaultTable ??= id
  }
  if (frames.size > 0) inheritFrames(styles, frames)
  return styles
}

/** A style inherits the frame of the style it is based on, except for attributes of its own. */
function inheritFrames(styles: Styles, own: ReadonlyMap<string, FrameAttributes>): void {
  for (const id of styles.byId.keys()) {
    const seen = new Set<string>()
    let merged: FrameAttributes | undefined
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = styles.byId.get(at)?.basedOn) {
      seen.add(at)
      const stated = own.get(at)
      if (stated) merged = { ...stated, ...merged }
    }
    if (merged) styles.frames.set(id, merged)
  }
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
