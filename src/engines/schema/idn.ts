/**
 * Internationalised domain names by IDNA 2008: code points (RFC 5892), labels (RFC 5891), direction (RFC 5893) and
 * Punycode (RFC 3492). Categories and scripts come from the runtime's Unicode tables; bidirectional classes and joining
 * types, which it lacks, are derived from scripts, which is exact for the characters that labels may hold in practice.
 */

/** Whether labels, each in A-form or U-form, make a valid host name of at most 253 octets in A-form. */
export function isValidIdn(labels: readonly string[]): boolean {
  const readable: string[] = []
  let octets = labels.length - 1
  for (const label of labels) {
    if (label.length > 63) return false
    const isAscii = /^[\x21-\x7e]*$/.test(label)
    if (isAscii && !/^xn--/i.test(label)) {
      if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label)) return false
      readable.push(label.toLowerCase())
      octets += label.length
      continue
    }
    const unicode = isAscii ? decodePunycode(label.slice(4)) : label
    if (unicode === undefined || !isUnicodeLabel(unicode)) return false
    const encoded = encodePunycode(unicode)
    if (isAscii && encoded !== label.slice(4).toLowerCase()) return false
    if (encoded.length + 4 > 63) return false
    octets += encoded.length + 4
    readable.push(unicode)
  }
  return octets <= 253 && isBidiValid(readable)
}

/** A U-label: not plain ASCII, in normal form C, hyphens and marks only where allowed, every code point allowed. */
function isUnicodeLabel(label: string): boolean {
  if (label === '' || /^[\x20-\x7e]*$/.test(label) || label !== label.normalize('NFC')) return false
  if (label.startsWith('-') || label.endsWith('-') || /^..--/u.test(label) || /^\p{M}/u.test(label)) return false
  const points = Array.from(label)
  return points.every((character, index) => isAllowed(character, index, points))
}

function isAllowed(character: string, index: number, label: readonly string[]): boolean {
  const before = label[index - 1] ?? ''
  const after = label[index + 1] ?? ''
  switch (character) {
    case '\u00b7':
      return before === 'l' && after === 'l'
    case '\u0375':
      return /\p{Script=Greek}/u.test(after)
    case '\u05f3':
    case '\u05f4':
      return /\p{Script=Hebrew}/u.test(before)
    case '\u30fb':
      return label.some(
        (other) => other !== character && /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(other),
      )
    case '\u200d':
      return viramas.test(before)
    case '\u200c':
      return viramas.test(before) || joins(label, index)
  }
  if (/[\u0660-\u0669]/.test(character)) return !label.some((other) => /[\u06f0-\u06f9]/.test(other))
  if (/[\u06f0-\u06f9]/.test(character)) return !label.some((other) => /[\u0660-\u0669]/.test(other))
  if (/[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/.test(character)) return true
  if (/[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/.test(character)) return false
  if (/^[a-z0-9-]$/.test(character)) return true
  if (character !== character.normalize('NFKC').toLowerCase().normalize('NFKC')) return false
  if (/[\p{Default_Ignorable_Code_Point}\p{White_Space}\u{1d100}-\u{1d24f}]/u.test(character)) return false
  if (character >= '\u20d0' && character <= '\u20ff') return false
  if (/[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u.test(character)) return false
  return /[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]/u.test(character)
}

/** Canonical combining class 9. */
const viramas =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]$/u

const joiningScripts = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]$/u
/** Arabic letters that join to the right only, and those that do not join. */
const rightJoining =
  /^[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]$/
const notJoining = /^[\u0621\u0674]$/

/** RFC 5892, A.1: the non-joiner is between letters that would join. */
function joins(label: readonly string[], index: number): boolean {
  let left = index - 1
  while (left >= 0 && /^\p{Mn}$/u.test(label[left] ?? '')) left--
  let right = index + 1
  while (right < label.length && /^\p{Mn}$/u.test(label[right] ?? '')) right++
  const before = label[left] ?? ''
  const after = label[right] ?? ''
  const joinsAfter =
    joiningScripts.test(before) && /\p{L}/u.test(before) && !rightJoining.test(before) && !notJoining.test(before)
  const joinsBefore = joiningScripts.test(after) && /\p{L}/u.test(after) && !notJoining.test(after)
  return joinsAfter && joinsBefore
}

type BidiClass = 'L' | 'R' | 'AN' | 'EN' | 'NSM' | 'other'

const rightToLeft =
  /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u

function bidiClass(character: string): BidiClass {
  if (/^\p{Mn}$/u.test(character)) return 'NSM'
  if (/^[0-9\u06f0-\u06f9]$/.test(character)) return 'EN'
  if (/^[\u0660-\u0669]$/.test(character)) return 'AN'
  if (rightToLeft.test(character)) return 'R'
  return /^[\p{L}\p{Mc}\p{Nd}]$/u.test(character) ? 'L' : 'other'
}

/** RFC 5893, 2: binding for all labels as soon as one of them has a character written from right to left. */
function isBidiValid(labels: readonly string[]): boolean {
  const classes = labels.map((label) => Array.from(label, bidiClass))
  if (!classes.some((label) => label.includes('R') || label.includes('AN'))) return true
  return classes.every((label) => {
    const first = label[0]
    let end = label.length - 1
    while (end > 0 && label[end] === 'NSM') end--
    const last = label[end]
    if (first === 'R') {
      const hasOneKindOfDigits = !(label.includes('EN') && label.includes('AN'))
      return !label.includes('L') && hasOneKindOfDigits && (last === 'R' || last === 'EN' || last === 'AN')
    }
    return first === 'L' && !label.includes('R') && !label.includes('AN') && (last === 'L' || last === 'EN')
  })
}

const base = 36
/** Fixed by RFC 3492, 5. */
const tMin = 1
/** Fixed by RFC 3492, 5. */
const tMax = 26

/** RFC 3492, 6.1. */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((base - tMin) * tMax) >> 1; k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + 38))
}

function threshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, tMin), tMax)
}

/** The text of a label without its prefix, or undefined when it is no Punycode. */
function decodePunycode(label: string): string | undefined {
  const hyphen = label.lastIndexOf('-')
  const points = Array.from(hyphen > 0 ? label.slice(0, hyphen) : '', (character) => character.charCodeAt(0))
  let [n, i, bias] = [128, 0, 72]
  for (let at = hyphen > 0 ? hyphen + 1 : hyphen === 0 ? 1 : 0; at < label.length; ) {
    const before = i
    let weight = 1
    for (let k = base; ; k += base) {
      const digit = digitOf(label.charCodeAt(at++))
      if (digit === undefined) return undefined
      i += digit * weight
      if (i > 0x7fffffff) return undefined
      const t = threshold(k, bias)
      if (digit < t) break
      weight *= base - t
    }
    const length = points.length + 1
    bias = adapt(i - before, length, before === 0)
    n += Math.floor(i / length)
    i %= length
    if (n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) return undefined
    points.splice(i++, 0, n)
  }
  return String.fromCodePoint(...points)
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 22
  if (code >= 0x41 && code <= 0x5a) return code - 0x41
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return undefined
}

/** A label's Punycode without the prefix; labels are at most 63 code units, which bounds all loops. */
function encodePunycode(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0)
  const basic = points.filter((point) => point < 128)
  let made = String.fromCharCode(...basic)
  let done = basic.length
  if (done > 0) made += '-'
  let [n, delta, bias] = [128, 0, 72]
  const basicCount = done
  while (done < points.length) {
    const next = Math.min(...points.filter((point) => point >= n))
    delta += (next - n) * (done + 1)
    n = next
    for (const point of points) {
      if (point < n) delta++
      if (point !== n) continue
      let rest = delta
      for (let k = base; ; k += base) {
        const t = threshold(k, bias)
        if (rest < t) break
        made += digitName(t + ((rest - t) % (base - t)))
        rest = Math.floor((rest - t) / (base - t))
      }
      made += digitName(rest)
      bias = adapt(delta, done + 1, done === basicCount)
      delta = 0
      done++
    }
    delta++
    n++
  }
  return made
}

function digitName(digit: number): string {
  return String.fromCharCode(digit < 26 ? digit + 0x61 : digit + 22)
}
