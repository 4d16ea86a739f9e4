import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { parseInstant } from '../../../src/core/instant.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import type { FamilyKind } from '../../../src/core/kinds.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { Database } from '../../../src/db/database.ts'
import { checkNamedTransformer } from '../../../src/modules/drafts/compile.service.ts'
import { compileModel } from '../../../src/modules/drafts/conditions.service.ts'
import { checkContent, compileSource, earlierFindings } from '../../../src/modules/drafts/content.service.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import type { Content } from '../../../src/modules/versions/versions.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'

const yaml = (source: string) => ({ source, format: 'yaml' }) as const
const json = (source: string) => ({ source, format: 'json' }) as const
const template = (text: string) => ({ bytes: wordPackage(p(text)), format: 'docx' }) as const

test('what `object` reads and the contract can’t have is warned of, at its place', () => {
  const contract = {
    type: 'object',
    properties: {
      no: { type: ['string', 'boolean'] },
      at: { type: 'string', format: 'date-time' },
      day: { type: 'string', format: 'date' },
      rows: { type: 'array', items: { type: 'object', properties: { no: { type: 'number' } } } },
      free: {},
    },
  }
  const told = (reference: string, time: string, schema: JsonValue | undefined = contract) => {
    const object = `object: { reference: ${reference}, time: ${time} }`
    const nodes = 'nodes: [{ key: a, label: A, transformer: t }]'
    const source = `model: ingestion-model-v1\ncontract: { name: order, version: 1 }\n${object}\n${nodes}\n`
    const { ok, findings } = compileModel(yaml(source), schema)
    return [ok, ...findings.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`)]
  }
  expect(told('/no', '/at')).toEqual([true])
  expect(told('/rows/0/no', '/free/any')).toEqual([true])
  expect(told('metadata.source_object', 'metadata.source_timestamp')).toEqual([true])
  expect(told('/nr', '/rows/0/at')).toEqual([
    true,
    'warning 3:22 The contract has no /nr, so no input has its object reference there.',
    'warning 3:33 The contract has no /rows/0/at, so no input has its official time there.',
  ])
  expect(told('/rows', '/day')).toEqual([
    true,
    'warning 3:22 /rows is never a text or number in the contract.',
    'warning 3:35 /day is never an RFC 3339 time in the contract.',
  ])
  expect(told('/nr', '/when', true)).toEqual([true])
})

describe('the content of a draft', () => {
  test('is accepted by the engine of its kind, and only by that one', () => {
    const transformer = yaml('transform: declarative-v1\noutput: 1\n')
    expect(checkContent({ kind: 'transformer', content: transformer })).toMatchObject({
      ok: true,
      value: { bindings: null },
    })
    expect(checkContent({ kind: 'contract', content: json('{"type": "object"}') })).toMatchObject({
      ok: true,
      value: { bindings: null },
    })
    expect(checkContent({ kind: 'contract', content: json('{"type": "strung"}') }).ok).toBe(false)
    expect(checkContent({ kind: 'ingestion_model', content: transformer }).ok).toBe(false)
    expect(checkContent({ kind: 'transformer', content: json('{"type": "object"}') }).ok).toBe(false)
    expect(() => compileSource('template', transformer)).toThrow('a template has bytes, not source text')
  })

  test('of a template shows what it reads, or what is wrong with it', () => {
    const checked = checkContent({ kind: 'template', content: template('{{/name}} {{/total}}') })
    expect(checked).toMatchObject({ ok: true, value: { bindings: [{ pointer: '/name' }, { pointer: '/total' }] } })
    const broken = checkContent({ kind: 'template', content: template('{{#if /a}}') })
    expect([broken.ok, broken.findings.length]).toEqual([false, 1])
  })

  test('of an ingestion model has conditions that compile, at every depth, each finding at its place', () => {
    const model = (when: string) =>
      yaml(`model: ingestion-model-v1
contract: { name: order, version: 1 }
nodes:
  - { key: a, label: A, transformer: t }
  - key: b
    label: B
    transformer: t
    when: { $is: [/x, ">", 1] }
    children:
      - { key: c, label: C, transformer: t, when: ${when} }
`)
    expect(compileSource('ingestion_model', model('{ $is: [/x, ">", 1] }')).ok).toBe(true)
    const refused = compileSource('ingestion_model', model('{ $is: [/x, ">"] }'))
    expect(refused.ok).toBe(false)
    for (const finding of refused.findings) {
      expect(finding.path).toStartWith('/nodes/1/children/0/when')
      expect(finding.path).not.toContain('/output')
      expect([finding.line, finding.column]).toEqual([10, 58])
    }
  })
})

describe('a transformer that names its contract or its template', () => {
  const actor: Actor = {
    userId: SYSTEM_ACTOR_ID,
    correlationId: 'compile-test',
    at: parseInstant('2026-01-01T00:00:00Z')!,
  }
  let database: Database

  async function freeze(kind: 'contract' | 'template', slug: string, contents: readonly Content[]) {
    await database.write(async (tx) => {
      let family = await createFamily(tx, actor, { kind, slug, name: `${slug} by name`, description: '' })
      for (const content of contents) {
        family = await saveDraft(tx, actor, family, content)
        family = { ...family, latestNumber: (await freezeDraft(tx, actor, family)).number }
      }
    })
  }
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    const contract = (name: string) =>
      json(
        JSON.stringify({
          type: 'object',
          required: [name],
          properties: { [name]: { type: 'string' } },
          additionalProperties: false,
        }),
      )
    await freeze('contract', 'policy', [contract('first'), contract('second')])
    await freeze('template', 'letter', [template('{{/first}}'), template('{{/second}}')])
  })
  afterAll(() => database.close())

  const compile = (head: string, output: string) =>
    checkNamedTransformer(
      { connection: database.read, judge: judgeHere, reach: undefined },
      yaml(`transform: declarative-v1\n${head}output: ${output}\n`),
    )

  test('is typed by the very version of the contract, found by its name or by its slug', async () => {
    for (const name of ['policy', 'policy by name']) {
      for (const [version, member] of [
        [1, 'first'],
        [2, 'second'],
      ] as const) {
        const head = `contract: ${name}@${version}\n`
        expect((await compile(head, '{ a: /first, b: /second }')).ok).toBe(false)
        const compiled = await compile(head, `{ a: /${member} }`)
        expect(compiled).toMatchObject({ ok: true, value: { contract: { format: 'json' } } })
        const contract = compiled.ok ? compiled.value.contract : undefined
        expect(contract?.content).toContain(`"${member}"`)
        expect(contract?.hash).toMatch(/^[0-9a-f]{64}$/)
      }
    }
  })

  test('must make what the very version of the template reads', async () => {
    for (const [version, member] of [
      [1, 'first'],
      [2, 'second'],
    ] as const) {
      expect((await compile(`template: letter@${version}\n`, '{ other: 1 }')).ok).toBe(false)
      expect(await compile(`template: letter@${version}\n`, `{ ${member}: x }`)).toMatchObject({
        ok: true,
        value: { contract: undefined },
      })
    }
    const both = 'contract: policy@1\ntemplate: letter@1\n'
    expect((await compile(both, '{ first: /first }')).ok).toBe(true)
    expect((await compile(both, '{ first: /second }')).ok).toBe(false)
    expect((await compile(both, '{ second: /first }')).ok).toBe(false)
  })

  test('is refused for a missing contract, but not for a missing template', async () => {
    for (const name of ['policy@3', 'nobody@1']) {
      const [slug, version] = name.split('@')
      expect((await compile(`contract: ${name}\n`, '1')).findings).toEqual([
        {
          code: 'unknown_contract',
          severity: 'error',
          path: '/contract',
          message: `There is no contract "${slug}" with a version ${version}.`,
          hint: expect.stringContaining('frozen version'),
        },
      ])
    }
    for (const name of ['letter@3', 'nobody@1'])
      expect((await compile(`template: ${name}\n`, '{ a: 1 }')).ok).toBe(true)
  })

  test('is compiled by itself where it names neither, and refused by itself where it is wrong', async () => {
    expect(await compile('', '{ a: /anything }')).toMatchObject({ ok: true, value: { contract: undefined } })
    expect((await compile('contract: policy@1\n', '{ $nothing: 1 }')).ok).toBe(false)
  })
})

test('what was frozen under earlier rules is told where today’s make something else of it, each kind by its own engine', () => {
  const transformer = yaml('transform: declarative-v1\noutput:\n  x: { $format: /d, date: "EEE d. MMM", locale: de }\n')
  const same = yaml('transform: declarative-v1\noutput:\n  x: { $format: /d, date: "d. MMM yyyy", locale: en }\n')
  const told = (kind: FamilyKind, content: Content, reading: Reading) =>
    earlierFindings({ kind, content, reading }).map(({ code, severity, path }) => [code, severity, path])
  expect(told('transformer', transformer, 5)).toEqual([['earlier_reading', 'warning', '/output/x']])
  expect([told('transformer', transformer, 6), told('transformer', same, 5)]).toEqual([[], []])
  // What its engine refuses today is told when it is compiled, not here.
  expect(told('transformer', yaml('output: ['), 5)).toEqual([])
  const files = [template('{{/total}} {{./name}}'), template('{{/total}} {{/name}}')]
  expect(files.map((content) => told('template', content, 6))).toEqual([[], []])
  const [line, other] = files.map((content) => told('template', content, 4))
  expect(other).toEqual([])
  expect(line?.map(([code]) => code)).toEqual(['docx.earlier_reading'])
  for (const kind of ['contract', 'ingestion_model'] as const) expect(told(kind, transformer, 1)).toEqual([])
})
