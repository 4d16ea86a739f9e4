/** The formats of JSON Schema 2020-12 (Validation, section 7.3). Every test is linear in the text. */

import { isEcmaPattern } from '../../core/pattern/pattern.ts'
import { parsePointer } from '../../core/pointer.ts'
import { isEmail, isHostname, isIdnEmail, isIdnHostname, isIpv4, isIpv6, isUri } from './internet.ts'

type FormatTest = (text: string) => boolean

const formats: ReadonlyMap<string, FormatTest> = new Map<string, FormatTest>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['idn-email', isIdnEmail],
  ['hostname', isHostname],
  ['idn-hostname', isIdnHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', (text) => isUri(text, { isReference: false, isInternational: false })],
  ['uri-reference', (text) => isUri(text, { isReference: true, isInternational: false })],
  ['iri', (text) => isUri(text, { isReference: false, isInternational: true })],
  ['iri-reference', (text) => isUri(text, { isReference: true, isInternational: true })],
  ['uri-template', isUriTemplate],
  ['uuid', (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)],
  ['json-pointer', (text) => parsePointer(text) !== undefined],
  ['relative-json-pointer', isRelativePointer],
  ['regex', isEcmaPattern],
])

/** The test of a format, or undefined when the format is not one of the standard's. */
export function formatTest(name: string): FormatTest | undefined {
  return formats.get(name)
}

/** The number that the digits from `start` to `end` write, or −1 if one is no digit. */
function digitsAt(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** RFC 3339 full-date, with the days that the month has in that year. */
function isDate(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return false
  const year = digitsAt(text, 0, 4)
  const month = digitsAt(text, 5, 7)
  const day = digitsAt(text, 8, 10)
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeapYear ? 29 : daysOfMonths[month - 1]
  return year >= 0 && days !== undefined && day >= 1 && day <= days
}

/** RFC 3339 full-time; second 60 only where a leap second can be, at 23:59 UTC. */
function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(text)
  if (match === null) return false
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === '-' ? -1 : 1)
  const dayMinutes = 24 * 60
  return (hour * 60 + minute - offset + dayMinutes) % dayMinutes === dayMinutes - 1
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

/** RFC 3339, appendix A: units in order without gaps, weeks alone. */
function isDuration(text: string): boolean {
  if (/^P\d+W$/.test(text)) return true
  const match =
    /^P((?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?)(?:T(\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?$/.exec(text)
  return match !== null && (match[1] !== '' || match[2] !== undefined)
}

function isRelativePointer(text: string): boolean {
  const match = /^(?:0|[1-9]\d*)/.exec(text)
  if (match === null) return false
  const rest = text.slice(match[0].length)
  return rest === '#' || parsePointer(rest) !== undefined
}

/** RFC 6570: literals and expressions between braces. */
function isUriTemplate(text: string): boolean {
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    if (!isTemplateLiteral(text.slice(at, open === -1 ? text.length : open))) return false
    if (open === -1) return true
    const close = text.indexOf('}', open)
    if (close === -1) return false
    const variables = text.slice(open + 1, close).replace(/^[+#./;?&=,!@|]/, '')
    if (!variables.split(',').every(isTemplateVariable)) return false
    at = close + 1
  }
  return true
}

function isTemplateLiteral(text: string): boolean {
  return !/[\p{Cc} "<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u.test(text)
}

function isTemplateVariable(text: string): boolean {
  const name = text.replace(/(?:\*|:[1-9]\d{0,3})$/, '')
  return name.split('.').every((part) => /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+$/.test(part))
}
