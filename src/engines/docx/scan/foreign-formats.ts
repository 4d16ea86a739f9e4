/** Formats of other template languages, and what Quire has for them. */

const byTransformer = (operator: string) => `Let the transformer make the value, with ${operator}.`
const number = 'Write | number "#,##0.00".'

/** By the name in small letters. */
const answers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    uppercase: 'Write | upper.',
    ucase: 'Write | upper.',
    toupper: 'Write | upper.',
    lowercase: 'Write | lower.',
    lcase: 'Write | lower.',
    tolower: 'Write | lower.',
    capitalize: byTransformer('$case to title'),
    title: byTransformer('$case to title'),
    ucfirst: byTransformer('$case to title'),
    currency: 'Write | number "#,##0.00 \'EUR\'", or let the transformer write the amount, with $format and currency.',
    money: 'Write | number "#,##0.00 \'EUR\'", or let the transformer write the amount, with $format and currency.',
    round: number,
    floatformat: number,
    format: 'Write | number "#,##0.00" for a number, | date "d MMMM yyyy" for a date.',
    formatn: number,
    formatd: 'Write | date "d MMMM yyyy".',
    strftime: 'Write | date "d MMMM yyyy".',
    datetime: 'Write | date "d MMMM yyyy HH:mm".',
    percent: 'Write | number "0.0%".',
    trim: byTransformer('$trim'),
    truncate: byTransformer('$slice'),
    slice: byTransformer('$slice'),
    replace: byTransformer('$replace'),
    join: 'Loop with {{#each /list}}, or let the transformer make the value, with $join.',
    split: byTransformer('$split'),
    length: 'In a loop {{@count}} is the number of items; for others let the transformer count, with $count.',
    count: 'In a loop {{@count}} is the number of items; for others let the transformer count, with $count.',
    sum: byTransformer('$sum'),
    first: 'Write the item into the pointer: {{/list/0}}.',
    last: byTransformer('$pick at -1'),
    sort: byTransformer('$each with sort'),
    nl2br: 'Leave it out: a line break in the value becomes a line break.',
    safe: 'Write {{rich /value}} for HTML; other values are always text.',
    raw: 'Write {{rich /value}} for HTML; other values are always text.',
    html: 'Write {{rich /value}} for HTML; other values are always text.',
    escape: 'Leave it out: values are always text.',
    ifnull: 'Write | default "text".',
    ifempty: 'Write | default "text".',
  }),
)

/** What to write instead of an unknown format; undefined if only all formats can be listed. */
export function foreignFormat(source: string): string | undefined {
  if (source === '') return 'Leave the bar out, or write | default "text" for a value that may be missing.'
  const [, name = '', rest = ''] = /^([A-Za-z_]\w*)\s*(.*)$/s.exec(source) ?? []
  const word = name.toLowerCase()
  const [, inside] = /^[(:]\s*(?:["'“”„‘’]([^"'“”„‘’]*)["'“”„‘’])?\s*\)?$/s.exec(rest) ?? []
  if (word === 'default') return `Write | default "${inside === undefined || inside === '' ? 'text' : inside}".`
  if ((word === 'number' || word === 'date') && /^[(:]/.test(rest)) {
    const pattern = word === 'number' ? '#,##0.00' : 'd MMMM yyyy'
    return `Write | ${word} "${inside === undefined || inside === '' ? pattern : inside}", with a blank behind the name.`
  }
  if ((word === 'upper' || word === 'lower') && name !== word) return `Write | ${word} in small letters.`
  return answers.get(word)
}
