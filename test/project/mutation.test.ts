import { describe, expect, test } from 'bun:test'
import { watchTransformer } from '../../src/engines/declarative/declarative.ts'
import { openForRetagging } from '../../src/engines/docx/retag.ts'
import { CoverageMeter } from '../../src/project/coverage/coverage.ts'
import { htmlReport } from '../../src/project/html-report.ts'
import { jsonReport } from '../../src/project/machine-reports.ts'
import { contractChanges } from '../../src/project/mutation/contract-changes.ts'
import { edited } from '../../src/project/mutation/edits.ts'
import { type MutationOptions, type MutationResult, mutate, scoreOf } from '../../src/project/mutation/mutate.ts'
import { missedScore, mutationLines, scoreLine, survivorLines } from '../../src/project/mutation/mutation-report.ts'
import { tagChanges } from '../../src/project/mutation/tag-changes.ts'
import { transformerChanges } from '../../src/project/mutation/transformer-changes.ts'
import { type CaseResult, testCases } from '../../src/project/test-cases.ts'
import type { Perform } from '../../src/suite/run.ts'
import { composedPackage, p, partText, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting, performHere, projectAt } from './fixture.ts'

const head = 'transform: declarative-v1\n'

/** Each change as what it makes of the lines below the head. */
function changed(body: string, contract?: object): string[] {
  const source = head + body
  const watched = watchTransformer(
    source,
    'yaml',
    contract === undefined ? {} : { contract: JSON.parse(JSON.stringify(contract)) },
  )
  if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
  return transformerChanges(source, 'yaml', watched.value.siblings).map((edit) =>
    edited(source, edit).slice(head.length),
  )
}

describe('the changes of a transformer', () => {
  test('are other comparisons, numbers and truths', () => {
    expect(changed('output: { $is: [/n, ">=", 3] }\n')).toEqual(
      expect.arrayContaining([
        'output: { $is: [/n, ">", 3] }\n',
        'output: { $is: [/n, "<", 3] }\n',
        'output: { $is: [/n, ">=", 4] }\n',
      ]),
    )
    expect(changed('output: { a: true, b: 1.5 }\n')).toEqual(
      expect.arrayContaining(['output: { a: false, b: 1.5 }\n', 'output: { a: true, b: 2.5 }\n']),
    )
  })

  test.each([
    ['$all', '[/a, /b]', '$any'],
    ['$any', '[/a, /b]', '$all'],
    ['$min', '/r', '$max'],
    ['$max', '/r', '$min'],
    ['$sum', '/r', '$max'],
    ['$avg', '/r, scale: 0, round: down', '$max'],
  ])('put another operator in the place of %s, whether its name is quoted or not', (name, subject, other) => {
    for (const quote of ['', '"', "'"]) {
      const [own, changedTo] = [name, other].map(
        (each) => `output: { $default: [{ ${quote}${each}${quote}: ${subject} }, none] }\n`,
      )
      expect(changed(own ?? '')).toContain(changedTo ?? '')
    }
  })

  test('swap branches, cases and the values of rows', () => {
    expect(changed('output: { $if: /v, then: a, else: b }\n')).toContain('output: { $if: /v, else: a, then: b }\n')
    expect(changed('output: { $match: /v, x: 1, y: 2, else: 3 }\n')).toContain(
      'output: { $match: /v, y: 1, x: 2, else: 3 }\n',
    )
    const table = 'tables:\n  t: { a: one, b: two }\noutput: { $lookup: t, key: /k }\n'
    expect(changed(table)).toEqual(
      expect.arrayContaining([table.replace('a: one', 'a: two'), table.replace('b: two', 'b: one')]),
    )
  })

  test('drop members, conditions of loops and items, each with all its lines and no more', () => {
    const output =
      'output:\n  a: 1\n  rows:\n    $each: /r\n    as: r\n    where: { $exists: $r }\n    do:\n      x: $r\n  z: { p: 1, q: [1, 2] }\n'
    const all = changed(output)
    expect(all).toContain(output.replace('  a: 1\n', ''))
    expect(all).toContain(output.replace('    where: { $exists: $r }\n', ''))
    expect(all).toContain(output.replace('    do:\n      x: $r\n', ''))
    expect(all).toContain(output.replace('p: 1, ', ''))
    expect(all).toContain(output.replace('1, 2', '2'))
    expect(all).toContain('output:\n  a: 1\n  z: { p: 1, q: [1, 2] }\n')
    expect(all).not.toContain(output.replace('    as: r\n', ''))
  })

  test('read another value of the same type, which the contract tells', () => {
    const contract = {
      type: 'object',
      required: ['a', 'b', 'n'],
      properties: { a: { type: 'string' }, n: { type: 'number' }, b: { type: 'string' }, m: { type: 'number' } },
    }
    const all = changed('output: { x: /a, y: /n }\n', contract)
    expect(all).toContain('output: { x: /b, y: /n }\n')
    expect(all.filter((each) => /\/m|x: \/n/.test(each))).toEqual([])
  })

  test('change the signs and numbers of a formula, choices and texts', () => {
    const output = 'output: { $calc: "a + 2 * a", a: /a, scale: 2, round: half-up }\n'
    expect(changed(output)).toEqual(
      expect.arrayContaining([
        output.replace('+', '-'),
        output.replace('*', '/'),
        output.replace('2 *', '3 *'),
        output.replace('scale: 2', 'scale: 3'),
        output.replace('half-up', 'half-even'),
      ]),
    )
    expect(changed('output: "it\'s"\n')).toEqual(['output: "it\'sx"\n'])
  })
})

test('the changes of a contract move bounds by one, and drop rules, values and required names', () => {
  const text =
    '{"type":"object","required":["a","b"],"additionalProperties":false,"properties":{"a":{"maxLength":3,"enum":["x","y"]},"b":{"type":"integer","pattern":"z"}}}'
  expect(contractChanges(text).map((edit) => edited(text, edit))).toEqual([
    text.replace('["a","b"]', '["b"]'),
    text.replace('["a","b"]', '["a"]'),
    text.replace('false', 'true'),
    text.replace('3', '2'),
    text.replace('3', '4'),
    text.replace('["x","y"]', '["y"]'),
    text.replace('["x","y"]', '["x"]'),
    text.replace('"integer"', '"number"'),
    text.replace(',"pattern":"z"', ''),
  ])
  expect(contractChanges(text).map(({ what }) => what)).toEqual([
    ...['no longer required', 'no longer required', 'rule dropped', 'bound moved by one', 'bound moved by one'],
    ...['a value dropped', 'a value dropped', 'another type', 'rule dropped'],
  ])
})

describe('the changes of a contract', () => {
  const inside = (schema: object) => {
    const text = JSON.stringify(schema)
    return contractChanges(text).map((edit) => [edit.what, edited(text, edit)] as const)
  }
  const leaf = { maximum: 3 }
  const moved = (text: string) => [2, 4].map((other) => text.replace('"maximum":3', `"maximum":${other}`))

  test('reach every schema that a keyword holds alone, in a list or by name, and nothing else', () => {
    for (const keyword of ['items', 'additionalProperties', 'then', 'else', 'unevaluatedProperties']) {
      const text = JSON.stringify({ [keyword]: leaf })
      expect([keyword, inside({ [keyword]: leaf }).map(([, each]) => each)]).toEqual([keyword, moved(text)])
    }
    for (const keyword of ['contains', 'not', 'if', 'propertyNames']) {
      const schema = { [keyword]: leaf, type: 'null' }
      const edits = ['{"type":"null"}', ...moved(JSON.stringify(schema))]
      expect([keyword, inside(schema).map(([, each]) => each)]).toEqual([keyword, edits])
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
      const text = JSON.stringify({ [keyword]: [{}, leaf] })
      expect(inside({ [keyword]: [{}, leaf] }).map(([, each]) => each)).toEqual(expect.arrayContaining(moved(text)))
    }
    for (const keyword of ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']) {
      const text = JSON.stringify({ [keyword]: { a: leaf } })
      expect([keyword, inside({ [keyword]: { a: leaf } }).map(([, each]) => each)]).toEqual([keyword, moved(text)])
    }
    expect(inside({ default: leaf, examples: [leaf], const: 1, items: 7 }).map(([, each]) => each)).toEqual([
      '{"default":{"maximum":3},"examples":[{"maximum":3}],"items":7}',
    ])
  })

  test('move every bound, drop every rule that can go by itself, and turn every flag that refuses', () => {
    const sides = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems']
    const counts = ['maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties']
    for (const keyword of [...sides, ...counts])
      expect(inside({ [keyword]: 3 }).map(([, each]) => each)).toEqual([`{"${keyword}":2}`, `{"${keyword}":4}`])
    const rules = { pattern: 'a', format: 'date', multipleOf: 2, const: 1, dependentRequired: { a: ['b'] } }
    for (const [keyword, value] of Object.entries(rules))
      expect([keyword, inside({ [keyword]: value, type: 'null' }).map(([, each]) => each)]).toEqual([
        keyword,
        ['{"type":"null"}'],
      ])
    const flags = { additionalProperties: false, unevaluatedProperties: false, uniqueItems: true }
    for (const [keyword, value] of Object.entries(flags)) {
      expect(inside({ [keyword]: value }).map(([, each]) => each)).toEqual([`{"${keyword}":${!value}}`])
      expect(inside({ [keyword]: !value })).toEqual([])
    }
  })
})

describe('the changes of a tag', () => {
  const raws = (kind: string, raw: string) => tagChanges({ kind, raw }, []).map((change) => change.raw)

  test('negate a condition and change its signs, words, numbers and texts, but nothing inside of quotes', () => {
    expect(raws('if', '{{#if /a > 3 and /b = "x and y"}}')).toEqual([
      '{{#if not (/a > 3 and /b = "x and y")}}',
      '{{#if /a >= 3 and /b = "x and y"}}',
      '{{#if /a <= 3 and /b = "x and y"}}',
      '{{#if /a > 4 and /b = "x and y"}}',
      '{{#if /a > 3 or /b = "x and y"}}',
      '{{#if /a > 3 and /b != "x and y"}}',
      '{{#if /a > 3 and /b = "x and yx"}}',
    ])
  })

  test('drop a value, each of its formats, and change its default', () => {
    expect(raws('text', '{{/a | number "0|0" | default "no"}}')).toEqual([
      '{{""}}',
      '{{/a | default "no"}}',
      '{{/a | number "0|0"}}',
      '{{/a | number "0|0" | default "nox"}}',
    ])
  })

  test('read the next value of the same object that is read in the same way', () => {
    const tag = (raw: string, pointer: string, shape = 'scalar') => ({ kind: 'text', raw, pointer, shape })
    const tags = [
      tag('{{/p/a}}', '/p/a'),
      tag('{{/p/c}}', '/p/c'),
      tag('{{/q}}', '/q'),
      tag('{{#each /p/b}}', '/p/b', 'list'),
    ]
    expect(tagChanges(tag('{{/p/a | upper}}', '/p/a'), tags).at(-1)).toEqual({
      raw: '{{/p/c | upper}}',
      what: 'another value',
    })
    expect(tagChanges(tag('{{/q}}', '/q'), tags).map(({ what }) => what)).toEqual(['value dropped'])
  })
})

test('a tag that Word has split over runs is replaced as a whole, and the rest of the template stays', () => {
  const body = p('Dear {{/na', 'me', '}} &amp; so on, {{/x}}')
  const opened = openForRetagging(wordPackage(body, {}))
  if (!opened.ok) throw new Error('unreadable')
  const made = opened.value('word/document.xml#1:5', '{{/a | default "<b>"}}')
  if (made === undefined) throw new Error('there is no tag')
  const text = partText(composedPackage(made, { x: 'X' }), 'word/document.xml')
  expect(text).toContain('&lt;b&gt;')
  expect(text.replace(/<[^>]+>/g, '')).toBe('Dear &lt;b&gt; &amp; so on, X')
  expect(opened.value('word/document.xml#1:6', 'x')).toBeUndefined()
  expect(opened.value('word/none.xml#1:5', 'x')).toBeUndefined()
})

const owing = {
  ...greeting,
  'templates/greeting.docx': wordPackage(
    p('Dear {{/name}} of {{/place}},') + p('{{#if /owes > 3}}You owe {{/owes}} EUR.{{#else}}Thank you.{{#end}}'),
  ),
}

async function mutated(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<MutationOptions> = {},
): Promise<MutationResult> {
  const project = projectAt(folderWith(files))
  const meter = new CoverageMeter(project)
  const running = { perform: performHere(), atOnce: 2, tolerance: 0.5 }
  await testCases(project, project.cases, { ...running, update: 'kept' })
  const results = await testCases(project, project.cases, { ...running, onResult: (result) => meter.measure(result) })
  return mutate(project, results, meter, { ...running, seed: 1, withinMs: 60_000, ...options })
}

const told = ({ survivors }: MutationResult) => survivors.flatMap(survivorLines)

describe('what no case notices', () => {
  test('is a bound that no case comes near, with its place and both forms of the line', async () => {
    const result = await mutated(owing)
    const lines = told(result)
    // Ann owes 0 and Bob 7, so where it begins to be much is tested by nobody.
    const at = lines.indexOf('templates/greeting.docx, paragraph 2: another condition')
    expect(lines.slice(at, at + 3)).toEqual([
      'templates/greeting.docx, paragraph 2: another condition',
      '  -{{#if /owes > 3}}You owe {{/owes}} EUR.{{#else}…',
      '  +{{#if /owes >= 3}}You owe {{/owes}} EUR.{{#else}…',
    ])
    expect(lines).toContain(
      '  -{"type":"object","required":["name","owes"],"properties":{"name":{"type":"string","maxLength":40},"owes":{"type":"integer"}},"additionalProperties":false}',
    )
    expect(lines.join('\n')).not.toContain('not (/owes > 3)')
    expect(lines.join('\n')).not.toContain('value dropped')
  })

  test('keeps nodes apart that make other documents of the same', async () => {
    const node = (key: string) =>
      `  - { key: ${key}, label: ${key}, transformer: one, template: ${key}, formats: [docx] }`
    const files = {
      'contracts/person.schema.json': '{"properties":{"n":{"type":"integer","maximum":9}},"required":["n"]}',
      'transformers/one.yaml': 'transform: declarative-v1\noutput: { one: /n }\n',
      'templates/one.docx': wordPackage(p('Number {{/one}}')),
      'templates/two.docx': wordPackage(p('No. {{/one}}')),
      'models/greeting.yaml': `${String(greeting['models/greeting.yaml']).split('nodes:')[0]}nodes:\n${node('one')}\n${node('two')}\n`,
      'cases/greeting/five.json': '{"n":5}',
    }
    const lines = told(await mutated(files))
    expect(lines.filter((line) => line.startsWith('contracts/'))).toHaveLength(4)
  })

  test('is less with a case at the bound', async () => {
    const [before, after] = await Promise.all([
      mutated(owing),
      mutated({
        ...owing,
        'cases/greeting/cy.json': '{"name":"Cy","owes":3}',
        'cases/greeting/cy.params.json': '{"place":"Ulm"}',
      }),
    ])
    expect(told(after).join('\n')).not.toContain('/owes >= 3')
    expect(scoreOf(after)).toBeGreaterThan(scoreOf(before) ?? 100)
  })

  test('is everything of a source that no case reaches, and is reported as out of reach', async () => {
    const onlyAnn = Object.fromEntries(Object.entries(owing).filter(([file]) => !file.includes('/bob')))
    const { survivors } = await mutated(onlyAnn)
    const notice = survivors.filter(({ file }) => file === 'transformers/notice.yaml')
    expect(notice.length).toBeGreaterThan(0)
    expect(notice.map(({ isReached }) => isReached)).toEqual(notice.map(() => false))
    expect(survivorLines(notice[0] ?? survivors[0]!)[0]).toEndWith(' (no case gets here)')
  })

  test('leaves the project as it is, and is the same every time', async () => {
    const [one, other] = await Promise.all([mutated(owing), mutated(owing, { atOnce: 7 })])
    expect(one).toEqual(other)
    expect(one.noticed + one.survivors.length + one.refused).toBe(one.possible)
    expect(one.untried).toBe(0)
  })

  test('can be asked of a sample, of which another seed draws another one', async () => {
    const told: string[] = []
    await mutated(owing, { sample: 2, atOnce: 1, onTried: (done, total) => told.push(`${done}/${total}`) })
    expect(told).toEqual(['1/2', '2/2'])
    const [small, again, other] = await Promise.all([
      mutated(owing, { sample: 6 }),
      mutated(owing, { sample: 6 }),
      mutated(owing, { sample: 6, seed: 2 }),
    ])
    expect(small.noticed + small.survivors.length + small.refused).toBe(6)
    expect(again).toEqual(small)
    expect(other).not.toEqual(small)
    expect(scoreLine(small)).toEndWith(`, a sample of ${small.possible}`)
  })

  test('is not looked for after the time is up', async () => {
    const result = await mutated(owing, { withinMs: -1 })
    expect([result.untried, result.noticed, scoreOf(result)]).toEqual([result.possible, 0, undefined])
    expect(scoreLine(result)).toBe(`0 of 0 changes noticed, ${result.possible} not tried for want of time`)
  })

  test('is found without making twice what no change touches, and without a PDF, which nothing compares', async () => {
    const project = projectAt(folderWith(owing))
    const meter = new CoverageMeter(project)
    const here = performHere()
    const running = { atOnce: 1, tolerance: 0.5 }
    const measuring = { ...running, perform: here, onResult: (result: CaseResult) => meter.measure(result) }
    const results = await testCases(project, project.cases, measuring)
    const [{ contract, transformers, templates } = expect.unreachable()] = project.models
    const own = new Set([contract, ...transformers.values(), ...templates.values()].map(({ hash }) => hash))
    const made: string[] = []
    const perform: Perform = (job) => {
      const hashes = Object.values(job.sources).map(({ hash }) => hash)
      const { steps, input, output } = job
      if (hashes.every((hash) => own.has(hash))) made.push(JSON.stringify([steps, hashes, input, output]))
      expect(steps).not.toContain('render')
      return here(job)
    }
    await mutate(project, results, meter, { ...running, perform, seed: 1, withinMs: 60_000 })
    expect(made.length).toBeGreaterThan(2)
    expect(new Set(made).size).toBe(made.length)
  })

  test('is in an included template as well, reached by the cases of the templates that include it', async () => {
    const clauses = {
      ...greeting,
      'templates/greeting.docx': wordPackage(p('Dear {{/name}} of {{/place}},') + p('{{> outer}}')),
      'templates/outer.docx': wordPackage(p('{{> debt}}')),
      'templates/debt.docx': wordPackage(p('{{#if /owes > 3}}You owe {{/owes}} EUR.{{#else}}You owe little.{{#end}}')),
    }
    const result = await mutated(clauses)
    const lines = told(result)
    const at = lines.indexOf('templates/debt.docx, paragraph 1: another condition')
    expect(lines.slice(at, at + 3)).toEqual([
      'templates/debt.docx, paragraph 1: another condition',
      '  -{{#if /owes > 3}}You owe {{/owes}} EUR.{{#else}…',
      '  +{{#if /owes >= 3}}You owe {{/owes}} EUR.{{#else}…',
    ])
    // Both answers are in some case, so a condition that is turned round is noticed; and so is each value, here and in what includes it.
    const ofTemplates = result.survivors.filter(({ file }) => file.startsWith('templates/'))
    expect(ofTemplates.map(({ what, isReached }) => [what, isReached])).not.toContainEqual([expect.anything(), false])
    expect(lines.join('\n')).not.toContain('value dropped')
    expect(lines.join('\n')).not.toContain('not (/owes > 3)')
  })

  test('does not count what is refused before a case runs', async () => {
    const { refused } = await mutated({
      ...owing,
      'transformers/notice.yaml': 'transform: declarative-v1\noutput: { amount: { $text: "{n} EUR", n: /owes } }\n',
    })
    expect(refused).toBeGreaterThan(0)
  })

  test('is noticed where the change ends the engine', async () => {
    const project = projectAt(folderWith(owing))
    const meter = new CoverageMeter(project)
    const running = { atOnce: 1, tolerance: 0.5 }
    const here = performHere()
    const results = await testCases(project, project.cases, {
      ...running,
      perform: here,
      onResult: (result) => meter.measure(result),
    })
    const perform = () => Promise.reject(new Error('the worker ended'))
    const { survivors } = await mutate(project, results, meter, { ...running, perform, seed: 1, withinMs: 60_000 })
    expect(survivors.filter(({ isReached }) => isReached)).toEqual([])
  })
})

test('the reports have every change that no case notices, and a score never rounded up', () => {
  const survivor = {
    file: 'a.yaml',
    place: '/x',
    line: 2,
    what: 'another number',
    change: ['-<1>', '+<2>'],
    isReached: true,
  }
  const result = { noticed: 199, survivors: [survivor], refused: 3, untried: 0, possible: 203 }
  expect(mutationLines(result)).toBe(
    'a.yaml:2: another number\n  -<1>\n  +<2>\n199 of 200 changes noticed (99 %), 3 refused before any case ran\n',
  )
  expect(missedScore(result, 100)).toEqual(['the mutation score is 99 %, and --min-score wants 100 %'])
  expect(missedScore(result, 99)).toEqual([])
  expect(JSON.parse(jsonReport([], undefined, result)).mutation.survivors).toEqual([
    { file: 'a.yaml', place: '/x', line: 2, what: 'another number', change: ['-<1>', '+<2>'], is_reached: true },
  ])
  const html = htmlReport([], 1, { mutation: result })
  expect(html).toContain('<span class="gone">-&#60;1&#62;</span><span class="new">+&#60;2&#62;</span>')
  expect(htmlReport([], 1)).not.toContain('no case notices')
})
