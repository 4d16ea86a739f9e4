import type { Block, Inline, Row } from './document.ts'
import type { Graphic } from './shape.ts'

const noStories: readonly Block[][] = []

/** The stories inside an inline object: a text box's, or those of the shapes of a drawing. */
export function storiesOf(inline: Inline): readonly Block[][] {
  if (inline.kind === 'textbox') return [inline.blocks]
  return inline.kind === 'graphic' ? storiesIn(inline.graphic) : noStories
}

function storiesIn({ content }: Graphic): Block[][] {
  if (content.kind === 'shape') return content.text ? [content.text.blocks] : []
  return content.kind === 'group' ? content.children.flatMap(storiesIn) : []
}

/** True when a field in a paragraph or table, or in the shapes and boxes that it anchors, shows the number of its page. */
export function showsPage(block: Block): boolean {
  if (block.kind === 'paragraph') return block.content.some(inlineShowsPage)
  return block.rows.some(rowShowsPage)
}

function rowShowsPage({ cells }: Row): boolean {
  return cells.some(storyShowsPage)
}

function storyShowsPage({ blocks }: { blocks: readonly Block[] }): boolean {
  return blocks.some(showsPage)
}

function inlineShowsPage(inline: Inline): boolean {
  if (inline.kind === 'field') return inline.field === 'PAGE'
  if (inline.kind === 'ruby') return [...inline.ruby.base, ...inline.ruby.guide].some(inlineShowsPage)
  if (inline.kind !== 'textbox' && inline.kind !== 'graphic') return false
  return storiesOf(inline).some((blocks) => blocks.some(showsPage))
}
