import type { FormulaText } from '../../model/equation.ts'
import type { AtomClass } from './box.ts'

/** First letters of the alphabets of Unicode's mathematical characters. */
const capitals: Readonly<Record<string, number>> = {
  bold: 0x1d400,
  italic: 0x1d434,
  boldItalic: 0x1d468,
  script: 0x1d49c,
  fraktur: 0x1d504,
  doubleStruck: 0x1d538,
}
const greek: Readonly<Record<string, number>> = { bold: 0x1d6a8, italic: 0x1d6e2, boldItalic: 0x1d71c }

/** Letters that were in Unicode before their alphabets, by the code that they would have. */
const earlier = new Map([
  [0x1d455, 0x210e],
  ...([
    [0x1d49d, 0x212c],
    [0x1d4a0, 0x2130],
    [0x1d4a1, 0x2131],
    [0x1d4a3, 0x210b],
    [0x1d4a4, 0x2110],
  ] as const),
  ...([
    [0x1d4a7, 0x2112],
    [0x1d4a8, 0x2133],
    [0x1d4ad, 0x211b],
    [0x1d4ba, 0x212f],
    [0x1d4bc, 0x210a],
  ] as const),
  ...([
    [0x1d4c4, 0x2134],
    [0x1d506, 0x212d],
    [0x1d50b, 0x210c],
    [0x1d50c, 0x2111],
    [0x1d515, 0x211c],
  ] as const),
  ...([
    [0x1d51d, 0x2128],
    [0x1d53a, 0x2102],
    [0x1d53f, 0x210d],
    [0x1d545, 0x2115],
    [0x1d547, 0x2119],
  ] as const),
  ...([
    [0x1d548, 0x211a],
    [0x1d549, 0x211d],
    [0x1d551, 0x2124],
  ] as const),
])

/** Greek signs behind the small letters of each alphabet. */
const greekSigns = '∂ϵϑϰϕϱϖ'

/** The character that Word draws for a run's character: a mathematical letter in its style, a minus for a hyphen. */
export function styled(code: number, { style, script }: Pick<FormulaText, 'style' | 'script'>): number {
  if (code === 0x2d) return 0x2212
  if (code === 0x27) return 0x2032
  const alphabet = script === 'roman' ? style : script
  const first = capitals[alphabet]
  const isUpper = code >= 0x41 && code <= 0x5a
  if (first !== undefined && (isUpper || (code >= 0x61 && code <= 0x7a))) {
    const letter = first + (isUpper ? code - 0x41 : code - 0x61 + 26)
    return earlier.get(letter) ?? letter
  }
  if (code >= 0x30 && code <= 0x39) {
    if (alphabet === 'bold' || alphabet === 'boldItalic') return 0x1d7ce + code - 0x30
    return alphabet === 'doubleStruck' ? 0x1d7d8 + code - 0x30 : code
  }
  const letters = greek[alphabet]
  if (letters === undefined) return code
  if (code >= 0x391 && code <= 0x3a9) return letters + code - 0x391
  if (code >= 0x3b1 && code <= 0x3c9) return letters + 26 + code - 0x3b1
  const sign = greekSigns.indexOf(String.fromCodePoint(code))
  return sign < 0 ? code : letters + 51 + sign
}

const binary = new Set([...'+±∓×÷∗⋅·∘∙∩∪∧∨⊕⊖⊗⊘⊙⊎⊓⊔∖∸⋆†‡−'])
const open = new Set([...'([{⟨⌊⌈⟦'])
const close = new Set([...')]}⟩⌋⌉⟧!'])
const relations = new Set([...'=<>:≔'])

export function classOf(code: number): AtomClass {
  const character = String.fromCodePoint(code)
  if (binary.has(character)) return 'binary'
  if (open.has(character)) return 'open'
  if (close.has(character)) return 'close'
  if (character === ',' || character === ';') return 'punctuation'
  if (relations.has(character) || isRelation(code)) return 'relation'
  return 'ordinary'
}

/** Arrows, and the relations among Unicode's mathematical operators. */
function isRelation(code: number): boolean {
  if (code >= 0x2190 && code <= 0x21ff) return true
  if (code >= 0x2208 && code <= 0x220d) return true
  if (code === 0x221d || (code >= 0x2223 && code <= 0x2226)) return true
  if (code >= 0x2237 && code <= 0x228b) return code !== 0x2238 && code !== 0x2240
  return (code >= 0x228f && code <= 0x2292) || (code >= 0x22a2 && code <= 0x22b8) || (code >= 0x2a7d && code <= 0x2a7e)
}

/** Whether a character leans to the right, away from what is above it. */
export function isSlanted(code: number): boolean {
  return code === 0x210e || (code >= 0x1d434 && code <= 0x1d49b) || (code >= 0x1d6e2 && code <= 0x1d755)
}
