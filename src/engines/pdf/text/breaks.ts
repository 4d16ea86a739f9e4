/**
 * Where a line may end, by the pair rules of UAX 14 that matter for the scripts drawn here. Deterministic by
 * construction: the classes are this table, not those of the machine's ICU.
 */
const AL = 0
const SP = 1
const ZW = 2
const BA = 3
const HY = 4
const B2 = 5
const GL = 6
const OP = 7
const CL = 8
const EX = 9
const SY = 10
const NU = 11
const ID = 12
const QU = 13
const PR = 14
const PO = 15

const ascii = new Uint8Array(256)
for (const [characters, kind] of [
  [' ', SP],
  ['-', HY],
  ['/', SY],
  ['([{¡¿', OP],
  [')]}', CL],
  ['!?,.:;', EX],
  ['0123456789', NU],
  ['"\'«»', QU],
  ['$£¥+\\', PR],
  ['%¢°', PO],
  ['\u00a0', GL],
  ['\u00ad', BA],
] as const) {
  for (const character of characters) ascii[character.charCodeAt(0)] = kind
}

function classOf(code: number): number {
  if (code < 256) return ascii[code] ?? AL
  if (code >= 0x2000 && code <= 0x206f) {
    if (code === 0x2007 || code === 0x2011 || code === 0x202f || code === 0x2060) return GL
    if (code <= 0x200a) return BA
    if (code === 0x200b) return ZW
    if (code === 0x2010 || code === 0x2012 || code === 0x2013) return BA
    if (code === 0x2014) return B2
    if (code === 0x201a || code === 0x201e) return OP
    if (code >= 0x2018 && code <= 0x201f) return QU
    if (code === 0x2024 || code === 0x2025 || code === 0x2026) return EX
    if (code >= 0x2030 && code <= 0x2037) return PO
    return AL
  }
  if (code === 0x20ac) return PR
  if (code === 0xfeff) return GL
  if (code < 0x2e80) return AL
  if (code >= 0x3000 && code <= 0x30ff) return classOfIdeographicSign(code)
  if (code >= 0xfe30 && code <= 0xfe6b) return openingForms.has(code) ? OP : CL
  if (code >= 0xff01 && code <= 0xffe6) return classOfFullWidth(code)
  if (code <= 0x9fff || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff)) return ID
  if (code >= 0xff00 && code <= 0xffef) return ID
  if (code >= 0x1f300 && code <= 0x1faff) return ID
  return code >= 0x20000 && code <= 0x3ffff ? ID : AL
}

const openingForms = new Set([0xfe35, 0xfe37, 0xfe39, 0xfe3b, 0xfe3d, 0xfe3f, 0xfe41, 0xfe43, 0xfe59, 0xfe5b, 0xfe5d])

/** Punctuation among kana: brackets in pairs, and what Word's standard rules keep from the beginning of a line. */
function classOfIdeographicSign(code: number): number {
  if (code <= 0x3002) return code === 0x3000 ? BA : CL
  if (code >= 0x3008 && code <= 0x301b && code !== 0x3012 && code !== 0x3013) return code % 2 === 0 ? OP : CL
  if (code === 0x301d) return OP
  if (code === 0x301e || code === 0x301f) return CL
  return code === 0x3005 || code === 0x303b || (code >= 0x309b && code <= 0x309e) || code >= 0x30fd || code === 0x30fb
    ? EX
    : ID
}

function classOfFullWidth(code: number): number {
  if (code === 0xff08 || code === 0xff3b || code === 0xff5b || code === 0xff5f || code === 0xff62) return OP
  if (code === 0xff04 || code === 0xffe1 || code === 0xffe5) return PR
  if (code === 0xff05 || code === 0xffe0) return PO
  return fullWidthClosing.has(code) ? CL : ID
}

const fullWidthClosing = new Set([
  0xff01, 0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f, 0xff3d, 0xff5d, 0xff60, 0xff61, 0xff63, 0xff64, 0xff65,
  0xff9e, 0xff9f,
])

/** True when a line may end between two characters; `previous` is the one before `before`, 0 at the start. */
export function mayBreakBetween(previous: number, before: number, after: number): boolean {
  const left = classOf(before)
  const right = classOf(after)
  if (right === SP) return false
  if (left === SP || left === ZW) return true
  // Among ideographs quotation marks have sides: a line ends before an opening one and after a closing one.
  if (right === QU && isOpeningQuote(after) && (left === ID || left === CL)) return true
  if (left === QU && isClosingQuote(before) && (right === ID || right === OP)) return true
  if (
    right === BA ||
    right === HY ||
    right === GL ||
    right === CL ||
    right === EX ||
    right === SY ||
    right === ZW ||
    right === QU
  )
    return false
  if (left === OP || left === GL || left === QU) return false
  if (left === HY) {
    const outer = previous === 0 ? SP : classOf(previous)
    // UAX 14 keeps `10-12` whole; Word ends lines after any hyphen with something before it.
    return outer !== SP && outer !== OP
  }
  if (left === BA) return true
  if (left === B2) return right !== B2
  // UAX 14 lets lines end after a slash; Word keeps `and/or` and web addresses whole, unless they are long.
  if (left === SY) return false
  if (left === ID) return right !== PO
  if (left === CL && before >= 0x3000) return true
  return (right === ID || (right === OP && after >= 0x3000)) && left !== PR
}

/** True if UAX 14 lets a line end before `at` because of a slash there that is not within a number. */
export function mayBreakBehindSlash(codes: readonly number[], at: number): boolean {
  const [slash, after] = [codes[at - 1], codes[at]]
  if (slash === undefined || after === undefined || classOf(slash) !== SY) return false
  const right = classOf(after)
  if (right !== NU) return right === AL || right === OP || right === PR || right === PO || right === ID || right === B2
  for (const code of codes.slice(0, at - 1).toReversed()) {
    if (classOf(code) === NU) return false
    if (classOf(code) !== SY && !numericSeparators.has(code)) return true
  }
  return true
}

const numericSeparators = new Set([...',.:;'].map((character) => character.charCodeAt(0)))

function isOpeningQuote(code: number): boolean {
  return code === 0x2018 || code === 0x201c
}

function isClosingQuote(code: number): boolean {
  return code === 0x2019 || code === 0x201d
}

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x3000
}
