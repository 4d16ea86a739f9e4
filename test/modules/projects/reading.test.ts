import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { insertActivation } from '../../../src/modules/activations/activations.store.ts'
import { recordAudit } from '../../../src/modules/audit/audit.service.ts'
import {
  readActivations,
  scheduledFolderOf,
  writeActivations,
} from '../../../src/modules/projects/projects.activations.ts'
import { brokenCases, type CaseRuns } from '../../../src/modules/projects/projects.cases.ts'
import type { Change } from '../../../src/modules/projects/projects.changes.ts'
import { type ProjectFile, readProjectArchive } from '../../../src/modules/projects/projects.files.ts'
import {
  BoundedLists,
  driftOf,
  laterActivations,
  laterInstants,
  staleReviews,
} from '../../../src/modules/projects/projects.review.ts'
import { appliedAmong, listLater, listPublished, listPutInForce } from '../../../src/modules/projects/projects.store.ts'
import { readFamilyTexts, writeFamilyTexts } from '../../../src/modules/projects/projects.texts.ts'
import type { VersionRow } from '../../../src/modules/versions/versions.reads.ts'
import { openTestDatabase } from '../../support/database.ts'
import { contract, type Files, hello, model, template, transformer, zipOf } from './fixture.ts'

const start = instantOf('2026-11-20T00:00:00Z')
const at = (seconds: number) => addMs(start, seconds * 1_000)
const encoded = (text: string) => new TextEncoder().encode(text)

describe('an archive', () => {
  const read = async (files: Files) => {
    const outcome = await readProjectArchive(zipOf(files))
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
    return outcome.value
  }
  const refused = async (files: Files) =>
    (await readProjectArchive(zipOf(files))).findings.map(({ code, path, message }) => [code, path, message])

  test('is read as files, what is named before what names it, and other files are left alone', async () => {
    const { files, scheduled, cases, reviews } = await read(hello)
    expect(files.map(({ path, kind, slug, name }) => [path, kind, slug, name])).toEqual([
      ['contracts/person.schema.json', 'contract', 'person', 'Person'],
      ['templates/hello.docx', 'template', 'hello', 'hello'],
      ['transformers/hello.yaml', 'transformer', 'hello', 'hello'],
      ['models/hello.yaml', 'ingestion_model', 'hello', 'hello'],
    ])
    expect(files[0]).toEqual({
      ...{ path: 'contracts/person.schema.json', kind: 'contract', slug: 'person', name: 'Person', texts: undefined },
      content: { source: contract(), format: 'json' },
    })
    expect([scheduled, [...cases], [...reviews]]).toEqual([[], [], []])
    const { files: sorted } = await read({
      'models/b.yaml': model(),
      'models/a.yml': model(),
      'contracts/z.json': '{}',
    })
    expect(sorted.map(({ path }) => path)).toEqual(['contracts/z.json', 'models/a.yml', 'models/b.yaml'])
  })

  test('calls a family as it says, else a contract by its title if that can be a name, else by the slug', async () => {
    const titled = (title: unknown) => JSON.stringify({ title })
    const named = async (source: string, families = '{}') =>
      (await read({ 'contracts/c.json': source, 'families.json': families })).files[0]!.name
    expect(await named(titled('Order'), '{"contracts":{"c":{"name":"Named","description":""}}}')).toBe('Named')
    expect([await named(titled('Order')), await named(titled('')), await named(titled(7)), await named('[]')]).toEqual([
      ...['Order', 'c', 'c', 'c'],
    ])
    const longest = 'ä'.repeat(limits.familyNameChars)
    expect([await named(titled(longest)), await named(titled(`${longest}ä`)), await named('{')]).toEqual([
      longest,
      'c',
      'c',
    ])
    const both = await read({
      'transformers/t.yaml': '{"title":"Order"}',
      'families.json': '{"templates":{"t":{"name":"Other","description":""}}}',
    })
    expect([both.files[0]!.name, both.files[0]!.texts]).toEqual(['t', undefined])
  })

  test('has what comes into force later by its instant, and says what lacks one', async () => {
    const later = {
      ...hello,
      'scheduled/b/transformers/hello.yaml': transformer('Later'),
      'scheduled/a/models/hello.yaml': model(),
      'scheduled/a/templates/hello.docx': template('2: '),
      'activations.yaml': `activations:
  - { effective_from: 2027-02-01T00:00:00Z, files: [scheduled/b/transformers/hello.yaml] }
  - { effective_from: 2027-01-01T00:00:00Z, files: [scheduled/a/models/hello.yaml, scheduled/a/templates/hello.docx] }
`,
    }
    const { files, scheduled } = await read(later)
    expect(files).toHaveLength(4)
    expect(scheduled.map(({ path, from }) => [path, from])).toEqual([
      ['scheduled/a/templates/hello.docx', instantOf('2027-01-01T00:00:00Z')],
      ['scheduled/a/models/hello.yaml', instantOf('2027-01-01T00:00:00Z')],
      ['scheduled/b/transformers/hello.yaml', instantOf('2027-02-01T00:00:00Z')],
    ])
    expect(await refused({ ...hello, 'scheduled/a/models/x.yaml': model() })).toEqual([
      ...[
        ['project.unscheduled', 'scheduled/a/models/x.yaml', 'activations.yaml does not say when it comes into force.'],
      ],
    ])
    // Where that file itself is wrong, only that is told.
    const broken = await refused({ ...later, 'activations.yaml': 'activations: 7' })
    expect(broken.map(([, path]) => path)).toEqual([expect.stringContaining('activations.yaml')])
  })

  test('has its cases and the texts of its templates by their paths', async () => {
    const input = encoded('{"name":"Ann"}')
    const { cases, reviews } = await read({
      ...hello,
      'cases/hello/ann.json': input,
      'cases/hello/ann.expected/letter/text.txt': 'Hello',
      'templates/hello.docx.md': '# Hello',
      'templates/notes.md': 'No template has this text.',
    })
    expect([...cases.keys()].sort()).toEqual(['cases/hello/ann.expected/letter/text.txt', 'cases/hello/ann.json'])
    expect(cases.get('cases/hello/ann.json')).toEqual(input)
    expect([...reviews]).toEqual([['templates/hello.docx', '# Hello']])
  })

  test('is refused with every file that can not be used, and why', async () => {
    expect(
      await refused({
        'models/Not-a-slug.yaml': model(),
        'models/bad.yaml': new Uint8Array([0xff]),
        'contracts/big.json': 'x'.repeat(limits.contractSchemaBytes + 1),
        'transformers/big.yaml': 'x'.repeat(limits.sourceBytes + 1),
        'cases/hello/bad.json': new Uint8Array([0xff]),
      }),
    ).toEqual([
      ['project.slug', 'models/Not-a-slug.yaml', '"Not-a-slug" can\'t be a slug.'],
      ['project.encoding', 'models/bad.yaml', 'The file is not UTF-8.'],
      ['project.size', 'contracts/big.json', `The file has more than ${limits.contractSchemaBytes} bytes.`],
      ['project.size', 'transformers/big.yaml', `The file has more than ${limits.sourceBytes} bytes.`],
      ['project.encoding', 'cases/hello/bad.json', 'The file is not UTF-8.'],
    ])
    expect(await refused({ 'models/a.yaml': model(), 'models/a.json': '{}' })).toEqual([
      ['project.twice', expect.stringMatching(/^models\/a\./) as never, 'Another file is of the same family.'],
    ])
    expect(await refused({ 'README.md': 'x' })).toEqual([
      ['project.empty', undefined, 'The archive has no file of configuration.'],
    ])
    expect((await readProjectArchive(encoded('no archive'))).ok).toBe(false)
  })

  test('takes inputs and paths of their greatest length, and refuses longer ones', async () => {
    const path = (chars: number) => `cases/hello/${'n'.repeat(chars - 'cases/hello/.json'.length)}.json`
    const [most, longer] = [path(limits.projectPathChars), path(limits.projectPathChars + 1)]
    expect([...(await read({ ...hello, [most]: '{}' })).cases.keys()]).toEqual([most])
    expect(await refused({ ...hello, [longer]: '{}' })).toEqual([
      [
        ...['project.path', longer.slice(0, limits.projectPathChars)],
        `The path has more than ${limits.projectPathChars} characters.`,
      ],
    ])
    const input = (bytes: number) => ({ ...hello, 'cases/hello/a.json': ' '.repeat(bytes) })
    expect((await read(input(limits.payloadBytes))).cases.size).toBe(1)
    expect(await refused(input(limits.payloadBytes + 1))).toEqual([
      ['project.size', 'cases/hello/a.json', `The input has more than ${limits.payloadBytes} bytes.`],
    ])
  })

  test('inflates no file that is too large for what it would be', async () => {
    // Deflated less than 200:1.
    const piece = Array.from({ length: 100 }, (_, index) => sha256Hex(`${index}`)).join('')
    const long = (bytes: number) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes)
    const most = limits.projectTextsBytes
    expect(
      await refused({
        ...{ 'contracts/big.json': long(20_000_000), 'activations.yaml': long(limits.sourceBytes + 1) },
        ...{ 'cases/hello/a.params.json': long(limits.payloadBytes + 1), 'templates/hello.docx.md': long(most + 1) },
        ...{ 'cases/hello/a.expected/letter/output.json': long(limits.artifactBytes + 1) },
      }),
    ).toEqual([
      ['project.size', 'activations.yaml', `The file has more than ${limits.sourceBytes} bytes.`],
      ['project.size', 'contracts/big.json', `The file has more than ${limits.contractSchemaBytes} bytes.`],
      ['project.size', 'cases/hello/a.params.json', `The file has more than ${limits.payloadBytes} bytes.`],
      ['project.size', 'templates/hello.docx.md', `The file has more than ${most} bytes.`],
      [
        'project.size',
        'cases/hello/a.expected/letter/output.json',
        `The file has more than ${limits.artifactBytes} bytes.`,
      ],
    ])
    // What is inflated apart is the same, and refused for the same.
    const expected = { 'cases/hello/a.expected/letter/output.json': long(1_000_000) }
    expect((await read({ ...hello, ...expected })).cases.get(Object.keys(expected)[0]!)).toEqual(
      new TextEncoder().encode(long(1_000_000)),
    )
  })

  test('has up to so many files of configuration', async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`contracts/c-${index}.json`, '{}']))
    expect((await read(files(limits.projectFamilies))).files).toHaveLength(limits.projectFamilies)
    expect(await refused(files(limits.projectFamilies + 1))).toEqual([
      [
        ...['project.families', undefined],
        `The project has more than ${limits.projectFamilies} files of configuration.`,
      ],
    ])
  })
})

describe('the names of families', () => {
  test('are written by kind and slug, each once, and read as they were', () => {
    const families = [
      { kind: 'transformer' as const, slug: 'b', name: 'B "quoted"', description: 'Two\nlines' },
      { kind: 'transformer' as const, slug: 'a', name: 'A', description: '' },
      { kind: 'contract' as const, slug: 'c', name: 'C', description: '' },
      { kind: 'contract' as const, slug: 'c', name: 'C now', description: '' },
    ]
    const text = writeFamilyTexts(families)
    expect(text).toBe(
      [
        '{',
        '  "contracts": {',
        '    "c": { "name": "C now", "description": "" }',
        '  },',
        '  "transformers": {',
        '    "a": { "name": "A", "description": "" },',
        '    "b": { "name": "B \\"quoted\\"", "description": "Two\\nlines" }',
        '  }',
        '}',
        '',
      ].join('\n'),
    )
    const read = readFamilyTexts(encoded(text))
    expect(read.ok && [...read.value]).toEqual([
      ['contract c', { name: 'C now', description: '' }],
      ['transformer a', { name: 'A', description: '' }],
      ['transformer b', { name: 'B "quoted"', description: 'Two\nlines' }],
    ])
  })

  test('are refused at their place in the file, and up to so many bytes are read', () => {
    const places = (text: string) => readFamilyTexts(encoded(text)).findings.map(({ path }) => path)
    expect(places('{"contracts":{"c":{"name":"","description":""}}}')).toEqual(['families.json#/contracts/c/name'])
    expect(places('{"colours":{}}')).toHaveLength(1)
    expect(places('{')).toEqual([expect.stringMatching(/^families\.json/) as never])
    expect(places('{}'.padEnd(limits.projectTextsBytes))).toEqual([])
    expect(readFamilyTexts(encoded('{}'.padEnd(limits.projectTextsBytes + 1))).findings).toEqual([
      {
        ...{ code: 'project.size', severity: 'error', path: 'families.json', hint: 'Shorten descriptions.' },
        message: `The file has more than ${limits.projectTextsBytes} bytes.`,
      },
    ])
  })
})

describe('what comes into force later', () => {
  const path = 'scheduled/a/models/x.yaml'
  const read = (text: string, paths = [path]) => readActivations(encoded(text), new Set(paths))
  const entry = (from: string, ...files: string[]) =>
    `activations:\n  - effective_from: ${from}\n    files: [${files.join(', ')}]\n`

  test('is written by its instants and paths, and read as it was', () => {
    const scheduled = new Map([
      ['scheduled/b/models/x.yaml', at(5)],
      ['scheduled/a/models/y.yaml', at(10)],
      [path, at(10)],
    ])
    const text = writeActivations(scheduled)
    expect(text.split('\n').slice(1)).toEqual([
      'activations:',
      '  - effective_from: 2026-11-20T00:00:05Z',
      '    files:',
      '      - scheduled/b/models/x.yaml',
      '  - effective_from: 2026-11-20T00:00:10Z',
      '    files:',
      '      - scheduled/a/models/x.yaml',
      '      - scheduled/a/models/y.yaml',
      '',
    ])
    expect(read(text, [...scheduled.keys()])).toMatchObject({ ok: true, value: scheduled })
    expect(scheduledFolderOf(at(10))).toBe('scheduled/2026-11-20T00-00-10Z')
  })

  test('is refused at its place with what is wrong', () => {
    const told = (text: string, paths?: string[]) =>
      read(text, paths).findings.map((found) => [found.code, found.path, found.message])
    const [code, file] = ['project.activations', 'activations.yaml#/activations/0']
    expect(told(entry('tomorrow', path))).toEqual([[code, `${file}/effective_from`, '"tomorrow" is no instant.']])
    expect(told(entry('2027-01-01T00:00:00Z', path, path))).toEqual([
      [code, `${file}/files/1`, `${path} is scheduled already.`],
    ])
    expect(told(entry('2027-01-01T00:00:00Z', path), [])).toEqual([[code, `${file}/files/0`, `There is no ${path}.`]])
    expect(told(entry('2027-01-01T00:00:00Z', 'models/x.yaml'), ['models/x.yaml'])).toEqual([
      [code, `${file}/files/0`, 'models/x.yaml is no file of configuration below scheduled.'],
    ])
    const bytes = readActivations(new Uint8Array([0xff]), new Set())
    expect(bytes.findings).toMatchObject([{ code, path: 'activations.yaml', message: 'The file is not UTF-8.' }])
  })
})

describe('what a plan tells beside its changes', () => {
  let database: Database
  const file = (slug: string, change: Partial<ProjectFile> = {}): ProjectFile => ({
    ...{ path: `transformers/${slug}.yaml`, kind: 'transformer', slug, name: slug, texts: undefined },
    content: { source: '', format: 'yaml' },
    ...change,
  })
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    await database.write(async (tx) => {
      const add = (id: string, slug: string, seconds: number, change: object = {}) =>
        insertActivation(tx, {
          ...{ id, kind: 'transformer', familyId: `f-${slug}`, familySlug: slug, versionId: id, version: 1 },
          ...{ contentHash: 'h', effectiveFrom: at(seconds), scheduledBy: 'ann', correlationId: `c-${id}` },
          ...{ scheduledAt: at(seconds), status: 'scheduled', cancelledAt: null, cancellationCode: null },
          ...change,
        })
      await add('one', 'a', 10)
      await add('two', 'a', 20, { version: 2 })
      await add('three', 'b', 20, { kind: 'template' })
      await add('cancelled', 'a', 30, { cancelledAt: at(0) })
      const record = (
        who: string,
        seconds: number,
        action: string,
        resource: string,
        correlationId: string,
        detail = {},
      ) =>
        recordAudit(
          tx,
          { userId: who, correlationId, at: at(seconds) },
          { action, resourceKind: 'x', resourceId: resource, detail },
        )
      await record('ann', 1, 'project.applied', 'p', 'c-one')
      await record('ann', 2, 'contract.version_published', 'k', 'c-k1', { number: 1 })
      await record('bob', 3, 'contract.version_published', 'k', 'c-k2', { number: 2 })
      await record('bob', 4, 'contract.version_published', 'k', 'c-k3', { number: 'none' })
      await record('bob', 5, 'contract.version_frozen', 'k', 'c-k4', { number: 3 })
    })
  })
  afterAll(() => database.close())

  test('is what begins after an instant, by instant, kind and slug, without what was cancelled', async () => {
    const told = async (seconds: number) =>
      (await listLater(database.read, at(seconds))).map(({ versionId, effectiveFrom }) => [versionId, effectiveFrom])
    expect(await told(9)).toEqual([
      ['one', at(10)],
      ['three', at(20)],
      ['two', at(20)],
    ])
    expect(await told(10)).toEqual([
      ['three', at(20)],
      ['two', at(20)],
    ])
    const files = [file('a'), file('other')]
    const later = (scheduled: ProjectFile[]) => laterActivations(database.read, { files, scheduled }, at(0))
    expect(await later([])).toEqual([
      { path: 'transformers/a.yaml', version: 1, effective_from: '2026-11-20T00:00:10Z' },
      { path: 'transformers/a.yaml', version: 2, effective_from: '2026-11-20T00:00:20Z' },
    ])
    expect(
      (await later([file('a', { from: at(10) }), file('b', { from: at(20) })])).map(({ version }) => version),
    ).toEqual([2])
  })

  test('is at which instants something begins, of the store or the project, each once', async () => {
    const scheduled = [file('a', { from: at(20) }), file('b', { from: at(15) }), file('c', { from: at(10) }), file('d')]
    expect(await laterInstants(database.read, { scheduled }, at(10))).toEqual([at(15), at(20)])
    expect(await laterInstants(database.read, { scheduled: [] }, at(9))).toEqual([at(10), at(20)])
  })

  test('is who put what in force since the project was applied', async () => {
    const ids = (rows: { version: number; by: string }[]) => rows.map(({ version, by }) => `${version} ${by}`)
    expect(ids(await listPutInForce(database.read, ['f-a']))).toEqual(['2 ann', '1 ann'])
    expect(ids(await listPublished(database.read, ['k']))).toEqual(['2 bob', '1 ann'])
    expect(await appliedAmong(database.read, ['c-one', 'c-two', 'c-k1'])).toEqual(new Set(['c-one']))
    const change = (number: number, familyId = 'f-a', kind = 'transformer') =>
      ({
        change: { path: 'transformers/a.yaml', kind },
        before: { familyId, number } as VersionRow,
        after: { source: '', format: 'yaml' },
      }) as unknown as Change
    expect(await driftOf(database.read, [change(2)])).toEqual([
      { path: 'transformers/a.yaml', version: 2, changed_at: '2026-11-20T00:00:20Z', changed_by: 'ann' },
    ])
    // What the project itself put there has not drifted, and neither has what no project was applied to.
    expect(await driftOf(database.read, [change(1), change(1, 'f-b'), change(2, 'k', 'contract')])).toEqual([])
    expect(await driftOf(database.read, [{ ...change(2), before: undefined }])).toEqual([])
    await database.write((tx) =>
      recordAudit(
        tx,
        { userId: 'ann', correlationId: 'c-k1', at: at(9) },
        { action: 'project.applied', resourceKind: 'project', resourceId: 'p' },
      ),
    )
    expect(await driftOf(database.read, [change(2, 'k', 'contract')])).toMatchObject([
      { version: 2, changed_by: 'bob' },
    ])
  })

  test('is cut at its bounds, with how much is left out of each list', () => {
    const lists = new BoundedLists()
    expect([lists.upTo(2, 'issues', [1, 2]), lists.toWire()]).toEqual([[1, 2], {}])
    expect([lists.upTo(2, 'drift', [1, 2, 3, 4]), lists.toWire()]).toEqual([[1, 2], { left_out: { drift: 2 } }])
  })

  test('is which texts of templates are stale', async () => {
    const judge = { ask: async (_question: string, { name }: { name: string }) => `text of ${name}\n` } as never
    const letter = (slug: string, change: Partial<ProjectFile> = {}) =>
      file(slug, {
        path: `templates/${slug}.docx`,
        kind: 'template',
        content: { bytes: new Uint8Array(), format: 'docx' },
        ...change,
      })
    const reviews = new Map([
      ['templates/same.docx', 'text of same.docx\r\n'],
      ['templates/stale.docx', 'another'],
      ['templates/gone.docx', 'x'],
      ['scheduled/a/templates/later.docx', 'x'],
    ])
    const files = [letter('same'), letter('stale'), letter('without')]
    const scheduled = [letter('later', { path: 'scheduled/a/templates/later.docx', from: at(1) })]
    const told = await staleReviews(judge, { files, scheduled, reviews, cases: new Map() })
    expect(told.map(({ path, message, hint }) => [path, message, hint])).toEqual([
      [
        ...['templates/stale.docx.md', 'It is not what templates/stale.docx says.'],
        'Write it anew: quire check --fix templates/stale.docx',
      ],
      [
        ...['scheduled/a/templates/later.docx.md', 'It is not what scheduled/a/templates/later.docx says.'],
        'Write it anew: quire check --fix scheduled/a/templates/later.docx',
      ],
      ['templates/gone.docx.md', 'It is the text of templates/gone.docx, which is not there.', 'Remove it.'],
    ])
  })

  test('is which cases are refused though nothing says so, at once and later', () => {
    const each = (name: string, ...expected: [from: number | undefined, ...nodes: string[]][]) => ({
      ...{ name, raw: '', params: undefined },
      expected: expected.map(([from, ...nodes]) => ({
        ...{ from: from === undefined ? undefined : at(from), refusing: new Set(nodes) },
      })),
    })
    const refusal = (name: string, node: string) => ({
      name,
      node,
      step: 'compose' as const,
      message: `${name} ${node}`,
    })
    const runs: CaseRuns = new Map([
      [
        ' m',
        {
          from: undefined,
          cases: [each('a', [undefined, 'n']), each('b', [20, 'n']), each('c')],
          refusals: [refusal('a', 'n'), refusal('a', 'o'), refusal('b', 'n'), refusal('c', 'n'), refusal('gone', 'n')],
        },
      ],
      ['later m', { from: at(20), cases: [each('b', [20, 'n'])], refusals: [refusal('b', 'n'), refusal('b', 'o')] }],
    ])
    const { run, runLater, broken } = brokenCases(runs, at(10))
    expect([run, runLater]).toEqual([3, 1])
    expect(broken.map(({ path, node, effective_from }) => [path, node, effective_from])).toEqual([
      ['a', 'o', undefined],
      ['b', 'n', undefined],
      ['c', 'n', undefined],
      ['b', 'o', '2026-11-20T00:00:20Z'],
    ])
  })
})
