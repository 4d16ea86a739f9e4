/**
 * Which of our fonts replaces a font that a document names. A twin has the same advance widths, so lines break
 * where they would have; the vertical metrics are those of the original, since they decide the line pitch.
 */
export interface Substitute {
  family: string
  /** The measured font whose widths are nearest, where the font itself was not measured. */
  widthsOf?: string
  /** Drawn with the bold face, for fonts whose only weight is heavy. */
  bold?: boolean
  /** Horizontal scale applied to glyphs and advances. */
  scale?: number
  /** hhea ascent, descent and gap of the original, as fractions of the em, if they differ from the twin's. */
  metrics?: readonly [ascent: number, descent: number, gap: number]
  /** Where the top of the original's underline is below the baseline, and its thickness, if they differ from the twin's. */
  underline?: Underline
}

export type Underline = readonly [below: number, thickness: number]

/** Names come from documents and may be `constructor`: only own entries of a table count. */
function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Metric-compatible pairs, keyed by the lower-case name of the original. */
const twins: Readonly<Record<string, Substitute>> = {
  calibri: { family: 'Carlito', metrics: [0.75, 0.25, 0.2207], underline: [0.1133, 0.0654] },
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
}

/**
 * Fonts without a metric twin, with the family nearest in shape. They are set at the widths measured for them (see
 * `measured.ts`); a character that was not measured takes those of a relative, or a scale that brings the average width
 * close. Fonts for which `guessFamily` gives the same result are left out.
 */
const lookalikes: Readonly<Record<string, Substitute>> = {
  aptos: { family: 'Carlito', underline: [0.05, 0.02] },
  'aptos black': { family: 'Carlito', widthsOf: 'Aptos', bold: true, scale: 1.05 },
  'aptos extrabold': { family: 'Carlito', widthsOf: 'Aptos', bold: true, scale: 1.03 },
  'aptos light': { family: 'Carlito', widthsOf: 'Aptos' },
  'aptos narrow': { family: 'Carlito', widthsOf: 'Aptos', scale: 0.92 },
  'aptos semibold': { family: 'Carlito', widthsOf: 'Aptos', bold: true },
  'arial black': { family: 'Arimo', bold: true },
  'arial narrow': { family: 'Arimo', scale: 0.82 },
  'arial rounded mt bold': { family: 'Arimo', bold: true },
  'arial unicode ms': { family: 'Arimo' },
  bahnschrift: { family: 'Arimo', widthsOf: 'Franklin Gothic Book' },
  'bell mt': { family: 'Tinos' },
  'book antiqua': { family: 'Gelasio' },
  'bookman old style': { family: 'Gelasio', scale: 1.09 },
  cambria: { family: 'Caladea' },
  'cambria math': { family: 'STIX Two Math' },
  century: { family: 'Gelasio' },
  symbol: { family: 'Arimo', metrics: [1.0054, 0.2197, 0] },
  wingdings: { family: 'Arimo', metrics: [0.8989, 0.2109, 0] },
  'century schoolbook': { family: 'Gelasio', widthsOf: 'Century' },
  constantia: { family: 'Gelasio' },
  'dejavu sans': { family: 'Arimo', widthsOf: 'Verdana' },
  'dejavu sans mono': { family: 'Cousine', scale: 1.0033 },
  'franklin gothic demi': { family: 'Arimo', widthsOf: 'Franklin Gothic Medium', bold: true },
  'franklin gothic heavy': { family: 'Arimo', widthsOf: 'Franklin Gothic Medium', bold: true },
  'franklin gothic medium': { family: 'Arimo', bold: true },
  'gill sans': { family: 'Carlito', widthsOf: 'Gill Sans MT' },
  'gill sans mt': { family: 'Carlito' },
  'goudy old style': { family: 'Tinos', scale: 0.95 },
  impact: { family: 'Arimo', bold: true },
  'lucida sans': { family: 'Arimo', widthsOf: 'Lucida Sans Unicode' },
  'lucida sans unicode': { family: 'Arimo' },
  'monotype corsiva': { family: 'Tinos' },
  'open sans': { family: 'Arimo', widthsOf: 'Segoe UI' },
  'palatino linotype': { family: 'Gelasio', widthsOf: 'Book Antiqua' },
  perpetua: { family: 'Tinos' },
  rockwell: { family: 'Gelasio', scale: 1.02 },
  'segoe ui black': { family: 'Arimo', widthsOf: 'Segoe UI', bold: true, scale: 1.08 },
  'segoe ui semibold': { family: 'Arimo', bold: true },
  sylfaen: { family: 'Tinos' },
  'trebuchet ms': { family: 'Arimo' },
}

/** East Asian fonts by the names that they have in their own languages. */
const localNames: Readonly<Record<string, string>> = {
  'ｍｓ 明朝': 'ms mincho',
  'ｍｓ ゴシック': 'ms gothic',
  'ｍｓ ｐ明朝': 'ms pmincho',
  'ｍｓ ｐゴシック': 'ms pgothic',
  游明朝: 'yu mincho',
  '游明朝 demibold': 'yu mincho',
  游ゴシック: 'yu gothic',
  '游ゴシック medium': 'yu gothic',
  '游ゴシック light': 'yu gothic light',
  メイリオ: 'meiryo',
  宋体: 'simsun',
  新宋体: 'nsimsun',
  黑体: 'simhei',
  仿宋: 'fangsong',
  楷体: 'kaiti',
  等线: 'dengxian',
  '等线 light': 'dengxian light',
  微软雅黑: 'microsoft yahei',
  华文宋体: 'stsong',
  华文中宋: 'stzhongsong',
  新細明體: 'pmingliu',
  細明體: 'mingliu',
  標楷體: 'dfkai-sb',
  微軟正黑體: 'microsoft jhenghei',
  '맑은 고딕': 'malgun gothic',
  바탕: 'batang',
  굴림: 'gulim',
  돋움: 'dotum',
}

/** The English name of a font, in lower case; any other name unchanged. */
export function englishName(lower: string): string {
  return entryOf(localNames, lower) ?? lower
}

/** The metric-compatible font for one, by its name in lower case. */
export function twinOf(lower: string): Substitute | undefined {
  return entryOf(twins, lower)
}

/** What a font without a twin is set with. */
export function substituteOf(lower: string): Substitute {
  return entryOf(lookalikes, lower) ?? { family: guessFamily(lower) }
}

/** The nearest family, guessed from words in the name. */
export function guessFamily(name: string): string {
  const lower = name.toLowerCase()
  // The characters of symbol fonts are looked up by meaning; without metrics of their own, their lines are as high as
  // the family's.
  if (/symbol|dings|sorts/.test(lower)) return 'Arimo'
  if (/mono|consol|courier|code|typewriter|terminal/.test(lower)) return 'Cousine'
  if (/sans|gothic|grotesk|helvet|verdana|arial|roboto|inter|segoe|tahoma|meiryo|gulim|dotum|hei/.test(lower))
    return 'Arimo'
  if (
    /serif|times|roman|book|garamond|baskerville|palatino|minion|caslon|century|bodoni|antiqua|song|ming|mincho|simsun|batang|kai|fang/.test(
      lower,
    )
  )
    return 'Tinos'
  return 'Carlito'
}
