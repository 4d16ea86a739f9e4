/** Schemas that the tests of generated cases share. */
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'

/** A contract as people write them. */
export const policy: JsonObject = {
  type: 'object',
  required: ['policyNumber', 'customer', 'items'],
  additionalProperties: false,
  properties: {
    policyNumber: { type: 'string', pattern: '^[A-Z]{2}-\\d{6}$' },
    premium: { type: 'number', minimum: 0, maximum: 5000, multipleOf: 0.01 },
    startDate: { type: 'string', format: 'date' },
    status: { enum: ['active', 'lapsed', 'cancelled'] },
    customer: {
      type: 'object',
      required: ['lastName'],
      properties: {
        firstName: { type: 'string', minLength: 1, maxLength: 40 },
        lastName: { type: 'string', minLength: 1, maxLength: 40 },
        email: { type: 'string', format: 'email' },
        address: { $ref: '#/$defs/address' },
      },
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 5,
      items: {
        type: 'object',
        required: ['description', 'quantity'],
        properties: {
          description: { type: 'string', maxLength: 60 },
          quantity: { type: 'integer', minimum: 1, maximum: 99 },
          price: { type: 'number', exclusiveMinimum: 0 },
        },
      },
    },
    payment: {
      oneOf: [
        { type: 'object', required: ['iban'], properties: { kind: { const: 'transfer' }, iban: { type: 'string' } } },
        { type: 'object', required: ['card'], properties: { kind: { const: 'card' }, card: { type: 'string' } } },
      ],
    },
  },
  $defs: {
    address: {
      type: 'object',
      required: ['city'],
      properties: {
        street: { type: 'string' },
        city: { type: 'string' },
        zipCode: { type: 'string', pattern: '^\\d{5}$' },
      },
    },
  },
}

/** Schemas that go through every keyword; each has valid cases for every seed. */
export const everyKeyword: Record<string, JsonValue> = {
  'a recursive tree': {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        required: ['name', 'children'],
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      },
    },
  },
  'a recursion that only one branch ends': {
    $ref: '#/$defs/expression',
    $defs: {
      expression: {
        oneOf: [
          {
            type: 'object',
            required: ['left', 'right'],
            properties: { left: { $ref: '#/$defs/expression' }, right: { $ref: '#/$defs/expression' } },
          },
          { type: 'number' },
        ],
      },
    },
  },
  'a $dynamicRef': {
    $id: 'https://example.com/strict',
    $dynamicAnchor: 'node',
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: {
      tree: {
        $id: 'tree',
        $dynamicAnchor: 'node',
        type: 'object',
        required: ['child'],
        properties: { child: { anyOf: [{ type: 'null' }, { $dynamicRef: '#node' }] } },
      },
    },
  },
  'allOf with bounds from both sides': {
    type: 'integer',
    allOf: [{ minimum: 10 }, { maximum: 12 }, { multipleOf: 11 }],
  },
  'oneOf whose branches overlap': { oneOf: [{ type: 'integer' }, { minimum: 5 }] },
  'anyOf beside not': { anyOf: [{ type: 'string' }, { type: 'integer' }], not: { type: 'string' } },
  'a row of conditions on one property': {
    type: 'object',
    required: ['kind', 'value'],
    properties: { kind: { enum: ['a', 'b', 'c', 'd'] }, value: {} },
    allOf: ['a', 'b', 'c', 'd'].map((kind, index) => ({
      if: { properties: { kind: { const: kind } } },
      then: { properties: { value: { type: ['string', 'integer', 'boolean', 'null'][index]! } } },
    })),
  },
  'two conditions whose rules exclude each other': {
    type: 'object',
    required: ['portfolio', 'stage'],
    properties: { portfolio: { enum: ['explore', 'exploit'] }, stage: { type: 'string' } },
    allOf: [
      {
        if: { properties: { portfolio: { const: 'explore' } } },
        then: { properties: { stage: { enum: ['idea', 'trial', 'transfer'] } } },
      },
      {
        if: { properties: { portfolio: { const: 'exploit' } } },
        then: { properties: { stage: { enum: ['growth', 'retreat', 'transfer'] } } },
      },
    ],
  },
  'thirty conditions on one property': {
    type: 'object',
    required: ['kind', 'value'],
    properties: { kind: { type: 'string' }, value: {} },
    allOf: Array.from({ length: 30 }, (_, index) => ({
      if: { properties: { kind: { const: `kind ${index}` } } },
      then: { properties: { value: { const: index } } },
    })),
  },
  'dependentRequired and dependentSchemas': {
    type: 'object',
    minProperties: 1,
    properties: { card: { type: 'string' }, holder: { type: 'string' } },
    dependentRequired: { card: ['holder'] },
    dependentSchemas: {
      holder: { required: ['address'], properties: { address: { type: 'string', minLength: 3 } } },
    },
    additionalProperties: { type: 'string' },
  },
  'unevaluatedProperties over allOf and if': {
    type: 'object',
    allOf: [{ properties: { a: { type: 'integer' } }, required: ['a'] }],
    if: { properties: { a: { minimum: 10 } } },
    then: { properties: { large: { type: 'boolean' } }, required: ['large'] },
    unevaluatedProperties: false,
  },
  'unevaluatedItems after contains': {
    type: 'array',
    contains: { type: 'string' },
    minContains: 2,
    unevaluatedItems: false,
  },
  'patternProperties with names that have to be made': {
    type: 'object',
    minProperties: 3,
    patternProperties: { '^x-[0-9]{4}$': { type: 'integer' } },
    additionalProperties: false,
  },
  'propertyNames with a pattern': { type: 'object', minProperties: 2, propertyNames: { pattern: '^[a-f]{8}$' } },
  'several patterns at once': {
    type: 'string',
    allOf: [{ pattern: '^[A-Z]' }, { pattern: '[0-9]$' }],
    minLength: 6,
    maxLength: 9,
  },
  'multipleOf of decimals': {
    type: 'number',
    allOf: [{ multipleOf: 0.25 }, { multipleOf: 0.1 }],
    exclusiveMinimum: 0,
    exclusiveMaximum: 1,
  },
  'uniqueItems over a small enum': { type: 'array', uniqueItems: true, minItems: 4, items: { enum: [1, 2, 3, 4] } },
  'contains with a maximum': {
    type: 'array',
    minItems: 5,
    contains: { const: 7 },
    maxContains: 1,
    items: { type: 'integer' },
  },
  'prefixItems that end': {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    minItems: 2,
    items: false,
  },
  'const of a structure': { const: { a: [1, { b: null }] } },
  'enum against other rules': { enum: [1, 'two', 3, 'four', null], type: 'string', minLength: 4 },
  'not with required': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    not: { required: ['a', 'b'] },
    minProperties: 1,
  },
  'every format': {
    type: 'object',
    properties: Object.fromEntries(
      [
        'date',
        'time',
        'date-time',
        'duration',
        'email',
        'hostname',
        'ipv4',
        'ipv6',
        'uri',
        'uri-reference',
        'uri-template',
        'uuid',
        'json-pointer',
        'relative-json-pointer',
        'regex',
        'idn-email',
        'idn-hostname',
        'iri',
        'iri-reference',
      ].map((format) => [format, { type: 'string', format }]),
    ),
    minProperties: 19,
  },
  'a format with a length': {
    type: 'array',
    prefixItems: [
      { type: 'string', format: 'email', maxLength: 10 },
      { type: 'string', format: 'uri', minLength: 80 },
      { type: 'string', format: 'hostname', minLength: 90 },
    ],
    minItems: 3,
  },
  'a required property called __proto__': {
    type: 'object',
    required: ['__proto__', 'constructor'],
    properties: { constructor: { type: 'integer' } },
  },
}

/** Limits of each kind, side by side. */
export const bounded: JsonValue = {
  type: 'object',
  required: ['name', 'count', 'list'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 9 },
    count: { type: 'integer', minimum: -3, exclusiveMaximum: 12 },
    list: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 6 },
    note: { type: 'string' },
  },
}

/** For each keyword a schema in which hardly anything else can be broken. */
export const oneRule: Record<string, JsonValue> = {
  uniqueItems: { type: 'array', uniqueItems: true },
  contains: { type: 'array', contains: { type: 'string' } },
  maxContains: { type: 'array', contains: { const: 1 }, maxContains: 2, minItems: 1, items: { const: 1 } },
  propertyNames: { propertyNames: { pattern: '^[a-z]+$' } },
  dependentRequired: { dependentRequired: { a: ['b'] } },
  const: { const: 'only this' },
  not: { not: { type: 'integer' } },
  maxProperties: { maxProperties: 2 },
  minProperties: { type: 'object', minProperties: 2 },
  unevaluatedProperties: { type: 'object', allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
}

const texts =
  'ip ipAddress sku vin licensePlate licencePlate numberPlate timezone timeZone department team division routingNumber tag tags keyword keywords labels hireDate hiredDate effectiveDate expirationDate expiryDate renewalDate startDate endDate issueDate issuedDate deliveryDate shippingDate orderDate invoiceDate paymentDate dueDate email eMail mailAddress firstName givenName foreName lastName familyName surname middleName userName login nickName company employer organization organisation vendor supplier carrier insurer bank publisher manufacturer productName itemTitle articleName product fullName customerName agentFirstAndLastName author customers policyholder job position occupation profession role phone mobile fax telephone tel zip zipCode postalCode postCode city town state stateCode province countryCode country street addressLine address line1 apartment suite unit line2 currency iban ssn socialSecurity createdAt updated modified timestamp dateTime birthday birth dob date issued expires since until time url uri website homepage link href repository host hostname domain uuid guid version language locale lang color colour month weekday day status gender sex license fileName file path directory folder description comment notes remark text message body summary reason content title subject headline label caption policyNumber invoiceNo claimId orderReference id identifier key code number nr ref name zzz strange'.split(
    ' ',
  )
const numbers =
  'year month months day days hour hours minute seconds age port lat latitude lon lng long longitude salary income coverage limit rating stars score priority level rank percent percentage pct rate ratio factor probability share price amount total subtotal cost fee premium balance payment tax net gross discount deductible sum quantity qty count number items size units width height length depth weight mass other'.split(
    ' ',
  )

function each(names: readonly string[], schema: JsonValue): JsonObject {
  return {
    type: 'object',
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, schema])),
  }
}

const address = each(['street', 'city', 'state', 'zipCode'], { type: 'string' })

/** What values are called, in all the ways that the writer knows, and what decides their form. */
export const named: Record<string, JsonValue> = {
  'texts by the name of their property': each(texts, { type: 'string' }),
  'texts by name, longer than usual': each(texts, { type: 'string', minLength: 24 }),
  'texts by name, shorter than usual': each(texts, { type: 'string', minLength: 2, maxLength: 5 }),
  'texts by name, with a pattern that a few of them match': each(texts, { type: 'string', pattern: '^[A-Z]' }),
  'numbers by the name of their property': each(numbers, { type: 'number' }),
  'integers by the name of their property': each(numbers, { type: 'integer' }),
  'numbers by name, with bounds elsewhere': each(numbers, { type: 'number', minimum: 100_000, maximum: 200_000 }),
  'numbers by name, below zero': each(numbers, { type: 'number', exclusiveMaximum: -5 }),
  'numbers by name, in quarters': each(numbers, { type: 'number', multipleOf: 0.25, exclusiveMinimum: 1 }),
  'integers by name, in fives': each(numbers, { type: 'integer', multipleOf: 5, maximum: 1_000 }),
  'numbers between two close bounds': each(numbers, {
    type: 'number',
    exclusiveMinimum: 0.001,
    exclusiveMaximum: 0.002,
  }),
  'numbers with one bound': {
    type: 'array',
    prefixItems: [
      { type: 'number', minimum: 1e15 },
      { type: 'number', maximum: -1e15 },
      { type: 'number', exclusiveMinimum: 1e15 },
      { type: 'number', exclusiveMaximum: -1e15 },
      { type: 'number', minimum: 2.5, maximum: 2.5 },
      { type: 'integer', exclusiveMinimum: 2, exclusiveMaximum: 4 },
      { type: 'number', minimum: -1e300, maximum: 1e300 },
    ],
    minItems: 7,
    items: false,
  },
  'dates and times by name': {
    ...each(['birthDate', 'orderDate', 'dob'], { type: 'string', format: 'date' }),
    additionalProperties: { type: 'string', format: 'date-time' },
    minProperties: 5,
  },
  'people and places inside one another': {
    type: 'object',
    required: ['firstName', 'email', 'address', 'employees'],
    properties: {
      firstName: { type: 'string' },
      email: { type: 'string', format: 'email' },
      address,
      employees: {
        type: 'array',
        minItems: 2,
        items: {
          type: 'object',
          required: ['firstName', 'lastName', 'contactDetails'],
          properties: { firstName: {}, lastName: {}, contactDetails: { ...address, title: 'Where' } },
        },
      },
      categories: { type: 'array', items: { type: 'string' } },
    },
  },
  'examples and defaults': {
    type: 'object',
    required: ['a', 'b', 'c'],
    properties: {
      a: { type: 'string', examples: ['first', 'second', 3] },
      b: { type: 'number', examples: [1.5, 2.5] },
      c: { type: 'string', format: 'no-known-format', pattern: '^\\p{Lu}\\w+-[^a-z]$', default: 'Xy-1' },
      d: { type: 'boolean', examples: [true] },
    },
  },
  'formats with lengths': {
    type: 'object',
    properties: Object.fromEntries(
      'uri iri uri-reference iri-reference uri-template json-pointer email hostname duration regex'
        .split(' ')
        .flatMap((format) => [
          [`${format} short`, { type: 'string', format, maxLength: 6 }],
          [`${format} long`, { type: 'string', format, minLength: 70 }],
          [`${format} longer`, { type: 'string', format, minLength: 150, maxLength: 160 }],
        ]),
    ),
  },
  'patterns of every kind': {
    type: 'array',
    prefixItems: [
      '^[A-Z]{2}-\\d{6}$',
      '^(foo|bar|quux)+$',
      '^[^a-z0-9]{3,5}$',
      '^\\p{Lu}\\p{Ll}+$',
      '^\\P{L}{2}$',
      '[0-9]{3}',
      '^a*b+c?$',
      '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
      '^.{3,}$',
      '\\bword\\b',
      '^(a|bb|cccccc){2,9}x$',
    ].map((pattern) => ({ type: 'string', pattern })),
    minItems: 11,
  },
}

const text = { type: 'string' }

/** Each keyword that is for one type of value, alone in its schema. */
export const impliedTypes: Record<string, Record<string, JsonValue>> = {
  object: {
    properties: { properties: { a: text } },
    required: { required: ['a'] },
    patternProperties: { patternProperties: { '^a': text } },
    minProperties: { minProperties: 1 },
    maxProperties: { maxProperties: 2 },
    additionalProperties: { additionalProperties: text },
    propertyNames: { propertyNames: { pattern: '^[a-z]+$' } },
    dependentRequired: { dependentRequired: { a: ['b'] } },
    dependentSchemas: { dependentSchemas: { a: { required: ['b'] } } },
    unevaluatedProperties: { unevaluatedProperties: text },
  },
  array: {
    items: { items: text },
    prefixItems: { prefixItems: [text] },
    contains: { contains: text },
    minItems: { minItems: 1 },
    maxItems: { maxItems: 2 },
    uniqueItems: { uniqueItems: true },
    unevaluatedItems: { unevaluatedItems: text },
  },
  string: {
    pattern: { pattern: '^a' },
    format: { format: 'date' },
    minLength: { minLength: 1 },
    maxLength: { maxLength: 3 },
  },
  number: {
    minimum: { minimum: 1 },
    maximum: { maximum: 1 },
    exclusiveMinimum: { exclusiveMinimum: 1 },
    exclusiveMaximum: { exclusiveMaximum: 1 },
    multipleOf: { multipleOf: 3 },
  },
}

/** Schemas that the first choices rarely satisfy: other ones have to be tried, in the order that stored cases rely on. */
export const retried: Record<string, JsonValue> = {
  'different items from as many choices': {
    type: 'array',
    items: { enum: ['a', 'b', 'c', 'd', 1] },
    uniqueItems: true,
    minItems: 5,
  },
  'different items of few kinds': {
    type: 'array',
    items: { anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1, maximum: 2 }, { const: null }] },
    uniqueItems: true,
    minItems: 4,
    maxItems: 5,
  },
  'exactly one of three that overlap': {
    oneOf: [
      { type: 'integer', minimum: 1, maximum: 40 },
      { type: 'integer', multipleOf: 7, maximum: 80 },
      { type: 'integer', minimum: 30, maximum: 60 },
    ],
    not: { enum: [1, 2, 3, 31, 32] },
  },
  'one of many branches, most of which contradict the rest': {
    type: 'object',
    properties: { kind: { enum: ['a', 'b', 'c', 'd'] }, size: { type: 'integer', minimum: 5 } },
    required: ['kind', 'size'],
    anyOf: [
      { properties: { kind: { const: 'a' }, size: { maximum: 4 } } },
      { properties: { kind: { const: 'x' } } },
      { properties: { size: { const: 'large' } } },
      { properties: { kind: { const: 'd' }, size: { multipleOf: 9 } }, required: ['more'] },
      { required: ['less'], properties: { less: false } },
    ],
  },
  'conditions that exclude some members': {
    type: 'object',
    properties: {
      state: { enum: ['open', 'closed', 'void'] },
      until: { type: 'string', format: 'date' },
      reason: { type: 'string', minLength: 3 },
      count: { type: 'integer' },
    },
    required: ['state', 'count'],
    allOf: [
      {
        if: { properties: { state: { const: 'closed' } } },
        then: { required: ['until'], not: { required: ['reason'] } },
      },
      {
        if: { properties: { state: { const: 'void' } } },
        then: { required: ['reason'], properties: { count: { const: 0 } } },
      },
      { if: { properties: { count: { minimum: 10 } } }, else: { not: { required: ['until'] } } },
    ],
  },
  'items of which some fit, and not too many': {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: 20 },
    contains: { multipleOf: 5 },
    minContains: 2,
    maxContains: 3,
    minItems: 5,
    maxItems: 6,
    uniqueItems: true,
  },
  'members that only some names may have': {
    type: 'object',
    patternProperties: { '^n_': { type: 'integer' }, _x$: { minimum: 3 } },
    propertyNames: { pattern: '^[a-z]_[a-z]$' },
    additionalProperties: { type: 'boolean' },
    minProperties: 6,
    maxProperties: 7,
  },
  'members that require each other': {
    type: 'object',
    properties: { a: text, b: text, c: { type: 'string', pattern: '^$', minLength: 1 }, d: text, e: text },
    dependentRequired: { a: ['b'], b: ['d'], e: ['c'] },
    dependentSchemas: { d: { maxProperties: 3 } },
    minProperties: 2,
  },
  'numbers that few multiples meet': {
    type: 'array',
    prefixItems: [
      { type: 'number', multipleOf: 0.01, exclusiveMinimum: 1.5, exclusiveMaximum: 1.53, not: { const: 1.51 } },
      { type: 'integer', multipleOf: 6, allOf: [{ multipleOf: 10 }], minimum: 0, maximum: 89 },
      { type: 'number', minimum: -1, maximum: 1, not: { type: 'integer' }, multipleOf: 0.5 },
      { type: 'integer', exclusiveMinimum: -3, exclusiveMaximum: 0, not: { const: -2 } },
    ],
    minItems: 4,
  },
  'texts that several rules narrow': {
    type: 'array',
    prefixItems: [
      { type: 'string', pattern: '^[ab]+$', allOf: [{ pattern: 'a.*b' }], minLength: 4, maxLength: 5 },
      { type: 'string', pattern: '^\\d{2,4}$', not: { pattern: '^[0-4]' } },
      { type: 'string', format: 'date', pattern: '^2024-' },
      { type: 'string', minLength: 2, maxLength: 2, not: { enum: ['ab', 'cd'] } },
    ],
    minItems: 4,
  },
  'a tree that ends in time': {
    type: 'object',
    properties: { name: text, children: { type: 'array', items: { $ref: '#' }, minItems: 1 }, leaf: { const: true } },
    required: ['name'],
    oneOf: [{ required: ['children'] }, { required: ['leaf'] }],
    maxProperties: 2,
  },
  'nothing but what a branch knows': {
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
    anyOf: [
      { properties: { a: text }, required: ['a'] },
      { properties: { b: text, c: false }, required: ['b'] },
    ],
    unevaluatedProperties: false,
    minProperties: 2,
  },
  'items that nothing else evaluates': {
    type: 'array',
    prefixItems: [{ type: 'integer' }],
    contains: { type: 'string' },
    unevaluatedItems: { type: 'boolean' },
    minItems: 4,
  },
  'every type but those excluded': {
    type: 'array',
    items: { type: ['null', 'boolean', 'number', 'string', 'array', 'object'], not: { type: ['string', 'null'] } },
    minItems: 5,
  },
  'a condition that must not be met': {
    type: 'array',
    items: {
      type: 'integer',
      minimum: 0,
      maximum: 30,
      not: { if: { minimum: 20 }, then: { multipleOf: 2 }, else: { multipleOf: 3 } },
    },
    minItems: 4,
  },
  'a condition whose other side must not be met': {
    type: 'integer',
    minimum: 0,
    maximum: 15,
    not: { if: { minimum: 20 }, else: { multipleOf: 3 } },
  },
  'required members that exclude each other': {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { enum: [1, 2, 3] }, b: { enum: [1, 2, 3] } },
    allOf: [
      { if: { properties: { a: { const: 1 } } }, then: { properties: { b: { const: 2 } } } },
      { if: { properties: { a: { const: 2 } } }, then: { properties: { b: false } } },
    ],
  },
}

const date = { type: 'string', format: 'date' }
const code = { type: 'string', pattern: '^[A-Z]{2}$' }

/** What people, firms and their numbers are called in the languages of the countries that a contract can name. */
const localTexts =
  'email mailAddress correo courriel iban vatId ustId umsatzsteuerNummer tvaNumber gstin nip partitaIva numeroDeTva tvaIntracommunautaire taxNumber cardNumber creditCardNumber pan siret siren pesel bic swiftCode routingNumber firstName vorname prenom nombre voornaam imie nome lastName surname nachname nomDeFamille apellidos cognome achternaam nazwisko nom company organisation firma societe empresa azienda bedrijf customerName agentFullName name kunde klant klient policyholder versicherungsnehmer job occupation beruf metier phone fax telefon telefoon telefono zip postCode pinCode plz postleitzahl codePostal codigoPostal cap kodPocztowy city ort stadt ville ciudad citta stad plaats miasto state stateOf bundesland provincia wojewodztwo country land pays pais paese kraj street straße rue calle via straat ulica addressLine anschrift currency währung waehrung devise moneda valuta waluta timeZone sprache comment description bemerkung commentaire observaciones opmerking uwagi other'.split(
    ' ',
  )
const localDates =
  'birthDate geburtsdatum dateDeNaissance start end startDatum endDatum validFrom validTo workFrom workTo von bis du au issueDate dueDate invoiceDate expiresAt rechnungsdatum fälligkeit factuurdatum vervaldatum effectiveDate expirationDate created updated orderDate deliveryDate departure arrival hireDate terminationDate'.split(
    ' ',
  )

/** Believed by the country's people where `x-case-locale` names it. */
export const local: JsonObject = {
  type: 'object',
  required: ['people', 'supplier', 'kontakt', 'customer'],
  properties: {
    people: { type: 'array', minItems: 4, maxItems: 4, items: each(localTexts, text) },
    supplier: each(['name', 'city', 'plz', 'email'], text),
    kontakt: {
      ...each(['name', 'email', 'adresse'], text),
      properties: { name: text, email: text, adresse: each(['ort', 'plz', 'bundesland'], text) },
    },
    customer: { type: 'array', minItems: 3, items: each(localDates, date) },
    codes: {
      ...each(['countryCode', 'land', 'language', 'locale'], code),
      properties: {
        countryCode: code,
        land: code,
        language: { type: 'string', pattern: '^[a-z]{2}$' },
        locale: { type: 'string', pattern: '^[a-z]{2}-[A-Z]{2}$' },
      },
    },
    times: {
      type: 'array',
      items: each(['begin', 'ends', 'born'], { type: 'string', format: 'date-time' }),
      minItems: 2,
    },
    notes: date,
  },
}

const whole = { type: 'integer' }

/** Schemas that require one value inside of another, so many levels deep. */
export function chain(levels: number): JsonObject {
  const level = (at: number): JsonObject =>
    at % 2 === 0
      ? { type: 'object', required: ['a'], properties: { a: { $ref: `#/$defs/l${at + 1}` }, b: text } }
      : { type: 'array', minItems: 1, items: { $ref: `#/$defs/l${at + 1}` } }
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, at) => [`l${at}`, level(at)]))
  return { $ref: '#/$defs/l0', $defs: { ...$defs, [`l${levels}`]: { type: 'null' } } }
}

/** What decides the size and the members of structures. */
export const structures: Record<string, JsonValue> = {
  'a chain of thirty levels': chain(27),
  'lists in lists': {
    type: 'array',
    items: {
      type: 'array',
      items: {
        type: 'array',
        items: { type: 'array', items: { type: 'array', items: { type: 'array', items: whole } } },
      },
    },
  },
  'listed items with what they must contain': {
    type: 'array',
    items: { type: 'array', prefixItems: [whole, whole, {}], contains: text, minContains: 2, maxItems: 4 },
    minItems: 3,
  },
  'listed items with what they must contain behind them': {
    type: 'array',
    prefixItems: [whole, whole],
    contains: text,
    minContains: 2,
  },
  'two kinds that one item can be': {
    type: 'array',
    allOf: [{ contains: text }, { contains: { minLength: 3 }, minContains: 2 }],
    items: { type: ['string', 'integer'] },
    maxItems: 2,
  },
  'two kinds that no item can be': { type: 'array', allOf: [{ contains: text }, { contains: whole }], maxItems: 2 },
  'a kind that need not be there, and not often': {
    type: 'array',
    contains: text,
    minContains: 0,
    maxContains: 1,
    items: { type: ['string', 'integer'] },
    minItems: 4,
  },
  'few of a kind among many': {
    type: 'array',
    contains: { const: 1 },
    maxContains: 2,
    items: { enum: [1, 2, 3] },
    minItems: 7,
  },
  'items that nothing else evaluates, of listed ones and their rest': {
    type: 'array',
    allOf: [{ prefixItems: [whole] }, { anyOf: [{ prefixItems: [true, text] }, { items: text }] }],
    unevaluatedItems: { type: 'boolean' },
    minItems: 3,
  },
  'items of which none may be left over': {
    type: 'array',
    allOf: [{ prefixItems: [whole, text] }],
    contains: { type: 'boolean' },
    unevaluatedItems: false,
    minItems: 3,
  },
  'as many items as a list can be asked for': { type: 'array', items: { const: 1 }, maxItems: 2_000 },
  'more items than a list is made of': { type: 'array', items: { const: 1 }, maxItems: 2_001 },
  'different items of a list': {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 9 },
    uniqueItems: true,
    minItems: 2,
    maxItems: 9,
  },
  'names from a list': {
    type: 'object',
    propertyNames: { enum: ['a', 'b', 'c', 'd', 'e'] },
    additionalProperties: whole,
    minProperties: 4,
  },
  'names of a format': { type: 'object', propertyNames: { format: 'uuid' }, minProperties: 2 },
  'names of a length': {
    type: 'object',
    propertyNames: { minLength: 12, maxLength: 14 },
    properties: { short: whole },
    minProperties: 2,
  },
  'names that must not be': {
    type: 'object',
    propertyNames: { not: { pattern: '^[a-m]' } },
    properties: { aa: whole, zz: whole },
    minProperties: 3,
  },
  'names of two patterns': {
    type: 'object',
    patternProperties: { '^a': whole, z$: { minimum: 5 }, '^x': false },
    additionalProperties: false,
    minProperties: 3,
    maxProperties: 4,
  },
  'no name that is allowed': { type: 'object', propertyNames: { type: 'integer' } },
  'no name at all, though one is wanted': { type: 'object', propertyNames: false, minProperties: 1 },
  'further members with a schema of their own': {
    type: 'object',
    properties: {
      companies: { type: 'object', additionalProperties: { type: 'object', unevaluatedProperties: text } },
    },
    additionalProperties: whole,
  },
  'members that nothing else evaluates': {
    type: 'object',
    properties: { a: text },
    anyOf: [{ properties: { b: text }, required: ['b'] }, { patternProperties: { '^c': text } }],
    unevaluatedProperties: whole,
    minProperties: 3,
  },
  'many members, and few of them at a time': {
    ...each(texts.slice(0, 60), text),
    required: ['ip', 'sku'],
    maxProperties: 7,
  },
  'more members than there is room for': {
    type: 'object',
    properties: Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [
        name,
        { type: 'array', items: { type: 'array', items: whole, minItems: 30 }, minItems: 15 },
      ]),
    ),
  },
  'members that require each other in a row': {
    type: 'object',
    properties: { a: text, b: text, c: text, d: text, never: false },
    dependentRequired: { a: ['b'], b: ['c'], c: ['d'], x: ['never'] },
    minProperties: 2,
    maxProperties: 5,
  },
  'a member that brings others, and one that brings what is forbidden': {
    type: 'object',
    properties: { a: text, b: whole },
    dependentSchemas: {
      a: { required: ['b'], properties: { b: { minimum: 7 } } },
      b: { properties: { c: false }, maxProperties: 3 },
    },
    additionalProperties: text,
  },
  'values of every type': {
    type: 'array',
    items: { type: ['null', 'boolean', 'integer', 'string', 'array', 'object'] },
    minItems: 12,
  },
  'values of any type': { type: 'array', items: {}, minItems: 6 },
  'a text or nothing': { type: 'array', items: { type: ['string', 'null'] }, minItems: 9 },
  'samples of the author': {
    type: 'array',
    prefixItems: [
      { type: 'string', pattern: '^(?:a|b)(?:c|d)\\b.$', examples: ['never', 7], default: 'ac!' },
      {
        type: 'string',
        format: 'no-known-format',
        allOf: [{ pattern: '^\\p{Lu}' }, { pattern: '\\P{L}$' }, { pattern: '[^!-~]' }],
        examples: ['Äx7', 'Üb§'],
      },
      { type: 'integer', examples: [3, 4.5, '5'] },
      { type: 'integer', examples: [] },
      { type: 'number', minimum: 1, maximum: 2, examples: [1.5, 9] },
    ],
    minItems: 5,
  },
  'texts of several formats': {
    type: 'array',
    prefixItems: [
      { type: 'string', format: 'email', pattern: '^[a-m]' },
      { type: 'string', format: 'date', pattern: '-0[1-9]$' },
      { type: 'string', format: 'uri', allOf: [{ format: 'uri-reference' }] },
      { type: 'string', format: 'uuid', minLength: 36 },
      { type: 'string', format: 'ipv4', maxLength: 9 },
    ],
    minItems: 5,
  },
  'texts as long as they are made': {
    type: 'array',
    prefixItems: [
      { type: 'string', maxLength: 65_536 },
      { type: 'string', maxLength: 65_537 },
      { type: 'string', pattern: '^a*$', maxLength: 70_000 },
    ],
    minItems: 3,
    items: false,
  },
  'patterns with lengths': {
    type: 'array',
    prefixItems: [
      { type: 'string', pattern: '^[a-z]{2,40}$', minLength: 20 },
      { type: 'string', pattern: '^[a-z]+-[0-9]*$', minLength: 12, maxLength: 14 },
      { type: 'string', pattern: '[0-9]$', minLength: 12 },
      { type: 'string', pattern: '^[0-9]', minLength: 12 },
      { type: 'string', pattern: '\\bend$', minLength: 12 },
      { type: 'string', pattern: '^(?:ab|c)+$', minLength: 7, maxLength: 9 },
      { type: 'string', pattern: '^(?:x{3}|[0-9]{30})$', minLength: 20 },
      { type: 'string', pattern: '^(?:a?b){3,5}c{2}$' },
      { type: 'string', pattern: '^[^ -~]{4}$' },
      { type: 'string', pattern: '^[ -/]{6}$' },
      { type: 'string', pattern: '^[\\u{1f600}-\\u{1f605}]{2}\\p{Script=Greek}{3}$' },
      { type: 'string', pattern: '^ {3}$' },
    ],
    minItems: 12,
  },
  'numbers at open ends': {
    type: 'array',
    prefixItems: [
      { type: 'number', exclusiveMinimum: 3, maximum: 4 },
      { type: 'number', minimum: 3, exclusiveMaximum: 4 },
      { type: 'integer', exclusiveMinimum: 3.5, exclusiveMaximum: 9.5 },
      { type: 'number', multipleOf: 0.1, exclusiveMinimum: 0.3, exclusiveMaximum: 0.9 },
      { type: 'number', multipleOf: 7, minimum: 1_000_000 },
      { type: 'number', multipleOf: 7, maximum: -1_000_000 },
      { type: 'integer', minimum: 9_007_199_254_740_991 },
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5e-324 },
    ].slice(0, 7),
    minItems: 7,
    items: false,
  },
  'conditions one in another': {
    type: 'object',
    required: ['n', 'm'],
    properties: { n: { type: 'integer', minimum: 0, maximum: 30 }, m: { type: 'integer', minimum: 0, maximum: 30 } },
    if: { properties: { n: { minimum: 20 } } },
    then: { if: { properties: { m: { minimum: 20 } } }, then: { required: ['both'] }, else: { required: ['first'] } },
    else: {
      if: { properties: { m: { maximum: 5 } } },
      then: { required: ['neither'] },
      else: { properties: { n: { maximum: 3 } } },
    },
    oneOf: [
      { required: ['both'] },
      { required: ['first'] },
      { required: ['neither'] },
      { properties: { n: { maximum: 3 }, m: { minimum: 6 } } },
    ],
  },
  'a tree whose nodes are told by what refers to it': {
    $id: 'https://example.com/strict',
    $dynamicAnchor: 'node',
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: {
      tree: {
        $id: 'tree',
        $dynamicAnchor: 'node',
        type: 'object',
        required: ['value', 'more'],
        properties: {
          value: { anyOf: [text, whole], not: { const: 'none' } },
          more: { oneOf: [{ type: 'null' }, { $dynamicRef: '#node' }, { const: 'leaf' }] },
        },
        patternProperties: { '^x-': { $dynamicRef: '#node' } },
        dependentSchemas: { 'x-a': { not: { required: ['x-b'] } } },
      },
    },
  },
  'alternatives of values, some of another type': {
    type: 'array',
    items: {
      type: ['string', 'integer'],
      anyOf: [1.5, 'a', true, null, [1], { a: 1 }, 7].map((value) => ({ const: value })),
    },
    minItems: 6,
  },
  'numbers that are not whole among alternatives': {
    type: 'array',
    items: {
      type: 'number',
      oneOf: [{ const: 1.5 }, { const: 2 }, { type: 'integer', minimum: 7 }, { type: 'string' }],
    },
    minItems: 6,
  },
  'the smallest of alternatives, once values are short': {
    type: 'object',
    required: ['a', 'b'],
    properties: {
      a: { anyOf: [{ type: 'array', minItems: 3, items: { $ref: '#' } }, { type: 'object', required: ['x'] }, whole] },
      b: { oneOf: [{ $ref: '#' }, { type: 'array', minItems: 1 }, { type: 'null' }] },
    },
  },
  'a list that is too long from the start': { type: 'array', minItems: 60_001, items: { const: 1 } },
}

const closed = { additionalProperties: false }

/** In each, hardly more than one or two rules can be broken, so that the change that breaks them shows. */
export const breakable: JsonValue[] = [
  ...[
    { type: 'string' },
    { type: 'integer' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array' },
    { type: 'object' },
  ],
  ...[{ type: ['string', 'integer'] }, { type: ['number', 'null'] }, { type: ['array', 'object', 'boolean'] }],
  ...[{ anyOf: [text, whole] }, { oneOf: [{ type: 'null' }, { type: 'array' }] }],
  ...[
    { const: 'a' },
    { const: 7 },
    { const: 1e300 },
    { const: true },
    { const: null },
    { const: [1] },
    { const: { a: 1 } },
  ],
  ...[{ enum: ['a', 'a-other', 'b'] }, { enum: [1, 2, 4] }, { enum: [[1], { a: 1 }, false] }],
  ...[
    { not: { const: 'a' } },
    { not: { enum: [5, 6] } },
    { not: { type: ['string', 'null'] } },
    { not: { type: 'number' } },
  ],
  ...[
    { type: 'object', not: { required: ['a', 'b'] } },
    { not: { anyOf: [{ const: 1 }, { type: 'object' }] } },
    { not: { allOf: [{ const: 3 }] } },
  ],
  ...[
    { minimum: 3 },
    { minimum: 2.5 },
    { maximum: 3 },
    { maximum: -2.5 },
    { exclusiveMinimum: 3 },
    { exclusiveMaximum: 3 },
  ],
  ...[
    { exclusiveMinimum: 2.5 },
    { exclusiveMaximum: -2.5 },
    { multipleOf: 3 },
    { multipleOf: 0.5 },
    { multipleOf: 1e300 },
  ],
  ...[
    { multipleOf: 5, minimum: 10, maximum: 20 },
    { type: 'integer', minimum: 1, maximum: 1 },
  ],
  ...[
    { minLength: 3 },
    { minLength: 1 },
    { minLength: 0 },
    { maxLength: 3 },
    { maxLength: 0 },
    { maxLength: 20_000 },
    { maxLength: 20_001 },
  ],
  ...[
    { pattern: '^a+$' },
    { pattern: '^[0-9A-Z]' },
    { pattern: '!' },
    { pattern: '^.{9,}$' },
    { pattern: '^$' },
    { maxLength: 5, pattern: '^[a-z]*$' },
  ],
  ...[
    'date',
    'email',
    'ipv4',
    'uri',
    'uri-reference',
    'regex',
    'json-pointer',
    'hostname',
    'uri-template',
    'of nobody',
  ].map((format) => ({ type: 'string', format })),
  ...[
    { minItems: 1 },
    { minItems: 3, items: whole },
    { minItems: 0 },
    { maxItems: 2 },
    { maxItems: 0 },
    { maxItems: 2, items: whole, uniqueItems: true },
  ],
  ...[
    { maxItems: 3, uniqueItems: true, items: text },
    { maxItems: 1, uniqueItems: true, items: { type: 'array' } },
    { maxItems: 1, uniqueItems: true, items: { type: 'object' }, minItems: 1 },
  ],
  ...[
    { maxItems: 20_000, items: { const: 1 } },
    { maxItems: 20_001, items: { const: 1 } },
  ],
  ...[
    { uniqueItems: true, items: text, minItems: 2 },
    { uniqueItems: true, items: whole },
    { uniqueItems: true, items: { type: 'boolean' }, minItems: 2 },
  ],
  ...[
    { contains: whole },
    { contains: whole, minContains: 2 },
    { contains: { const: null }, items: { type: ['null', 'boolean'] } },
  ],
  ...[
    { contains: whole, maxContains: 2, items: whole },
    { contains: whole, maxContains: 20_000 },
    { contains: text, minContains: 0, maxContains: 1 },
  ],
  ...[
    { prefixItems: [whole], items: false },
    { prefixItems: [whole, text], minItems: 2 },
    { type: 'array', unevaluatedItems: false },
  ],
  ...[
    { type: 'array', prefixItems: [{ type: ['string', 'boolean'] }], maxItems: 0 },
    { type: 'array', items: { type: 'object' }, maxItems: 0 },
  ],
  ...[{ required: ['a', 'b'] }, { type: 'object', required: ['a'], properties: { a: true, b: whole }, ...closed }],
  ...[
    { type: 'object', minProperties: 1 },
    { minProperties: 3, required: ['a'] },
    { minProperties: 0 },
    { maxProperties: 2 },
    { maxProperties: 0 },
  ],
  ...[
    { maxProperties: 20_001 },
    { type: 'object', properties: { a: whole }, ...closed },
    { additionalProperties: whole },
    { additionalProperties: { type: ['string', 'null'] } },
  ],
  ...[
    { type: 'object', unevaluatedProperties: false },
    { unevaluatedProperties: text },
    { properties: { '0': true, unexpected: true }, ...closed },
  ],
  ...[
    { propertyNames: { pattern: '^[a-z]+$' } },
    { propertyNames: { maxLength: 200 } },
    { propertyNames: { minLength: 1 } },
  ],
  ...[
    { required: ['a', 'b'], dependentRequired: { a: ['b'] } },
    { type: 'object', dependentRequired: { a: ['b', 'c'] } },
  ],
  ...[
    { type: 'object', properties: { a: false } },
    { type: 'object', properties: { a: whole, b: text }, maxProperties: 0 },
  ],
  ...[
    { const: {}, type: 'object', properties: { a: { const: 5 } } },
    { maxProperties: 0, properties: { a: { enum: [1] } } },
  ],
  ...[
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: whole } },
    { patternProperties: { '^x-': false } },
  ],
  ...[
    {
      type: 'object',
      properties: {
        'a/b~c': {
          type: 'object',
          properties: { d: { type: 'array', items: { minimum: 1 }, minItems: 1 } },
          required: ['d'],
        },
      },
      required: ['a/b~c'],
    },
  ],
]

/** Rules of which each can be broken, in the order in which they are tried under `not`. */
const rulesInOrder: Record<string, readonly JsonObject[]> = {
  object: [
    ...[
      { const: { a: 1 } },
      { enum: [{ a: 2 }, { b: 1 }] },
      { required: ['a'] },
      { properties: { a: { maximum: 5 } } },
    ],
    ...[{ type: ['object', 'null'] }, { minProperties: 2 }, { maxProperties: 1 }, { dependentRequired: { b: ['c'] } }],
    ...[{ dependentSchemas: { b: { required: ['d'] } } }, { patternProperties: { '^b': { minimum: 3 } } }],
    ...[{ additionalProperties: { type: 'integer' } }, { unevaluatedProperties: { type: 'boolean' } }],
    ...[
      { $ref: '#/$defs/named' },
      { allOf: [{ required: ['e'] }] },
      { anyOf: [{ required: ['f'] }, { required: ['g'] }] },
    ],
    ...[{ oneOf: [{ required: ['h'] }, { required: ['i'] }] }, { not: { required: ['j'] } }],
    ...[
      { if: { required: ['k'] }, then: { required: ['l'] }, else: { required: ['m'] } },
      { propertyNames: { maxLength: 3 } },
    ],
  ],
  number: [
    ...[{ const: 4 }, { enum: [5, 6] }, { type: 'integer' }, { minimum: 3 }, { maximum: 40 }, { exclusiveMinimum: 2 }],
    ...[{ exclusiveMaximum: 50 }, { multipleOf: 2 }, { allOf: [{ minimum: 7 }] }, { not: { const: 9 } }],
  ],
  string: [
    { const: 'a' },
    { enum: ['b', 'c'] },
    { minLength: 4 },
    { maxLength: 9 },
    { pattern: '^[a-m]' },
    { format: 'date' },
  ],
  array: [
    ...[{ const: [1] }, { minItems: 2 }, { maxItems: 4 }, { prefixItems: [{ type: 'integer' }, { type: 'string' }] }],
    ...[
      { items: { type: 'integer' } },
      { contains: { type: 'string' } },
      { uniqueItems: true },
      { unevaluatedItems: { type: 'null' } },
    ],
  ],
}

/** Two neighbouring rules that must not both hold: the first is broken first. */
export const neither: [name: string, schema: JsonValue][] = Object.entries(rulesInOrder).flatMap(([type, rules]) =>
  rules.slice(1).map((rule, index): [string, JsonValue] => {
    const not = { ...rules[index], ...rule }
    const $defs = { named: { required: ['n'] } }
    return [`not both ${Object.keys(not).join(' and ')} of a ${type}`, { type, not, $defs }]
  }),
)
