/**
 * Which of our fonts replaces a font that a document names. A twin has the same advance widths, so lines break
 * where they would have; the vertical metrics are those of the original, since they decide the line pitch.
 */
export interface Substitute {
  family: string
  /** Horizontal scale applied to glyphs and advances. */
  scale?: number
  /** hhea ascent, descent and gap of the original, as fractions of the em, if they differ from the twin's. */
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

/** The nearest family, guessed from words in the name. */
export function guessFamily(name: string): string {
  const lower = name.toLowerCase()
  // The characters of symbol fonts are looked up by meaning; LibreOffice takes the height of their lines from the same
  // family.
  if (/symbol|dings|sorts/.test(lower)) return 'Arimo'
  if (/mono|consol|courier|code|typewriter|terminal/.test(lower)) return 'Cousine'
  if (/sans|gothic|grotesk|helvet|verdana|arial|roboto|inter|segoe|tahoma/.test(lower)) return 'Arimo'
  if (/serif|times|roman|book|garamond|baskerville|palatino|minion|caslon|century|bodoni|antiqua|song|ming/.test(lower))
    return 'Tinos'
  return 'Carlito'
}
