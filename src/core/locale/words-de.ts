const small =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  )
const tens = 'null zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ')
const large: readonly (readonly [bigint, string, string])[] = [
  [10n ** 15n, 'Billiarde', 'Billiarden'],
  [10n ** 12n, 'Billion', 'Billionen'],
  [10n ** 9n, 'Milliarde', 'Milliarden'],
  [10n ** 6n, 'Million', 'Millionen'],
]

/** Written as one word; a final one is `ein` here. */
function belowMillion(value: number): string {
  if (value >= 1000) {
    const rest = value % 1000
    return `${belowMillion(Math.floor(value / 1000))}tausend${rest === 0 ? '' : belowMillion(rest)}`
  }
  if (value >= 100) {
    const rest = value % 100
    return `${small[Math.floor(value / 100)]}hundert${rest === 0 ? '' : belowMillion(rest)}`
  }
  if (value < 20) return small[value] ?? ''
  return value % 10 === 0 ? `${tens[value / 10]}` : `${small[value % 10]}und${tens[Math.floor(value / 10)]}`
}

/** A whole number from 0 to 10^18 − 1 in German words, as counted without a noun (`eins`). */
export function germanInteger(value: bigint): string {
  const parts: string[] = []
  let rest = value
  for (const [size, one, many] of large) {
    const count = Number(rest / size)
    if (count > 0) parts.push(count === 1 ? `eine ${one}` : `${belowMillion(count)} ${many}`)
    rest %= size
  }
  if (rest > 0n || parts.length === 0) {
    const words = belowMillion(Number(rest))
    parts.push(words.endsWith('ein') ? `${words}s` : words)
  }
  return parts.join(' ')
}
