import type { Block, Inline } from './document.ts'
import type { Graphic } from './shape.ts'

/** The stories inside an inline object: a text box's, or those of the shapes of a drawing. */
export function storiesOf(inline: Inline): readonly Block[][] {
  if (inline.kind === 'textbox') return [inline.blocks]
  return inline.kind === 'graphic' ? storiesIn(inline.graphic) : []
}

function storiesIn({ content }: Graphic): Block[][] {
  if (content.kind === 'shape') return content.text ? [content.text.blocks] : []
  return content.kind === 'group' ? content.children.flatMap(storiesIn) : []
}
