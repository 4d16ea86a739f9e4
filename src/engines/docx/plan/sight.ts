import type { Paragraph } from '../scan/paragraphs.ts'
import { lastIndexFrom } from '../scan/source.ts'
import { isComment, isSilentTag, isTableTag, type LocatedTag } from '../scan/tags.ts'

/** What readers see of paragraphs once the tags of blocks and comments are gone; each paragraph is examined once. */
export class Sight {
  private readonly seen = new Map<Paragraph, Int32Array>()
  private readonly shown = new Map<Paragraph, readonly number[]>()

  constructor(private readonly tagsOf: (paragraph: Paragraph) => readonly LocatedTag[]) {}

  /** Whether there is more than white space and block tags between two text positions. */
  isVisible(paragraph: Paragraph, from: number, to: number): boolean {
    if (this.objectsOf(paragraph).some((at) => at >= from && at <= to)) return true
    let counts = this.seen.get(paragraph)
    if (counts === undefined) {
      counts = this.countVisible(paragraph)
      this.seen.set(paragraph, counts)
    }
    return (counts[to] ?? 0) > (counts[from] ?? 0)
  }

  /** Positions of what is seen beside text, without what comments hold. */
  private objectsOf(paragraph: Paragraph): readonly number[] {
    const { objects } = paragraph
    if (objects.length === 0) return objects
    let shown = this.shown.get(paragraph)
    if (shown === undefined) {
      const comments = this.tagsOf(paragraph).filter(isComment)
      const isShown = (at: number) => {
        const before = comments[lastIndexFrom(comments, ({ from }) => from, at - 1)] ?? comments[0]
        return before === undefined || !isWithin(before, at)
      }
      shown = comments.length === 0 ? objects : objects.filter(isShown)
      this.shown.set(paragraph, shown)
    }
    return shown
  }

  /** How many characters before each position are seen: no white space and no part of a block tag. */
  private countVisible(paragraph: Paragraph): Int32Array {
    const { text } = paragraph
    const counts = new Int32Array(text.length + 1)
    const tags = this.tagsOf(paragraph)
      .filter((each) => isSilentTag(each) || isTableTag(each))
      .values()
    let tag = tags.next().value
    let seen = 0
    for (let at = 0; at < text.length; at++) {
      while (tag !== undefined && tag.to <= at) tag = tags.next().value
      const isInTag = tag !== undefined && tag.from <= at
      if (!isInTag && text.charAt(at).trim() !== '') seen++
      counts[at + 1] = seen
    }
    return counts
  }
}

/** Whether an object, such as a picture, is inside a comment; its position is that of the text after it. */
function isWithin({ syntax, from, to }: LocatedTag, at: number): boolean {
  return (at > from || syntax.kind === 'commentend') && (at < to || syntax.kind === 'commentbegin')
}
