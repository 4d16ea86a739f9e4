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

/** What is said of a pointer in which `*` stands for all items, as other languages have it; undefined without one. */
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
