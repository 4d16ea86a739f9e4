/**
 * What the codes of Word's symbol fonts draw, in Unicode. Documents write them as U+F000 plus the code; the fonts
 * themselves cannot be shipped.
 */

/** Characters for successive codes, the first of which is `from`; a space marks a code without one. */
type Range = readonly [from: number, characters: string]

/** Symbol, as Adobe's encoding of the same name has it. */
const symbolRanges: readonly Range[] = [
  [0x21, '!∀#∃%&∋()∗+,−./0123456789:;<=>?'],
  [0x40, '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_'],
  [0x60, '‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵'],
  [0xc0, 'ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓'],
  [0xe0, '◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'],
]

/** Wingdings. Where Unicode's own match is in no common font, the nearest character that is. */
const wingdingsRanges: readonly Range[] = [
  [0x21, '✎✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭📁📂📄🗏🗐🗄⏳⌨🖰🖲💻🖴💾🖬✇✍✍✌✋👍👎☜☞☝☟✋☺😐☹💣☠⚐🏱✈☼💧❄✝✞🕈✠✡☪☯ॐ☸'],
  [0x5e, '♈♉♊♋♌♍♎♏♐♑♒♓&&●❍■□◻❑❒◆◊◆❖◆⌧⍓⌘❀✿❝❞'],
  [0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿❦❧❧❦❦❧❧❦·•'],
  [0xa0, '▪○○○◉◎○▪□▲✦★✶✴✹✵⊕⌖✧⌑⊛✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛'],
  [0xd5, '⌫⌦◀►▲▼◄▶▲▼←→↑↓↖↗↙↘⬅→⬆⬇⬉⬈⬋⬊⇦⇒⇧⇩⇔⇕⇖⇗⇙⇘▫▫✗✓☒☑⊞'],
]

/** The ticks, boxes, points and arrows of Wingdings 2, Wingdings 3 and Webdings. */
const wingdings2Ranges: readonly Range[] = [
  [0x4f, '✗✓🗵☑⮽☒'],
  [0x69, '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿'],
  [0x95, '··•●○🞅🞇🞉⊙⦿🞌🞍◾■□🞑🞒🞓🞔▣🞕🞖🞗🞘⬩◆◇🞚◈🞛🞜🞝🞞⬪⬧◊'],
  [0xea, '✦✶  ✴   ✹'],
]
const wingdings3Ranges: readonly Range[] = [
  [0x21, '←→↑↓↖↗↙↘'],
  [0x70, '▲▼△▽◀▶◁▷◣◢◤◥◀▶▲ ▼'],
]
const webdingsRanges: readonly Range[] = [
  [0x33, '◀▶▲▼⏪⏩⏮⏭⏸⏹⏺'],
  [0x61, '✓🚲□🛡📦🚒■🚑🛈✈🛰●'],
  [0x72, '🗙'],
]

function tableOf(ranges: readonly Range[]): ReadonlyMap<number, number> {
  const table = new Map<number, number>()
  for (const [from, characters] of ranges) {
    for (const [index, character] of [...characters].entries())
      if (character !== ' ') table.set(from + index, character.codePointAt(0) ?? 0)
  }
  return table
}

/** What documents write for check boxes, ticks and the like as plain Unicode, beyond the characters of the tables. */
const formCharacters =
  '☐☑☒✓✔✕✖✗✘🗴🗵🗶🗷🗸🗹⮽⭘▢▣◻◼⬜⬛☆★⭐☎☏✆✉✂⚠⚪⚫ⓘℹ⚙♻♡❗❓❯➔➜➢➤☛☞⇒⇔∀∃∈∴∵∗∎∝∠⊥∪∩⊂⊃⊆⊇∧∨⊠⊡☓◽🗌❏❐✩✫✬✭✮✯➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➙➛➝➞➠➡➥➦➧➨'

const tables: ReadonlyMap<string, ReadonlyMap<number, number>> = new Map<string, ReadonlyMap<number, number>>([
  ['symbol', tableOf(symbolRanges)],
  ['wingdings', tableOf(wingdingsRanges)],
  ['wingdings 2', tableOf(wingdings2Ranges)],
  ['wingdings 3', tableOf(wingdings3Ranges)],
  ['webdings', tableOf(webdingsRanges)],
])

/** Every character that symbol fonts and forms need. */
export function symbolCharacters(): number[] {
  const characters = new Set([...tables.values()].flatMap((table) => [...table.values()]))
  for (const character of formCharacters) characters.add(character.codePointAt(0) ?? 0)
  return [...characters].sort((a, b) => a - b)
}

/** Characters of equations: letters in usual styles, signs, arrows, brackets; office signs such as ℅ are left to text fonts. */
const formulaRanges: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xb7],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x302, 0x303],
  [0x391, 0x3f6],
  [0x2010, 0x2026],
  [0x202f, 0x202f],
  [0x2032, 0x2044],
  [0x20d0, 0x20d7],
  [0x2102, 0x2103],
  [0x2107, 0x2107],
  [0x2109, 0x2115],
  [0x2118, 0x211d],
  [0x2122, 0x2122],
  [0x2124, 0x2124],
  [0x2126, 0x2139],
  [0x213c, 0x214b],
  [0x214e, 0x214e],
  [0x2190, 0x21d5],
  [0x2200, 0x22ff],
  [0x2308, 0x230b],
  [0x23b0, 0x23e1],
  [0x27e6, 0x27ef],
  [0x2a00, 0x2a06],
  [0x2a7d, 0x2a7e],
  [0x1d400, 0x1d4cf],
  [0x1d504, 0x1d56b],
  [0x1d6a4, 0x1d755],
  [0x1d7ce, 0x1d7e1],
]

export function formulaCharacters(): number[] {
  return formulaRanges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
}

/** Signs of sums and integrals, which are larger on their own than among text. */
export const largeSigns: readonly number[] = [...'∏∐∑∫∬∭∮∯∰∱∲∳⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆'].map((sign) => sign.codePointAt(0) ?? 0)

/** The private code of the large form of a sign in the equation font: in the last plane, which hardly any other font uses. */
export function largeSign(code: number): number {
  return 0x10_0000 + code
}

/** Emoji used as ticks and boxes in forms, with the characters without colour that mean the same. */
const plainForms: Readonly<Record<number, string>> = {
  9989: '☑',
  10060: '✖',
  10062: '☒',
  10133: '+',
  10134: '−',
  128306: '☐',
  128307: '☐',
}

/** The character that is drawn for one that no font has, where both mean the same; undefined for any other. */
export function plainForm(codePoint: number): number | undefined {
  return plainForms[codePoint]?.codePointAt(0)
}

/** True for families whose codes are not Unicode characters; see `symbolCharacter`. */
export function isSymbolFamily(family: string): boolean {
  return tables.has(family.toLowerCase())
}

/**
 * True for Japanese families whose boxes and ticks are as wide as the font is high; Word sets the check boxes of content
 * controls in MS Gothic.
 */
export function isFullWidth(family: string): boolean {
  return /^(?:ms (?:gothic|mincho)|yu (?:gothic|mincho)|meiryo|ＭＳ (?:ゴシック|明朝)|游(?:ゴシック|明朝)|メイリオ)/i.test(
    family,
  )
}

/** Replaces a symbol that no font can draw. */
export const BULLET = 0x2022

/** Where a font of symbols has a bullet as large as Symbol's; see `largeSign`. */
export const SYMBOL_BULLET = largeSign(BULLET)

/** The Unicode character behind a symbol font's code; the code itself for any other font. */
export function symbolCharacter(family: string, codePoint: number): number {
  const table = tables.get(family.toLowerCase())
  if (!table) return codePoint
  const code = codePoint >= 0xf000 ? codePoint - 0xf000 : codePoint
  if (code > 0xff || code === 0x20) return code === 0x20 ? code : codePoint
  return table.get(code) ?? (codePoint >= 0xf000 ? BULLET : codePoint)
}
