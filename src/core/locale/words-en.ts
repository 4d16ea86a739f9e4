const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const thousands = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion']

function belowThousand(value: number): string {
  if (value >= 100) {
    const rest = value % 100
    return `${small[Math.floor(value / 100)]} hundred${rest === 0 ? '' : ` ${belowThousand(rest)}`}`
  }
  if (value < 20) return small[value] ?? ''
  return value % 10 === 0 ? `${tens[value / 10]}` : `${tens[Math.floor(value / 10)]}-${small[value % 10]}`
}

/** A whole number from 0 to 10^18 − 1 in English words (short scale, no "and"). */
export function englishInteger(value: bigint): string {
  if (value === 0n) return belowThousand(0)
  const parts: string[] = []
  for (let rest = value, power = 0; rest > 0n; rest /= 1000n, power++) {
    const group = Number(rest % 1000n)
    if (group !== 0) parts.unshift(power === 0 ? belowThousand(group) : `${belowThousand(group)} ${thousands[power]}`)
  }
  return parts.join(' ')
}
