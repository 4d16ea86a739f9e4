/** Realistic strings, by format and by the words of a property's name. */
import { inCycle } from '../../../core/cycle.ts'
import { limits } from '../../../core/limits.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { extentOf, textMatching, textMatchingAll } from './pattern-text.ts'
import type { Random } from './random.ts'
import {
  colors,
  companies,
  countries,
  currencies,
  departments,
  firstNames,
  jobs,
  lastNames,
  months,
  places,
  products,
  sentences,
  statuses,
  streets,
  titles,
  weekdays,
  words,
} from './words.ts'

/** The person and the place of one object, so that its city fits its ZIP code and its e-mail its name. */
export interface Subject {
  person: number
  place: number
}

export function newSubject(random: Random): Subject {
  return { person: random.bits(), place: random.bits() }
}

/** The lower-case words of a property name: `billingZipCode`, `billing_zip_code` and `BILLING-ZIP` alike. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32)))
}

export interface TextDemand {
  formats: readonly string[]
  patterns: readonly CompiledPattern[]
  minLength: number
  maxLength: number
  /** The name of the property that holds the text, or of the array that does. */
  name: string
}

/** Realistic length of free text where the schema doesn't want more. */
const usualLength = 16

/**
 * A proposal for a string; the caller judges it. Each attempt tries something else.
 * @param extreme the limit that a boundary case wants to reach
 */
export function proposeText(
  demand: TextDemand,
  random: Random,
  subject: Subject,
  attempt: number,
  extreme: 'least' | 'most' | undefined,
): string | undefined {
  const { formats, patterns } = demand
  const minLength = Math.ceil(demand.minLength)
  const maxLength = Math.floor(demand.maxLength)
  // A text longer than a payload can't be one of its values.
  if (minLength > maxLength || minLength > limits.payloadBytes) return undefined
  const isFirst = attempt === 0
  if (patterns.length > 0 && !(formats.length > 0 && attempt % 3 === 2)) {
    const pattern = inCycle(patterns, attempt)
    // A realistic value that happens to match reads better than one made from the pattern.
    const named = textByName(demand.name, random, subject)
    if (isFirst && extreme === undefined && fits(named, minLength, maxLength) && patterns.every((p) => p.test(named))) {
      return named
    }
    if (patterns.length > 1 && attempt % 3 === 1) {
      return textMatchingAll(patterns, random, Math.max(minLength, Math.min(maxLength, 4 + attempt)))
    }
    return textMatching(pattern, random, wantedLength(pattern, { minLength, maxLength }, random, attempt, extreme))
  }
  if (formats.length > 0) {
    const format = inCycle(formats, attempt)
    const text = textOfFormat(format, random, subject, demand.name)
    if (text !== undefined) return withFormatLength(format, text, minLength, maxLength, extreme)
  }
  if (extreme === 'least') return plainText(minLength, random)
  if (extreme === 'most' && maxLength <= limits.caseTextChars) return plainText(maxLength, random)
  const text = attempt < 3 ? textByName(demand.name, random, subject) : `${random.pick(words)}-${random.below(100_000)}`
  return withLength(text, minLength, maxLength, random)
}

/** In code points; whole numbers, except where there is no longest. */
interface Lengths {
  minLength: number
  maxLength: number
}

/** How long a text made from a pattern should be. */
function wantedLength(
  pattern: CompiledPattern,
  { minLength, maxLength }: Lengths,
  random: Random,
  attempt: number,
  extreme: 'least' | 'most' | undefined,
): number {
  const extent = extentOf(pattern)
  const least = Math.max(minLength, extent.least)
  const most = Math.min(maxLength, extent.most)
  if (extreme === 'least') return least
  if (extreme === 'most' && most <= limits.caseTextChars) return most
  if (attempt % 4 === 1) return least
  return Math.min(most, Math.max(least, 4 + random.below(9)))
}

function fits(text: string, minLength: number, maxLength: number): boolean {
  const length = Array.from(text).length
  return length >= minLength && length <= maxLength
}

function withLength(text: string, minLength: number, maxLength: number, random: Random): string {
  const points = Array.from(text)
  if (points.length > maxLength) {
    const cut = points.slice(0, maxLength).join('').trimEnd()
    return cut.length >= minLength ? cut : plainText(maxLength, random)
  }
  if (points.length >= minLength) return text
  return text + plainText(minLength - points.length, random)
}

/** Words, cut to an exact length that ends in a letter. */
function plainText(length: number, random: Random): string {
  const parts: string[] = []
  for (let made = 0; made < length; ) {
    const word = random.pick(words)
    parts.push(word)
    made += word.length + 1
  }
  const text = parts.join(' ').slice(0, length).padEnd(length, 'a')
  return text.endsWith(' ') ? `${text.slice(0, -1)}a` : text
}

/** Makes texts longer or shorter where their format allows it. */
function withFormatLength(
  format: string,
  text: string,
  minLength: number,
  maxLength: number,
  extreme: 'least' | 'most' | undefined,
): string {
  const least = extreme === 'most' && maxLength <= limits.caseTextChars ? maxLength : minLength
  const missing = least - text.length
  if (/^(uri|iri|uri-reference|iri-reference|uri-template|json-pointer)$/.test(format)) {
    if (text.length > maxLength)
      return format.endsWith('reference') ? '/a'.slice(0, maxLength) : 'x:a'.slice(0, maxLength)
    if (missing <= 0) return text
    return text + (format === 'json-pointer' ? '/' : text.endsWith('/') ? 'a' : '/') + 'a'.repeat(missing - 1)
  }
  if (/email$/.test(format)) {
    if (text.length > maxLength) return 'a@b.us'
    // A local part has at most 64 octets; the rest of the length goes to the labels of the host.
    if (missing > 0) {
      const [local = '', host = ''] = text.split('@')
      const added = Math.min(missing, 64 - local.length)
      return `${local}${'a'.repeat(added)}@${longHost(host, host.length + missing - added)}`
    }
  }
  if (/hostname$/.test(format)) {
    if (text.length > maxLength) return 'a'.repeat(Math.max(1, Math.min(maxLength, 3)))
    if (missing > 0) return longHost(text, least)
  }
  if (format === 'duration' && missing > 0) return `P${'1'.padStart(missing + text.length - 2, '1')}D`
  if (format === 'regex' && missing > 0) return text + 'a'.repeat(missing)
  return text
}

/** Labels have at most 63 characters, host names 253. */
function longHost(host: string, length: number): string {
  let text = host
  while (text.length < length) {
    const label = Math.min(63, length - text.length - 1)
    text = label < 1 ? `a${text}` : `${'a'.repeat(label)}.${text}`
  }
  return text
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function hexadecimal(random: Random, digits: number): string {
  let text = ''
  for (let index = 0; index < digits; index++) text += random.below(16).toString(16)
  return text
}

function uuidOf(random: Random): string {
  return `${hexadecimal(random, 8)}-${hexadecimal(random, 4)}-4${hexadecimal(random, 3)}-${random.pick(['8', '9', 'a', 'b'])}${hexadecimal(random, 3)}-${hexadecimal(random, 12)}`
}

function personOf(subject: Subject): [first: string, last: string] {
  return [inCycle(firstNames, subject.person), inCycle(lastNames, Math.floor(subject.person / 64))]
}

function emailOf(subject: Subject): string {
  const [first, last] = personOf(subject)
  return `${first}.${last}@example.com`
    .replace("'", '')
    .replace(/[A-Z]/g, (l) => String.fromCharCode(l.charCodeAt(0) + 32))
}

function dateOf(random: Random, name: string): string {
  const isBirth = /birth|dob/.test(name)
  const year = isBirth ? random.between(1948, 2004) : random.between(2024, 2027)
  return `${year}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`
}

function timeOf(random: Random): string {
  return `${two(random.between(7, 19))}:${two(random.below(12) * 5)}:00`
}

/** A value of a format, or undefined for a format that nothing is known of. */
function textOfFormat(format: string, random: Random, subject: Subject, name: string): string | undefined {
  const lower = wordsOf(name).join(' ')
  switch (format) {
    case 'date':
      return dateOf(random, lower)
    case 'time':
      return `${timeOf(random)}Z`
    case 'date-time':
      return `${dateOf(random, lower)}T${timeOf(random)}Z`
    case 'duration':
      return random.pick(['P1Y', 'P6M', 'P30D', 'PT36H', 'PT45M', 'P2W'])
    case 'email':
    case 'idn-email':
      return emailOf(subject)
    case 'hostname':
    case 'idn-hostname':
      return `${random.pick(words)}.example.com`
    case 'ipv4':
      return `192.0.2.${random.between(1, 254)}`
    case 'ipv6':
      return `2001:db8::${random.between(1, 0xffff).toString(16)}`
    case 'uri':
    case 'iri':
    case 'url':
      return `https://www.example.com/${random.pick(words)}`
    case 'uri-reference':
    case 'iri-reference':
      return `/${random.pick(words)}/${random.pick(words)}`
    case 'uri-template':
      return `https://www.example.com/${random.pick(words)}/{id}`
    case 'uuid':
      return uuidOf(random)
    case 'json-pointer':
      return `/${random.pick(words)}/${random.below(10)}`
    case 'relative-json-pointer':
      return `${random.below(4)}/${random.pick(words)}`
    case 'regex':
      return random.pick(['^[a-z]+$', '[0-9]{3}', '^[A-Z][a-z]*$'])
    case 'color':
      return `#${hexadecimal(random, 6)}`
    default:
      return undefined
  }
}

interface Rule {
  /** Tested against the words of the name, joined by blanks. */
  name: RegExp
  make(random: Random, subject: Subject): string
}

const placeOf = (subject: Subject) => inCycle(places, subject.place)
const countryOf = (subject: Subject) => inCycle(countries, Math.floor(subject.place / 16))

/** The first rule whose expression matches the name decides. */
const rules: readonly Rule[] = [
  { name: /\b(ip|ip address)\b/, make: (random) => `192.0.2.${random.between(1, 254)}` },
  { name: /\bsku\b/, make: (random) => `SKU-${random.between(10_000, 99_999)}` },
  { name: /\bvin\b/, make: (random) => `1HGCM82633A${random.between(100_000, 999_999)}` },
  { name: /\b(licen[sc]e|number) plate\b/, make: (random) => `${random.between(1, 9)}ABC${random.between(100, 999)}` },
  {
    name: /\btime ?zone\b/,
    make: (random) => random.pick(['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']),
  },
  { name: /\b(department|team|division)\b/, make: (random) => random.pick(departments) },
  { name: /\brouting number\b/, make: (random) => `0${random.between(11_000_000, 99_999_999)}` },
  { name: /\btags?\b|\bkeywords?\b|\blabels\b/, make: (random) => random.pick(words) },
  {
    name: /\b(hire|effective|expiration|expiry|renewal|start|end|issue|delivery|shipping|order|invoice|payment|due)d? ?date\b/,
    make: (random) => dateOf(random, ''),
  },
  { name: /\b(e ?mail|mail address)\b/, make: (_, subject) => emailOf(subject) },
  { name: /\b(first|given|fore) ?name\b/, make: (_, subject) => personOf(subject)[0] },
  { name: /\b(last|family|sur) ?name\b/, make: (_, subject) => personOf(subject)[1] },
  { name: /\bmiddle name\b/, make: (random) => random.pick(firstNames) },
  {
    name: /\b(user ?name|login|nick ?name)\b/,
    make: (_, subject) => emailOf(subject).replace(/@.*/, '').replace('.', '_'),
  },
  {
    name: /\b(company|employer|organi[sz]ation|vendor|supplier|carrier|insurer|bank|publisher|manufacturer)\b/,
    make: (random) => random.pick(companies),
  },
  { name: /\b(product|item|article|sku) ?(name|title)\b|\bproduct\b/, make: (random) => random.pick(products) },
  {
    name: /\b(full|customer|client|contact|holder|owner|insured|patient|employee|recipient|sender|author|display|agent|manager|beneficiary|signer|driver)\b.*\bname\b/,
    make: (_, subject) => personOf(subject).join(' '),
  },
  {
    name: /^(author|customer|client|contact|owner|insured|recipient|sender|agent|manager|contributor|maintainer|policyholder|beneficiary)s?$/,
    make: (_, subject) => personOf(subject).join(' '),
  },
  { name: /\b(job|position|occupation|profession|role)\b/, make: (random) => random.pick(jobs) },
  {
    name: /\b(phone|mobile|fax|telephone|tel)\b/,
    make: (random) => `(555) 555-${String(random.between(100, 199)).padStart(4, '0')}`,
  },
  { name: /\b(zip|postal|post) ?code\b|\bzip\b/, make: (_, subject) => placeOf(subject)[3] },
  { name: /\b(city|town)\b/, make: (_, subject) => placeOf(subject)[0] },
  { name: /\bstate code\b|\bstate\b|\bprovince\b/, make: (_, subject) => placeOf(subject)[1] },
  { name: /\bcountry code\b/, make: (_, subject) => countryOf(subject)[1] },
  { name: /\bcountry\b/, make: (_, subject) => countryOf(subject)[0] },
  {
    name: /\b(street|address ?line|address|line ?1)\b/,
    make: (random) => `${random.between(100, 9899)} ${random.pick(streets)}`,
  },
  { name: /\b(apartment|suite|unit|line ?2)\b/, make: (random) => `Apt ${random.between(1, 48)}` },
  { name: /\bcurrency\b/, make: (random) => random.pick(currencies) },
  { name: /\b(iban)\b/, make: (random) => `GB82WEST${String(random.below(100_000_000)).padStart(14, '0')}` },
  {
    name: /\b(ssn|social security)\b/,
    make: (random) => `900-${two(random.between(10, 99))}-${String(random.between(1000, 9999))}`,
  },
  {
    name: /\b(created|updated|modified|timestamp|date ?time|at)$/,
    make: (random) => `${dateOf(random, '')}T${timeOf(random)}Z`,
  },
  { name: /\b(birth|dob)\b/, make: (random) => dateOf(random, 'birth') },
  { name: /\bdate\b|\b(due|issued|expires|expiry|since|until)\b/, make: (random) => dateOf(random, '') },
  { name: /\btime\b/, make: (random) => timeOf(random) },
  {
    name: /\b(url|uri|website|homepage|link|href|repository)\b/,
    make: (random) => `https://www.example.com/${random.pick(words)}`,
  },
  { name: /\b(host|hostname|domain)\b/, make: (random) => `${random.pick(words)}.example.com` },
  { name: /\b(uuid|guid)\b/, make: uuidOf },
  { name: /\b(version)\b/, make: (random) => `${random.between(1, 9)}.${random.below(20)}.${random.below(10)}` },
  { name: /\b(language|locale|lang)\b/, make: (random) => random.pick(['en-US', 'en-US', 'es-US']) },
  { name: /\b(colou?r)\b/, make: (random) => random.pick(colors) },
  { name: /\bmonth\b/, make: (random) => random.pick(months) },
  { name: /\b(weekday|day)\b/, make: (random) => random.pick(weekdays) },
  { name: /\b(status)\b/, make: (random) => random.pick(statuses) },
  { name: /\b(gender|sex)\b/, make: (random) => random.pick(['female', 'male']) },
  { name: /\b(license|licence)\b/, make: (random) => random.pick(['MIT', 'Apache-2.0', 'BSD-3-Clause']) },
  { name: /\b(file ?name|file)\b/, make: (random) => `${random.pick(words)}.pdf` },
  { name: /\b(path|directory|dir|folder)\b/, make: (random) => `${random.pick(words)}/${random.pick(words)}` },
  {
    name: /\b(description|comment|note|notes|remark|remarks|text|message|body|summary|reason|content)s?$/,
    make: (random) => random.pick(sentences),
  },
  { name: /\b(title|subject|headline|label|caption)\b/, make: (random) => random.pick(titles) },
  {
    name: /\b(policy|invoice|order|claim|contract|account|customer|reference|case)\b.*\b(number|no|id|nr|code)\b/,
    make: (random) => `${random.pick(['AC', 'BR', 'KM', 'NW'])}-${random.between(100_000, 999_999)}`,
  },
  {
    name: /\b(id|identifier|key|code|number|no|nr|reference|ref)$/,
    make: (random) => `${random.pick(words).slice(0, 3)}-${random.between(1_000, 9_999)}`,
  },
  { name: /\bname$/, make: (random) => `${random.pick(words)}-${random.pick(words)}` },
]

/** A text that suits a property of that name. */
export function textByName(name: string, random: Random, subject: Subject): string {
  const text = wordsOf(name).join(' ')
  const rule = text === '' ? undefined : rules.find((candidate) => candidate.name.test(text))
  if (rule !== undefined) return rule.make(random, subject)
  const made = random.chance(50) ? random.pick(words) : `${random.pick(words)} ${random.pick(words)}`
  return made.slice(0, usualLength)
}
