import { describe, expect, test } from 'bun:test'
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'
import { type CaseKind, generateCase } from '../../../src/engines/schema/cases.ts'
import { caseLocales } from '../../../src/engines/schema/generate/believe.ts'
import {
  britishVat,
  dutchAccount,
  dutchVat,
  frenchAccount,
  frenchVat,
  germanVat,
  ibanOf,
  indianGst,
  italianAccount,
  polishBank,
  polishVat,
  routingNumber,
  spanishAccount,
  spanishVat,
  withLuhn,
} from '../../../src/engines/schema/generate/check-digits.ts'
import { countries } from '../../../src/engines/schema/generate/countries.ts'
import { firstNames, places } from '../../../src/engines/schema/generate/words.ts'
import { compileSchema, validatePayload } from '../../../src/engines/schema/schema.ts'

describe('check digits are those of numbers that are published as examples', () => {
  test.each([
    ['DE89370400440532013000', ibanOf('DE', '370400440532013000')],
    ['GB29NWBK60161331926819', ibanOf('GB', 'NWBK60161331926819')],
    ['ES9121000418450200051332', ibanOf('ES', spanishAccount('21000418', '0200051332'))],
    ['IT60X0542811101000000123456', ibanOf('IT', italianAccount('0542811101000000123456'))],
    ['NL91ABNA0417164300', ibanOf('NL', `ABNA${dutchAccount('041716430')}`)],
    ['PL61109010140000071219812874', ibanOf('PL', `${polishBank('1090101')}0000071219812874`)],
    ['FR7630006000011234567890189', ibanOf('FR', frenchAccount('300060000112345678901'))],
    ['DE136695976', germanVat('13669597')],
    ['FR40303265045', frenchVat('303265045')],
    ['ESB58378431', spanishVat('5837843')],
    ['00743110157', withLuhn('0074311015')],
    ['NL004495445B01', dutchVat('00449544')],
    ['PL8567346215', polishVat('856734621')],
    ['GB980780684', britishVat('9807806')],
    ['27AAPFU0939F1ZV', indianGst('27AAPFU0939F1Z')],
    ['4111111111111111', withLuhn('411111111111111')],
    ['021000021', routingNumber('02100002')],
  ])('%s', (example, made) => {
    expect(made).toBe(example)
  })
})

const text: JsonObject = { type: 'string' }
const date: JsonObject = { type: 'string', format: 'date' }
const person: JsonObject = {
  type: 'object',
  required: ['firstName', 'lastName', 'email', 'address'],
  properties: {
    firstName: text,
    lastName: text,
    email: { type: 'string', format: 'email' },
    address: {
      type: 'object',
      required: ['street', 'postalCode', 'city', 'countryCode'],
      properties: {
        street: text,
        postalCode: text,
        city: text,
        countryCode: { type: 'string', pattern: '^[A-Z]{2}$' },
      },
    },
  },
}
const contract: JsonObject = {
  type: 'object',
  required: ['customer', 'supplier', 'iban', 'vatId', 'cardNumber', 'startDate', 'endDate', 'kind', 'periods'],
  properties: {
    customer: person,
    supplier: { type: 'object', required: ['name'], properties: { name: text } },
    iban: text,
    vatId: text,
    cardNumber: text,
    currency: { enum: ['EUR', 'USD'] },
    startDate: date,
    endDate: date,
    kind: { enum: ['a', 'b'] },
    periods: {
      type: 'array',
      minItems: 2,
      maxItems: 3,
      items: { type: 'object', required: ['from', 'to'], properties: { from: date, to: date } },
    },
  },
}

function made(root: JsonObject, seed: number, kind: CaseKind = 'valid'): { payload: JsonObject; findings: number } {
  const schema = compileSchema(JSON.stringify(root))
  if (!schema.ok) throw new Error(JSON.stringify(schema.findings))
  const outcome = generateCase(schema.value, { kind, seed })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  const { payload } = outcome.value
  return { payload: payload as JsonObject, findings: validatePayload(schema.value, payload).length }
}

const named = (locale: string, rest: JsonObject = {}): JsonObject => ({ ...contract, ...rest, 'x-case-locale': locale })

/** An IBAN's digits by the standard's own words: the country and check digits behind, letters as numbers, modulo 97. */
function isIban(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4)
  return BigInt([...moved].map((letter) => Number.parseInt(letter, 36)).join('')) % 97n === 1n
}

const lengthOfIban: Record<string, number> = { DE: 22, FR: 27, ES: 24, IT: 27, NL: 18, PL: 28, GB: 22 }

const vatAgain: Record<string, (vat: string) => string | undefined> = {
  DE: (vat) => germanVat(vat.slice(2, 10)),
  FR: (vat) => frenchVat(withLuhn(vat.slice(4, 12))),
  ES: (vat) => spanishVat(vat.slice(3, 10)),
  IT: (vat) => `IT${withLuhn(vat.slice(2, 12))}`,
  NL: (vat) => dutchVat(vat.slice(2, 10)),
  PL: (vat) => polishVat(vat.slice(2, 11)),
  GB: (vat) => britishVat(vat.slice(2, 9)),
  IN: (vat) => indianGst(vat.slice(0, 14)),
  US: (vat) => /^\d{2}-\d{7}$/.exec(vat)?.[0],
}

describe.each(caseLocales)('cases of a contract for %s', (locale) => {
  const country = countries[locale]
  const payloads = Array.from({ length: 12 }, (_, seed) => made(named(locale), seed))

  test('are people and places of that country that fit each other, with valid numbers and dates in order', () => {
    if (country === undefined) throw new Error('is a country')
    for (const { payload, findings } of payloads) {
      expect(findings).toBe(0)
      const { customer, supplier, iban, vatId, cardNumber, startDate, endDate, periods } = payload as {
        [name: string]: JsonValue
      } & { customer: JsonObject; supplier: JsonObject; periods: JsonObject[] }
      const { firstName, lastName, email, address } = customer as { [name: string]: string } & { address: JsonObject }
      expect(country.firstNames).toContain(String(firstName))
      expect(country.lastNames).toContain(String(lastName))
      const plain = (name: string) =>
        name
          .normalize('NFD')
          .replace(/ł/gi, 'l')
          .replace(/[^A-Za-z]/g, '')
          .toLowerCase()
      expect(String(email).split(/[.@]/)[0]?.slice(0, 1)).toBe(plain(String(firstName)).slice(0, 1))
      expect(String(email)).toMatch(/^[a-z]+\.[a-z]+@example\.[a-z.]+$/)
      const { city, postalCode, countryCode, street } = address as { [name: string]: string }
      expect(country.places.map(([town, , code]) => `${code} ${town}`)).toContain(`${postalCode} ${city}`)
      expect([countryCode, /\d/.test(String(street))]).toEqual([country.code, true])
      expect(country.companies).toContain(String(supplier.name))
      expect([iban, isIban(String(iban)), String(iban).length]).toEqual([
        iban,
        true,
        lengthOfIban[String(iban).slice(0, 2)],
      ])
      expect(vatAgain[country.code]?.(String(vatId))).toBe(String(vatId))
      expect([cardNumber, withLuhn(String(cardNumber).slice(0, -1))]).toEqual([cardNumber, cardNumber])
      expect(String(startDate) <= String(endDate)).toBe(true)
      for (const { from, to } of periods) expect(String(from) <= String(to)).toBe(true)
    }
    expect(new Set(payloads.map(({ payload }) => JSON.stringify(payload))).size).toBe(payloads.length)
  })

  test('are the same for the same seed, and break exactly one rule where they are to be wrong', () => {
    expect(JSON.stringify(made(named(locale), 3).payload)).toBe(JSON.stringify(payloads[3]?.payload))
    expect([5, 6].map((seed) => made(named(locale), seed, 'invalid').findings)).toEqual([1, 1])
    expect(made(named(locale), 5, 'boundary').findings).toBe(0)
  })
})

test('what the contract rules out stays as it was, and so does what only looks like a pair', () => {
  const properties = {
    ...(contract.properties as JsonObject),
    iban: { type: 'string', pattern: '^X[0-9]{4}$' },
    vatId: { const: 'none' },
    startDate: { const: '2026-12-31' },
    endDate: { const: '2026-01-01' },
  }
  for (let seed = 0; seed < 8; seed++) {
    const { payload, findings } = made(named('de', { properties }), seed)
    expect([findings, payload.vatId, payload.startDate, payload.endDate]).toEqual([
      0,
      'none',
      '2026-12-31',
      '2026-01-01',
    ])
    expect(payload.iban).toMatch(/^X\d{4}$/)
  }
})

test('a payload whose other members would be wrong then stays as it was as a whole', () => {
  const cities = places.map(([city]) => city)
  const kind = (value: string) => ({ properties: { kind: { const: value } } })
  const root: JsonObject = {
    ...{ type: 'object', required: ['city', 'firstName', 'kind'] },
    properties: { city: text, firstName: text, kind: { enum: ['a', 'b'] } },
    if: { properties: { city: { enum: cities } } },
    ...{ then: kind('a'), else: kind('b') },
    'x-case-locale': 'de-DE',
  }
  const made12 = Array.from({ length: 12 }, (_, seed) => made(root, seed))
  expect(made12.map(({ findings }) => findings)).toEqual(Array(12).fill(0))
  const kept = made12.flatMap(({ payload }) => (payload.kind === 'a' ? [payload] : []))
  expect(kept.length).toBeGreaterThan(0)
  for (const { city, firstName } of kept)
    expect([cities.includes(city as never), firstNames.includes(String(firstName))]).toEqual([true, true])
})

test('a contract without a country has the cases that it had, and an unknown one is refused by name', () => {
  const { firstName } = made(contract, 1).payload.customer as JsonObject
  expect(firstNames).toContain(String(firstName))
  const schema = compileSchema(JSON.stringify(named('de-XX')))
  expect(schema.findings).toEqual([])
  const refused = schema.ok && generateCase(schema.value, { kind: 'valid', seed: 1 })
  expect(refused).toMatchObject({
    ok: false,
    findings: [{ code: 'case.locale', hint: expect.stringContaining('de-DE') }],
  })
})

test('names of the country’s language are understood: dates in order, grown-up people, numbers with their check digits', () => {
  const text = { type: 'string' }
  const date = { type: 'string', format: 'date' }
  const cases = (locale: string, properties: JsonObject) =>
    Array.from({ length: 12 }, (_, seed) => {
      const schema = { type: 'object', required: Object.keys(properties), properties, 'x-case-locale': locale }
      return made(schema, seed).payload as { [name: string]: string }
    })
  const dates = (...names: string[]) => Object.fromEntries(names.map((name) => [name, date]))
  const inOrder: [locale: string, first: string, last: string][] = [
    ['de-DE', 'rechnungsdatum', 'fälligkeitsdatum'],
    ['de-DE', 'beginndatum', 'enddatum'],
    ['nl-NL', 'begindatum', 'einddatum'],
    ['fr-FR', 'dateFacture', 'dateEcheance'],
    ['pl-PL', 'dataWystawienia', 'terminPlatnosci'],
    ['en-US', 'invoiceDate', 'dueDate'],
  ]
  for (const [locale, first, last] of inOrder) {
    const wrong = cases(locale, dates(first, last)).filter((one) => String(one[first]) > String(one[last]))
    expect([first, wrong]).toEqual([first, []])
  }
  for (const one of cases('en-GB', dates('validFrom', 'workFrom', 'workTo', 'validTo'))) {
    expect([String(one.validFrom) <= String(one.validTo), String(one.workFrom) <= String(one.workTo)]).toEqual([
      true,
      true,
    ])
  }
  const german = countries['de-DE']
  const short = { type: 'string', pattern: '^[a-z]{2}$' }
  const long = { type: 'string', pattern: '^[a-z]{2}-[A-Z]{2}$' }
  for (const one of cases('de-DE', {
    customerName: text,
    telefon: text,
    bemerkung: text,
    notes: date,
    sprache: short,
    locale: long,
  })) {
    const [first = '', last = ''] = String(one.customerName).split(' ')
    expect([german?.firstNames.includes(first), german?.lastNames.includes(last)]).toEqual([true, true])
    expect(one.telefon?.replace(/\d/g, '#')).toBe(String(german?.phone.replace(/\d/g, '#')))
    expect(german?.sentences).toContain(String(one.bemerkung))
    expect([one.notes?.replace(/\d/g, '0'), one.sprache, one.locale]).toEqual(['0000-00-00', 'de', 'de-DE'])
  }
  for (const one of cases('de-DE', { geburtsdatum: date, währung: text, waehrung: text, bic: text })) {
    expect(one.geburtsdatum).toMatch(/^(?:19[5-9]\d|200[0-4])-/)
    expect([one.währung, one.waehrung, one.bic]).toEqual(['EUR', 'EUR', 'COBADEFFXXX'])
  }
  for (const { siren = '', siret = '', prenom = '', nom = '', courriel } of cases('fr-FR', {
    ...{ siren: text, siret: text, prenom: text, nom: text, courriel: text },
  })) {
    expect([withLuhn(siren.slice(0, -1)), withLuhn(siret.slice(0, -1))]).toEqual([siren, siret])
    expect([siren.length, siret.length, countries['fr-FR']?.lastNames.includes(nom)]).toEqual([9, 14, true])
    expect(courriel?.[0]).toBe(prenom.normalize('NFD')[0]?.toLowerCase())
  }
  for (const { pesel = '' } of cases('pl-PL', { pesel: text })) {
    const sum = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1].reduce((all, weight, index) => all + weight * Number(pesel[index]), 0)
    expect([pesel.length, sum % 10]).toEqual([11, 0])
  }
})

test('every country has all that its people, firms and places are made of', () => {
  const gaps: string[] = []
  const look = (value: unknown, at: string): void => {
    if (typeof value === 'string' && value.trim() === '') gaps.push(at)
    if (Array.isArray(value) && value.length === 0) gaps.push(at)
    if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) look(member, `${at}/${key}`)
  }
  for (const [locale, country] of Object.entries(countries)) {
    look(country, locale)
    // City, region and postal code.
    for (const place of country.places) expect([locale, place.length]).toEqual([locale, 3])
    expect([locale, country.address.includes('#'), country.phone.includes('#')]).toEqual([locale, true, true])
  }
  expect(gaps).toEqual([])
})
