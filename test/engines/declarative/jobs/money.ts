/** Invoices, statements, payroll and insurance. */
import { cents, daysBetween, daysLater, grouped, type Job, job, total } from './job.ts'

const lines = [
  { text: 'Paper', qty: 3, price: 4.99, rate: 19 },
  { text: 'Books', qty: 2, price: 12.5, rate: 7 },
  { text: 'Pens', qty: 10, price: 0.85, rate: 19 },
]

export const invoices: readonly Job[] = [
  job(
    'an invoice with its net, tax and gross',
    `let:
  lines: { $each: /lines, as: l, do: { text: $l/text, net: { $calc: "q * p", q: $l/qty, p: $l/price, scale: 2, round: half-up } } }
  net: { $sum: $lines, as: l, of: $l/net }
  tax: { $calc: "n * r / 100", n: $net, r: /rate, scale: 2, round: half-up }
output: { lines: $lines, net: $net, tax: $tax, gross: { $calc: "n + t", n: $net, t: $tax } }`,
    [
      { rate: 19, lines },
      { rate: 7, lines: [] },
    ],
    ({ rate, lines }) => {
      const made = lines.map(({ text, qty, price }) => ({ text, net: cents(qty * price) }))
      const net = total(made.map((line) => line.net))
      const tax = cents((net * rate) / 100)
      return { lines: made, net, tax, gross: cents(net + tax) }
    },
  ),
  job(
    'a discount in steps by the amount',
    `let:
  percent:
    $if: { $is: [/net, ">=", 1000] }
    then: 10
    else: { $if: { $is: [/net, ">=", 500] }, then: 5, else: 0 }
output: { percent: $percent, net: { $calc: "n * (100 - p) / 100", n: /net, p: $percent, scale: 2, round: half-up } }`,
    [{ net: 1000 }, { net: 999.99 }, { net: 500 }, { net: 12 }],
    ({ net }) => {
      const percent = net >= 1000 ? 10 : net >= 500 ? 5 : 0
      return { percent, net: cents((net * (100 - percent)) / 100) }
    },
  ),
  job(
    'a cash discount with its last day',
    `output:
  until: { $dateAdd: /date, days: 10 }
  due: { $dateAdd: /date, days: 30 }
  amount: { $calc: "g * 98 / 100", g: /gross, scale: 2, round: half-up }`,
    [
      { date: '2026-02-20', gross: 119 },
      { date: '2024-02-20', gross: 33.33 },
    ],
    ({ date, gross }) => ({ until: daysLater(date, 10), due: daysLater(date, 30), amount: cents(gross * 0.98) }),
  ),
  job(
    'a credit note with the signs turned',
    `output:
  lines: { $each: /lines, as: l, do: { text: $l/text, net: { $calc: "0 - q * p", q: $l/qty, p: $l/price } } }
  total: { $calc: "0 - s", s: { $sum: /lines, as: l, of: { $calc: "q * p", q: $l/qty, p: $l/price } } }`,
    [{ lines }],
    ({ lines }) => ({
      lines: lines.map(({ text, qty, price }) => ({ text, net: -cents(qty * price) })),
      total: -total(lines.map(({ qty, price }) => qty * price)),
    }),
  ),
  job(
    'late fees: interest by days over the base rate',
    `params: { today: date }
let: { late: { $dateDiff: [/due, $today], unit: days } }
output:
  days: { $calc: "max(0, d)", d: $late }
  interest: { $calc: "a * 9 / 100 * max(0, d) / 365", a: /amount, d: $late, scale: 2, round: half-up }`,
    [
      { due: '2026-05-01', amount: 730 },
      { due: '2026-07-01', amount: 730 },
    ],
    ({ due, amount }) => {
      const days = Math.max(0, daysBetween(due, '2026-06-10'))
      return { days, interest: cents((amount * 0.09 * days) / 365) }
    },
  ),
  job(
    'a collective invoice: orders by cost centre',
    `output:
  $group: /orders
  as: o
  by: $o/centre
  do: { centre: $key, orders: { $join: { $each: $items, as: o, do: $o/no }, with: ", " }, sum: { $sum: $items, as: o, of: $o/sum } }`,
    [
      {
        orders: [
          { no: 'A1', centre: 'IT', sum: 10.1 },
          { no: 'A2', centre: 'HR', sum: 5 },
          { no: 'A3', centre: 'IT', sum: 0.2 },
        ],
      },
    ],
    ({ orders }) =>
      [...Map.groupBy(orders, ({ centre }) => centre)].map(([centre, own]) => ({
        centre,
        orders: own.map(({ no }) => no).join(', '),
        sum: total(own.map(({ sum }) => sum)),
      })),
  ),
]

const bookings = [
  { on: '2026-01-05', text: 'Rent', amount: -800 },
  { on: '2026-01-02', text: 'Salary', amount: 2500.4 },
  { on: '2026-02-01', text: 'Shop', amount: -35.15 },
]

export const statements: readonly Job[] = [
  job(
    'an account statement with a balance behind each booking',
    `output:
  $fold: { $each: /bookings, as: b, sort: { by: $b/on } }
  as: b
  into: balance
  from: 100
  do: { $calc: "s + a", s: $balance, a: $b/amount }
  each: { on: $b/on, amount: $b/amount, balance: $balance }`,
    [{ bookings }],
    ({ bookings }) => {
      let balance = 100
      return bookings
        .toSorted((a, b) => (a.on < b.on ? -1 : 1))
        .map(({ on, amount }) => {
          balance = cents(balance + amount)
          return { on, amount, balance }
        })
    },
  ),
  job(
    'what came in and went out, by month',
    `output:
  $group: /bookings
  as: b
  by: { $slice: $b/on, from: 0, to: 7 }
  do:
    month: $key
    in: { $sum: $items, as: b, of: { $calc: "max(0, a)", a: $b/amount } }
    out: { $sum: $items, as: b, of: { $calc: "min(0, a)", a: $b/amount } }`,
    [{ bookings }, { bookings: [] }],
    ({ bookings }) =>
      [...Map.groupBy(bookings, ({ on }) => on.slice(0, 7))].map(([month, own]) => ({
        month,
        in: total(own.map(({ amount }) => Math.max(0, amount))),
        out: total(own.map(({ amount }) => Math.min(0, amount))),
      })),
  ),
  job(
    'a card statement in the currency of the account',
    `output:
  $each: /payments
  as: p
  do: { at: $p/at, eur: { $calc: "a / r", a: $p/amount, r: { $lookup: /rates, key: $p/currency }, scale: 2, round: half-even } }`,
    [
      {
        rates: { USD: 1.25, CHF: 0.8 },
        payments: [
          { at: 'Shop', amount: 10, currency: 'USD' },
          { at: 'Bar', amount: 9.99, currency: 'CHF' },
        ],
      },
    ],
    ({ rates, payments }) =>
      payments.map(({ at, amount, currency }) => ({ at, eur: cents(amount / rates[currency as 'USD' | 'CHF']) })),
  ),
  job(
    'a portfolio: values, shares, and the rest to a hundred',
    `let: { all: { $sum: /positions, as: p, of: { $calc: "n * q", n: $p/units, q: $p/quote } } }
output:
  value: $all
  positions:
    $each: /positions
    as: p
    sort: { by: { $calc: "n * q", n: $p/units, q: $p/quote }, descending: true }
    do: { name: $p/name, percent: { $calc: "100 * n * q / t", n: $p/units, q: $p/quote, t: $all, scale: 1, round: half-up } }`,
    [
      {
        positions: [
          { name: 'A', units: 3, quote: 25 },
          { name: 'B', units: 10, quote: 22.5 },
        ],
      },
    ],
    ({ positions }) => {
      const all = total(positions.map(({ units, quote }) => units * quote))
      const valued = positions.map(({ name, units, quote }) => ({ name, value: units * quote }))
      return {
        value: all,
        positions: valued
          .toSorted((a, b) => b.value - a.value)
          .map(({ name, value }) => ({ name, percent: Math.round((1000 * value) / all) / 10 })),
      }
    },
  ),
  job(
    'open items by age',
    `params: { today: date }
let:
  items: { $each: /items, as: i, do: { sum: $i/sum, late: { $dateDiff: [$i/due, $today], unit: days } } }
output:
  current: { $sum: { $each: $items, as: i, where: { $is: [$i/late, "<=", 0] } }, as: i, of: $i/sum }
  to30: { $sum: { $each: $items, as: i, where: { $all: [{ $is: [$i/late, ">", 0] }, { $is: [$i/late, "<=", 30] }] } }, as: i, of: $i/sum }
  over30: { $sum: { $each: $items, as: i, where: { $is: [$i/late, ">", 30] } }, as: i, of: $i/sum }`,
    [
      {
        items: [
          { due: '2026-06-10', sum: 1 },
          { due: '2026-06-09', sum: 2.5 },
          { due: '2026-05-11', sum: 4 },
          { due: '2026-05-10', sum: 8 },
        ],
      },
    ],
    ({ items }) => {
      const between = (from: number, to: number) =>
        total(
          items
            .filter(({ due }) => daysBetween(due, '2026-06-10') > from && daysBetween(due, '2026-06-10') <= to)
            .map(({ sum }) => sum),
        )
      return { current: between(-1e9, 0), to30: between(0, 30), over30: between(30, 1e9) }
    },
  ),
  job(
    'an amount of a cheque in figures and words',
    `output:
  figures: { $format: /sum, number: "#,##0.00", prefix: "***" }
  words: { $case: { $words: /sum, locale: en }, to: upper }`,
    [{ sum: 1250.5 }],
    ({ sum }) => ({ figures: `***${grouped(sum)}`, words: 'ONE THOUSAND TWO HUNDRED FIFTY AND 50/100' }),
  ),
]

export const payroll: readonly Job[] = [
  job(
    'a payslip: gross, deductions, net',
    `let:
  gross: { $sum: /earnings, as: e, of: $e/amount }
  off: { $each: /rates, as: r, do: { name: $r/name, amount: { $calc: "g * p / 100", g: $gross, p: $r/percent, scale: 2, round: half-up } } }
output: { gross: $gross, off: $off, net: { $calc: "g - d", g: $gross, d: { $sum: $off, as: o, of: $o/amount } } }`,
    [
      {
        earnings: [{ amount: 3000 }, { amount: 155.55 }],
        rates: [
          { name: 'Pension', percent: 9.3 },
          { name: 'Health', percent: 7.3 },
        ],
      },
    ],
    ({ earnings, rates }) => {
      const gross = total(earnings.map(({ amount }) => amount))
      const off = rates.map(({ name, percent }) => ({ name, amount: cents((gross * percent) / 100) }))
      return { gross, off, net: cents(gross - total(off.map(({ amount }) => amount))) }
    },
  ),
  job(
    'overtime: the hours above forty at one and a half',
    `output:
  $calc: "rate * (min(h, 40) + 1.5 * max(0, h - 40))"
  rate: /rate
  h: { $sum: /days, as: d, of: $d/hours }
  scale: 2
  round: half-up`,
    [
      { rate: 18.4, days: [{ hours: 9 }, { hours: 9.5 }, { hours: 8 }, { hours: 10 }, { hours: 8 }] },
      { rate: 20, days: [{ hours: 8 }] },
    ],
    ({ rate, days }) => {
      const hours = days.reduce((sum, day) => sum + day.hours, 0)
      return cents(rate * (Math.min(hours, 40) + 1.5 * Math.max(0, hours - 40)))
    },
  ),
  job(
    'income tax by bands',
    `output:
  $sum: /bands
  as: b
  of: { $calc: "max(0, min(i, t) - f) * p / 100", i: /income, t: $b/to, f: $b/from, p: $b/percent, scale: 2, round: down }`,
    [10_000, 30_000, 99_999].map((income) => ({
      income,
      bands: [
        { from: 0, to: 12_000, percent: 0 },
        { from: 12_000, to: 40_000, percent: 20 },
        { from: 40_000, to: 1e9, percent: 42 },
      ],
    })),
    ({ income, bands }) =>
      total(bands.map(({ from, to, percent }) => Math.floor(Math.max(0, Math.min(income, to) - from) * percent) / 100)),
  ),
  job(
    'a salary for a part of a month',
    `let:
  first: { $dateOf: /from, first: month }
  all: { $calc: "d + 1", d: { $dateDiff: [$first, { $dateOf: /from, last: month }], unit: days } }
  worked: { $calc: "d + 1", d: { $dateDiff: [/from, { $dateOf: /from, last: month }], unit: days } }
output: { days: $worked, of: $all, pay: { $calc: "m * w / a", m: /monthly, w: $worked, a: $all, scale: 2, round: half-up } }`,
    [
      { from: '2026-02-15', monthly: 2800 },
      { from: '2026-01-01', monthly: 3000 },
      { from: '2024-02-29', monthly: 2900 },
    ],
    ({ from, monthly }) => {
      const [year = 0, month = 0, day = 0] = from.split('-').map(Number)
      const of = new Date(Date.UTC(year, month, 0)).getUTCDate()
      const days = of - day + 1
      return { days, of, pay: cents((monthly * days) / of) }
    },
  ),
  job(
    'travel expenses by rate and distance',
    `tables: { rate: { car: 0.3, bike: 0.2 } }
output:
  trips: { $each: /trips, as: t, do: { to: $t/to, pay: { $calc: "k * r", k: $t/km, r: { $lookup: rate, key: $t/by, else: 0 }, scale: 2, round: half-up } } }
  km: { $sum: /trips, as: t, of: $t/km }`,
    [
      {
        trips: [
          { to: 'Ulm', km: 137, by: 'car' },
          { to: 'Depot', km: 3.3, by: 'bike' },
          { to: 'Home', km: 4, by: 'foot' },
        ],
      },
    ],
    ({ trips }) => ({
      trips: trips.map(({ to, km, by }) => ({ to, pay: cents(km * (by === 'car' ? 0.3 : by === 'bike' ? 0.2 : 0)) })),
      km: total(trips.map(({ km }) => km)),
    }),
  ),
  job(
    'holiday pay: the mean of the last three months',
    `output:
  $default:
    - $avg: { $take: { $each: /months, as: m, sort: { by: $m/month } }, from: -3 }
      as: m
      of: $m/gross
      scale: 2
      round: half-up
    - 0`,
    [
      {
        months: [
          { month: '2026-04', gross: 3100 },
          { month: '2026-01', gross: 10 },
          { month: '2026-03', gross: 3000.01 },
          { month: '2026-02', gross: 2900 },
        ],
      },
      { months: [] },
    ],
    ({ months }) => {
      const last = months.toSorted((a, b) => (a.month < b.month ? -1 : 1)).slice(-3)
      return last.length === 0 ? 0 : cents(last.reduce((sum, { gross }) => sum + gross, 0) / last.length)
    },
  ),
]

export const insurance: readonly Job[] = [
  job(
    'a premium by parts of the year',
    `let: { times: { $match: /interval, monthly: 12, quarterly: 4, yearly: 1, else: 1 } }
output: { times: $times, each: { $calc: "y / t", y: /yearly, t: $times, scale: 2, round: up } }`,
    [
      { interval: 'monthly', yearly: 100 },
      { interval: 'quarterly', yearly: 99.99 },
      { interval: 'once', yearly: 50 },
    ],
    ({ interval, yearly }) => {
      const times = interval === 'monthly' ? 12 : interval === 'quarterly' ? 4 : 1
      return { times, each: Math.ceil((yearly * 100) / times - 1e-7) / 100 }
    },
  ),
  job(
    'a claim: what is paid after excess and share',
    `output:
  $calc: "min(limit, max(0, loss - excess) * share / 100)"
  limit: /limit
  loss: /loss
  excess: /excess
  share: { $default: [/share, 100] }
  scale: 2
  round: half-up`,
    [
      { loss: 1234.56, excess: 150, limit: 5000, share: 80 },
      { loss: 100, excess: 150, limit: 5000 },
      { loss: 9000, excess: 0, limit: 5000 },
    ],
    ({ loss, excess, limit, share = 100 }: { loss: number; excess: number; limit: number; share?: number }) =>
      cents(Math.min(limit, (Math.max(0, loss - excess) * share) / 100)),
  ),
  job(
    'a no-claims class that moves with each year',
    `output:
  $fold: /years
  as: y
  into: class
  from: 4
  do: { $if: { $is: [$y/claims, "=", 0] }, then: { $calc: "min(10, c + 1)", c: $class }, else: { $calc: "max(1, c - 2 * n)", c: $class, n: $y/claims } }
  each: { year: $y/year, class: $class }`,
    [
      {
        years: [
          { year: 2022, claims: 0 },
          { year: 2023, claims: 3 },
          { year: 2024, claims: 0 },
        ],
      },
    ],
    ({ years }) => {
      let level = 4
      return years.map(({ year, claims }) => {
        level = claims === 0 ? Math.min(10, level + 1) : Math.max(1, level - 2 * claims)
        return { year, class: level }
      })
    },
  ),
  job(
    'covers that are in force on a day',
    `output:
  $each: /covers
  as: c
  where: { $all: [{ $is: [$c/from, "<=", /on] }, { $any: [{ $not: { $exists: $c/to } }, { $is: [$c/to, ">=", /on] }] }] }
  do: $c/name`,
    [
      {
        on: '2026-06-01',
        covers: [
          { name: 'Fire', from: '2020-01-01' },
          { name: 'Water', from: '2020-01-01', to: '2026-05-31' },
          { name: 'Theft', from: '2026-06-01', to: '2026-06-01' },
          { name: 'Glass', from: '2026-06-02' },
        ],
      },
    ],
    ({ on, covers }: { on: string; covers: { name: string; from: string; to?: string }[] }) =>
      covers.filter(({ from, to }) => from <= on && (to === undefined || to >= on)).map(({ name }) => name),
  ),
  job(
    'what is refunded when a policy ends early',
    `let: { left: { $dateDiff: [/ends, /paidTo], unit: days } }
output: { days: $left, refund: { $calc: "y * d / 365", y: /yearly, d: $left, scale: 2, round: half-up } }`,
    [
      { ends: '2026-03-31', paidTo: '2026-12-31', yearly: 365 },
      { ends: '2026-12-31', paidTo: '2026-12-31', yearly: 412.5 },
    ],
    ({ ends, paidTo, yearly }) => {
      const days = daysBetween(ends, paidTo)
      return { days, refund: cents((yearly * days) / 365) }
    },
  ),
]
