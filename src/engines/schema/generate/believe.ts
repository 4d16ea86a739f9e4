/**
 * Replaces values of a payload by plausible ones for a country: names that fit places, numbers with valid check digits,
 * dates in order. Only for contracts with `x-case-locale`; the cases of all others stay the same. The validator decides: if
 * a new value breaks a rule, the old one stays.
 */
import { inCycle } from '../../../core/cycle.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { joinPointer } from '../../../core/pointer.ts'
import { type CompiledSchema, validatePayload } from '../schema.ts'
import { pesel, routingNumber, withLuhn } from './check-digits.ts'
import { type Country, countries } from './countries.ts'
import { Random } from './random.ts'
import { wordsOf } from './text.ts'

export const caseLocaleKeyword = 'x-case-locale'

/** The country that a contract names: `de-DE`, or `de` alone. Undefined for none; the text itself for an unknown one. */
export function countryOfSchema({ root }: CompiledSchema): Country | string | undefined {
  const named = isJsonObject(root) ? root[caseLocaleKeyword] : undefined
  if (named === undefined) return undefined
  const text = typeof named === 'string' ? named : JSON.stringify(named)
  const key = Object.keys(countries).find((locale) => locale === text || locale.startsWith(`${text}-`))
  return (key === undefined ? undefined : countries[key]) ?? text
}

export const caseLocales = Object.keys(countries)

/** The person and the place of an object and of what belongs to it. */
interface Subject {
  first: string
  last: string
  city: string
  region: string
  postalCode: string
}

/** One value that could be another. */
interface Change {
  pointer: string
  at: { [key: string]: JsonValue } | JsonValue[]
  key: string | number
  before: JsonValue
  after: JsonValue
}

/** Changes a payload that satisfies its schema into one that still does. */
export function believable(
  schema: CompiledSchema,
  payload: JsonValue,
  country: Country,
  seed: number,
  maxSteps: number,
): JsonValue {
  const random = new Random(seed, 128)
  const changes: Change[] = []
  new Walk(country, random, changes).visit(payload, '', undefined)
  changes.push(...ordered(payload, ''))
  settle(schema, payload, changes, maxSteps)
  return payload
}

/** Makes the changes, and takes those back that the validator has something against. */
function settle(schema: CompiledSchema, payload: JsonValue, changes: readonly Change[], maxSteps: number): void {
  const made = new Set(changes)
  for (const change of changes) put(change, change.after)
  for (let round = 0; round < limits.casePruneRounds; round++) {
    const findings = validatePayload(schema, payload, { maxSteps, maxFindings: 100 })
    if (findings.length === 0) return
    const paths = findings.map(({ path = '' }) => path)
    const blamed = [...made].filter(({ pointer }) =>
      paths.some((path) => pointer === path || pointer.startsWith(`${path}/`)),
    )
    if (blamed.length === 0) break
    for (const change of blamed) {
      put(change, change.before)
      made.delete(change)
    }
  }
  if (validatePayload(schema, payload, { maxSteps, maxFindings: 1 }).length === 0) return
  for (const change of [...made].reverse()) put(change, change.before)
}

function put({ at, key }: Change, value: JsonValue): void {
  // Keys are those that the payload has already.
  if (Array.isArray(at)) at[Number(key)] = value
  else at[String(key)] = value
}

/** Members that are about whom or what the object around them is about. */
const sharing = /address|anschrift|adresse|direccion|indirizzo|adres|name|contact|kontakt|location|details|info|bank/

class Walk {
  constructor(
    private readonly country: Country,
    private readonly random: Random,
    private readonly changes: Change[],
  ) {}

  /** @param parent the plain name of what holds the value */
  visit(value: JsonValue, pointer: string, subject: Subject | undefined, parent = ''): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.visit(item, joinPointer(pointer, index), undefined, parent)
      return
    }
    if (!isJsonObject(value)) return
    const own = subject ?? this.newSubject()
    for (const [key, member] of Object.entries(value)) {
      const at = joinPointer(pointer, key)
      if (typeof member === 'string') this.text(value, key, member, { pointer: at, subject: own, parent })
      else this.visit(member, at, sharing.test(plainName(key)) ? own : undefined, plainName(key))
    }
  }

  private newSubject(): Subject {
    const { firstNames, lastNames, places } = this.country
    const [city, region, postalCode] = inCycle(places, this.random.bits())
    const first = inCycle(firstNames, this.random.bits())
    return { first, last: inCycle(lastNames, this.random.bits()), city, region, postalCode }
  }

  private text(
    at: JsonObject,
    key: string,
    before: string,
    { pointer, subject, parent }: { pointer: string; subject: Subject; parent: string },
  ): void {
    // The name of a supplier is that of a company.
    const name = key === 'name' ? `${parent} name`.trim() : plainName(key)
    const rule = rules.find(([pattern]) => pattern.test(name))
    if (rule === undefined) return
    const [, make] = rule
    const after = make({ country: this.country, random: this.random, subject, before })
    if (after !== before) this.changes.push({ pointer, at, key, before, after })
  }
}

/** The lower-case words of a property's name, without accents. */
function plainName(key: string): string {
  const plain = key.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replace(/ł/g, 'l')
  return wordsOf(plain).join(' ')
}

interface Making {
  country: Country
  random: Random
  subject: Subject
  before: string
}

/** `#` becomes a digit. */
function filled(pattern: string, random: Random): string {
  return pattern.replace(/#/g, () => String(random.below(10)))
}

function emailOf({ first, last }: Subject, { code }: Country): string {
  const plain = (text: string) =>
    text
      .replaceAll('ß', 'ss')
      .replace(/[äöü]/gi, (letter) => `${letter.normalize('NFD')[0]}e`)
      .normalize('NFD')
      .replace(/ł/gi, 'l')
      .toLowerCase()
      .replace(/[^a-z]/g, '')
  return `${plain(first)}.${plain(last)}@example.${code === 'US' ? 'com' : code === 'GB' ? 'co.uk' : code.toLowerCase()}`
}

function isoDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text)
}

/** The first rule whose pattern matches the name decides; a value without a rule stays. */
const rules: readonly (readonly [name: RegExp, make: (making: Making) => string])[] = [
  [
    /\b(birth|birthday|born|dob|geburtsdatum|geburtstag|geboren|naissance|nacimiento|nascita|geboorte\w*|urodzenia)\b/,
    ({ before, random }) => (isoDate(before) ? bornLike(before, random) : before),
  ],
  [/\be ?mail\b|\bmail address\b|\bcorreo\b|\bcourriel\b/, ({ subject, country }) => emailOf(subject, country)],
  [/\biban\b/, ({ country, random }) => country.iban(random)],
  [
    /\b(vat|u ?st|umsatzsteuer|tva|iva|btw|nip|gst|tax|steuer) ?(id|identification|number|no|nr|code|nummer)\b|\b(gstin|ein|nip|partita iva)$|\b(numero|num|n|no) (de )?(tva|iva)\b|\btva intracommunautaire\b/,
    ({ country, random }) => country.vat(random),
  ],
  [/\b(card|credit card|pan) ?(number|no|nr)\b/, ({ random }) => withLuhn(`4${filled('##############', random)}`)],
  [/\bsiret\b/, ({ random }) => withLuhn(filled('#############', random))],
  [/\bsiren\b/, ({ random }) => withLuhn(filled('########', random))],
  [/\bpesel\b/, ({ random }) => pesel(`${random.between(50, 99)}0${random.between(1, 9)}1${filled('#####', random)}`)],
  [/\b(bic|swift)\b/, ({ country }) => country.bic],
  [/\brouting number\b/, ({ random }) => routingNumber(`0${filled('1######', random)}`)],
  [
    /\b(first|given|fore) ?name\b|\bvorname\b|\bprenom\b|\bnombre\b|\bvoornaam\b|\bimie\b|^nome$/,
    ({ subject }) => subject.first,
  ],
  [
    /\b(last|family|sur) ?name\b|\bnachname\b|\bnom de famille\b|\bapellidos?\b|\bcognome\b|\bachternaam\b|\bnazwisko\b|^nom$/,
    ({ subject }) => subject.last,
  ],
  [
    /\b(company|employer|organi[sz]ation|vendor|supplier|carrier|insurer|firma|societe|empresa|azienda|bedrijf)\b/,
    ({ country, random }) => random.pick(country.companies),
  ],
  [
    /\b(full|customer|client|contact|holder|owner|insured|patient|employee|recipient|sender|author|display|agent|manager|beneficiary|signer|driver)\b.*\bname\b|^(name|kunde|client|cliente|klant|klient|customer|recipient|sender|policyholder|versicherungsnehmer)$/,
    ({ subject }) => `${subject.first} ${subject.last}`,
  ],
  [/\b(job|occupation|profession|position|beruf|metier)\b/, ({ country, random }) => random.pick(country.jobs)],
  [
    /\b(phone|mobile|fax|telephone|tel|telefon|telefoon|telefono)\b/,
    ({ country, random }) => filled(country.phone, random),
  ],
  [
    /\b(zip|postal|post|pin) ?code\b|\bzip\b|\bplz\b|\bpostleitzahl\b|\bcode postal\b|\bcodigo postal\b|^cap$|\bpostcode\b|\bkod pocztowy\b/,
    ({ subject }) => subject.postalCode,
  ],
  [/\b(city|town|ort|stadt|ville|ciudad|citta|comune|stad|plaats|miasto)\b/, ({ subject }) => subject.city],
  [/\b(state|province|region|bundesland|provincia|provincie|wojewodztwo)\b(?! of)/, ({ subject }) => subject.region],
  [
    /\bcountry ?(code|iso)?\b|\bland\b|\bpays\b|\bpais\b|\bpaese\b|\bkraj\b/,
    ({ country, before }) => (/^[A-Z]{2}$/.test(before) ? country.code : country.name),
  ],
  [
    /\b(street|strasse|rue|calle|via|straat|ulica|address ?line|address|line ?1|anschrift|adresse)\b/,
    ({ country, random }) =>
      country.address.replace('{street}', random.pick(country.streets)).replace('#', String(random.between(1, 98))),
  ],
  [
    /\bcurrency\b|\bwa?ehrung\b|\bwahrung\b|\bdevise\b|\bmoneda\b|\bvaluta\b|\bwaluta\b/,
    ({ country }) => country.currency,
  ],
  [/\btime ?zone\b/, ({ country }) => country.timeZone],
  [/\b(language|locale|lang|sprache)\b/, ({ country, before }) => localeOf(country, before)],
  [
    /\b(description|comment|notes?|remarks?|message|summary|reason|bemerkung|beschreibung|commentaire|observaciones|note|opmerking|uwagi)$/,
    ({ country, random, before }) => (isoDate(before) ? before : random.pick(country.sentences)),
  ],
]

/** In the form that the old value had: `de`, or `de-DE`. */
function localeOf(country: Country, before: string): string {
  const [locale = ''] = Object.entries(countries).find(([, each]) => each === country) ?? []
  return before.includes('-') ? locale : (locale.split('-')[0] ?? locale)
}

/** A date of birth of a grown-up, on the same day of the year. */
function bornLike(date: string, random: Random): string {
  return String(random.between(1950, 2004)) + date.slice(4).replace(/^-02-29/, '-02-28')
}

/** Words for the beginning of something, each with those for its end. */
const pairs: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [
    /\b(start|starts|begin|begins|beginn|beginning|debut|inicio|inizio|poczatek|(?:start|beginn?)datum)\b/,
    /\b(end|ends|ende|fin|fine|einde|koniec|(?:end|eind|einde)datum)\b/,
  ],
  [/\b(from|von|ab|since|du|desde|dal|van|od)\b/, /\b(to|until|till|thru|through|bis|au|hasta|al|tot|do)\b/],
  [
    /\b(issue|issued|issue date|invoice|billing|ausgestellt|emission|emitted|facture|factura|fattura|wystawienia|(?:rechnungs|ausstellungs|factuur)datum)\b/,
    /\b(due|due date|faellig|fallig|fa?elligkeit|fa?elligkeitsdatum|falligkeit|falligkeitsdatum|echeance|vencimiento|scadenza|platnosci|vervaldatum|expires|expiry)\b/,
  ],
  [/\b(effective|inception|valid from)\b/, /\b(expiration|expiry|expires|valid to|valid until)\b/],
  [/\b(created|ordered|order)\b/, /\b(updated|modified|shipped|delivered|delivery)\b/],
  [/\b(departure|check in|hired|hire)\b/, /\b(arrival|check out|terminated|termination)\b/],
]

interface NamedDate {
  key: string
  text: string
  name: string
}

/** Pairs of dates in one object whose end is before their start change places. */
function ordered(value: JsonValue, pointer: string): Change[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => ordered(item, joinPointer(pointer, index)))
  if (!isJsonObject(value)) return []
  const dates = Object.entries(value).flatMap(([key, text]) =>
    typeof text === 'string' && isoDate(text) ? [{ key, text, name: plainName(key) }] : [],
  )
  const paired = new Set<NamedDate>()
  const own = pairs.flatMap(([start, end]) => {
    const firsts = dates.filter(({ name }) => start.test(name) && !end.test(name))
    const lasts = dates.filter(({ name }) => end.test(name) && !start.test(name))
    return firsts.flatMap((first): Change[] => {
      // `validFrom` goes with `validTo`, and not with `workTo`; a lone pair need not be called alike.
      const rest = restOf(first.name, start)
      const isLone = firsts.length === 1 && lasts.length === 1
      const last = lasts.find((one) => !paired.has(one) && (isLone || restOf(one.name, end) === rest))
      if (last === undefined || paired.has(first)) return []
      paired.add(first).add(last)
      if (first.text.length !== last.text.length || first.text <= last.text) return []
      return [
        { pointer: joinPointer(pointer, first.key), at: value, key: first.key, before: first.text, after: last.text },
        { pointer: joinPointer(pointer, last.key), at: value, key: last.key, before: last.text, after: first.text },
      ]
    })
  })
  return [...own, ...Object.entries(value).flatMap(([key, member]) => ordered(member, joinPointer(pointer, key)))]
}

/** What a name says besides that it is the beginning or end, and that it is a date. */
function restOf(name: string, word: RegExp): string {
  return name
    .replace(word, '')
    .replace(/\b(date|datum|data|fecha)\b/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
