const small =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  )
const tens = '- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ')
const hundreds =
  '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(' ')

function belowThousand(value: number): string {
  if (value === 100) return 'cien'
  if (value >= 100) {
    const rest = value % 100
    return `${hundreds[Math.floor(value / 100)]}${rest === 0 ? '' : ` ${belowThousand(rest)}`}`
  }
  if (value < 30) return small[value] ?? ''
  return value % 10 === 0 ? `${tens[value / 10]}` : `${tens[Math.floor(value / 10)]} y ${small[value % 10]}`
}

/** Before a noun (`mil`, `millones`) a final uno loses its o. */
export function apocope(words: string): string {
  return words.endsWith('veintiuno') ? `${words.slice(0, -3)}ún` : words.replace(/uno$/, 'un')
}

function belowMillion(value: number): string {
  const thousand = Math.floor(value / 1000)
  const rest = value % 1000
  if (thousand === 0) return belowThousand(rest)
  const head = thousand === 1 ? 'mil' : `${apocope(belowThousand(thousand))} mil`
  return rest === 0 ? head : `${head} ${belowThousand(rest)}`
}

/** A whole number from 0 to 10^18 − 1 in Spanish words (long scale). */
export function spanishInteger(value: bigint): string {
  const parts: string[] = []
  let rest = value
  for (const [size, one, many] of [
    [10n ** 12n, 'billón', 'billones'],
    [10n ** 6n, 'millón', 'millones'],
  ] as const) {
    const count = Number(rest / size)
    if (count > 0) parts.push(count === 1 ? `un ${one}` : `${apocope(belowMillion(count))} ${many}`)
    rest %= size
  }
  if (rest > 0n || parts.length === 0) parts.push(belowMillion(Number(rest)))
  return parts.join(' ')
}
