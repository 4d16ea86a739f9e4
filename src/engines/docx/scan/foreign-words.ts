/** What other template languages write in conditions, and what Quire writes for it. */

export const generalHint =
  'A condition joins tests by and, or and not: /a = "x", /b > 3, /c in ["x", "y"], /d is empty. Put a name with blanks or signs in quotes: /"first name".'

/** Words and signs by the form that replaces them. */
const replacements: Readonly<Record<string, readonly string[]>> = {
  and: ['&&', '&', '∧', 'und', 'et'],
  or: ['||', '∨', 'oder', 'ou'],
  not: ['¬', 'nicht', 'unless'],
  '=': ['===', 'eq', 'equals', 'equal', '≡'],
  '!=': ['!==', '<>', '≠', 'ne', 'neq', 'isnt'],
  '<': ['lt'],
  '<=': ['=<', '≤', '⇐', '⩽', 'lte', 'le'],
  '>': ['gt'],
  '>=': ['=>', '≥', '⇒', '⩾', 'gte', 'ge'],
  'is empty': ['isempty', 'blank', 'empty', 'isblank'],
  'is not empty': ['exists', 'defined', 'present', 'isdefined'],
  null: ['nil', 'none', 'undefined'],
}

const forms: ReadonlyMap<string, string> = new Map(
  Object.entries(replacements).flatMap(([form, others]) => others.map((other) => [other, form] as const)),
)

const explained: ReadonlyMap<string, string> = new Map([
  ['|', 'Write or between two tests. Formats have no place in a condition: compare the value itself.'],
  [',', 'Write numbers without separators (1000.5), and lists in brackets: in ["a", "b"].'],
  ['?', 'Write {{#if /a}} … {{#else}} … {{#end}} for a choice.'],
  [':', 'Write {{#if /a}} … {{#else}} … {{#end}} for a choice.'],
  ['contains', 'Write /value in ["a", "b"], or let the transformer test the text.'],
  ['includes', 'Write /value in ["a", "b"], or let the transformer test the text.'],
  ['startswith', 'Let the transformer test the text, and write {{#if /flag}} for its answer.'],
  ['endswith', 'Let the transformer test the text, and write {{#if /flag}} for its answer.'],
  ['between', 'Write /a >= 1 and /a <= 5.'],
  ['like', 'Write /value in ["a", "b"], or let the transformer test the text.'],
  ['xor', 'Write (/a or /b) and not (/a and /b).'],
  ['{', 'Write values in brackets: in ["a", "b"].'],
  ['}', 'Write values in brackets: in ["a", "b"].'],
])

const ours = new Set(['and', 'or', 'not', 'in', 'is', 'empty', 'true', 'false', 'null'])
const arithmetic = new Set(['+', '-', '*', '%', '^', '×', '÷', '−', '·'])

/** A remedy for a word or sign that has a meaning in another language; undefined for all others. */
export function foreignForm(written: string): string | undefined {
  const word = written.toLowerCase()
  if (written !== word && ours.has(word)) return `Write ${word} in small letters.`
  if (arithmetic.has(written)) return 'Templates don’t calculate. Let the transformer make the value.'
  const form = forms.get(word)
  return form === undefined ? explained.get(word) : `Write ${form} instead of ${written}.`
}
