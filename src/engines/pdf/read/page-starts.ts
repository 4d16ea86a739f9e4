import type { Block, Paragraph, Table } from '../model/document.ts'

/**
 * Turns a page break that a paragraph begins with into a break before it, so that nothing of it stays on the previous
 * page; the break removes its space above.
 */
export function startOnNewPage(paragraph: Paragraph): void {
  const { content } = paragraph
  const first = content.findIndex((inline) => inline.kind !== 'bookmark')
  const inline = content[first]
  if (inline?.kind !== 'break' || inline.type !== 'page') return
  if (content.every((other, at) => at <= first || other.kind === 'bookmark')) return
  content.splice(first, 1)
  paragraph.props = { ...paragraph.props, pageBreakBefore: true, before: 0, beforeAuto: false }
}

/** After a page break the space above is dropped, also that of a table's first paragraph. */
export function startTableOnNewPage({ rows }: Table, before: Block | undefined): void {
  if (before?.kind !== 'paragraph') return
  const last = before.content.findLast((inline) => inline.kind !== 'bookmark')
  const first = rows[0]?.cells[0]?.blocks[0]
  if (last?.kind !== 'break' || last.type !== 'page' || first?.kind !== 'paragraph') return
  first.props = { ...first.props, before: 0, beforeAuto: false }
}
