/** Names and addresses of the internet: hosts, mail, IP and URI, plain and internationalised. */
import { isValidIdn } from './idn.ts'

export function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)
}

/** RFC 4291, 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [half, text] of halves.entries()) {
    if (text === '') continue
    const parts = text.split(':')
    for (const [index, part] of parts.entries()) {
      const isLast = half === halves.length - 1 && index === parts.length - 1
      if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups++
      else if (isLast && isIpv4(part)) groups += 2
      else return false
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8 && halves[0] !== ''
}

/** RFC 1123 labels; a label in the A-form must decode to a name that IDNA 2008 allows. */
export function isHostname(text: string): boolean {
  if (!isAsciiHostname(text)) return false
  return !/(?:^|\.)xn--/i.test(text) || isValidIdn(text.split('.'))
}

/** Ideographic full stops separate labels as well (RFC 3490, 3.1). */
export function isIdnHostname(text: string): boolean {
  const labels = text.split(/[.\u3002\uff0e\uff61]/)
  return text.length <= 1_024 && isValidIdn(labels)
}

function isAsciiHostname(text: string): boolean {
  return isAsciiHostnameFrom(text, 0)
}

/** Labels from an index to the end, each of up to 63 letters, digits and hyphens, with no hyphen at either end. */
function isAsciiHostnameFrom(text: string, start: number): boolean {
  if (text.length - start > 253) return false
  let label = start
  for (let at = start; at <= text.length; at++) {
    const unit = at === text.length ? dot : text.charCodeAt(at)
    if (unit === dot) {
      if (at === label || at - label > 63) return false
      if (text.charCodeAt(label) === hyphen || text.charCodeAt(at - 1) === hyphen) return false
      label = at + 1
    } else if (!(unit < asciiPoints && hostUnits[unit] === 1)) return false
  }
  return true
}

const dot = 0x2e
const hyphen = 0x2d
const asciiPoints = 128
const hostUnits = unitsOf(/[A-Za-z0-9-]/)
const atomUnits = unitsOf(/[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]/)

/** Which characters of ASCII a pattern matches. */
function unitsOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: asciiPoints }, (_, unit) => Number(pattern.test(String.fromCharCode(unit))))
}

/** Atoms of at least one character, with dots between them, up to an index. */
function isDotAtomTo(text: string, end: number): boolean {
  let atom = 0
  for (let at = 0; at <= end; at++) {
    const unit = at === end ? dot : text.charCodeAt(at)
    if (unit === dot) {
      if (at === atom) return false
      atom = at + 1
    } else if (!(unit < asciiPoints && atomUnits[unit] === 1)) return false
  }
  return true
}

/** RFC 5321 Mailbox. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64) return false
  if (isDotAtomTo(text, at)) {
    return isAsciiHostnameFrom(text, at + 1) || isMailDomain(text.slice(at + 1), isAsciiHostname)
  }
  const isQuoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(text.slice(0, at))
  return isQuoted && isMailDomain(text.slice(at + 1), isAsciiHostname)
}

/** RFC 6531: the same with every character beyond ASCII. */
export function isIdnEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1) return false
  const local = text.slice(0, at)
  const isDotted = local.split('.').every((atom) => /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+$/u.test(atom))
  const isQuoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u.test(local)
  return (isDotted || isQuoted) && isMailDomain(text.slice(at + 1).normalize('NFC'), isIdnHostname)
}

function isMailDomain(text: string, isHost: (text: string) => boolean): boolean {
  if (!text.startsWith('[')) return isHost(text)
  if (!text.endsWith(']')) return false
  const literal = text.slice(1, -1)
  return literal.startsWith('IPv6:') ? isIpv6(literal.slice(5)) : isIpv4(literal)
}

const unreserved = "A-Za-z0-9\\-._~!$&'()*+,;="
/** ucschar and iprivate of RFC 3987. */
const international =
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}' +
  Array.from(
    { length: 14 },
    (_, plane) => `\\u{${(plane + 1).toString(16)}0000}-\\u{${(plane + 1).toString(16)}fffd}`,
  ).join('')
const privateUse = '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}'

function characters(extra: string): RegExp {
  return new RegExp(`^(?:[${unreserved}${extra}]|%[0-9A-Fa-f]{2})*$`, 'u')
}

const plainParts = {
  userinfo: characters(':'),
  name: characters(''),
  path: characters(':@/'),
  query: characters(':@/?'),
  fragment: characters(':@/?'),
}
const internationalParts = {
  userinfo: characters(`:${international}`),
  name: characters(international),
  path: characters(`:@/${international}`),
  query: characters(`:@/?${international}${privateUse}`),
  fragment: characters(`:@/?${international}`),
}

/** RFC 3986 URI or URI-reference, or RFC 3987 with `isInternational`. */
export function isUri(text: string, kind: { isReference: boolean; isInternational: boolean }): boolean {
  const parts = kind.isInternational ? internationalParts : plainParts
  // RFC 3986, appendix B; it matches every text.
  const match = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/.exec(text)
  if (match === null) return false
  const [, scheme, authority, path = '', query = '', fragment = ''] = match
  if (scheme === undefined && !kind.isReference) return false
  // Text before a colon in the first segment of a relative reference would be read as a scheme.
  if (scheme !== undefined && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) return false
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return false
  if (authority !== undefined && !isAuthority(authority, parts)) return false
  return parts.path.test(path) && parts.query.test(query) && parts.fragment.test(fragment)
}

function isAuthority(text: string, parts: typeof plainParts): boolean {
  const at = text.lastIndexOf('@')
  if (at !== -1 && !parts.userinfo.test(text.slice(0, at))) return false
  const match = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(text.slice(at + 1))
  const host = match?.[1]
  if (host === undefined) return false
  if (!host.startsWith('[')) return parts.name.test(host)
  const literal = host.slice(1, -1)
  return isIpv6(literal) || new RegExp(`^v[0-9A-Fa-f]+\\.[${unreserved}:]+$`, 'i').test(literal)
}
