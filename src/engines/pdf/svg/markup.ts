/**
 * The tags of a drawing, read once from the front. Patterns that look for an end from every beginning would take
 * quadratic time on a malicious text. Reading ends at anything malformed, which resvg then refuses.
 */

/** A piece of the text from `from` to `to`. */
export type Piece =
  | { kind: 'tag'; from: number; to: number; name: string; isEnd: boolean; isEmpty: boolean }
  | { kind: 'text' | 'other'; from: number; to: number }

/** An element with the text of its tag, which has its attributes. */
export interface Element {
  /** Without a prefix. */
  name: string
  tag: string
  children: Element[]
  /** For a `text`: its characters without blanks. */
  letters: number
  /** For a `style`: its text. */
  text: string
}

/** What a tag has between its name and its end; quotes are closed, or it is none. */
const restOfTag = /[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/y
const tagName = /<\/?(?:[\w.-]+:)?([\w.-]+)/y
const doctype = /<!DOCTYPE[^<>[\]]*(?:\[[^\]]*\][^<>[\]]*)*>/y
/** What is no tag and ends with a text of its own. */
const enclosed = [
  { kind: 'other', start: '<!--', end: '-->' },
  { kind: 'text', start: '<![CDATA[', end: ']]>' },
  { kind: 'other', start: '<?', end: '?>' },
] as const

/** The pieces of a drawing in their order: tags, text (also CDATA), and the others: comments, instructions, the prologue. */
export function* piecesOf(svg: string): Generator<Piece> {
  let at = 0
  while (at < svg.length) {
    const next = svg.indexOf('<', at)
    if (next > at) yield { kind: 'text', from: at, to: next }
    if (next < 0) {
      yield { kind: 'text', from: at, to: svg.length }
      return
    }
    const piece = pieceAt(svg, next)
    if (piece === undefined) {
      yield { kind: 'other', from: next, to: svg.length }
      return
    }
    yield piece
    at = piece.to
  }
}

/** Undefined if the piece has no end. */
function pieceAt(svg: string, from: number): Piece | undefined {
  for (const { kind, start, end } of enclosed) {
    if (!svg.startsWith(start, from)) continue
    const at = svg.indexOf(end, from + start.length)
    return at < 0 ? undefined : { kind, from, to: at + end.length }
  }
  if (svg.startsWith('<!', from)) {
    doctype.lastIndex = from
    return doctype.test(svg) ? { kind: 'other', from, to: doctype.lastIndex } : undefined
  }
  tagName.lastIndex = from
  const name = tagName.exec(svg)?.[1]
  if (name === undefined) return undefined
  restOfTag.lastIndex = tagName.lastIndex
  if (!restOfTag.test(svg)) return undefined
  const to = restOfTag.lastIndex
  return { kind: 'tag', from, to, name, isEnd: svg[from + 1] === '/', isEmpty: svg[to - 2] === '/' }
}

/**
 * The elements of a drawing as a tree below an element without a name.
 * @param depth how deep it may be; undefined is returned for a deeper tree
 */
export function elementsOf(svg: string, depth: number): Element | undefined {
  const root: Element = { name: '', tag: '', children: [], letters: 0, text: '' }
  const open = [root]
  let texts = 0
  for (const piece of piecesOf(svg)) {
    const parent = open.at(-1) ?? root
    const text = svg.slice(piece.from, piece.to)
    if (piece.kind === 'text' && texts > 0) parent.letters += text.replace(/\s+/g, '').length
    if (piece.kind === 'text' && parent.name === 'style') parent.text += text
    if (piece.kind !== 'tag') continue
    if (piece.isEnd) {
      if (open.length > 1 && open.pop()?.name === 'text') texts--
      continue
    }
    const element: Element = { name: piece.name, tag: text, children: [], letters: 0, text: '' }
    parent.children.push(element)
    if (piece.isEmpty) continue
    open.push(element)
    if (piece.name === 'text') texts++
    if (open.length > depth + 1) return undefined
  }
  return root
}

const attributes = new Map<string, RegExp>()

/** @param name as a pattern */
export function attribute(tag: string, name: string): string | undefined {
  const known = attributes.get(name)
  const pattern = known ?? new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`)
  if (known === undefined) attributes.set(name, pattern)
  const match = pattern.exec(tag)
  return match?.[1] ?? match?.[2]
}

/** The ids that a tag refers to by `url(#id)`, in its attributes or its style. */
export function referredIn(tag: string): string[] {
  return [...tag.matchAll(/url\(\s*["']?#([^"')\s]+)/g)].map(([, id = '']) => id)
}
