import { pathSlip } from '../../../core/path-slips.ts'
import { lookalike, unseenIn } from '../../../core/plain-text.ts'
import { formatPointer } from '../../../core/pointer.ts'
import type { Expression } from './expression.ts'

/** A pointer of a tag. */
export type Path = Extract<Expression, { kind: 'absolute' | 'relative' }>

/** A pointer as its author wrote it. */
export function writtenPath(path: Path): string {
  if (path.kind === 'absolute') return formatPointer(path.tokens)
  const steps = path.up === 0 ? '.' : Array(path.up).fill('..').join('/')
  return steps + formatPointer(path.tokens)
}

/** A finding for a pointer that uses `*` for all items, as other languages do; undefined for any other. */
export function starMisuse(path: Path): { code: string; message: string; hint: string } | undefined {
  if (!path.tokens.includes('*')) return undefined
  const [first = [], ...rest] = pieces(path.tokens)
  const start = writtenPath({ ...path, tokens: first })
  const inner = rest.map((tokens) => `.${formatPointer(tokens)}`)
  const lists = [start === '' ? '/list' : start, ...inner.slice(0, -1)]
  const opened = lists.map((list) => `{{#each ${list}}} … `).join('')
  return {
    code: 'docx.bad_pointer',
    message: `“*” in ${writtenPath(path)} stands for no item of a list.`,
    hint: `Loop: ${opened}{{${inner.at(-1) ?? '.'}}}${' … {{#end}}'.repeat(lists.length)}.`,
  }
}

/** What is said of a pointer with names that look like others; undefined without one. */
export function lookalikeIn(path: Path): { code: string; message: string; hint: string } | undefined {
  const [first] = path.tokens.flatMap((token) => lookalike(token) ?? [])
  if (first === undefined) return undefined
  const meant = writtenPath({ ...path, tokens: path.tokens.map((token) => lookalike(token)?.meant ?? token) })
  return {
    code: 'docx.odd_name',
    message: `${writtenPath(path)} holds ${first.odd}: to the data it is another name than ${meant}.`,
    hint: `Type ${meant} anew, unless the data has it so.`,
  }
}

/**
 * A finding for a pointer whose names are probably a slip. Without a contract nothing else tells that such a value never
 * exists, and a default or the wrong branch would be printed.
 *
 * @param isLooped whether the template loops over the value at these tokens
 */
export function slipIn(
  path: Path,
  isLooped: (tokens: readonly string[]) => boolean,
): { code: string; message: string; hint: string } | undefined {
  const told = (what: string, hint: string) => ({
    code: 'docx.odd_name',
    message: `${writtenPath(path)} ${what}.`,
    hint,
  })
  const last = path.tokens.at(-1) ?? ''
  if (/^(?:length|size|count|-\d+)$/.test(last) && isLooped(path.tokens.slice(0, -1))) {
    return last.startsWith('-')
      ? told(
          'counts from the end, which no pointer does',
          'Let the transformer take the item: { $pick: /list, at: -1 }.',
        )
      : told(`is a member named ${last}, which a list has not`, countHint)
  }
  for (const token of path.tokens) {
    const slip = pathSlip(token)
    if (slip?.kind === 'nothing')
      return told('has an empty name', 'Write one slash before each name, and none at the end.')
    if (slip?.kind === 'length') return told('is one name, with a dot in it', countHint)
    if (slip?.kind === 'member' && token.includes('['))
      return told('is one name, with brackets in it', `Write ${slip.pointer}, unless the data has it so.`)
    if (slip?.kind === 'formula' && /\s[*/+]\s|\s-\s\d/.test(token))
      return told('is one name, with a sign in it', calculatesHint)
    if (slip?.kind === 'comparison') return told('is one name, with a sign in it', calculatesHint)
  }
  return undefined
}

const countHint =
  'Ask {{#if /list is not empty}}, write {{@count}} in its loop, or let the transformer count it with $count.'

const calculatesHint = 'Templates don’t calculate. Let the transformer make the value.'

/** The tokens between the stars. */
function pieces(tokens: readonly string[]): string[][] {
  const found: string[][] = [[]]
  for (const token of tokens) {
    if (token === '*') found.push([])
    else found.at(-1)?.push(token)
  }
  return found
}

/** A zero-width space that was pasted along makes another tag. */
export function unseenHint(source: string): string | undefined {
  const unseen = unseenIn(source)
  if (unseen !== undefined) return `It holds the unseen character ${unseen}: type it anew.`
  return /^[\u2010\u2011]/.test(source) ? 'It is not the hyphen of the keyboard: type it anew.' : undefined
}
