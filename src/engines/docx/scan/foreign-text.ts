/** Text that other template languages fill, and Quire prints as it is. */
import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import { foreignTag, pathOf } from './foreign-tags.ts'
import { type Paragraph, paragraphBefore, placeOf } from './paragraphs.ts'
import { isInRanges } from './source.ts'
import type { TaggedText } from './tags.ts'

/** Whether a part may hold such text without a brace in it. */
export function mayHoldMergeFields(source: string): boolean {
  return source.includes('MERGEFIELD') || source.includes('«')
}

/** Warns of what docxtemplater, Carbone, Jinja and Word's mail merge write. Each is told once a part. */
export function reportForeignText({ part, paragraphs, tags, comments = [] }: TaggedText, source: string): Finding[] {
  const found = new Map<string, Finding>()
  const add = (raw: string, hint: string, paragraph: Paragraph | undefined, at: number) => {
    if (found.has(hint) || found.size >= limits.configurationIssues) return
    const path = paragraph === undefined ? part : placeOf(part, paragraph, at)
    const message = `${raw} is printed as it is: tags are in double braces.`
    found.set(hint, { code: 'docx.foreign_text', severity: 'warning', message, hint, path })
  }
  for (const [name, offset] of mergeFields(source)) {
    add(
      `MERGEFIELD ${name}`,
      `Write {{${pathOf(name)}}} in the place of the field.`,
      paragraphBefore(paragraphs, offset),
      0,
    )
  }
  const hasQuotes = source.includes('«')
  const tagsOf = Map.groupBy(tags, ({ paragraph }) => paragraph)
  for (const paragraph of paragraphs) {
    if ((paragraph.isPlain && !hasQuotes) || isInRanges(comments, paragraph.element.start)) continue
    const own = tagsOf.get(paragraph) ?? []
    for (const { raw, hint, at } of foreignTexts(paragraph.text)) {
      if (!own.some(({ from, to }) => from <= at && at < to)) add(raw, hint, paragraph, at)
    }
  }
  return [...found.values()]
}

/** Names of merge fields, and where these are in the source (ECMA-376 part 1, 17.16.5.35). */
function* mergeFields(source: string): Generator<[name: string, offset: number]> {
  const field = /(?:instrText(?:\s[^<>]{0,200})?>|instr=["'])\s*MERGEFIELD\s+(?:"|&quot;)?([\w.-]+)/g
  for (const match of source.matchAll(field)) yield [match[1] ?? '', match.index]
}

interface ForeignText {
  raw: string
  hint: string
  /** Position in the paragraph. */
  at: number
}

const texts =
  /\{%-?\s*(?<jinja>[a-z]+\b[^{}%]*)%\}|(?<!\{)\{(?<braced>[#/^%@]?[A-Za-z_$][\w.$]*(?:\[\w*\][\w.$]*)*(?::[a-z]\w*(?:\([^(){}]*\))?)*)\}(?!\})|«(?<quoted>[A-Za-z]\w*)»/g

/** Such texts in one paragraph. */
export function* foreignTexts(text: string): Generator<ForeignText> {
  for (const { 0: raw, index: at, groups = {} } of text.matchAll(texts)) {
    const { jinja, braced, quoted } = groups
    const hint = jinja !== undefined ? jinjaHint(jinja) : braced !== undefined ? bracedHint(braced) : quotedHint(quoted)
    if (hint !== undefined) yield { raw: raw.slice(0, 80), hint, at }
  }
}

function jinjaHint(written: string): string | undefined {
  const inner = written.replace(/-$/, '').trim()
  const [, word = '', name] = /^(\w+)(?:\s+([A-Za-z_][\w.]*))?/.exec(inner) ?? []
  if (word === 'if' || word === 'elif') {
    return `Write {{${word === 'if' ? '#if' : '#else if'} ${name === undefined ? '/flag' : pathOf(name)}}}.`
  }
  if (word !== 'for' && word !== 'else' && !word.startsWith('end')) return undefined
  return word === 'else' ? 'Write {{#else}}.' : word === 'for' ? foreignTag(inner) : 'Write {{#end}}.'
}

function bracedHint(inner: string): string | undefined {
  const [sign = ''] = /^[/%@]/.exec(inner) ?? []
  const path = pathOf(inner.replace(/^[#/^%@]/, '').replace(/:.*$/s, ''))
  if (sign === '/') return 'Write {{#end}}.'
  if (sign === '%') return `Write {{image ${path}}}.`
  if (sign === '@') return `Write {{rich ${path}}}.`
  // {x} and {n} are mathematics.
  return /^.$/.test(inner) ? undefined : foreignTag(inner)
}

/** Quotation marks of several languages; only what looks like a name of a column is one. */
function quotedHint(name = ''): string | undefined {
  return /_|\d|\p{Ll}\p{Lu}/u.test(name) ? `Write {{${pathOf(name)}}}.` : undefined
}
