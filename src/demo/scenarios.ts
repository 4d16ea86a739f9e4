import { sha256Hex } from '../core/hash.ts'

/** The family that marks everything of the demo (interface, "Demo catalog"). */
export const fixtureFamily = 'clws-policy-v1'

type IntervalMonths = 1 | 6 | 12

/** One scenario of the intake test lab. Names are those of the wire: the catalog serves it unchanged. */
export interface Scenario {
  id: 'monthly' | 'semiannual' | 'annual' | 'invalid'
  name: string
  description: string
  expected_outcome: string
  schedule_interval_months: IntervalMonths
  raw_input: string
  raw_input_hash: string
  metadata: {
    schema: 'svc-intake-metadata-v1'
    source_object: string
    source_timestamp: string
    source_actor: string
    source_system: string
    fixture_family: typeof fixtureFamily
    scenario_id: Scenario['id']
    schedule_interval_months: IntervalMonths
  }
}

/** A premium notice as the policy system writes it; loosely typed, because one of them is wrong on purpose. */
interface Notice {
  issuedOn: string
  policy: Record<string, string | number>
  policyholder: Record<string, string | Record<string, string>>
  payment: Record<string, string | number>
  instalments: { dueDate: string; amount: number | string }[]
  agent?: { name: string; phone: string }
}

const monthly: Notice = {
  issuedOn: '2026-03-02',
  policy: {
    number: 'CLW-2026-004711',
    product: 'home',
    insuredItem: '7 Rosewood Lane, Galway',
    startDate: '2026-04-01',
    annualPremium: 1184.4,
    currency: 'EUR',
  },
  policyholder: {
    title: 'ms',
    firstName: 'Niamh',
    lastName: 'Brennan',
    address: { street: '7 Rosewood Lane', postalCode: 'H91 X5D2', city: 'Galway', country: 'Ireland' },
  },
  payment: {
    intervalMonths: 1,
    method: 'direct-debit',
    accountEnding: '4402',
    mandateReference: 'CLW-M-20231107-0093',
  },
  instalments: [
    '2026-04-01',
    '2026-05-01',
    '2026-06-01',
    '2026-07-01',
    '2026-08-01',
    '2026-09-01',
    '2026-10-01',
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
    '2027-02-01',
    '2027-03-01',
  ].map((dueDate) => ({ dueDate, amount: 101.66 })),
  agent: { name: 'Tomás Gallagher', phone: '+353 91 555 0142' },
}

const semiannual: Notice = {
  issuedOn: '2026-04-15',
  policy: {
    number: 'CLW-2024-018265',
    product: 'motor',
    insuredItem: 'Škoda Octavia, 241-C-55102',
    startDate: '2026-05-15',
    annualPremium: 648,
    currency: 'EUR',
  },
  policyholder: {
    title: 'mr',
    firstName: 'Jürgen',
    lastName: 'Weiß',
    company: 'Weiß & Daly Instruments Ltd',
    address: {
      addition: 'Unit 4, Marina Park',
      street: 'Victoria Road',
      postalCode: 'T12 KR68',
      city: 'Cork',
      country: 'Ireland',
    },
  },
  payment: { intervalMonths: 6, method: 'transfer' },
  instalments: [
    { dueDate: '2026-05-15', amount: 330.48 },
    { dueDate: '2026-11-15', amount: 330.48 },
  ],
  agent: { name: 'Orla Fitzsimons', phone: '+353 21 555 0117' },
}

const annual: Notice = {
  issuedOn: '2026-05-20',
  policy: {
    number: 'CLW-2025-102934',
    product: 'travel',
    startDate: '2026-06-30',
    annualPremium: 212.5,
    currency: 'GBP',
  },
  policyholder: {
    title: 'mx',
    firstName: 'Alex',
    lastName: 'Okonkwo',
    address: { street: '22 Botanic Avenue', postalCode: 'BT7 1JQ', city: 'Belfast', country: 'United Kingdom' },
  },
  payment: {
    intervalMonths: 12,
    method: 'direct-debit',
    accountEnding: '7719',
    mandateReference: 'CLW-M-20250630-0417',
  },
  instalments: [{ dueDate: '2026-06-30', amount: 212.5 }],
}

// Three faults that real feeds have: a policy number of the old form, a title the contract does not know, and an amount
// that a spreadsheet turned into local text.
const invalid: Notice = {
  ...semiannual,
  policy: { ...semiannual.policy, number: 'CLW-24-18265' },
  policyholder: { ...semiannual.policyholder, title: 'dr' },
  instalments: [
    { dueDate: '2026-05-15', amount: 330.48 },
    { dueDate: '2026-11-15', amount: '330,48' },
  ],
}

function scenario(
  notice: Notice,
  intervalMonths: IntervalMonths,
  texts: Pick<Scenario, 'id' | 'name' | 'description' | 'expected_outcome'>,
  source: Pick<Scenario['metadata'], 'source_object' | 'source_timestamp' | 'source_actor'>,
): Scenario {
  const rawInput = JSON.stringify(notice, null, 2)
  return {
    ...texts,
    schedule_interval_months: intervalMonths,
    raw_input: rawInput,
    raw_input_hash: sha256Hex(rawInput),
    metadata: {
      schema: 'svc-intake-metadata-v1',
      ...source,
      source_system: 'policy-core',
      fixture_family: fixtureFamily,
      scenario_id: texts.id,
      schedule_interval_months: intervalMonths,
    },
  }
}

/**
 * The four scenarios of the intake test lab (interface, "Demo catalog"), in the order the lab shows them. Their official
 * times lie after the instant from which the demo's configuration is in force.
 */
export const scenarios: readonly [Scenario, ...Scenario[]] = [
  scenario(
    monthly,
    1,
    {
      id: 'monthly',
      name: 'Monthly premium',
      description: 'Home insurance paid by direct debit every month, looked after by a personal adviser.',
      expected_outcome: 'Completed: a letter with twelve due dates, as DOCX and PDF.',
    },
    {
      source_object: 'policy:CLW-2026-004711',
      source_timestamp: '2026-03-02T07:42:18.305Z',
      source_actor: 'nightly-billing',
    },
  ),
  scenario(
    semiannual,
    6,
    {
      id: 'semiannual',
      name: 'Half-yearly premium',
      description: 'Motor insurance of a company, paid by bank transfer twice a year.',
      expected_outcome: 'Completed: a letter with two due dates, as DOCX and PDF.',
    },
    {
      source_object: 'policy:CLW-2024-018265',
      source_timestamp: '2026-04-15T09:10:00Z',
      source_actor: 'o.fitzsimons@clearwater.example',
    },
  ),
  scenario(
    annual,
    12,
    {
      id: 'annual',
      name: 'Yearly premium',
      description: 'Travel insurance in pounds sterling, paid once a year, without an adviser.',
      expected_outcome: 'Completed: a letter with one due date, as DOCX and PDF.',
    },
    {
      source_object: 'policy:CLW-2025-102934',
      source_timestamp: '2026-05-20T16:03:44.12Z',
      source_actor: 'nightly-billing',
    },
  ),
  scenario(
    invalid,
    6,
    {
      id: 'invalid',
      name: 'Invalid notice',
      description:
        'The half-yearly notice with a malformed policy number, an unknown title and an amount that is text.',
      expected_outcome: 'Failed at validation, with one located issue for each of the three faults; no document.',
    },
    {
      source_object: 'policy:CLW-24-18265',
      source_timestamp: '2026-04-15T09:14:27Z',
      source_actor: 'o.fitzsimons@clearwater.example',
    },
  ),
]
