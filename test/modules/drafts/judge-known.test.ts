import { beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import { othersTurn, sliceClock } from '../../../src/core/turns.ts'
import type { Database } from '../../../src/db/database.ts'
import { createActivationSetService } from '../../../src/modules/activations/activations.sets.service.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { judgedBefore, judgeKnown, Unanswered, withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { createReleaseService } from '../../../src/modules/releases/releases.service.ts'
import { createSubmissionPlanService } from '../../../src/modules/submissions/submissions.outlook.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { type Content, publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { outcomeOf } from '../../support/outcome.ts'

/** A judge that remembers what it was asked. */
function recording(): Judge & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    ask: (name, given) => {
      asked.push(name)
      return judgeHere.ask(name, given)
    },
    start() {},
    close() {},
  }
}

const chainOf = (padding: number, name: string) => ({
  contract: JSON.stringify({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
  transformer: {
    source: `transform: declarative-v1\n# ${name}${'x'.repeat(padding)}\noutput: { out: /b }\n`,
    format: 'yaml' as const,
  },
  bindings: undefined,
  reading: newestReading,
})
const large = limits.judgedOnTheSpotChars
const source = { source: '', format: 'yaml' as const }

describe('inside a transaction', () => {
  test('a small question is answered on the spot, with the verdict of the judge', async () => {
    const judge = recording()
    const given = chainOf(0, 'small')
    const verdict = await withVerdicts(judge, () => judgeKnown.ask('chain', given))
    expect(verdict).toEqual(await judgeHere.ask('chain', given))
    expect(verdict.map(({ severity }) => severity)).toEqual(['error'])
    expect(judge.asked).toEqual([])
  })

  const costly = '^([A-Z0-9a-z_]{6,3000})$'
  const matching = (pattern: string, operator = '$matches') => ({
    transformer: {
      source: `transform: declarative-v1\noutput: { a: { ${operator}: $now, with: "", pattern: "${pattern}" } }\n`,
      format: 'yaml' as const,
    },
  })
  const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join('|')
  test.each([
    ['a pattern', { contract: `{"type":"object","properties":{"a":{"pattern":"${costly}"}}}` }],
    ['a pattern under an escaped keyword', { contract: `{"properties":{"a":{"\\u0070attern":"${costly}"}}}` }],
    ['a pattern of names', { contract: `{"type":"object","patternProperties":{"${costly}":true}}` }],
    ['many patterns', { contract: JSON.stringify({ anyOf: Array(30).fill({ pattern: '^[a-z]{90}$' }) }) }],
    ['properties of Unicode', { contract: JSON.stringify({ pattern: '\\p{L}|'.repeat(100) }) }],
    ['a transformer that matches', matching('^a{3000}$')],
    ['counters in a counter', matching('((a{9}){9}){29}')],
    ['escaped counters', matching('a\\x7b3000}')],
    ['folded counters', matching('a{3\\\n    000}')],
    ['an escaped operator', matching('^a{3000}$', '"\\x24matches"')],
    ['a folded operator', matching('^a{3000}$', '"$mat\\\n    ches"')],
    ['a choice of many words', matching(words)],
    ['a transformer with properties of Unicode', matching('\\\\P{L}|'.repeat(100))],
    ['many that replace', matching('\\\\p{Lu}'.repeat(100), '$replace')],
  ])('%s is put to the judge, however short it is: compiling may take long', async (_, more) => {
    const judge = recording()
    const given = { ...chainOf(0, 'patterns'), ...more }
    await othersTurn()
    const verdict = await withVerdicts(judge, () => judgeKnown.ask('chain', given))
    expect(verdict).toEqual(await judgeHere.ask('chain', given))
    expect(judge.asked).toEqual(['chain'])
  })

  test.each([
    ['cheap patterns', { contract: JSON.stringify({ anyOf: Array(30).fill({ pattern: '^[a-z]{4,9}$' }) }) }],
    ['names of letters', { contract: JSON.stringify({ pattern: "^[\\p{L}' -]{1,80}$" }) }],
    ['a transformer that matches a date', matching('^[0-9]{4}-')],
    ['a transformer that matches a number and a name', matching('^([0-9]{10}|\\\\p{Lu}\\\\p{L}*)$')],
    [
      'a transformer with counters that are none',
      { transformer: { ...source, source: 'transform: declarative-v1\noutput: { $join: "\\\\ a{3000}" }' } },
    ],
  ])('%s are answered on the spot', async (_, more) => {
    const judge = recording()
    const given = { ...chainOf(0, 'patterns'), ...more }
    await othersTurn()
    await withVerdicts(judge, () => judgeKnown.ask('chain', given))
    expect(judge.asked).toEqual([])
  })

  test('small ones take so long in one turn of the event loop, and the rest goes to the judge', async () => {
    const judge = recording()
    const { nowMs } = sliceClock
    let ms = 0
    // Each look at the clock is as long after the one before as all of a turn's questions may take.
    sliceClock.nowMs = () => (ms += limits.judgedOnTheSpotMs)
    try {
      const ask = (name: string) => judgeKnown.ask('chain', chainOf(0, name))
      await othersTurn()
      const verdicts = await withVerdicts(judge, async () => [await ask('spot one'), await ask('spot two')])
      expect([verdicts.map(({ length }) => length), judge.asked]).toEqual([[1, 1], ['chain']])
      // What was answered before takes no time.
      await withVerdicts(judge, async () => [await ask('spot one'), await ask('spot two')])
      await othersTurn()
      await ask('spot three')
      expect(judge.asked).toEqual(['chain'])
    } finally {
      sliceClock.nowMs = nowMs
      await othersTurn()
    }
  })

  test('a large one ends the transaction, is put to the judge, and answered from memory from then on', async () => {
    const judge = recording()
    const given = chainOf(large, 'large')
    let runs = 0
    const run = () => {
      runs++
      return judgeKnown.ask('chain', given)
    }
    expect(await withVerdicts(judge, run)).toEqual(await judgeHere.ask('chain', given))
    expect([judge.asked, runs]).toEqual([['chain'], 2])
    await withVerdicts(judge, run)
    expect([judge.asked, runs]).toEqual([['chain'], 3])
  })

  test('a change of a single character is another question', async () => {
    const judge = recording()
    for (const name of ['one', 'two']) {
      await withVerdicts(judge, () => judgeKnown.ask('chain', chainOf(large, name)))
    }
    expect(judge.asked).toEqual(['chain', 'chain'])
  })

  test('all that several checks have to know is asked in one round', async () => {
    const judge = recording()
    let runs = 0
    const found = await withVerdicts(judge, async () => {
      runs++
      const unanswered = new Unanswered()
      const first = await unanswered.of(() => judgeKnown.ask('chain', chainOf(large, 'first')))
      const second = await unanswered.of(() => judgeKnown.ask('chain', chainOf(large, 'second')))
      unanswered.settle()
      return [first?.length, second?.length]
    })
    expect([found, runs, judge.asked]).toEqual([[1, 1], 2, ['chain', 'chain']])
  })

  test('but no more files than may be in memory at a time', async () => {
    const asked: string[][] = []
    const rounds: number[] = []
    const judge: Judge = {
      ask: async (_name, given) => {
        asked.at(-1)?.push((given as unknown as { slugs: string[] }).slugs[0] ?? '')
        return [] as never
      },
      ...{ start() {}, close() {} },
    }
    const file = new Uint8Array(10)
    await withVerdicts(judge, async () => {
      asked.push([])
      const unanswered = new Unanswered(25)
      let seen = 0
      for (const slug of ['a', 'a', 'b', 'c', 'd', 'e']) {
        rounds.push(++seen)
        const question = { bytes: file, slugs: [slug] }
        await unanswered.of(async () => judgedBefore('missingFragments', question, `of a round ${slug}`))
      }
      unanswered.settle()
    })
    expect(asked).toEqual([['a', 'b', 'c'], ['d', 'e'], []])
    expect(rounds.join('')).toBe('1234123456123456')
  })

  test('what a check throws besides, and what the judge refuses, reaches the caller', async () => {
    const own = new Error('own')
    expect(await outcomeOf(new Unanswered().of(() => Promise.reject(own)))).toThrow(own)
    const refusal = new Error('too long')
    const refusing: Judge = { ask: () => Promise.reject(refusal), start() {}, close() {} }
    const given = chainOf(large, 'refused')
    expect(await outcomeOf(withVerdicts(refusing, () => judgeKnown.ask('chain', given)))).toThrow(refusal)
  })

  test('who always asks something new is given up', async () => {
    const judge = recording()
    let runs = 0
    await outcomeOf(withVerdicts(judge, () => judgeKnown.ask('chain', chainOf(large, `new ${runs++}`))))
    expect(runs).toBe(limits.judgingRounds + 1)
  })
})

test('what a template binds with what it includes is compiled by the judge, and its files are no part of the name', async () => {
  const judge = recording()
  const file = (text: string) => wordPackage(p(text))
  const linked = {
    ...{ bytes: file('{{> clause}}'), reading: newestReading },
    fragments: new Map([['clause', file('{{/name}}')]]),
  }
  const ask = () => withVerdicts(judge, async () => judgedBefore('linkedBindings', linked, 'letter with clause'))
  const [first, again] = [await ask(), await ask()]
  expect([first.ok && first.value.map(({ pointer }) => pointer), again]).toEqual([['/name'], first])
  expect(judge.asked).toEqual(['linkedBindings'])
})

describe('large configuration', () => {
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'judge-known', at: parseInstant('2026-11-01T00:00:00Z')! }
  const padding = `# ${'x'.repeat(large)}\n`
  const yaml = (source: string): Content => ({ source: `${source}${padding}`, format: 'yaml' })
  const contract = JSON.stringify({
    ...{ $comment: 'x'.repeat(large), type: 'object', properties: { a: { type: 'string' } } },
    ...{ required: ['a'], additionalProperties: false },
  })
  const contents = {
    contract: { source: contract, format: 'json' } as Content,
    transformer: yaml('transform: declarative-v1\ncontract: bulk@1\noutput: { out: /a }\n'),
    ingestion_model: yaml(
      'model: ingestion-model-v1\ncontract: { name: bulk, version: 1 }\nnodes:\n  - { key: k, label: K, transformer: bulk, when: { $is: [/a, "=", x] } }\n',
    ),
  }
  let database: Database
  const ids: Record<string, { family: string; version: string }> = {}

  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    for (const [kind, content] of Object.entries(contents)) {
      await database.write(async (tx) => {
        const family = await createFamily(tx, actor, {
          ...{ kind: kind as keyof typeof contents, slug: 'bulk', name: 'bulk', description: '' },
        })
        const version = await freezeDraft(tx, actor, await saveDraft(tx, actor, family, content))
        await publishVersion(tx, actor, version)
        ids[kind] = { family: family.id, version: version.id }
      })
    }
  })

  test('is judged off the thread for a release, a set in force and a first submission, each verdict once', async () => {
    const judge = recording()
    const request = (key: string) => ({ actorId: SYSTEM_ACTOR_ID, key, requestHash: key })
    const release = await createReleaseService(database, judge).create(actor, request('release-1'), {
      name: 'Bulk',
      contract_version_id: ids.contract!.version,
      transform_version_id: ids.transformer!.version,
    })
    expect([release.status, judge.asked.splice(0)]).toEqual([201, ['chain']])

    const sets = createActivationSetService({
      ...{ database, clock: { now: () => actor.at }, judge, suites: noSuites(judge), storedCases: async () => [] },
    })
    const wanted = { ingestion_model_id: ids.ingestion_model!.family, state: 'newest' as const }
    const plan = await sets.plan(actor, wanted)
    expect([plan.valid, judge.asked.splice(0)]).toEqual([true, ['transformer', 'conditions', 'transformer']])
    await sets.apply(actor, request('set-1-key'), { ...wanted, plan_hash: plan.plan_hash })
    expect(judge.asked).toEqual([])

    const submissions = createSubmissionService({ database, judge })
    const made = await submissions.submit(actor, request('submit-1'), {
      ingestion_model: 'bulk',
      raw_input: '{"a":"x"}',
    })
    expect([made.status, judge.asked.splice(0)]).toEqual([202, ['frozenModel']])

    // Who asks what a submission would do asks for the params of its transformers, once.
    const plans = createSubmissionPlanService({ database, judge })
    for (let time = 0; time < 2; time++) {
      await plans.plan(actor, { ingestion_model: 'bulk', raw_input: '{"a":"x"}' })
    }
    expect(judge.asked).toEqual(['transformer', 'payload', 'payload'])
  })
})
