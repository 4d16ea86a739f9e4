/** Numbers and dates by the format codes of spreadsheets (18.8.31), as far as charts use them. */
import { limits } from '../../../core/limits.ts'

export function formatNumber(value: number, code: string | undefined): string {
  if (!Number.isFinite(value)) return ''
  const format = (code ?? 'General').slice(0, limits.chartFormatChars)
  const [usual = '', below, zero] = splitSections(format)
  const section = value < 0 ? (below ?? usual) : value === 0 ? (zero ?? usual) : usual
  const shown = value < 0 && below !== undefined ? -value : value
  const bare = section.replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
  if (/^\s*general\s*$/i.test(bare) || bare === '') return general(shown)
  if (isDate(bare)) return formatDate(shown, bare)
  return formatDecimal(shown, bare)
}

/** A number without a format, as a spreadsheet shows it: up to ten significant digits, no trailing zeros. */
function general(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e11 || size < 1e-6) {
    const [mantissa = '0', exponent = '0'] = value.toExponential(5).split('e')
    const sign = exponent.startsWith('-') ? '-' : '+'
    return `${Number(mantissa)}E${sign}${exponent.replace(/[+-]/, '').padStart(2, '0')}`
  }
  return `${Number(value.toPrecision(10))}`
}

function splitSections(format: string): string[] {
  const sections = ['']
  let quoted = false
  for (let at = 0; at < format.length; at++) {
    const character = format.charAt(at)
    if (character === '"') quoted = !quoted
    if (character === ';' && !quoted) {
      sections.push('')
      continue
    }
    sections[sections.length - 1] += character
    if (character === '\\' && at + 1 < format.length) sections[sections.length - 1] += format.charAt(++at)
  }
  return sections
}

function withoutLiterals(section: string): string {
  return section.replace(/"[^"]*"|\\.|_./g, '')
}

/** True for a code whose numbers are dates. */
export function isDateFormat(code: string | undefined): boolean {
  return isDate((splitSections((code ?? '').slice(0, limits.chartFormatChars))[0] ?? '').replace(/\[[^\]]*\]/g, ''))
}

function isDate(section: string): boolean {
  const bare = withoutLiterals(section)
  return /[ymdhs]/i.test(bare) && !/[0#?]/.test(bare.replace(/\.0+/, ''))
}

function formatDecimal(value: number, section: string): string {
  const bare = withoutLiterals(section)
  const percents = (bare.match(/%/g) ?? []).length
  // Each comma after the last digit divides by a thousand.
  const scaling = /[0#?](,+)(?:\.|[^0#?,]*$)/.exec(bare)?.[1]?.length ?? 0
  const scaled = (value * 100 ** Math.min(3, percents)) / 1_000 ** Math.min(6, scaling)
  const scientific = /E([+-])(0+)/i.exec(bare)
  const [whole = '', fraction = ''] = bare.replace(/E[+-]0+/i, '').split('.')
  const places = Math.min(limits.chartFormatDecimals, (fraction.match(/[0#?]/g) ?? []).length)
  const required = Math.min(limits.chartFormatDecimals, (fraction.match(/0/g) ?? []).length)
  const minimum = (whole.match(/0/g) ?? []).length
  const grouped = /[0#?],[0#?]/.test(whole)
  let exponent = 0
  let size = Math.abs(scaled)
  if (scientific && size > 0) {
    // The exponent of the rounded number: 9.6 without decimals belongs to the next power.
    exponent = Number(size.toExponential(places).split('e')[1])
    size /= 10 ** exponent
  }
  let [digits = '0', decimals = ''] = (size < 1e21 ? size.toFixed(places) : `${size}`).split('.')
  while (decimals.length > required && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  if (minimum === 0 && digits === '0') digits = ''
  digits = digits.padStart(Math.min(limits.chartFormatDecimals, minimum), '0')
  if (grouped) digits = digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  let number = decimals === '' ? digits : `${digits}.${decimals}`
  if (scientific) {
    const [, plus = '', zeros = ''] = scientific
    const sign = exponent < 0 ? '-' : plus === '+' ? '+' : ''
    number += `E${sign}${`${Math.abs(exponent)}`.padStart(zeros.length, '0')}`
  }
  const isZero = Number(number.replace(/[,E].*/g, '')) === 0
  const sign = scaled < 0 && !isZero ? '-' : ''
  return sign + place(section, number)
}

/** The number in place of the first run of digit signs, with the literals around it. */
function place(section: string, number: string): string {
  let out = ''
  let placed = false
  for (let at = 0; at < section.length; at++) {
    const character = section.charAt(at)
    if (character === '"') {
      const end = section.indexOf('"', at + 1)
      out += section.slice(at + 1, end < 0 ? undefined : end)
      at = end < 0 ? section.length : end
    } else if (character === '\\') out += section.charAt(++at)
    else if (character === '_') {
      out += ' '
      at++
    } else if (character === '*') at++
    else if (/[0#?.,]/.test(character)) {
      if (!placed && (/[0#?]/.test(character) || /^\.[0#?]/.test(section.slice(at)))) {
        out += number
        placed = true
      }
    } else {
      const power = /^E[+-]0+/i.exec(section.slice(at))
      if (power) at += power[0].length - 1
      else out += character === '@' ? number : character
    }
  }
  return out.trim()
}

const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** Day 1 is the first of January 1900, and 1900 counts as a leap year, as it always has in spreadsheets. */
function formatDate(value: number, section: string): string {
  if (value < 0 || value > 2_958_466) return general(value)
  const day = Math.floor(value)
  const date = new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * 86_400_000)
  const seconds = Math.round((value - day) * 86_400)
  const [hour, minute, second] = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
  const half = /am\/pm|a\/p/i.test(section)
  const two = (number: number) => `${number}`.padStart(2, '0')
  const elapsed = Math.round(value * 86_400)
  let afterHour = false
  return section.replace(
    /"([^"]*)"|\\(.)|\[(h+|m+|s+)\]|am\/pm|a\/p|y+|m+|d+|h+|s+/gi,
    (token: string, quoted?: string, escaped?: string, whole?: string, at = 0) => {
      if (quoted !== undefined) return quoted
      if (escaped !== undefined) return escaped
      if (whole !== undefined) {
        afterHour = /h/i.test(whole)
        return `${Math.floor(elapsed / elapsedSeconds(whole))}`.padStart(whole.length, '0')
      }
      const letter = token.charAt(0).toLowerCase()
      const { length } = token
      if (letter === 'a') return hour < 12 ? 'AM' : 'PM'
      if (letter === 'y') return length > 2 ? `${date.getUTCFullYear()}` : two(date.getUTCFullYear() % 100)
      if (letter === 'd') {
        const name = days[date.getUTCDay()] ?? ''
        if (length > 3) return name
        return length === 3 ? name.slice(0, 3) : length === 2 ? two(date.getUTCDate()) : `${date.getUTCDate()}`
      }
      if (letter === 'h') {
        afterHour = true
        const shown = half ? hour % 12 || 12 : hour
        return length > 1 ? two(shown) : `${shown}`
      }
      if (letter === 's') return length > 1 ? two(second) : `${second}`
      // The letter for months means minutes after hours and before seconds.
      if (afterHour || beforeSeconds.test(section.slice(at + length))) {
        afterHour = false
        return length > 1 ? two(minute) : `${minute}`
      }
      const month = date.getUTCMonth()
      const name = months[month] ?? ''
      if (length > 3) return length === 5 ? name.slice(0, 1) : name
      return length === 3 ? name.slice(0, 3) : length === 2 ? two(month + 1) : `${month + 1}`
    },
  )
}

/** Seconds follow the minutes, with no other field in between. */
const beforeSeconds = /^(?:"[^"]*"|\\.|[^a-z"\\])*s/i

/** How many seconds one of `[h]`, `[m]` or `[s]` counts. */
function elapsedSeconds(field: string): number {
  if (/h/i.test(field)) return 3_600
  return /m/i.test(field) ? 60 : 1
}
