/** Laboratories, logistics, public administration, personnel, real estate and energy. */
import { cents, daysBetween, type Job, job, total } from './job.ts'

export const laboratory: readonly Job[] = [
  job(
    'values flagged against their reference ranges',
    `output:
  $each: /values
  as: v
  do:
    name: $v/name
    flag: { $if: { $is: [$v/value, "<", $v/low] }, then: L, else: { $if: { $is: [$v/value, ">", $v/high] }, then: H, else: "" } }`,
    [
      {
        values: [
          { name: 'Na', value: 134.9, low: 135, high: 145 },
          { name: 'K', value: 5.2, low: 3.5, high: 5.1 },
          { name: 'Cl', value: 98, low: 98, high: 107 },
        ],
      },
    ],
    ({ values }) =>
      values.map(({ name, value, low, high }) => ({ name, flag: value < low ? 'L' : value > high ? 'H' : '' })),
  ),
  job(
    'the change since the value before, of the same analyte',
    `let: { before: { $fromEntries: { $each: /earlier, as: e, do: { key: $e/name, value: $e/value } } } }
output:
  $each: /values
  as: v
  do: { name: $v/name, change: { $calc: "v - o", v: $v/value, o: { $lookup: $before, key: $v/name, else: $v/value } } }`,
    [
      {
        values: [
          { name: 'CRP', value: 12.5 },
          { name: 'Hb', value: 14 },
        ],
        earlier: [{ name: 'CRP', value: 40 }],
      },
    ],
    ({ values, earlier }) =>
      values.map(({ name, value }) => ({
        name,
        change: value - (earlier.find((one) => one.name === name)?.value ?? value),
      })),
  ),
  job(
    'duplicate measurements: mean, span, and whether they agree',
    `let:
  low: { $default: [{ $min: /runs }, 0] }
  high: { $default: [{ $max: /runs }, 0] }
  mean: { $default: [{ $avg: /runs, scale: 3, round: half-even }, 0] }
  span: { $calc: "h - l", h: $high, l: $low }
output: { mean: $mean, span: $span, agree: { $is: [$span, "<=", { $calc: "m * 0.05", m: $mean }] } }`,
    [{ runs: [10, 10.25, 10.5] }, { runs: [10, 11] }],
    ({ runs }) => {
      const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length
      const span = Math.max(...runs) - Math.min(...runs)
      return { mean, span, agree: span <= mean * 0.05 }
    },
  ),
  job(
    'results below the limit of detection, as text',
    `output:
  $each: /results
  as: r
  do: { $if: { $is: [$r/value, "<", $r/lod] }, then: { $text: "< {l} {u}", l: $r/lod, u: $r/unit }, else: { $text: "{v} {u}", v: $r/value, u: $r/unit } }`,
    [
      {
        results: [
          { value: 0.02, lod: 0.05, unit: 'mg/l' },
          { value: 0.05, lod: 0.05, unit: 'mg/l' },
        ],
      },
    ],
    ({ results }) => results.map(({ value, lod, unit }) => (value < lod ? `< ${lod} ${unit}` : `${value} ${unit}`)),
  ),
  job(
    'samples grouped by material, with the numbers of their tubes',
    `output:
  $group: { $each: /samples, as: s, sort: { by: $s/tube } }
  as: s
  by: $s/material
  do: { material: $key, count: { $count: $items }, tubes: { $join: { $each: $items, as: s, do: { $pad: $s/tube, to: 4, with: "0" } }, with: " " } }`,
    [
      {
        samples: [
          { tube: 31, material: 'serum' },
          { tube: 7, material: 'urine' },
          { tube: 8, material: 'serum' },
        ],
      },
    ],
    ({ samples }) =>
      [
        ...Map.groupBy(
          samples.toSorted((a, b) => a.tube - b.tube),
          ({ material }) => material,
        ),
      ].map(([material, own]) => ({
        material,
        count: own.length,
        tubes: own.map(({ tube }) => String(tube).padStart(4, '0')).join(' '),
      })),
  ),
  job(
    'a calibration line through two standards',
    `let: { slope: { $calc: "(b - a) / (y - x)", a: /low/signal, b: /high/signal, x: /low/level, y: /high/level, scale: 6, round: half-even } }
output:
  $each: /signals
  as: s
  do: { $calc: "(s - a) / k + x", s: $s, a: /low/signal, k: $slope, x: /low/level, scale: 2, round: half-up }`,
    [{ low: { level: 1, signal: 10 }, high: { level: 5, signal: 50 }, signals: [10, 25, 33.3] }],
    ({ low, high, signals }) => {
      const slope = (high.signal - low.signal) / (high.level - low.level)
      return signals.map((signal) => cents((signal - low.signal) / slope + low.level))
    },
  ),
]

export const logistics: readonly Job[] = [
  job(
    'the weight that is charged: by scale or by volume',
    `output:
  $each: /parcels
  as: p
  do: { id: $p/id, kg: { $calc: "max(k, l * w * h / 5000)", k: $p/kg, l: $p/l, w: $p/w, h: $p/h, scale: 1, round: up } }`,
    [
      {
        parcels: [
          { id: 1, kg: 2, l: 60, w: 40, h: 30 },
          { id: 2, kg: 20.5, l: 10, w: 10, h: 10 },
        ],
      },
    ],
    ({ parcels }) =>
      parcels.map(({ id, kg, l, w, h }) => ({ id, kg: Math.ceil(Math.max(kg, (l * w * h) / 5000) * 10 - 1e-9) / 10 })),
  ),
  job(
    'the postage of a table by weight',
    `output:
  $default:
    - $pick: { $each: /table, as: t, where: { $is: [$t/upTo, ">=", /grams] }, sort: { by: $t/upTo }, do: $t/price }
      at: 0
    - by freight`,
    [20, 21, 500, 501].map((grams) => ({
      grams,
      table: [
        { upTo: 500, price: 1.8 },
        { upTo: 20, price: 0.95 },
        { upTo: 50, price: 1.1 },
      ],
    })),
    ({ grams, table }) =>
      table.toSorted((a, b) => a.upTo - b.upTo).find(({ upTo }) => upTo >= grams)?.price ?? 'by freight',
  ),
  job(
    'a picking list in the order of the shelves',
    `output:
  $each: /lines
  as: l
  sort: [{ by: { $slice: $l/shelf, from: 0, to: 1 } }, { by: { $parse: { $slice: $l/shelf, from: 1 }, as: decimal, else: 0 } }]
  do: { $text: "{s}: {q} × {a}", s: $l/shelf, q: $l/qty, a: $l/sku }`,
    [
      {
        lines: [
          { shelf: 'B2', qty: 1, sku: 'x' },
          { shelf: 'A10', qty: 2, sku: 'y' },
          { shelf: 'A9', qty: 3, sku: 'z' },
        ],
      },
    ],
    ({ lines }) =>
      lines
        .toSorted(
          (a, b) =>
            a.shelf.charCodeAt(0) - b.shelf.charCodeAt(0) || Number(a.shelf.slice(1)) - Number(b.shelf.slice(1)),
        )
        .map(({ shelf, qty, sku }) => `${shelf}: ${qty} × ${sku}`),
  ),
  job(
    'what is left to deliver of each order line',
    `let: { sent: { $fromEntries: { $group: /deliveries, as: d, by: $d/line, do: { key: $key, value: { $sum: $items, as: i, of: $i/qty } } } } }
output:
  $each: /lines
  as: l
  do:
    line: $l/line
    open: { $calc: "q - s", q: $l/qty, s: { $lookup: $sent, key: $l/line, else: 0 } }`,
    [
      {
        lines: [
          { line: 1, qty: 10 },
          { line: 2, qty: 4 },
        ],
        deliveries: [
          { line: 1, qty: 3 },
          { line: 1, qty: 2 },
        ],
      },
    ],
    ({ lines, deliveries }) =>
      lines.map(({ line, qty }) => ({
        line,
        open: qty - deliveries.filter((one) => one.line === line).reduce((sum, one) => sum + one.qty, 0),
      })),
  ),
  job(
    'full pallets, and what is left over',
    `output:
  pallets: { $calc: "(n - mod(n, p)) / p", n: /boxes, p: /perPallet, scale: 0, round: down }
  rest: { $calc: "mod(n, p)", n: /boxes, p: /perPallet }`,
    [
      { boxes: 125, perPallet: 48 },
      { boxes: 48, perPallet: 48 },
      { boxes: 0, perPallet: 48 },
    ],
    ({ boxes, perPallet }) => ({ pallets: Math.floor(boxes / perPallet), rest: boxes % perPallet }),
  ),
  job(
    'the check digit of a container or article number (GTIN-13)',
    `let:
  weighted:
    $sum: { $range: [0, 11], most: 12 }
    as: n
    of: { $calc: "d * (1 + 2 * mod(n, 2))", n: $n, d: { $parse: { $slice: /digits, from: $n, to: { $calc: "n + 1", n: $n } }, as: decimal, else: 0 } }
output: { $text: "{d}{c}", d: /digits, c: { $calc: "mod(10 - mod(w, 10), 10)", w: $weighted } }`,
    [{ digits: '400638133393' }, { digits: '978014300723' }],
    ({ digits }) => {
      const sum = [...digits].reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
      return `${digits}${(10 - (sum % 10)) % 10}`
    },
  ),
]

export const administration: readonly Job[] = [
  job(
    'a file number of office, year and running number',
    `output: { $text: "{o}-{y}/{n}", o: { $case: /office, to: upper }, y: { $datePart: /on, part: year }, n: { $pad: /no, to: 5, with: "0" } }`,
    [{ office: 'bau', on: '2026-11-02', no: 73 }],
    ({ office, on, no }) => `${office.toUpperCase()}-${on.slice(0, 4)}/${String(no).padStart(5, '0')}`,
  ),
  job(
    'a fee by class, with a reduction that leaves at least ten',
    `tables: { fee: { small: 25, medium: 60, large: 150 } }
let: { fee: { $lookup: fee, key: /class, else: 0 } }
output: { $if: /reduced, then: { $calc: "min(f, max(10, f / 2))", f: $fee, scale: 2, round: half-up }, else: $fee }`,
    ['small', 'medium', 'large', 'none'].flatMap((size) => [true, false].map((reduced) => ({ class: size, reduced }))),
    (input) => {
      const fee = { small: 25, medium: 60, large: 150 }[input.class] ?? 0
      return input.reduced ? Math.min(fee, Math.max(10, fee / 2)) : fee
    },
  ),
  job(
    'the end of a period for objections: a month, and no weekend',
    `let:
  ends: { $dateAdd: /delivered, months: 1 }
  day: { $datePart: $ends, part: weekday }
output: { $dateAdd: $ends, days: { $calc: "max(0, min(8 - d, 2 * (d - 5)))", d: $day } }`,
    [{ delivered: '2026-01-31' }, { delivered: '2026-02-15' }, { delivered: '2026-04-11' }],
    ({ delivered }) => {
      const [year = 0, month = 0, day = 0] = delivered.split('-').map(Number)
      const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
      const ends = new Date(Date.UTC(year, month, Math.min(day, last)))
      while ([0, 6].includes(ends.getUTCDay())) ends.setUTCDate(ends.getUTCDate() + 1)
      return ends.toISOString().slice(0, 10)
    },
  ),
  job(
    'the parts of an application that are missing',
    `output:
  $join:
    $each: { $entries: { $merge: [{ passport: false, photo: false, proof: false }, /handedIn] } }
    as: e
    where: { $is: [$e/value, "=", false] }
    do: $e/key
  list: and`,
    [{ handedIn: { photo: true } }, { handedIn: { photo: true, passport: true, proof: false } }],
    ({ handedIn }: { handedIn: Record<string, boolean> }) =>
      ['passport', 'photo', 'proof'].filter((part) => handedIn[part] !== true).join(' and '),
  ),
  job(
    'seats by the highest quotients',
    `let:
  quotients:
    $flatten:
      $each: /parties
      as: p
      do: { $each: { $range: [1, /seats], most: 20 }, as: d, do: { name: $p/name, q: { $calc: "v / d", v: $p/votes, d: $d, scale: 6, round: half-up } } }
output:
  $group: { $take: { $each: $quotients, as: q, sort: { by: $q/q, descending: true } }, count: /seats }
  as: s
  by: $s/name
  do: { name: $key, seats: { $count: $items } }`,
    [
      {
        seats: 8,
        parties: [
          { name: 'A', votes: 100_000 },
          { name: 'B', votes: 80_000 },
          { name: 'C', votes: 30_000 },
          { name: 'D', votes: 20_000 },
        ],
      },
    ],
    ({ seats, parties }) => {
      const won = new Map<string, number>()
      for (let seat = 0; seat < seats; seat++) {
        const quotient = (party: { name: string; votes: number }) => party.votes / ((won.get(party.name) ?? 0) + 1)
        const best = parties.reduce((one, other) => (quotient(other) > quotient(one) ? other : one))
        won.set(best.name, (won.get(best.name) ?? 0) + 1)
      }
      return [...won].map(([name, count]) => ({ name, seats: count }))
    },
  ),
]

export const personnel: readonly Job[] = [
  job(
    'years of service, and the next jubilee',
    `let: { years: { $dateDiff: [/since, /on], unit: years } }
output:
  years: $years
  next: { $dateAdd: /since, years: { $calc: "y - mod(y, 10) + 10", y: $years } }`,
    [
      { since: '2001-05-01', on: '2026-04-30' },
      { since: '2016-05-01', on: '2026-05-01' },
    ],
    ({ since, on }) => {
      const years = Number(on.slice(0, 4)) - Number(since.slice(0, 4)) - (on.slice(5) < since.slice(5) ? 1 : 0)
      return { years, next: `${Number(since.slice(0, 4)) + years - (years % 10) + 10}${since.slice(4)}` }
    },
  ),
  job(
    'the leave that is left, in half days',
    `output:
  left: { $calc: "a - t", a: { $calc: "d * m * 2 / 12", d: /perYear, m: /months, scale: 0, round: up }, t: { $calc: "2 * t", t: { $sum: /taken } } }
  days: { $sum: /taken }`,
    [
      { perYear: 30, months: 7, taken: [5, 0.5] },
      { perYear: 25, months: 12, taken: [] },
    ],
    ({ perYear, months, taken }) => ({
      left: Math.ceil((perYear * months * 2) / 12) - 2 * taken.reduce((sum, days) => sum + days, 0),
      days: taken.reduce((sum, days) => sum + days, 0),
    }),
  ),
  job(
    'the time sheet of a week: hours and minutes of each day',
    `let: { minutes: { $each: /days, as: d, do: { $calc: "m - p", m: { $dateDiff: [$d/in, $d/out], unit: minutes }, p: $d/pause } } }
output:
  days: { $each: $minutes, as: m, do: { $text: "{h}:{r}", h: { $calc: "(m - mod(m, 60)) / 60", m: $m, scale: 0, round: down }, r: { $pad: { $calc: "mod(m, 60)", m: $m }, to: 2, with: "0" } } }
  minutes: { $sum: $minutes }`,
    [
      {
        days: [
          { in: '2026-03-02T08:00:00Z', out: '2026-03-02T16:35:00Z', pause: 30 },
          { in: '2026-03-03T22:00:00Z', out: '2026-03-04T06:07:00Z', pause: 0 },
        ],
      },
    ],
    ({ days }) => {
      const minutes = days.map((day) => (Date.parse(day.out) - Date.parse(day.in)) / 60_000 - day.pause)
      return {
        days: minutes.map((all) => `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`),
        minutes: minutes.reduce((sum, one) => sum + one, 0),
      }
    },
  ),
  job(
    'the last day of employment by notice in months to the end of a quarter',
    `output: { $dateOf: { $dateAdd: /given, months: /notice }, last: quarter }`,
    [
      { given: '2026-02-10', notice: 3 },
      { given: '2026-11-30', notice: 1 },
    ],
    ({ given, notice }) => {
      const month = Number(given.slice(5, 7)) - 1 + notice
      const end = new Date(Date.UTC(Number(given.slice(0, 4)), (Math.floor(month / 3) + 1) * 3, 0))
      return end.toISOString().slice(0, 10)
    },
  ),
  job(
    'a team by its leads, each with those below',
    `let: { names: { $fromEntries: { $each: /people, as: p, do: { key: $p/id, value: $p/name } } } }
output:
  $group: { $each: /people, as: p, where: { $is: [$p/boss, "!=", 0] }, sort: { by: $p/name } }
  as: p
  by: $p/boss
  do: { name: { $lookup: $names, key: $key }, team: { $each: $items, as: p, do: $p/name } }`,
    [
      {
        people: [
          { id: 1, name: 'Ada', boss: 0 },
          { id: 2, name: 'Cy', boss: 1 },
          { id: 3, name: 'Bob', boss: 1 },
          { id: 4, name: 'Di', boss: 2 },
        ],
      },
    ],
    ({ people }) =>
      people.flatMap(({ id, name }) => {
        const team = people.filter(({ boss }) => boss === id).map((one) => one.name)
        return team.length === 0 ? [] : [{ name, team: team.toSorted() }]
      }),
  ),
]

export const realEstate: readonly Job[] = [
  job(
    'service charges by area, and what each tenant still owes',
    `let:
  area: { $sum: /tenants, as: t, of: $t/area }
  costs: { $sum: /costs, as: c, of: $c/amount }
output:
  $each: /tenants
  as: t
  do:
    name: $t/name
    share: { $calc: "c * a / t", c: $costs, a: $t/area, t: $area, scale: 2, round: half-up }
    open: { $calc: "c * a / t - p", c: $costs, a: $t/area, t: $area, p: $t/paid, scale: 2, round: half-up }`,
    [
      {
        costs: [{ amount: 1000 }, { amount: 234.5 }],
        tenants: [
          { name: 'A', area: 80, paid: 900 },
          { name: 'B', area: 45, paid: 300 },
        ],
      },
    ],
    ({ costs, tenants }) => {
      const all = total(costs.map(({ amount }) => amount))
      const area = tenants.reduce((sum, tenant) => sum + tenant.area, 0)
      return tenants.map((tenant) => ({
        name: tenant.name,
        share: cents((all * tenant.area) / area),
        open: cents((all * tenant.area) / area - tenant.paid),
      }))
    },
  ),
  job(
    'a rent raised in steps',
    `output:
  $fold: { $range: [1, /steps], most: 20 }
  as: n
  into: rent
  from: 800
  do: { $calc: "r * (100 + p) / 100", r: $rent, p: /percent, scale: 2, round: half-up }
  each: { from: { $dateAdd: /start, years: $n }, rent: $rent }`,
    [{ start: '2024-02-29', steps: 3, percent: 2.5 }],
    ({ steps, percent }) => {
      let rent = 800
      return Array.from({ length: steps }, (_, index) => {
        rent = cents(rent * (1 + percent / 100))
        return { from: `${2025 + index}-02-28`, rent }
      })
    },
  ),
  job(
    'a rent fitted to the index of prices',
    `let: { change: { $calc: "100 * n / o - 100", n: /indexNow, o: /indexThen, scale: 2, round: half-up } }
output: { change: $change, rent: { $if: { $is: [$change, ">=", 3] }, then: { $calc: "r * n / o", r: /rent, n: /indexNow, o: /indexThen, scale: 2, round: half-up }, else: /rent } }`,
    [
      { rent: 900, indexThen: 117.4, indexNow: 121.3 },
      { rent: 900, indexThen: 117.4, indexNow: 118 },
    ],
    ({ rent, indexThen, indexNow }) => {
      const change = cents((100 * indexNow) / indexThen - 100)
      return { change, rent: change >= 3 ? cents((rent * indexNow) / indexThen) : rent }
    },
  ),
  job(
    'the offer of a flat in words',
    `output:
  $text: "{rooms}, {area} m², {floor}{extras}"
  rooms: { $plural: /rooms, one: "{n} room", other: "{n} rooms" }
  area: { $format: /area, number: "#,##0.0" }
  floor: { $if: { $is: [/floor, "=", 0] }, then: ground floor, else: { $plural: /floor, ordinal: true, one: "{n}st floor", two: "{n}nd floor", few: "{n}rd floor", other: "{n}th floor" } }
  extras: { $if: { $is: [{ $count: /extras }, ">", 0] }, then: { $text: ", with {l}", l: { $join: /extras, list: and } }, else: "" }`,
    [
      { rooms: 1, area: 28, floor: 0, extras: [] as string[] },
      { rooms: 3, area: 81.25, floor: 2, extras: ['balcony', 'lift'] },
    ],
    ({ rooms }) =>
      rooms === 1 ? '1 room, 28.0 m², ground floor' : '3 rooms, 81.3 m², 2nd floor, with balcony and lift',
  ),
]

export const energy: readonly Job[] = [
  job(
    'consumption from two readings, with a meter that turns over',
    `output:
  $each: /meters
  as: m
  do: { no: $m/no, used: { $calc: "mod(n - o + 100000, 100000)", n: $m/now, o: $m/before } }`,
    [
      {
        meters: [
          { no: 'E1', before: 41_200, now: 44_950 },
          { no: 'E2', before: 99_870, now: 130 },
        ],
      },
    ],
    ({ meters }) =>
      meters.map(({ no, before, now }) => ({ no, used: now >= before ? now - before : now + 100_000 - before })),
  ),
  job(
    'gas in kilowatt hours by calorific value and state',
    `output: { kwh: { $calc: "m * c * z", m: /cubicMetres, c: /calorific, z: /state, scale: 0, round: half-up } }`,
    [{ cubicMetres: 1532, calorific: 11.254, state: 0.9532 }],
    ({ cubicMetres, calorific, state }) => ({ kwh: Math.round(cubicMetres * calorific * state) }),
  ),
  job(
    'a tariff in blocks, with a basic price by days',
    `let:
  work:
    $sum: /blocks
    as: b
    of: { $calc: "max(0, min(k, t) - f) * p * 0.01", k: /kwh, t: $b/to, f: $b/from, p: $b/ct }
output: { $calc: "w + y * d / 365", w: $work, y: /basic, d: { $dateDiff: [/from, /to], unit: days }, scale: 2, round: half-up }`,
    [900, 3700].map((kwh) => ({
      kwh,
      basic: 120,
      from: '2025-07-01',
      to: '2026-01-01',
      blocks: [
        { from: 0, to: 1000, ct: 31.2 },
        { from: 1000, to: 1e9, ct: 28 },
      ],
    })),
    ({ kwh, basic, from, to, blocks }) =>
      cents(
        blocks.reduce((sum, block) => sum + (Math.max(0, Math.min(kwh, block.to) - block.from) * block.ct) / 100, 0) +
          (basic * daysBetween(from, to)) / 365,
      ),
  ),
  job(
    'monthly payments on account, in whole euros',
    `let: { each: { $calc: "y / 11", y: /yearly, scale: 0, round: up } }
output:
  $each: { $range: [0, 10], most: 11 }
  as: n
  do: { on: { $dateAdd: /first, months: $n }, sum: $each }`,
    [{ yearly: 1301.4, first: '2026-02-01' }],
    ({ yearly }) =>
      Array.from({ length: 11 }, (_, index) => ({
        on: `${index < 11 ? 2026 : 2027}-${String(index + 2).padStart(2, '0')}-01`,
        sum: Math.ceil(yearly / 11),
      })),
  ),
  job(
    'what was fed in and drawn, by quarter',
    `output:
  $group: /readings
  as: r
  by: { $text: "{y}/{q}", y: { $datePart: $r/on, part: year }, q: { $datePart: $r/on, part: quarter } }
  do: { quarter: $key, net: { $sum: $items, as: r, of: { $calc: "f - d", f: $r/fed, d: $r/drawn } } }`,
    [
      {
        readings: [
          { on: '2026-03-31', fed: 10.5, drawn: 30 },
          { on: '2026-04-01', fed: 50, drawn: 20.25 },
          { on: '2026-06-30', fed: 1, drawn: 1 },
        ],
      },
    ],
    ({ readings }) =>
      [...Map.groupBy(readings, ({ on }) => `${on.slice(0, 4)}/${Math.ceil(Number(on.slice(5, 7)) / 3)}`)].map(
        ([quarter, own]) => ({
          quarter,
          net: total(own.map(({ fed, drawn }) => fed - drawn)),
        }),
      ),
  ),
  job(
    'the saving against the year before, said in a sentence',
    `let: { less: { $calc: "100 * (o - n) / o", o: /before, n: /now, scale: 0, round: half-up } }
output:
  $if: { $is: [$less, ">", 0] }
  then: { $text: "You used {p} % less than last year.", p: $less }
  else: { $if: { $is: [$less, "<", 0] }, then: { $text: "You used {p} % more than last year.", p: { $calc: "abs(l)", l: $less } }, else: You used as much as last year. }`,
    [
      { before: 3000, now: 2700 },
      { before: 3000, now: 3600 },
      { before: 3000, now: 3001 },
    ],
    ({ before, now }) => {
      const less = Math.round((100 * (before - now)) / before)
      if (less === 0) return 'You used as much as last year.'
      return `You used ${Math.abs(less)} % ${less > 0 ? 'less' : 'more'} than last year.`
    },
  ),
]
