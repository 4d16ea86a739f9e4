/** What the gate of suites lets pass, what it says of the others, and which records that leaves; the cases run nowhere. */
import { expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { Fault } from '../../../src/core/faults.ts'
import type { Finding } from '../../../src/core/finding.ts'
import { addMs, formatInstant, type Instant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Transaction } from '../../../src/db/database.ts'
import { findInForce } from '../../../src/modules/activations/activations.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { Unjudged } from '../../../src/modules/drafts/judge-known.service.ts'
import { writeCaseFiles } from '../../../src/modules/suites/case-files.service.ts'
import { createSuiteGate } from '../../../src/modules/suites/gate.service.ts'
import type { RunOptions, SuiteRunner } from '../../../src/modules/suites/suites.runner.ts'
import { requireGreenDraft } from '../../../src/modules/versions/suite-gate.service.ts'
import { nobody } from '../../support/author.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { type Files, hello, transformer } from '../projects/fixture.ts'
import { importedCase, type SuiteStore, saveTransformer, suiteStore } from './store.ts'

const hint =
  'Mend them, or accept what they make now; an administrator may let the suite pass for some hours, with a reason.'
const suiteOf = (...names: string[]): Files => ({
  ...hello,
  ...Object.fromEntries(names.map((name) => [`cases/hello/${name}.json`, `{"name":"${name}"}`])),
})
const notGreen = (message: string, remedy = hint): Finding => {
  return { code: 'suite.not_green', severity: 'error', path: 'hello', message, hint: remedy }
}

interface Ran {
  name: string
  options: RunOptions
}

/** A gate over a store, with a runner that knows of each case how it went, or learns it by running it. */
async function gateOver(files: Files, red: readonly string[], wanted: 'in_force' | 'freeze' = 'in_force') {
  const it = await suiteStore('sqlite', files)
  const { database } = it.app
  const policy = await it.author.call('PUT', `${it.path}/policy`, { requires: wanted })
  expect(policy.status).toBe(200)
  const ran: Ran[] = []
  const verdicts = new Map<string, boolean>()
  const made = { made: [], madeHash: '', failures: [] }
  const state = { isKnown: true, breaksOff: new Set<string>() }
  const runner: SuiteRunner = {
    known(_chain, { name }) {
      const known = state.isKnown ? !red.includes(name) : verdicts.get(name)
      return known === undefined ? undefined : { isGreen: known }
    },
    async run(_chain, { name }, options) {
      ran.push({ name, options })
      if (state.breaksOff.has(name)) return { ...made, brokeOff: true }
      verdicts.set(name, !red.includes(name))
      return made
    },
    runAll: (cases, run) => Promise.all(cases.map(run)),
  }
  const gate = createSuiteGate({ database, judge: judgeHere, runner })
  const actor = (change: Partial<Actor> = {}): Actor => ({
    ...{ userId: SYSTEM_ACTOR_ID, correlationId: 'gate', at: it.app.clock.now() },
    ...change,
  })
  /** When the transformer came into force. */
  const since = (await findInForce(database.read, it.transformer, it.app.clock.now()))!.effectiveFrom as Instant
  const inForce = (families = [it.transformer], at = since, by = actor()) =>
    database.write((tx) => gate.findings(tx, by, [{ families: new Set(families), at }]))
  const drafts = (families = [it.transformer], by = actor()) =>
    database.write((tx) => gate.draftFindings(tx, by, new Set(families)))
  return { it, database, gate, ran, state, actor, since, inForce, drafts }
}

const trail = async ({ app: { database } }: SuiteStore, action: string) => {
  const { auditRecords } = database.read.t
  const rows = await database.read.q.select().from(auditRecords).orderBy(asc(auditRecords.id))
  return rows
    .filter((row) => row.action === action)
    .map(({ actorId, correlationId, resourceKind, resourceId, detail }) => {
      return { actorId, correlationId, resourceKind, resourceId, detail }
    })
}

test('a suite of green cases lets all pass, and red ones are named, five of them, with how many there are', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const green = await gateOver(suiteOf(...names), [])
  expect(await green.inForce()).toEqual([])
  const one = await gateOver(suiteOf(...names), ['c'])
  expect(await one.inForce()).toEqual([notGreen('1 of 7 cases of hello isn’t as expected: c.')])
  const five = await gateOver(suiteOf(...names), names.slice(2))
  expect(await five.inForce()).toEqual([notGreen('5 of 7 cases of hello aren’t as expected: c, d, e, f, g.')])
  const all = await gateOver(suiteOf(...names), names)
  expect(await all.inForce()).toEqual([notGreen('7 of 7 cases of hello aren’t as expected: a, b, c, d, e and 2 more.')])
  expect(all.ran).toEqual([])
})

test('only a change that is in force then is judged, of a family that the model is made of', async () => {
  const { it, inForce, since } = await gateOver(suiteOf('ada'), ['ada'])
  const red = [notGreen('1 of 1 cases of hello isn’t as expected: ada.')]
  expect(await inForce([it.transformer])).toEqual(red)
  expect(await inForce([nobody])).toEqual([])
  // It came into force at another instant, so whatever begins here is no change of it.
  expect(await inForce([it.transformer], addMs(since, -1))).toEqual([])
  expect(await inForce([it.transformer], addMs(since, 1))).toEqual([])
  const other = await it.author.frozen('transformers', 'other', transformer('Other'))
  expect(await inForce([other.id])).toEqual([])
  expect(await inForce([nobody, it.transformer])).toEqual(red)
})

test('a model that requires nothing, or no longer requires it, is not judged', async () => {
  const { it, inForce, drafts } = await gateOver(suiteOf('ada'), ['ada'])
  // What is required before something comes into force doesn't keep a draft from being frozen.
  await saveTransformer(it, transformer('Good day'))
  expect([(await inForce()).length, (await drafts()).length]).toEqual([1, 0])
  await it.author.call('PUT', `${it.path}/policy`, { requires: 'nothing' })
  expect([(await inForce()).length, (await drafts()).length]).toEqual([0, 0])
})

test('a draft of any part is judged with the drafts of all, and of no other family', async () => {
  const { it, drafts } = await gateOver(suiteOf('ada'), ['ada'], 'freeze')
  const red = [notGreen('1 of 1 cases of hello isn’t as expected: ada.')]
  for (const family of [it.transformer, it.template, it.model]) expect(await drafts([family])).toEqual(red)
  const other = await it.author.frozen('transformers', 'other', transformer('Other'))
  expect(await drafts([other.id])).toEqual([])
  expect(await drafts([nobody])).toEqual([])
})

test('drafts beside the one that is frozen are put to the judge where they take long to compile', async () => {
  const { it, gate, actor, drafts } = await gateOver(suiteOf('ada'), ['ada'], 'freeze')
  const pattern = '\\p{L}|'.repeat(100)
  await saveTransformer(it, `${transformer('Good day')}  odd: { $matches: /name, pattern: '${pattern}' }\n`)
  expect(await rejectionOf(drafts([it.template]))).toBeInstanceOf(Unjudged)
  const guarded = gate.guard(actor(), () => drafts([it.template]))
  expect(await guarded).toEqual([notGreen('1 of 1 cases of hello isn’t as expected: ada.')])
})

test('a draft that is red is refused with all that an author needs to find it', async () => {
  const { it, database, gate, actor } = await gateOver(suiteOf('ada'), ['ada'], 'freeze')
  const subject = { id: it.transformer, kind: 'transformer', slug: 'hello' } as const
  const refused = await rejectionOf(database.write((tx) => requireGreenDraft(gate, tx, actor(), subject)))
  expect(refused).toMatchObject({
    code: 'validation_failed',
    detail: "The draft of hello is not frozen while its suite isn't green. See the errors.",
    extras: {
      findings: [notGreen('1 of 1 cases of hello isn’t as expected: ada.')],
      ...{ stage: 'suite', resourceKind: 'transformer', resourceId: it.transformer },
    },
  })
})

test('a suite without a case is no green one', async () => {
  const { inForce } = await gateOver(hello, [])
  const message = 'The suite of hello has to be green, and has no case.'
  expect(await inForce()).toEqual([notGreen(message, 'Add a case to it.')])
})

test('a suite of as many cases as are run is judged, and one of more is refused as it is', async () => {
  const { it, database, actor, inForce } = await gateOver(hello, [])
  const write = (from: number, to: number) =>
    database.write((tx) => {
      const numbers = Array.from({ length: to - from }, (_, index) => from + index)
      const written = new Map(numbers.map((each) => [`cases/hello/c${each}.json`, new TextEncoder().encode(`${each}`)]))
      return writeCaseFiles(tx, actor(), { written, removed: [] })
    })
  await write(0, limits.suiteCases)
  expect(await inForce()).toEqual([])
  await write(limits.suiteCases, limits.suiteCases + 1)
  const message = `The suite of hello has ${limits.suiteCases + 1} cases, and at most ${limits.suiteCases} are run before something is frozen or put in force.`
  expect(await inForce()).toEqual([notGreen(message, 'Remove some, and leave them to quire test.')])
  expect((await it.author.get('/suites')).body.suites[0].cases).toBe(limits.suiteCases + 1)
})

test('drafts that can’t be run keep a draft from being frozen, and why is for those who reach all of them', async () => {
  const { it, drafts, actor, inForce } = await gateOver(suiteOf('ada'), [], 'freeze')
  await saveTransformer(it, transformer('Good day').replace('$text', '$texd'))
  const [told] = await drafts([it.template])
  expect(told).toMatchObject(notGreen(told!.message, 'Mend the drafts that it runs through.'))
  expect(told!.message).toMatch(/^The suite of hello can't be run with the drafts: .*\$texd/)
  expect(await drafts([it.template], actor({ families: [it.template, it.model] }))).toEqual([
    notGreen(
      "The suite of hello can't be run with the drafts: a part is missing, or has errors.",
      'Mend the drafts that it runs through.',
    ),
  ])
  // What is in force is whole.
  expect(await inForce()).toEqual([])
})

test('whoever doesn’t reach the model is told nothing of its cases', async () => {
  const { it, inForce, drafts, actor, since } = await gateOver(suiteOf('ada'), ['ada'], 'freeze')
  const alone = actor({ families: [it.transformer] })
  for (const ask of [() => drafts([it.transformer], alone), () => inForce([it.transformer], since, alone)]) {
    expect(await rejectionOf(ask())).toMatchObject({ code: 'forbidden' })
  }
})

test('red inputs that were made for the contract are counted for all, and named for those who reach the contract', async () => {
  const made: string[] = []
  const { it, drafts, actor } = await gateOver(suiteOf('zoe'), made, 'freeze')
  made.push(await importedCase(it, '{"name":"Secret"}'))
  const reach = (families: string[] | undefined) => drafts([it.transformer], actor({ families }))
  expect(await reach(undefined)).toEqual([notGreen(`1 of 2 cases of hello isn’t as expected: ${made[0]}.`)])
  expect(await reach([it.model])).toEqual([notGreen('1 of 2 cases of hello isn’t as expected.')])
  made.push('zoe')
  expect(await reach([it.model])).toEqual([notGreen('2 of 2 cases of hello aren’t as expected: zoe and 1 more.')])
  expect(await reach([it.model, it.contract])).toEqual([
    notGreen(`2 of 2 cases of hello aren’t as expected: ${made[0]}, zoe.`),
  ])
})

test('a suite that is let pass does so up to its very end, and each use is in the audit trail with the reason', async () => {
  const { it, inForce, actor, since } = await gateOver(suiteOf('ada'), ['ada'])
  const lift = { hours: 2, reason: 'The letter has to leave today.' }
  const set = await it.author.call('PUT', `${it.path}/policy`, { requires: 'in_force', lift })
  const end = addMs(it.app.clock.now(), 2 * 3_600_000)
  expect(set.body.lifted_until).toBe(formatInstant(end))
  const by = async (at: Instant) => (await inForce([it.transformer], since, actor({ at }))).length
  expect([await by(end), await by(addMs(end, 1))]).toEqual([1, 1])
  expect(await trail(it, 'suite.overridden')).toEqual([])
  expect(await by(addMs(end, -1))).toBe(0)
  const [policy] = await it.app.database.read.q.select().from(it.app.database.read.t.suitePolicies)
  expect(await trail(it, 'suite.overridden')).toEqual([
    {
      ...{ actorId: SYSTEM_ACTOR_ID, correlationId: 'gate', resourceKind: 'ingestion_model', resourceId: it.model },
      detail: {
        ...{ slug: 'hello', message: '1 of 1 cases of hello isn’t as expected: ada.', reason: lift.reason },
        ...{ lifted_by: policy!.setBy, lifted_until: formatInstant(end) },
      },
    },
  ])
})

test('what is in force later is judged as from then on, and of each suite the first instant alone is told', async () => {
  const scheduled = (name: string, from: string) =>
    `  - effective_from: ${from}\n    files:\n      - scheduled/${name}/transformers/hello.yaml\n`
  const files = {
    ...suiteOf('ada'),
    'scheduled/s1/transformers/hello.yaml': transformer('Good day'),
    'scheduled/s2/transformers/hello.yaml': transformer('Good evening'),
    'activations.yaml': `activations:\n${scheduled('s1', '2127-01-01T00:00:00Z')}${scheduled('s2', '2127-02-01T00:00:00Z')}`,
  }
  const { it, database, gate, actor, since } = await gateOver(files, ['ada'])
  const later = ['2127-01-01T00:00:00.000000000Z', '2127-02-01T00:00:00.000000000Z'] as Instant[]
  const families = new Set([it.transformer])
  const asked = (instants: readonly Instant[], by = actor()) =>
    database.write((tx: Transaction) =>
      gate.findings(
        tx,
        by,
        instants.map((at) => ({ families, at })),
      ),
    )
  const red = '1 of 1 cases of hello isn’t as expected: ada.'
  expect(await asked(later.toReversed())).toEqual([notGreen(`${red} They run as from 2127-01-01T00:00:00Z on.`)])
  expect(await asked(later.slice(1))).toEqual([notGreen(`${red} They run as from 2127-02-01T00:00:00Z on.`)])
  // Nobody needs to be told that they run now.
  expect(await asked([...later, since])).toEqual([notGreen(red)])
  expect(await asked(later, actor({ at: later[0]! }))).toEqual([notGreen(red)])
  expect(await asked([])).toEqual([])
})

test('cases that nobody knows are run before the transaction is made again, each once with what its files hold', async () => {
  const { it, database, gate, ran, state, actor, since } = await gateOver(suiteOf('ada', 'bo'), ['bo'])
  state.isKnown = false
  let rounds = 0
  const found = await gate.guard(actor(), () =>
    database.write(async (tx) => {
      rounds++
      return gate.findings(tx, actor(), [{ families: new Set([it.transformer]), at: since }])
    }),
  )
  expect(found).toEqual([notGreen('1 of 2 cases of hello isn’t as expected: bo.')])
  expect(rounds).toBe(2)
  const options = (name: string) => ({
    ...{ content: { raw: `{"name":"${name}"}`, params: undefined, expected: new Map() } },
    ...{ pages: 'kept' as const, pictures: false },
  })
  expect(ran).toEqual(['ada', 'bo'].map((name) => ({ name, options: options(name) })))
})

test('a case that breaks off is red for the request that ran it, and run again for the next', async () => {
  const { it, database, gate, ran, state, actor, since } = await gateOver(suiteOf('ada', 'bo'), [])
  state.isKnown = false
  state.breaksOff.add('bo')
  const ask = () =>
    gate.guard(actor(), () =>
      database.write((tx) => gate.findings(tx, actor(), [{ families: new Set([it.transformer]), at: since }])),
    )
  expect(await ask()).toEqual([notGreen('1 of 2 cases of hello isn’t as expected: bo.')])
  state.breaksOff.clear()
  expect(await ask()).toEqual([])
  expect(ran.map(({ name }) => name)).toEqual(['ada', 'bo', 'bo'])
})

test('cases that stay unknown end the request after some rounds, and other errors at once', async () => {
  const { it, database, gate, state, actor, since } = await gateOver(suiteOf('ada'), [])
  state.isKnown = false
  let rounds = 0
  const forgetting = createSuiteGate({
    ...{ database, judge: judgeHere },
    runner: {
      known: () => undefined,
      run: async () => ({ made: [], madeHash: '', failures: [] }),
      runAll: (cases, run) => Promise.all(cases.map(run)),
    },
  })
  const asked = forgetting.guard(actor(), () =>
    database.write((tx) => {
      rounds++
      return forgetting.findings(tx, actor(), [{ families: new Set([it.transformer]), at: since }])
    }),
  )
  expect(String(await rejectionOf(asked))).toContain('needs results of cases that were not run yet')
  expect(rounds).toBe(limits.judgingRounds + 1)
  let others = 0
  const failing = gate.guard(actor(), async () => {
    others++
    throw new Error('something else')
  })
  expect([String(await rejectionOf(failing)), others]).toEqual(['Error: something else', 1])
})

test('what a suite has kept from passing is in the audit trail, whatever else was refused with it', async () => {
  const { it, gate, actor } = await gateOver(suiteOf('ada'), [])
  const refusal = (findings: readonly Finding[]) =>
    rejectionOf(
      gate.guard(actor(), async () => {
        throw new Fault('validation_failed', 'Refused.', { findings })
      }),
    )
  const other: Finding = { code: 'other', severity: 'error', path: 'hello', message: 'Another.' }
  expect(await refusal([other])).toMatchObject({ detail: 'Refused.' })
  expect(await trail(it, 'suite.blocked')).toEqual([])
  const unknown = { ...notGreen('Another one.'), path: 'gone' }
  await refusal([other, notGreen('Red.'), unknown])
  const by = { actorId: SYSTEM_ACTOR_ID, correlationId: 'gate', resourceKind: 'ingestion_model' }
  expect(await trail(it, 'suite.blocked')).toEqual([
    { ...by, resourceId: it.model, detail: { slug: 'hello', message: 'Red.' } },
    { ...by, resourceId: 'gone', detail: { slug: 'gone', message: 'Another one.' } },
  ])
})
