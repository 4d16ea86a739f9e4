import { limits } from '../../../../core/limits.ts'
import type { Block, DocumentModel, Inline, Paragraph } from '../../model/document.ts'
import { visitParagraphs } from '../../style/labels.ts'
import type { Labels } from '../context.ts'
import { baseText } from '../paragraph/ruby.ts'

/**
 * Running heads: the paragraphs that `STYLEREF` fields of headers and footers quote (17.16.5.59), or the words in a
 * character style. A page shows its own first paragraph of the style (with `\l` its last), else the last one before the
 * page, else the next one after it.
 */
export class RunningHeads {
  /** Style ids by the names that fields use. */
  private readonly styles = new Map<string, string>()
  /** Character styles among them. */
  private readonly ofWords = new Set<string>()
  /** By style, in text order: the index of the page on which each paragraph of it, or with words in it, begins. */
  private readonly begins = new Map<string, Map<Paragraph, number>>()

  constructor(
    model: DocumentModel,
    private readonly labels: Labels,
  ) {
    const names = new Set<string>()
    for (const story of model.stories.values()) collectNames(story, names)
    if (names.size === 0) return
    for (const { id, name, type } of model.styles.byId.values()) {
      if (type !== 'paragraph' && type !== 'character') continue
      for (const wanted of names) {
        const full = /^[1-9]$/.test(wanted) ? `heading ${wanted}` : wanted
        if (full.toLowerCase() !== name.toLowerCase() && wanted !== id) continue
        this.styles.set(wanted, id)
        this.begins.set(id, new Map())
        if (type === 'character') this.ofWords.add(id)
      }
    }
  }

  /** Records that a paragraph begins on the page with that index. */
  note(paragraph: Paragraph, style: string | undefined, page: number): void {
    if (style !== undefined) this.begins.get(style)?.set(paragraph, page)
    for (const id of this.ofWords) {
      if (stretchesOf(paragraph, id).length > 0) this.begins.get(id)?.set(paragraph, page)
    }
  }

  /** The value of a field on the page with that index; undefined if no paragraph has the style. */
  shown(name: string, switches: string, page: number): string | undefined {
    const style = this.styles.get(name) ?? ''
    const begins = this.begins.get(style)
    if (!begins) return undefined
    let found: Paragraph | undefined
    let at = -1
    for (const [paragraph, index] of begins) {
      if (index > page && found) break
      if (index === page && at === page && !switches.includes('l')) break
      found = paragraph
      at = index
      if (index > page) break
    }
    if (!found) return undefined
    if (!/[nrw]/.test(switches)) {
      if (!this.ofWords.has(style)) return textOf(found.content)
      return stretchesOf(found, style).at(at < page || (at === page && switches.includes('l')) ? -1 : 0)
    }
    return (this.labels.get(found)?.text ?? '').replace(/\.+$/, '')
  }
}

function collectNames(blocks: readonly Block[], names: Set<string>): void {
  visitParagraphs(blocks, ({ content }) => {
    for (const inline of content) if (inline.kind === 'field' && inline.field === 'STYLEREF') names.add(inline.argument)
  })
}

/** The words of a paragraph in a character style, each stretch of them on its own. */
function stretchesOf({ content }: Paragraph, style: string): string[] {
  const stretches: Inline[][] = []
  let open: Inline[] | undefined
  for (const inline of content) {
    if (inline.props.style !== style) open = undefined
    else if (open) open.push(inline)
    else {
      open = [inline]
      stretches.push(open)
    }
  }
  return stretches.map(textOf).filter((text) => text !== '')
}

function textOf(content: readonly Inline[]): string {
  let text = ''
  for (const inline of content) {
    if (inline.props.hidden) continue
    text += shownBy(inline)
    if (text.length >= limits.renderRunningHeadChars) break
  }
  return text.slice(0, limits.renderRunningHeadChars).trim()
}

function shownBy(inline: Inline): string {
  if (inline.kind === 'text') return inline.text
  if (inline.kind === 'field') return inline.stored
  if (inline.kind === 'ruby') return baseText(inline.ruby)
  return inline.kind === 'tab' || inline.kind === 'break' ? ' ' : ''
}
