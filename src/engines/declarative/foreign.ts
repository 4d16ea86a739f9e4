/** Operators of other languages (JSONata, MongoDB, Handlebars, JavaScript, SQL) and their equivalents here. */

const calculate = (formula: string) => `Calculate it: { $calc: "${formula}", … }.`
const compare = (sign: string) => `Compare with { $is: [left, "${sign}", right] }.`
const noClock = 'A transformer has no clock: declare a param of type date, and hand the date in.'
const inZone = 'Use { $inZone: /at, zone: berlin } with a table of the zone, which quire zone prints.'
const noChance = 'A transformer gives the same result for the same input: hand such a value in as a param.'

/** By the name in small letters, without $ and _. */
// biome-ignore format: a table reads better in rows
const answers: ReadonlyMap<string, string> = new Map(Object.entries({
  map: 'Loop with { $each: /list, as: item, do: … }.', foreach: 'Loop with { $each: /list, as: item, do: … }.', for: 'Loop with { $each: /list, as: item, do: … }.', collect: 'Loop with { $each: /list, as: item, do: … }.',
  filter: 'Leave items out with { $each: /list, as: item, where: … }.', where: 'Leave items out with { $each: /list, as: item, where: … }.', select: 'Leave items out with { $each: /list, as: item, where: … }.', reject: 'Leave items out with { $each: /list, as: item, where: { $not: … } }.',
  reduce: 'Carry a value with { $fold: /list, as: item, into: total, from: 0, do: … }.', accumulate: 'Carry a value with { $fold: /list, as: item, into: total, from: 0, do: … }.', scan: 'Carry a value with { $fold: /list, as: item, into: total, from: 0, do: …, each: … }.',
  sort: 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.', sortby: 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.', orderby: 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.', order: 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.',
  reverse: 'Sort the other way: sort: { by: { $index: item }, descending: true } in $each.', first: 'Take it with { $pick: /list, at: 0 }.', head: 'Take it with { $pick: /list, at: 0 }.', last: 'Take it with { $pick: /list, at: -1 }.', nth: 'Take it with { $pick: /list, at: 2 }.', arrayelemat: 'Take it with { $pick: /list, at: 2 }.',
  limit: 'Take the first with { $take: /list, count: 3 }.', top: 'Take the first with { $take: { $each: /list, as: item, sort: … }, count: 3 }.', skip: 'Leave the first out with { $take: /list, from: 3 }.', tail: 'Leave the first out with { $take: /list, from: 1 }.',
  find: 'Find it by { $lookup: { $indexBy: … }, key: … }, or { $pick: { $each: /list, as: item, where: … }, at: 0 }.', groupby: 'Group with { $group: /list, as: item, by: …, do: … }.', unique: 'Use $distinct.', uniq: 'Use $distinct.', keys: 'Use $entries, and its key.', values: 'Use $entries, and its value.', items: 'Use $entries.', objecttoarray: 'Use $entries.', arraytoobject: 'Use $fromEntries.', append: 'Use $concat.', push: 'Use $concat.', concatarrays: 'Use $concat.', union: 'Use $distinct of $concat.', zip: 'Loop over one with $each, and take the other’s with $pick and $index.', mergeobjects: 'Use $merge.', assign: 'Use $merge.', spread: 'Use $merge.',
  size: 'Use $count for an array, $length for a text.', len: 'Use $count for an array, $length for a text.', strlen: 'Use $length.', some: 'Count what is left: $is of $count of $each with where.', every: 'Count what is left: $is of $count of $each with where.',
  abs: calculate('abs(a)'), add: calculate('a + b'), plus: calculate('a + b'), subtract: calculate('a - b'), minus: calculate('a - b'), multiply: calculate('a * b'), times: calculate('a * b'), divide: 'Calculate it: { $calc: "a / b", …, scale: 2, round: half-up }.', mod: calculate('mod(a, b)'), pow: calculate('a ^ 2'), power: calculate('a ^ 2'), sign: calculate('sign(a)'),
  round: 'Round with { $calc: a, a: …, scale: 2, round: half-up }.', ceil: 'Round with { $calc: a, a: …, scale: 0, round: ceiling }.', floor: 'Round with { $calc: a, a: …, scale: 0, round: floor }.', trunc: 'Round with { $calc: a, a: …, scale: 0, round: down }.', average: 'Use $avg.', mean: 'Use $avg.', percent: 'Write it with { $format: /share, number: "0.0%" }.',
  eq: compare('='), equals: compare('='), ne: compare('!='), neq: compare('!='), gt: compare('>'), gte: compare('>='), lt: compare('<'), lte: compare('<='), in: 'Compare with { $is: [left, in, [a, b]] }.', and: 'Use $all.', or: 'Use $any.', cond: 'Use $if with then and else.', ifelse: 'Use $if with then and else.', iif: 'Use $if with then and else.', when: 'Use $if with then and else.', switch: 'Use $match, one key a value.', choose: 'Use $match, one key a value.', ifnull: 'Use $default.', coalesce: 'Use $default.', nvl: 'Use $default.', isnull: 'Use $not of $exists.', isempty: 'Compare with "", or the $count with 0.',
  upper: 'Use { $case: …, to: upper }.', uppercase: 'Use { $case: …, to: upper }.', toupper: 'Use { $case: …, to: upper }.', lower: 'Use { $case: …, to: lower }.', lowercase: 'Use { $case: …, to: lower }.', tolower: 'Use { $case: …, to: lower }.', capitalize: 'Use { $case: …, to: title }.', title: 'Use { $case: …, to: title }.', substring: 'Use $slice with from and to.', substr: 'Use $slice with from and to.', left: 'Use { $slice: …, from: 0, to: 3 }.', right: 'Use { $slice: …, from: -3 }.', replaceall: 'Use $replace, which replaces every occurrence.', regex: 'Use $matches, or $replace with pattern.', regexmatch: 'Use $matches.', test: 'Use $matches.', includes: 'Use $contains for a text, $is with in for an array.', padstart: 'Use { $pad: …, to: 6, side: start }.', padend: 'Use { $pad: …, to: 6, side: end }.', strip: 'Use $trim.', ltrim: 'Use { $trim: …, side: start }.', rtrim: 'Use { $trim: …, side: end }.', template: 'Use $text with named slots.', string: 'Use $text with a slot.', tostring: 'Use $text with a slot.', str: 'Use $text with a slot.', pluralize: 'Use $plural.', ordinal: 'Use { $plural: …, ordinal: true, one: "{n}st", two: "{n}nd", few: "{n}rd", other: "{n}th" }.',
  number: 'Read it with { $parse: …, as: decimal }, or write it with $format.', tonumber: 'Read it with { $parse: …, as: decimal }.', toint: 'Read it with { $parse: …, as: decimal }.', todecimal: 'Read it with { $parse: …, as: decimal }.', todate: 'Read it with { $parse: …, as: date }.', date: 'Read it with { $parse: …, as: date }, or write it with $format.', formatnumber: 'Use { $format: …, number: "#,##0.00" }.', formatdate: 'Use { $format: …, date: "d MMMM yyyy" }.', dateformat: 'Use { $format: …, date: "d MMMM yyyy" }.', datetostring: 'Use { $format: …, date: "d MMMM yyyy" }.', currency: 'Use { $format: …, currency: EUR, locale: de }.', year: 'Use { $datePart: …, part: year }.', month: 'Use { $datePart: …, part: month }.', day: 'Use { $datePart: …, part: day }.', week: 'Use { $datePart: …, part: week }.', datesubtract: 'Use $dateAdd with a negative number.', adddays: 'Use { $dateAdd: …, days: 14 }.', addmonths: 'Use { $dateAdd: …, months: 1 }.', datetrunc: 'Use { $dateOf: …, first: month }.', endofmonth: 'Use { $dateOf: …, last: month }.', eomonth: 'Use { $dateOf: …, last: month }.',
  totimezone: inZone, timezone: inZone, converttimezone: inZone, converttz: inZone, attimezone: inZone, tz: inZone, tolocaltime: inZone, tolocal: inZone,
  now: noClock, today: noClock, millis: noClock, currentdate: noClock, random: noChance, rand: noChance, uuid: noChance, guid: noChance,
  let: 'Write it under let at the top, and read it as $name.', var: 'Write it under let at the top, and read it as $name.', literal: 'Use $const.', get: 'Read it by its path, such as /customer/name.', path: 'Read it by its path, such as /customer/name.', ref: 'Read it by its path, such as /customer/name.', this: 'Give the item a name with "as", and read it as $name.', root: 'A path that begins with / starts at the input.', omitnull: 'Use $omit.', required: 'Use $require with a code.', assert: 'Use $require with a code.', sequence: 'Use { $range: [1, 12], most: 12 }.',
}))

/** What to write instead of an operator that this language does not have. */
export function ownForm(name: string): string | undefined {
  return answers.get(name.replace(/[$_]/g, '').toLowerCase())
}

/** Arguments as other languages call them, by the ones that are meant; the first that an operator has is proposed. */
// biome-ignore format: a table reads better in rows
const argumentWords: Readonly<Record<string, readonly string[]>> = {
  filter: ['where'], if: ['where', 'then'], select: ['do'], map: ['do'], return: ['do'], yes: ['then'], no: ['else'], true: ['then'], false: ['else'],
  default: ['else'], otherwise: ['else'], separator: ['with'], sep: ['with'], delimiter: ['on', 'with'], by: ['on'], start: ['from'], begin: ['from'], end: ['to'],
  length: ['to', 'count'], limit: ['count'], from: ['find'], to: ['with'], search: ['find'], replacement: ['with'], pattern: ['number', 'date'], format: ['number', 'date'],
  order: ['descending'], direction: ['descending'], desc: ['descending'], type: ['as', 'unit'], item: ['as'], var: ['as'], name: ['as'], decimals: ['scale'], precision: ['scale'],
  places: ['scale'], digits: ['scale'], lang: ['locale'], language: ['locale'], orderBy: ['sort'], sortBy: ['sort'], value: ['of'], field: ['of', 'by'], init: ['from'], initial: ['from'],
}

/** `Write where instead of filter.`; undefined if the operator has no such argument. */
export function ownArgument(operator: string, written: string, names: readonly string[]): string | undefined {
  const meant =
    (Object.hasOwn(argumentWords, written) ? argumentWords[written] : undefined)?.filter((name) =>
      names.includes(name),
    ) ?? []
  if (meant.length === 0) return undefined
  const example = written === 'order' || written === 'direction' || written === 'desc' ? ': descending: true' : ''
  return `Write ${meant.join(' or ')} instead of ${written}${example}${operator === '$match' ? ' for all other cases' : ''}.`
}

// biome-ignore format: a table reads better in rows
const choiceWords: Readonly<Record<string, string>> = {
  number: 'decimal', int: 'decimal', integer: 'decimal', float: 'decimal', bool: 'boolean', timestamp: 'datetime', 'date-time': 'datetime',
  uppercase: 'upper', lowercase: 'lower', capitalize: 'title', titlecase: 'title', left: 'start', right: 'end', halfup: 'half-up', bankers: 'half-even',
}

/** For a literal of another language in the place of a choice. */
export function choiceMeant(written: string, choices: readonly string[]): string | undefined {
  const meant = Object.hasOwn(choiceWords, written.toLowerCase()) ? choiceWords[written.toLowerCase()] : undefined
  return meant !== undefined && choices.includes(meant) ? `Write ${meant}.` : undefined
}
