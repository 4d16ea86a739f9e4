/** Tags of other template languages, and what Quire writes for them. */

const counted = 'Write {{@index}}, the number of the item from 1, or {{@count}}, how many there are.'
const pageField = 'Insert a page number in Word (Insert, Page Number): Quire’s PDF computes such fields.'
const noClock = 'A document has no clock: write {{/date}} with a date of the data, or of a param of the transformer.'
const byTransformer = 'Templates don’t calculate. Let the transformer make the value, and write {{/value}}.'
const include = 'Write {{> clause}} alone in a paragraph, with the slug of the template that is included.'
const onceMore = 'Write {{#if /kind = "a"}} … {{#else if /kind = "b"}} … {{#else}} … {{#end}}.'
const pageBreak = 'Write {{pagebreak}}.'

const foreignTags: ReadonlyMap<string, string> = new Map([
  ['@key', 'Write {{@name}} for the name of the member that the loop is at.'],
  ['#endwith', 'Write {{#end}}.'],
  ['else', 'Write {{#else}}, or {{/else}} for the value named else.'],
  ['end', 'Write {{#end}}, or {{/end}} for the value named end.'],
  ['endif', 'Write {{#end}}.'],
  ['endfor', 'Write {{#end}}.'],
  ['#endif', 'Write {{#end}}.'],
  ['#endeach', 'Write {{#end}}.'],
  ['#elseif', 'Write {{#else if /flag}}.'],
  ['#elif', 'Write {{#else if /flag}}.'],
  ['#else', 'Write {{#else if /flag}}, or {{#else}} alone.'],
  ['#unless', 'Write {{#if not /flag}}.'],
  ['#for', 'Write {{#each /list}}.'],
  ['#foreach', 'Write {{#each /list}}.'],
  ['#end', 'Write {{#end}} alone.'],
  ['#if', 'Write {{#if /flag}}, with the value that decides.'],
  ['#each', 'Write {{#each /list}}, with the list.'],
  ['#with', 'Write {{#with /object}}, with the object.'],
  ['if', 'Write {{#if /flag}} … {{#end}}.'],
  ['each', 'Write {{#each /list}} … {{#end}}.'],
  ['foreach', 'Write {{#each /list}} … {{#end}}.'],
  ['with', 'Write {{#with /object}} … {{#end}}.'],
  ['unless', 'Write {{#if not /flag}} … {{#end}}.'],
  ['#repeat', 'Write {{#each /list}} … {{#end}}.'],
  ['#loop', 'Write {{#each /list}} … {{#end}}.'],
  ['#list', 'Write {{#each /list}} … {{#end}}.'],
  ['#while', 'Write {{#each /list}} … {{#end}}: a loop goes over the items of a list.'],
  ['#switch', onceMore],
  ['#case', onceMore],
  ['#set', byTransformer],
  ['#let', byTransformer],
  ['set', byTransformer],
  ['let', byTransformer],
  ['sum', byTransformer],
  ['concat', 'Write the values side by side: {{/first}} {{/last}}.'],
  ['count', counted],
  ['#include', include],
  ['include', include],
  ['includetext', include],
  ['#pagebreak', pageBreak],
  ['page', pageField],
  ['pagenumber', pageField],
  ['numpages', pageField],
  ['pages', pageField],
  ['totalpages', pageField],
  ['pagecount', pageField],
  ['@page', pageField],
  ['@pages', pageField],
  ['@date', noClock],
  ['@today', noClock],
  ['@now', noClock],
  ['newpage', pageBreak],
  ['now', noClock],
  ['today', noClock],
  ['index', `${counted} {{/index}} is the value named index.`],
  ['loop.index', counted],
  ['loop.last', 'Write {{#if @last}}.'],
  ['loop.first', 'Write {{#if @first}}.'],
  ['forloop.last', 'Write {{#if @last}}.'],
  ['forloop.first', 'Write {{#if @first}}.'],
  ['@index0', counted],
  ['@index1', counted],
  ['@number', counted],
  ['@odd', 'Let the transformer number the items with $index, and shade rows with {{shade /colour row}}.'],
  ['@even', 'Let the transformer number the items with $index, and shade rows with {{shade /colour row}}.'],
  ['img', 'Write {{image /picture width=3cm}}.'],
  ['picture', 'Write {{image /picture width=3cm}}.'],
  ['#image', 'Write {{image /picture width=3cm}}.'],
  ['qrcode', 'Write {{qr /link size=2cm}}.'],
  ['checkbox', 'Write {{check /flag}}.'],
  ['html', 'Write {{rich /text format=html}}.'],
  ['markdown', 'Write {{rich /text format=markdown}}.'],
  ['--', 'Write {{! a comment }}.'],
  ['#', 'Write {{! a comment }}.'],
  ['#keep', 'Write {{#keep}} alone, and {{#end}} behind what has to stay on one page.'],
])

const loops: ReadonlySet<string> = new Set(['#for', '#foreach', 'for'])

/** A remedy for a tag of another template language, or for a name without its slash. */
export function foreignTag(source: string): string | undefined {
  const [word = ''] = source.split(/[\s(]/, 1)
  const looped = loops.has(word.toLowerCase()) ? /\s(?:in|of)\s+([\w.$[\]]+)\s*\)?$/i.exec(source)?.[1] : undefined
  if (looped !== undefined) return `Write {{#each ${pathOf(looped)}}}: the members of its items are ./name.`
  if (/^page\s*break\b/i.test(source)) return pageBreak
  if (/^#(?:if|each|with|end|else|keep)$/i.test(word) && word !== word.toLowerCase()) {
    return `Write ${word.toLowerCase()} in small letters: {{${word.toLowerCase()}${source.slice(word.length)}}}.`
  }
  const [, block] = /^#\s+((?:if|each|with|else|end|keep)\b.*)$/s.exec(source) ?? []
  if (block !== undefined) return `Write {{#${block}}}, without a blank behind the sign.`
  if (/^(?:today|now)\s*\|/i.test(source)) return noClock
  const command = wordForm(source)
  if (command !== undefined) return command
  const form = foreignTags.get(word.toLowerCase())
  if (form !== undefined && (word.startsWith('#') || word === source || !/^[A-Za-z@]+\s*\|/.test(source))) return form
  return sectionForm(source) ?? valueForm(source)
}

/** Sections of Mustache and docxtemplater, and what else they begin with a sign. */
function sectionForm(source: string): string | undefined {
  const [, sign = '', name = ''] = /^([#^>&={])\s*(\/[^\s|]+|[\p{L}\p{M}\p{N}_.$-]*)/u.exec(source) ?? []
  const path = name.startsWith('/') ? name : pathOf(name)
  if (sign === '>') return `Write {{> ${slugOf(source)}}} with the slug of the template that is included.`
  if (sign === '=' && name !== '' && !source.includes('%')) return `Write {{${path}}}, without the sign.`
  if (sign === '=') return 'Tags are always in double braces.'
  if (name === '') return undefined
  if (sign === '#') return blockForms(path)
  if (sign === '^') return `Write {{#if not ${path}}}, or {{#else}} before the end of the block.`
  return `Write {{${path}}}: a value is always text. {{rich ${path}}} takes HTML and Markdown.`
}

/** What a section of other languages may be. */
export function blockForms(path: string): string {
  return `Write {{#each ${path}}} for a list, {{#with ${path}}} for an object, or {{#if ${path}}} for a flag.`
}

/** Commands of docx-templates, and the words of Word's merge fields. */
function wordForm(source: string): string | undefined {
  // docxtpl's rich text, and its documents made by code.
  const [, kind, text = ''] = /^([rp])\s+([A-Za-z_][\w.]*)$/.exec(source) ?? []
  if (kind !== undefined) return kind === 'r' ? `Write {{rich ${pathOf(text)}}}.` : include
  const [, word = '', rest = ''] = /^([A-Z]+(?:-[A-Z]+)?)\s+"?([\w.$-]+)/.exec(source) ?? []
  switch (word) {
    case 'MERGEFIELD':
    case 'INS':
      return `Write {{${pathOf(rest)}}}.`
    case 'IF':
      return `Write {{#if ${pathOf(rest)}}} … {{#end}}.`
    case 'END-IF':
    case 'END-FOR':
      return 'Write {{#end}}.'
    default:
      return undefined
  }
}

/** Names without a slash, with dots and indexes for members, optionally followed by formats of Quire or another language. */
function valueForm(source: string): string | undefined {
  const [, name = '', formats = ''] =
    /^((?:@root\.)?[\p{L}_$][\p{L}\p{M}\p{N}_.$-]*(?:\[\w+\][\p{L}\p{M}\p{N}_.$-]*)*)\s*((?:\||:[a-z]).*)?$/su.exec(
      source,
    ) ?? []
  if (name === '') return slashForm(source)
  const path = pathOf(name)
  if (formats.startsWith(':')) {
    return `Write {{${path}}}, with formats behind bars: | number "#,##0.00", | date "d MMMM yyyy", | upper, | default "none".`
  }
  if (formats !== '') return `Begin with a slash: {{${path} …}}.`
  return path === `/${name}`
    ? `Write {{/${name}}} for the value named ${name}; inside of a block, {{./${name}}} for a member of its item.`
    : `Write {{${path}}}, or {{/${name}}} for the value named ${name}.`
}

/** `customer/name` has lost its first slash; in `\\customer\\name` they lean the other way. */
function slashForm(source: string): string | undefined {
  const [path] = /^\\?[A-Za-z_][\w-]*(?:[/\\][\w-]+)*/.exec(source) ?? []
  if (path === undefined || !/[/\\]/.test(path)) return undefined
  const rest = source.slice(path.length)
  return /^(?:\s*\||$)/.test(rest)
    ? `Begin with a slash: {{/${path.replace(/^\\/, '').replaceAll('\\', '/')}${rest === '' ? '' : ' …'}}}.`
    : undefined
}

/** `customer.name`, `this.name`, `d.lines[0].name` and `lines[i].name` as a pointer. */
export function pathOf(name: string): string {
  const [item] = /.*\[i\]/.exec(name) ?? []
  const inside = item === undefined ? name.replace(/^(?:@root|\$\$?)\./, '') : `this${name.slice(item.length)}`
  const steps = inside
    .replace(/\[(\w+)\]/g, '.$1')
    .split('.')
    .filter((step) => step !== '')
  const [first] = steps
  if (first === 'this') return `./${steps.slice(1).join('/')}`.replace(/^\.\/$/, '.')
  // Carbone calls the data d.
  return `/${(first === 'd' && steps.length > 1 ? steps.slice(1) : steps).join('/')}`
}

/** `> "Liability clause"` as a slug. */
function slugOf(source: string): string {
  const words = source.toLowerCase().match(/[a-z0-9]+/g) ?? ['clause-liability']
  return words.join('-')
}
