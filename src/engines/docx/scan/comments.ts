/** Comments of authors, `{{! … }}`, which may hold anything and leave nothing behind. */

/** Whether the brace pair at `from` begins a comment. */
export function opensComment(text: string, from: number): boolean {
  return text.startsWith('!', from + 2) || /^\s{1,8}!/.test(text.slice(from + 2, from + 11))
}

/** Finds the end of a comment, which may be paragraphs away. */
export class CommentReader {
  /** Pairs of braces that are open inside. */
  private depth = 0

  /** `{{!--`, which only `--}}` ends. Word likes to write one long dash for two short ones. */
  private readonly isDashed: boolean

  /** For the comment whose opening braces are at `from`. */
  constructor(text: string, from: number) {
    this.isDashed = /^(?:--|[–—])/.test(text.slice(text.indexOf('!', from) + 1))
  }

  /** Continues reading at a position after the opening braces. Returns the position after the closing ones, if they come. */
  read(text: string, from: number): number | undefined {
    if (this.isDashed) {
      const end = /(?:--|[–—])\}\}/g
      end.lastIndex = from
      return end.exec(text) === null ? undefined : end.lastIndex
    }
    for (let at = from; at < text.length - 1; at++) {
      if (text.startsWith('{{', at)) {
        this.depth++
        at++
      } else if (text.startsWith('}}', at)) {
        if (this.depth === 0) return at + 2
        this.depth--
        at++
      }
    }
    return undefined
  }
}
