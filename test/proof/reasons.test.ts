import { beforeAll, describe, expect, test } from 'bun:test'
import type { Reading } from '../../src/core/reading.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { readHeads } from '../../src/modules/audit/audit.heads.ts'
import type { AuditHeadRow } from '../../src/modules/audit/audit.store.ts'
import { type Against, checkProof } from '../../src/proof/check.ts'
import type { Source, StepJob } from '../../src/runner/job.ts'
import { createPerformer } from '../../src/runner/perform.ts'
import { type Json, required, rewritten } from './altered.ts'
import { type Files, filesOf, type ProvedStore, proofOf, signAnew, storeToProve } from './forging.ts'

/** Every reason why a proof is refused, by itself: all else that the proof says holds. */
let store: ProvedStore
/** Of the notice, in whose lineage the letter is. */
let proof: Uint8Array
beforeAll(async () => {
  store = await storeToProve()
  proof = await proofOf(store, store.notice)
}, 120_000)

const performer = createPerformer({ fonts: embeddedFonts })
const here = { run: async (job: Parameters<typeof performer.perform>[0]) => performer.perform(job), heads: [] }

const key = signingKeyOf('a'.repeat(64))
const otherHash = 'f'.repeat(64)
const otherId = '0198c3d2-7a10-7c00-8000-000000000001'

/** The proof after a change, with records and heads that somebody made to fit. */
const forged = (change: (json: Json, files: Files) => void): Uint8Array =>
  rewritten(proof, (json, files) => {
    change(json as unknown as Json, files)
    signAnew(json, key)
  })
const nothingRuns = () => Promise.reject(new Error('nothing is made again of what is not proved'))
const problemsOf = async (bytes: Uint8Array, against: Partial<Against> = {}) =>
  (await checkProof(bytes, { run: nothingRuns, heads: [], ...against })).problems

const [first, second] = [(json: Json) => required(json.executions[0]), (json: Json) => required(json.executions[1])]
const without = (json: Json, name: string, files: Files) => {
  json.files = json.files.filter((file) => file.name !== name)
  files.delete(name)
}

describe('a forged proof in which all else fits', () => {
  const changes: [
    what: string,
    change: (json: Json, files: Files) => void,
    problems: (store: ProvedStore) => string[],
  ][] = [
    ['nothing at all', () => {}, () => []],
    [
      'an execution that follows no other',
      (json) => {
        required(json.submission.state.executions.find(({ id }) => id === store.notice)).parent_execution_id = null
      },
      ({ notice }) => [`the execution ${notice} does not follow the one before it`],
    ],
    [
      'an execution of another submission',
      (json) => {
        const { state } = json.submission
        state.executions = state.executions.filter(({ id }) => id !== store.notice)
      },
      ({ notice }) => [
        `the execution ${notice} is not of this submission`,
        `the configuration of the execution ${notice} is not the one that was recorded`,
      ],
    ],
    [
      'another execution than the last',
      (json) => {
        json.execution = store.letter
      },
      ({ letter }) => [`the last execution is not ${letter}, which this should prove`],
    ],
    [
      'a record of another resource',
      (json) => {
        second(json).record.resource_id = otherId
      },
      ({ notice }) => [`the record of the execution ${notice} tells of another`],
    ],
    [
      'a record of another kind',
      (json) => {
        second(json).record.resource_kind = 'submission'
      },
      ({ notice }) => [`the record of the execution ${notice} tells of another`],
    ],
    [
      'other raw input',
      (json) => {
        json.submission.state.submission.raw_input_hash = otherHash
      },
      () => ['the raw input is not the one that was recorded'],
    ],
    [
      'no params',
      (json) => {
        json.submission.state.submission.params_hash = null
      },
      () => ['the params is not the one that was recorded'],
    ],
    [
      'another ingestion model',
      (json) => {
        for (const version of json.model?.state.versions ?? []) version.content_hash = otherHash
      },
      () => ['the ingestion model is not the one that was recorded'],
    ],
    [
      'an ingestion model that is in no version',
      (json, files) => {
        json.submission.state.submission.model_version_id = otherId
        without(json, 'model.yaml', files)
      },
      () => ['the ingestion model that the submission names is missing'],
    ],
    [
      'an output that was made of something else',
      (json) => {
        second(json).state.execution.input_hash = otherHash
      },
      ({ notice }) => [`the input of the execution ${notice} is not the one that was recorded`],
    ],
    [
      'no output',
      (json) => {
        second(json).state.execution.output_hash = null
      },
      ({ notice }) => [`the output of the execution ${notice} is not the one that was recorded`],
    ],
    [
      'other configuration',
      (json) => {
        required(json.submission.state.executions.find(({ id }) => id === store.letter)).release_hash = otherHash
      },
      ({ letter }) => [`the configuration of the execution ${letter} is not the one that was recorded`],
    ],
    [
      'a document without its template',
      (json, files) => without(json, 'executions/1/template.docx', files),
      ({ letter }) => [`the configuration of the execution ${letter} is not the one that was recorded`],
    ],
    [
      'another document',
      (json) => {
        required(first(json).state.artifacts.find(({ kind }) => kind === 'pdf')).content_hash = otherHash
      },
      ({ letter }) => [`the pdf of the execution ${letter} is not the one that was recorded`],
    ],
    [
      'a document of another size',
      (json) => {
        required(first(json).state.artifacts.find(({ kind }) => kind === 'docx')).byte_size += 1
      },
      ({ letter }) => [`the docx of the execution ${letter} has not the recorded size`],
    ],
    [
      'a document that no state names',
      (json) => {
        const { state } = first(json)
        state.artifacts = state.artifacts.filter(({ kind }) => kind !== 'pdf')
      },
      () => ['nothing proves the file executions/1/document.pdf'],
    ],
    [
      'a document that is not there',
      (json, files) => without(json, 'executions/1/document.pdf', files),
      ({ letter }) => [`the pdf of the execution ${letter} is not the one that was recorded`],
    ],
    [
      'a file under two names',
      (json, files) => {
        const twice = required(json.files.find(({ role }) => role === 'params'))
        json.files.push({ ...twice, name: 'again.json' })
        files.set('again.json', required(files.get('params.json')))
      },
      () => ['nothing proves that the file again.json is what its name says'],
    ],
    [
      'a file that is listed a second time',
      (json) => {
        json.files.push({ ...required(json.files.find(({ role }) => role === 'params')) })
      },
      () => ['the file params.json is there a second time, as params.json'],
    ],
    [
      'a file that nothing names',
      (_json, files) => files.set('more.txt', new Uint8Array([1])),
      () => ['nothing proves the file more.txt'],
    ],
    [
      'a file with other bytes than its hash',
      (json) => {
        const file = required(json.files.find(({ role }) => role === 'raw_input'))
        file.sha256 = otherHash
        json.submission.state.submission.raw_input_hash = otherHash
      },
      () => ['the file raw-input.json is not what proof.json names'],
    ],
    [
      'a file that is missing',
      (_json, files) => files.delete('model.yaml'),
      () => ['the file model.yaml is missing', 'the ingestion model is not the one that was recorded'],
    ],
  ]
  test.each(changes)('is refused for %s, and for nothing else', async (_what, change, problems) => {
    expect(await problemsOf(forged(change))).toEqual(problems(store))
  })

  test('is refused with all reasons at once, in reading order, and is not rendered again', async () => {
    const { letter, notice } = store
    const bytes = forged((json, files) => {
      json.files.push({ ...required(json.files.find(({ role }) => role === 'params')) })
      files.set('more.txt', new Uint8Array([1])).delete('executions/2/output.json')
      second(json).record.resource_kind = 'submission'
      required(json.submission.state.executions.find(({ id }) => id === notice)).parent_execution_id = null
      json.execution = letter
      json.submission.state.submission.raw_input_hash = otherHash
      json.submission.state.submission.params_hash = null
      json.submission.state.submission.model_version_id = otherId
      required(first(json).state.artifacts.find(({ kind }) => kind === 'docx')).byte_size += 1
      first(json).state.artifacts = first(json).state.artifacts.filter(({ kind }) => kind !== 'pdf')
    })
    const other = signingKeyOf('b'.repeat(64)).publicKey
    const { problems, facts } = await checkProof(bytes, { run: nothingRuns, heads: [], key: other })
    expect([...new Set(problems.map((one) => one.replace(/ position \d+/, ' position #')))]).toEqual([
      'the file executions/2/output.json is missing',
      'the file params.json is there a second time, as params.json',
      'nothing proves the file more.txt',
      `the head at position # is signed with another key than ${other}`,
      `the record of the execution ${notice} tells of another`,
      `the execution ${notice} does not follow the one before it`,
      `the last execution is not ${letter}, which this should prove`,
      'the raw input is not the one that was recorded',
      'the params is not the one that was recorded',
      'the ingestion model is not the one that was recorded',
      'the ingestion model that the submission names is missing',
      `the docx of the execution ${letter} has not the recorded size`,
      'nothing proves the file executions/1/document.pdf',
      `the output of the execution ${notice} is not the one that was recorded`,
    ])
    expect(facts).toMatchObject({ execution: letter, remade: 0 })
  })

  test('is refused for a record that nobody sealed behind what is wrong with its files', async () => {
    const bytes = rewritten(proof, (json, files) => {
      files.set('more.txt', new Uint8Array([1]))
      second(json as unknown as Json).record.actor_id = otherId
    })
    expect(await problemsOf(bytes)).toEqual([
      'nothing proves the file more.txt',
      `the record of the execution ${store.notice} is not the one in the trail`,
    ])
  })

  test('may have no README, and says whom and what it is of', async () => {
    const bytes = forged((_json, files) => files.delete('README.txt'))
    const { problems, differences, facts } = await checkProof(bytes, here)
    expect([problems, differences]).toEqual([[], []])
    const { files } = JSON.parse(new TextDecoder().decode(filesOf(bytes).get('proof.json'))) as Json
    expect(facts).toMatchObject({
      ...{ execution: store.notice, status: 'completed', objectReference: 'BOB-7', keys: [key.publicKey] },
      files: files.length,
    })
    expect(facts?.remade).toBeGreaterThan(5)
  })
})

describe('a path', () => {
  const paths = async (change: (path: Json['paths'][number]) => void) => {
    const bytes = rewritten(proof, (json) => {
      signAnew(json, key)
      for (const path of (json as unknown as Json).paths) change(path)
    })
    return [...new Set((await problemsOf(bytes)).map((one) => one.replace(/\d+/g, '#')))]
  }

  test('that leads elsewhere is told from a head that nobody signed, and from none at all', async () => {
    expect(await paths((path) => path.links.push(path.links[0]))).toEqual([
      'the path from position # does not lead to its head',
    ])
    expect(await paths((path) => Object.assign(path, { previous_hash: otherHash }))).toEqual([
      'the path from position # does not lead to its head',
    ])
    expect(await paths(({ head }) => Object.assign(head, { signature: 'ab'.repeat(64) }))).toEqual([
      "the head at position # does not have its key's signature",
    ])
    expect(await paths((path) => Object.assign(path, { head: { nothing: true } }))).toEqual([
      'the path from position # leads to no head',
    ])
  })

  test('counts as signed by the key of its head, and by no other', async () => {
    const own = forged(() => {})
    expect(await problemsOf(own, { key: key.publicKey })).toEqual([])
    const other = signingKeyOf('b'.repeat(64)).publicKey
    const problems = await problemsOf(own, { key: other })
    expect(new Set(problems.map((one) => one.replace(/position \d+/, 'position #')))).toEqual(
      new Set([`the head at position # is signed with another key than ${other}`]),
    )
    const unsigned = rewritten(own, (json) => {
      for (const { head } of (json as unknown as Json).paths) head.signature = 'ab'.repeat(64)
    })
    expect((await checkProof(unsigned, here)).facts).toMatchObject({ keys: [], remade: 0 })
  })

  test('has to end at a head that was kept, with its hash and its key', async () => {
    const { paths: given } = JSON.parse(new TextDecoder().decode(filesOf(forged(() => {})).get('proof.json'))) as Json
    const heads = given.map(({ head }) => {
      const read = readHeads(JSON.stringify(head))
      return read.ok ? required(read.value[0]) : expect.unreachable()
    })
    expect(
      await problemsOf(
        forged(() => {}),
        { heads },
      ),
    ).toEqual([])
    const at = heads.map(({ position }) => `the head at position ${position} is not the one that was kept`)
    const changed = (change: Partial<AuditHeadRow>) => heads.map((head) => ({ ...head, ...change }))
    expect(
      await problemsOf(
        forged(() => {}),
        { heads: changed({ hash: otherHash }) },
      ),
    ).toEqual(at)
    expect(
      await problemsOf(
        forged(() => {}),
        { heads: changed({ publicKey: otherHash }) },
      ),
    ).toEqual(at)
    const elsewhere = heads.map((head) => ({ ...head, position: head.position + 1_000 }))
    expect(
      await problemsOf(
        forged(() => {}),
        { heads: elsewhere },
      ),
    ).toEqual(heads.map(({ position }) => expect.stringContaining(`no kept head is at position ${position};`)))
  })
})

/** What the letter's template includes, as its proof lists it. */
function includedIn(listed: Json['files'], files: ReturnType<typeof filesOf>) {
  return listed.flatMap(({ role, slug = '', sha256: hash, name }) =>
    role === 'fragment' ? [{ slug, hash, content: required(files.get(name)) }] : [],
  )
}

describe('what is made again', () => {
  test('is every execution of the lineage, and differences name what comes out otherwise', async () => {
    const jobs: StepJob[] = []
    const { differences, facts } = await checkProof(proof, {
      ...here,
      run: (job) => {
        jobs.push(job)
        return here.run(job)
      },
    })
    expect([differences, facts?.remade === undefined]).toEqual([[], false])
    expect(jobs.flatMap(({ steps }) => steps).filter((step) => step === 'transform.declarative')).toHaveLength(2)
    // Engines get what is in the zip, by the rules that it was frozen under, texts as texts.
    const files = filesOf(proof)
    const { files: listed } = JSON.parse(new TextDecoder().decode(files.get('proof.json'))) as Json
    for (const [role, source] of jobs.flatMap(({ sources }) => Object.entries(sources))) {
      const file = required(listed.find(({ sha256, role: other }) => sha256 === source.hash && other === role))
      const bytes = required(files.get(file.name))
      expect(source).toStrictEqual({
        ...{ hash: file.sha256, format: file.format as Source['format'] },
        content: role === 'template' ? bytes : new TextDecoder().decode(bytes),
        ...(file.reading === undefined ? {} : { reading: file.reading as Reading }),
        ...(role === 'template' ? { fragments: includedIn(listed, files) } : {}),
      })
    }
    const text = (name: string) => new TextDecoder().decode(files.get(name))
    const transforms = jobs.filter(({ steps }) => steps.includes('transform.declarative'))
    expect(transforms.map(({ input, params }) => [input, params])).toEqual([
      [text('raw-input.json'), text('params.json')],
      [text('executions/1/output.json'), text('params.json')],
    ])
    for (const { rawInput } of jobs.filter(({ steps }) => steps.includes('validate')))
      expect(rawInput).toBe(text('raw-input.json'))
    const failing = await checkProof(proof, { heads: [], run: () => Promise.reject(new Error('no engine')) })
    expect([failing.problems, failing.differences, failing.facts?.remade]).toEqual([
      [],
      ['it can not be made again: no engine'],
      0,
    ])
  })

  test('is made step by step in the order of their positions, whatever the order of their rows', async () => {
    const orders = await Promise.all(
      [0, 1, 2, 3].map(async (turn) => {
        const steps: string[] = []
        const bytes = forged((json) => {
          const { state } = first(json)
          state.steps = [...state.steps.slice(turn), ...state.steps.slice(0, turn)]
          if (turn === 3) state.steps.reverse()
        })
        const { problems, differences } = await checkProof(bytes, {
          ...here,
          run: (job) => {
            steps.push(...job.steps)
            return here.run(job)
          },
        })
        expect([problems, differences]).toEqual([[], []])
        return steps
      }),
    )
    for (const order of orders) expect(order).toEqual(required(orders[0]))
    expect(orders[0]?.slice(0, 4)).toEqual(['validate', 'transform.declarative', 'compose', 'render'])
  })
})
