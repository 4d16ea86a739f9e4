/** A counter value in one of the number formats of 17.18.59; unknown formats count in decimals. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'none':
      return ''
    case 'decimalZero':
      return value < 10 && value >= 0 ? `0${value}` : `${value}`
    case 'upperRoman':
      return roman(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperLetter':
      return letters(value)
    case 'lowerLetter':
      return letters(value).toLowerCase()
    case 'ordinal':
      return `${value}${ordinalSuffix(value)}`
    case 'numberInDash':
      return `- ${value} -`
    default:
      return `${value}`
  }
}

const romans: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function roman(value: number): string {
  if (value <= 0 || value > 9_999) return `${value}`
  let rest = value
  let text = ''
  for (const [amount, digits] of romans) {
    while (rest >= amount) {
      text += digits
      rest -= amount
    }
  }
  return text
}

/** A, B, … Z, AA, BB: Word repeats the letter instead of counting in base 26. */
function letters(value: number): string {
  if (value <= 0 || value > 780) return `${value}`
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.floor((value - 1) / 26) + 1)
}

function ordinalSuffix(value: number): string {
  const tens = value % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'
}
