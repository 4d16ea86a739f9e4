import { limits } from '../../../core/limits.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import type { Anchor, AxisPosition, Block, FrameAttributes, Inline, Table } from '../model/document.ts'
import { attribute, twips } from './values.ts'

/** An element, or the attributes that a style and an element state together. */
type Attributed = Pick<XmlElement, 'attributes'>

type TextBox = Extract<Inline, { kind: 'textbox' }>

/**
 * The frame attributes of a style and a paragraph, merged: a position that the paragraph states also cancels the
 * style's alignment.
 */
export function frameAttributes(styled: FrameAttributes = {}, own: FrameAttributes = {}): FrameAttributes {
  const merged: Record<string, string> = { ...styled, ...own }
  for (const name of ['w:x', 'w:y']) {
    if (own[name] !== undefined && own[`${name}Align`] === undefined) delete merged[`${name}Align`]
  }
  return merged
}

/** A framed paragraph's frame (17.3.1.11) as a text box; adjacent equal ones share one. */
export function readFrame(properties: Attributed, blocks: Block[]): TextBox {
  const wrap = attribute(properties, 'w:wrap') ?? 'auto'
  const dropCap = attribute(properties, 'w:dropCap')
  const isDropCap = dropCap === 'drop' || dropCap === 'margin'
  const height = Math.max(0, twips(attribute(properties, 'w:h')) ?? 0)
  const rule = attribute(properties, 'w:hRule') ?? (height > 0 ? 'atLeast' : 'auto')
  const space = (name: string) => Math.max(0, twips(attribute(properties, name)) ?? 0)
  const [beside, above] = [space('w:hSpace'), space('w:vSpace')]
  return {
    kind: 'textbox',
    props: {},
    blocks,
    width: Math.max(0, twips(attribute(properties, 'w:w')) ?? 0),
    height,
    autoHeight: rule !== 'exact',
    anchor: {
      behind: false,
      wrap: wrap === 'none' || wrap === 'notBeside' ? 'topAndBottom' : 'square',
      horizontal: axis(properties, 'w:hAnchor', 'w:x', isDropCap ? 'text' : 'page', 'column'),
      vertical: axis(properties, 'w:vAnchor', 'w:y', isDropCap ? 'text' : 'page', 'paragraph'),
      margins: { left: beside, top: above, right: beside, bottom: above },
    },
  }
}

/** A floating table (17.4.57) as a text box that is as wide as its grid; undefined when it has to stay in the flow. */
export function readFloatingTable(
  position: XmlElement,
  table: Table,
  surroundings: 'body' | 'cell',
): TextBox | undefined {
  const width = table.grid.reduce((sum, column) => sum + column, 0)
  if ((surroundings === 'cell' && table.rows.length > limits.renderFloatRows) || width <= 0) return undefined
  const space = (name: string) => Math.max(0, twips(attribute(position, name)) ?? 0)
  const anchor: Anchor = {
    behind: false,
    wrap: 'square',
    horizontal: axis(position, 'w:horzAnchor', 'w:tblpX', 'text', 'column'),
    // The schema has no default here; both Word and LibreOffice take the margins.
    vertical: axis(position, 'w:vertAnchor', 'w:tblpY', 'margin', 'paragraph'),
    margins: {
      left: space('w:leftFromText'),
      top: space('w:topFromText'),
      right: space('w:rightFromText'),
      bottom: space('w:bottomFromText'),
    },
  }
  // A width in percent is one of the text, whatever the grid says.
  const share = table.props.width?.type === 'fraction' ? { share: table.props.width.value } : {}
  return { kind: 'textbox', props: {}, blocks: [table], width, ...share, height: 0, autoHeight: true, anchor }
}

/** One axis of a position: `text` means the column or the paragraph that the float is anchored in. */
function axis(element: Attributed, anchorName: string, name: string, fallback: string, textArea: string): AxisPosition {
  const stated = attribute(element, anchorName) ?? fallback
  const from = stated === 'text' ? textArea : stated === 'margin' ? 'margin' : 'page'
  const align = attribute(element, name === 'w:x' || name === 'w:y' ? `${name}Align` : `${name}Spec`)
  const offset = twips(attribute(element, name)) ?? 0
  return align === undefined || align === 'inline' ? { from, offset } : { from, offset, align }
}
