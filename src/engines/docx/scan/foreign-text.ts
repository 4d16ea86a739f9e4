/** Text that other template languages fill, and Quire prints as it is. */
import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import { blockForms, foreignTag, pathOf } from './foreign-tags.ts'
import { type Paragraph, paragraphBefore, placeOf } from './paragraphs.ts'
import { isInRanges } from './source.ts'
import type { TaggedText } from './tags.ts'

/** Whether a part may hold such text without a brace in it. */
export function mayHoldForeignText(source: string): boolean {
  return source.includes('MERGEFIELD') || bracelessMarks.some((mark) => source.includes(mark))
}

/** What begins such text without a brace, as it is in XML. */
const bracelessMarks = ['«', '&lt;&lt;', '&lt;%', '[[', '+++']

/** Warns of tags of docxtemplater, docx-templates, Carbone, Jinja and Word's mail merge. Reports each once per part. */
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
  const hasMarks = bracelessMarks.some((mark) => source.includes(mark))
  const tagsOf = Map.groupBy(tags, ({ paragraph }) => paragraph)
  for (const paragraph of paragraphs) {
    if ((paragraph.isPlain && !hasMarks) || isInRanges(comments, paragraph.element.start)) continue
    const own = tagsOf.get(paragraph) ?? []
    for (const { raw, hint, at } of foreignTexts(paragraph.text, tags.length === 0)) {
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
  /\{%-?\s*(?<jinja>[a-z]+\b[^{}%]*)%\}|(?<!\{)\{(?<braced>[#/^%@]?[\p{L}_$][\p{L}\p{M}\p{N}_.$]*(?:\[\w*\][\w.$]*)*(?::[a-z]\w*(?:\([^(){}]*\))?)*)\}(?!\})|«(?<quoted>[A-Za-z]\w*)»/gu

/** Marks around a path in further languages. A path needs a slash or a dot, or blanks around it. */
const marked =
  /<%=?\s*(?<percent>[\w.$/-]+)\s*%>|<<\s*(?<angled>\/?[A-Za-z_]\w*(?:[./]\w+)+)\s*>>|\[\[\s*(?<squared>\/?[A-Za-z_]\w*(?:[./]\w+)+|\/[A-Za-z_]\w*)\s*\]\]|(?<!\{)\{\s+\{(?<spaced>[/.#][^{}]*)\}\s*\}(?!\})|(?<!\{)\{(?<single>\/[A-Za-z_][^{}]*)\}{1,2}(?!\})|\{#\s(?<comment>[^{}]*)\s#\}/g

/** Commands of docx-templates, which end at the next three signs, or in a later paragraph. */
const commands = /\+\+\+\s*(?:(?<command>[A-Za-z_$=*!`[].*?)\s*\+\+\+|(?<open>(?:[A-Z]{2,}\b|[!=]).*)$)/gs

/** Names of several words. Prose has such braces too, so they are reported only in parts without a tag of Quire's. */
const spacedNames =
  /(?<!\{)\{\s?(?<sign>[#/^]?)(?<name>\p{L}[\p{L}\p{M}\p{N}_-]*(?: [\p{L}\p{M}\p{N}_-]+){1,4})\s?\}(?!\})/gu

/** Such texts in one paragraph. @param isUntagged the part has no tags */
export function* foreignTexts(text: string, isUntagged = false): Generator<ForeignText> {
  for (const { 0: raw, index: at, groups = {} } of text.matchAll(commands)) {
    const hint = commandHint(groups.command ?? groups.open ?? '')
    if (hint !== undefined) yield { raw: raw.slice(0, 80), hint, at }
  }
  for (const { 0: raw, index: at, groups = {} } of isUntagged ? text.matchAll(spacedNames) : []) {
    const { sign = '', name = '' } = groups
    const path = `/"${name}"`
    const block = sign === '#' ? blockForms(path) : sign === '^' ? `Write {{#if not ${path}}}.` : undefined
    yield { raw, hint: sign === '/' ? 'Write {{#end}}.' : (block ?? `Write {{${path}}}.`), at }
  }
  for (const { 0: raw, index: at, groups = {} } of text.matchAll(texts)) {
    const { jinja, braced, quoted } = groups
    const hint = jinja !== undefined ? jinjaHint(jinja) : braced !== undefined ? bracedHint(braced) : quotedHint(quoted)
    if (hint !== undefined) yield { raw: raw.slice(0, 80), hint, at }
  }
  for (const { 0: raw, index: at, groups = {} } of text.matchAll(marked)) {
    const hint = markedHint(groups, raw)
    if (hint !== undefined) yield { raw: raw.slice(0, 80), hint, at }
  }
}

function markedHint(groups: Record<string, string | undefined>, raw: string): string | undefined {
  const { comment, spaced, single } = groups
  if (comment !== undefined) return 'Write {{! a comment }}.'
  if (spaced !== undefined && !/^\{\{.*\}\}$/s.test(raw))
    return `Write {{${spaced.trim()}}}, without blanks between the braces.`
  if (single !== undefined && raw.endsWith('}}')) return `Write {{${single.trim()}}}, with two braces on both sides.`
  const path = groups.percent ?? groups.angled ?? groups.squared
  return path === undefined ? undefined : `Write {{${path.startsWith('/') ? path : pathOf(path)}}}.`
}

/** `$item.name` is a member of the item of the loop around it. */
function commandHint(written: string): string | undefined {
  const [, word = '', rest = ''] = /^([A-Z]+(?:-[A-Z]+)?\b|[=!*])?\s*(.*)$/s.exec(written) ?? []
  const [name = ''] = /^[\w.$]+/.exec(rest) ?? []
  const path = /^\$\w/.test(name) ? pathOf(name.replace(/^\$\w+/, 'this')) : pathOf(name)
  switch (word) {
    case 'FOR':
      return (
        foreignTag(`for ${rest.replace(/\sIN\s/, ' in ').replace(/\$\w+\./, '')}`) ??
        'Write {{#each /list}} … {{#end}}.'
      )
    case 'IF':
      return `Write {{#if ${path === '/' ? '/flag' : path}}} … {{#end}}.`
    case 'END-FOR':
    case 'END-IF':
      return 'Write {{#end}}.'
    case 'IMAGE':
      return 'Write {{image /picture width=3cm}}.'
    case 'HTML':
      return 'Write {{rich /text format=html}}.'
    case 'LINK':
      return 'Make a link in Word whose address is {{/url}}.'
    case 'INS':
    case '=':
    case '':
      if (name === '$idx') return 'Write {{@index}}, the number of the item from 1.'
      if (name !== '' && name === rest) return `Write {{${path}}}.`
      return word !== '' || /[([`]/.test(rest) ? calculated : undefined
    default:
      return ['EXEC', 'CMD_NODE', 'QUERY', 'ALIAS', '!', '*'].includes(word) ? calculated : undefined
  }
}

const calculated = 'Templates don’t calculate. Let the transformer make the value, and write {{/value}}.'

function jinjaHint(written: string): string | undefined {
  const inner = written.replace(/-$/, '').trim()
  const [, word = '', name] = /^(\w+)(?:\s+([A-Za-z_][\w.]*))?/.exec(inner) ?? []
  if (word === 'if' || word === 'elif') {
    return `Write {{${word === 'if' ? '#if' : '#else if'} ${name === undefined ? '/flag' : pathOf(name)}}}.`
  }
  if (word === 'include')
    return 'Write {{> clause}} alone in a paragraph, with the slug of the template that is included.'
  if (word === 'set') return 'Templates don’t calculate. Let the transformer make the value.'
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
