import type { Anchor, Block, Inline } from '../model/document.ts'

/** True if a float is placed by a distance. A distance of 0 from the page's edge doesn't count: nothing hangs over that edge. */
export function isPlaced({ horizontal: { from, offset, align } }: Anchor): boolean {
  return align === undefined && (from !== 'page' || offset > 0)
}

/** A float that moves into the paragraph after it. */
export interface Float {
  /** Adjacent paragraphs with the same key are in one frame. */
  key: string
  box(blocks: Block[]): Extract<Inline, { kind: 'textbox' }>
}

/** Moves floats into the paragraph after them; a float that no paragraph follows stays in the text flow. */
export function anchorFloats(blocks: Block[], floats: Map<Block, Float>): Block[] {
  if (floats.size === 0 || !blocks.some((block) => floats.has(block))) return blocks
  const kept: Block[] = []
  let waiting: { float: Float; blocks: Block[] }[] = []
  const settle = () => {
    for (const group of waiting) kept.push(...group.blocks)
    waiting = []
  }
  for (const block of blocks) {
    const float = floats.get(block)
    if (float) {
      const last = waiting.at(-1)
      if (last && float.key !== '' && last.float.key === float.key) last.blocks.push(block)
      else waiting.push({ float, blocks: [block] })
      floats.delete(block)
    } else if (block.kind === 'table') {
      settle()
      kept.push(block)
    } else {
      block.content.unshift(...waiting.map((group) => group.float.box(group.blocks)))
      waiting = []
      kept.push(block)
    }
  }
  settle()
  return kept
}
