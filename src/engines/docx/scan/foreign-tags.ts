/** Tags of other template languages, and what Quire writes for them. */

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
  ['#keep', 'Write {{#keep}} alone, and {{#end}} behind what has to stay on one page.'],
])

const loops: ReadonlySet<string> = new Set(['#for', '#foreach', 'for'])

/** A remedy for a tag of another template language, or for a name without its slash. */
export function foreignTag(source: string): string | undefined {
  const [word = ''] = source.split(/[\s(]/, 1)
  const looped = loops.has(word.toLowerCase()) ? /\s(?:in|of)\s+([\w.$[\]]+)\s*\)?$/i.exec(source)?.[1] : undefined
  if (looped !== undefined) return `Write {{#each ${pathOf(looped)}}}: the members of its items are ./name.`
  const form = foreignTags.get(word.toLowerCase())
  if (form !== undefined && (word.startsWith('#') || word === source)) return form
  return sectionForm(source) ?? wordForm(source) ?? valueForm(source)
}

/** Sections of Mustache and docxtemplater, and what else they begin with a sign. */
function sectionForm(source: string): string | undefined {
  const [, sign = '', name = ''] = /^([#^>&={])\s*([\w.$-]*)/.exec(source) ?? []
  const path = pathOf(name)
  if (sign === '>') return `Write {{> ${slugOf(source)}}} with the slug of the template that is included.`
  if (sign === '=') return 'Tags are always in double braces.'
  if (name === '') return undefined
  if (sign === '#')
    return `Write {{#each ${path}}} for a list, {{#with ${path}}} for an object, or {{#if ${path}}} for a flag.`
  if (sign === '^') return `Write {{#if not ${path}}}, or {{#else}} before the end of the block.`
  return `Write {{${path}}}: a value is always text. {{rich ${path}}} takes HTML and Markdown.`
}

/** Commands of docx-templates, and the words of Word's merge fields. */
function wordForm(source: string): string | undefined {
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

/** Names without a slash, with dots and indexes for members, and with formats of Quire or others behind them. */
function valueForm(source: string): string | undefined {
  const [, name = '', formats = ''] =
    /^([A-Za-z_$][\w.$-]*(?:\[\w+\][\w.$-]*)*)\s*((?:\||:[a-z]).*)?$/s.exec(source) ?? []
  if (name === '') return undefined
  const path = pathOf(name)
  if (formats.startsWith(':')) {
    return `Write {{${path}}}, with formats behind bars: | number "#,##0.00", | date "d MMMM yyyy", | upper, | default "none".`
  }
  if (formats !== '') return `Begin with a slash: {{${path} …}}.`
  return path === `/${name}`
    ? `Write {{/${name}}} for the value named ${name}.`
    : `Write {{${path}}}, or {{/${name}}} for the value named ${name}.`
}

/** `customer.name`, `this.name`, `d.lines[0].name` and `lines[i].name` as a pointer. */
export function pathOf(name: string): string {
  const [item] = /.*\[i\]/.exec(name) ?? []
  const inside = item === undefined ? name : `this${name.slice(item.length)}`
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
