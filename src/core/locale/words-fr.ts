const small =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  )
const tens = [
  '',
  '',
  'vingt',
  'trente',
  'quarante',
  'cinquante',
  'soixante',
  'soixante',
  'quatre-vingt',
  'quatre-vingt',
]
const large: readonly (readonly [bigint, string])[] = [
  [10n ** 15n, 'billiard'],
  [10n ** 12n, 'billion'],
  [10n ** 9n, 'milliard'],
  [10n ** 6n, 'million'],
]

function belowHundred(value: number): string {
  if (value < 20) return small[value] ?? ''
  const ten = Math.floor(value / 10)
  // 70 to 79 and 90 to 99 count on from 60 and 80.
  const rest = ten === 7 || ten === 9 ? value - (ten - 1) * 10 : value % 10
  if (rest === 0) return ten === 8 ? 'quatre-vingts' : (tens[ten] ?? '')
  if ((rest === 1 || rest === 11) && ten < 8) return `${tens[ten]} et ${small[rest]}`
  return `${tens[ten]}-${small[rest]}`
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100)
  const rest = value % 100
  const head = hundreds === 0 ? '' : hundreds === 1 ? 'cent' : `${small[hundreds]} cent${rest === 0 ? 's' : ''}`
  const tail = rest === 0 && hundreds > 0 ? '' : belowHundred(rest)
  return [head, tail].filter((part) => part !== '').join(' ')
}

/** Only at the very end of a number do vingts and cents have their s. */
function beforeThousand(words: string): string {
  return words.replace(/(vingt|cent)s$/, '$1')
}

/** A whole number from 0 to 10^18 − 1 in French words (spelling of before 1990, long scale). */
export function frenchInteger(value: bigint): string {
  const parts: string[] = []
  let rest = value
  for (const [size, name] of large) {
    const count = Number(rest / size)
    if (count > 0) parts.push(`${belowThousand(count)} ${name}${count > 1 ? 's' : ''}`)
    rest %= size
  }
  const thousand = Number(rest / 1000n)
  if (thousand > 0) parts.push(thousand === 1 ? 'mille' : `${beforeThousand(belowThousand(thousand))} mille`)
  const unit = Number(rest % 1000n)
  if (unit > 0 || parts.length === 0) parts.push(belowThousand(unit))
  return parts.join(' ')
}
