import type { Block, Inline } from '../read/model.ts'
import type { Graphic } from './model.ts'

/** The stories that stand in an inline object: a text box's, or those of the shapes of a drawing. */
export function storiesOf(inline: Inline): readonly Block[][] {
  if (inline.kind === 'textbox') return [inline.blocks]
  return inline.kind === 'graphic' ? storiesIn(inline.graphic) : []
}

function storiesIn({ content }: Graphic): Block[][] {
  if (content.kind === 'shape') return content.text ? [content.text.blocks] : []
  return content.kind === 'group' ? content.children.flatMap(storiesIn) : []
}
