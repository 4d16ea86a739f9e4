/**
 * Which of our fonts stands in for a font that a document names. A twin has the same advance widths, so lines break
 * where they would have; the vertical metrics are those of the original, since they decide the line pitch.
 */
export interface Substitute {
  family: string
  /** Horizontal scale applied to glyphs and advances. */
  scale?: number
  /** hhea ascent, descent and gap of the original, as fractions of the em, where they differ from the twin's. */
  metrics?: readonly [ascent: number, descent: number, gap: number]
}

/** Metric-compatible pairs, keyed by the lower-case name of the original. */
export const twins: Readonly<Record<string, Substitute>> = {
  calibri: { family: 'Carlito', metrics: [0.75, 0.25, 0.2207] },
  arial: { family: 'Arimo' },
  helvetica: { family: 'Arimo' },
  'liberation sans': { family: 'Arimo' },
  'times new roman': { family: 'Tinos' },
  times: { family: 'Tinos' },
  'liberation serif': { family: 'Tinos' },
  'courier new': { family: 'Cousine' },
  courier: { family: 'Cousine' },
  'liberation mono': { family: 'Cousine' },
  georgia: { family: 'Gelasio', metrics: [0.917, 0.2192, 0] },
  // Today's Caladea is narrower than Cambria by a twentieth over running text, so it is drawn that much wider.
  cambria: { family: 'Caladea', scale: 1.05, metrics: [0.9502, 0.2222, 0] },
  'cambria math': { family: 'Caladea', scale: 1.05, metrics: [0.9502, 0.2222, 0] },
}

/** Fonts without a metric twin: the family nearest in shape, with a scale that brings the average width close. */
export const lookalikes: Readonly<Record<string, Substitute>> = {
  'calibri light': { family: 'Carlito', metrics: [0.75, 0.25, 0.2207] },
  candara: { family: 'Carlito' },
  corbel: { family: 'Carlito' },
  aptos: { family: 'Carlito', scale: 1.06 },
  'aptos display': { family: 'Carlito', scale: 1.04 },
  'aptos narrow': { family: 'Carlito', scale: 0.97 },
  'segoe ui': { family: 'Arimo', metrics: [1.0791, 0.251, 0] },
  verdana: { family: 'Arimo', scale: 1.16, metrics: [1.0054, 0.21, 0] },
  tahoma: { family: 'Arimo', scale: 0.98, metrics: [1.0005, 0.207, 0] },
  'trebuchet ms': { family: 'Arimo', scale: 0.95, metrics: [0.939, 0.2222, 0] },
  'arial narrow': { family: 'Arimo', scale: 0.82 },
  consolas: { family: 'Cousine', scale: 0.9163, metrics: [0.743, 0.257, 0.1709] },
  'lucida console': { family: 'Cousine', scale: 1.004 },
  'book antiqua': { family: 'Tinos', scale: 1.07 },
  'palatino linotype': { family: 'Tinos', scale: 1.07 },
  garamond: { family: 'Tinos', scale: 0.93 },
  'century schoolbook': { family: 'Tinos', scale: 1.08 },
}

/** The nearest family by what the name says about its kind. */
export function guessFamily(name: string): string {
  const lower = name.toLowerCase()
  // What symbol fonts draw is looked up by meaning; LibreOffice takes their line's height from the same family.
  if (/symbol|dings|sorts/.test(lower)) return 'Arimo'
  if (/mono|consol|courier|code|typewriter|terminal/.test(lower)) return 'Cousine'
  if (/sans|gothic|grotesk|helvet|verdana|arial|roboto|inter|segoe|tahoma/.test(lower)) return 'Arimo'
  if (/serif|times|roman|book|garamond|baskerville|palatino|minion|caslon|century|bodoni|antiqua|song|ming/.test(lower))
    return 'Tinos'
  return 'Carlito'
}

/**
 * What the private codes of the symbol fonts draw, in Unicode. Word writes bullets as Symbol U+F0B7 and Wingdings
 * U+F0A7, whose fonts cannot be shipped.
 */
const wingdings: Readonly<Record<number, number>> = {
  34: 0x2702,
  40: 0x260e,
  42: 0x2709,
  74: 0x263a,
  108: 0x25cf,
  110: 0x25a0,
  111: 0x25a1,
  113: 0x2751,
  117: 0x25c6,
  118: 0x2756,
  159: 0x2022,
  167: 0x25aa,
  168: 0x25a1,
  216: 0x25ba,
  220: 0x25b6,
  224: 0x2192,
  232: 0x2192,
  240: 0x21d2,
  251: 0x2717,
  252: 0x2713,
  253: 0x2612,
  254: 0x2611,
}
const symbol: Readonly<Record<number, number>> = {
  183: 0x2022,
  176: 0xb0,
  177: 0xb1,
  179: 0x2265,
  163: 0x2264,
  180: 0xd7,
  184: 0xf7,
  185: 0x2260,
  165: 0x221e,
  174: 0x2192,
  172: 0x2190,
  173: 0x2191,
  175: 0x2193,
  215: 0x22c5,
  45: 0x2212,
  210: 0xae,
  211: 0xa9,
  212: 0x2122,
  222: 0x21d2,
  160: 0x20ac,
  97: 0x3b1,
  98: 0x3b2,
  103: 0x3b3,
  100: 0x3b4,
  101: 0x3b5,
  108: 0x3bb,
  109: 0x3bc,
  112: 0x3c0,
  115: 0x3c3,
  119: 0x3c9,
  68: 0x394,
  83: 0x3a3,
  87: 0x3a9,
  70: 0x3a6,
}

/** True for families whose codes are not Unicode characters; see `symbolCharacter`. */
export function isSymbolFamily(family: string): boolean {
  return /^(wingdings|webdings|symbol$)/i.test(family)
}

/** The Unicode character behind a symbol font's code; the code itself when the font is none of them. */
export function symbolCharacter(family: string, codePoint: number): number {
  const lower = family.toLowerCase()
  const table =
    lower.startsWith('wingdings') || lower === 'webdings' ? wingdings : lower === 'symbol' ? symbol : undefined
  if (!table) return codePoint
  const code = codePoint >= 0xf000 && codePoint <= 0xf0ff ? codePoint - 0xf000 : codePoint
  if (code > 0xff) return codePoint
  return table[code] ?? (codePoint >= 0xf000 ? 0x2022 : codePoint)
}
