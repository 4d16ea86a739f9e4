/** Sets of characters as RE2 writes them: the classes of ECMA-262 by their ranges, properties of Unicode by their names. */

export type Range = readonly [from: number, to: number]

export const lastPoint = 0x10ffff
export const digitRanges: Range[] = [[0x30, 0x39]]
export const wordRanges: Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3. */
export const spaceRanges: Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

const longCategories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
}

/** RE2's name for a general category. */
export function shortCategory(name: string): string {
  return longCategories[name] ?? name
}

export function writeRanges(ranges: readonly Range[]): string {
  return ranges.map(([from, to]) => (from === to ? point(from) : `${point(from)}-${point(to)}`)).join('')
}

function point(value: number): string {
  return `\\x{${value.toString(16)}}`
}

export function complement(ranges: readonly Range[]): Range[] {
  const made: Range[] = []
  let next = 0
  for (const [from, to] of ranges) {
    if (from > next) made.push([next, from - 1])
    next = to + 1
  }
  made.push([next, lastPoint])
  return made
}

/** The native engine only validates the name, which consists of letters, digits, `_` and `=`; it matches no text. */
export function isPropertyName(text: string): boolean {
  try {
    new RegExp(`\\p{${text}}`, 'u')
    return true
  } catch {
    return false
  }
}
