/**
 * Generated cases beside json-schema-faker: for how many schemas each finds a valid payload, and how much of a schema ten seeds
 * cover. Both get the same schemas and seeds 0 to 9; Quire's validator judges both.
 * QUIRE_JSON_SCHEMA_SUITE names a checkout of the official suite, QUIRE_REAL_SCHEMAS a folder of published schemas.
 * Run: QUIRE_JSON_SCHEMA_SUITE=… QUIRE_REAL_SCHEMAS=… bun bench/cases.bench.ts
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { generateSync } from 'json-schema-faker'
import { isJsonObject, type JsonValue, readJson } from '../src/core/json.ts'
import { type CaseKind, generateCase } from '../src/engines/schema/cases.ts'
import { convertContract } from '../src/engines/schema/convert/convert.ts'
import { appliedSchemas } from '../src/engines/schema/generate/applied.ts'
import type { SchemaNode } from '../src/engines/schema/model.ts'
import { type CompiledSchema, compileSchemaValue, isValidPayload } from '../src/engines/schema/schema.ts'
import { type Bar, type BarPanel, keepResults, rounded } from './results.ts'

const seeds = Array.from({ length: 10 }, (_, index) => index)
/** The peer has no limit of its own; beyond this time it counts as unanswered. */
const peerMs = 5_000
const coverageSteps = 20_000_000

interface Subject {
  name: string
  schema: JsonValue
  compiled: CompiledSchema
}

function filesIn(folder: string): string[] {
  const found: string[] = []
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) found.push(...filesIn(path))
    else if (name.endsWith('.json')) found.push(path)
  }
  return found
}

/** Every schema of the required tests that accepts one of its instances. */
function suiteSubjects(folder: string): Subject[] {
  const documents = new Map<string, JsonValue>()
  const remotes = join(folder, 'remotes')
  for (const path of filesIn(remotes)) {
    const name = relative(remotes, path)
    if (/(^|\/)(draft[3467]|draft2019-09|v1)\//.test(name)) continue
    documents.set(`http://localhost:1234/${name}`, JSON.parse(readFileSync(path, 'utf8')))
  }
  const subjects: Subject[] = []
  const directory = join(folder, 'tests', 'draft2020-12')
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith('.json')) continue
    const groups = JSON.parse(readFileSync(join(directory, file), 'utf8')) as {
      description: string
      schema: JsonValue
      tests: { valid: boolean }[]
    }[]
    for (const { description, schema, tests } of groups) {
      if (!tests.some(({ valid }) => valid)) continue
      const compiled = compileSchemaValue(schema, { documents, assertFormats: false })
      if (compiled.ok) subjects.push({ name: `${file}: ${description}`, schema, compiled: compiled.value })
    }
  }
  return subjects
}

/** Published schemas, converted to 2020-12 as `quire check --fix` does; those that then compile are used. */
function realSubjects(folder: string): { subjects: Subject[]; refused: number } {
  const subjects: Subject[] = []
  let refused = 0
  for (const path of filesIn(folder)) {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    const made = convertContract(text)
    const schema = readJson(made.kind === 'older' ? made.conversion.text : text)
    const compiled = schema.ok && made.kind !== 'refused' ? compileSchemaValue(schema.value) : undefined
    if (schema.ok && compiled?.ok)
      subjects.push({ name: relative(folder, path), schema: schema.value, compiled: compiled.value })
    else refused++
  }
  return { subjects, refused }
}

/** The reachable schemas of declared properties and items, over which coverage is counted. */
function declaredMembers(compiled: CompiledSchema): Set<SchemaNode> {
  const declared = new Set<SchemaNode>()
  const reached = new Set<SchemaNode>([compiled.model.root])
  for (const node of reached) {
    const members = [
      ...(node.properties?.values() ?? []),
      ...(node.prefixItems ?? []),
      ...(node.items ? [node.items] : []),
    ]
    for (const member of members) {
      if (member.always === false) continue
      declared.add(member)
      reached.add(member)
    }
    for (const part of [
      node.ref,
      node.dynamicRef?.target,
      ...(node.allOf ?? []),
      ...(node.anyOf ?? []),
      ...(node.oneOf ?? []),
      node.whenTrue,
      node.whenFalse,
      node.additionalProperties,
      node.contains,
      node.unevaluatedProperties,
      node.unevaluatedItems,
      ...(node.dependentSchemas?.values() ?? []),
      ...(node.patternProperties?.map(({ schema }) => schema) ?? []),
    ]) {
      if (part !== undefined) reached.add(part)
    }
  }
  return declared
}

function cover(compiled: CompiledSchema, payload: JsonValue, covered: Set<SchemaNode>): void {
  for (const { value, nodes } of appliedSchemas(compiled.model, payload, coverageSteps)) {
    for (const node of nodes) {
      if (Array.isArray(value)) {
        const listed = node.prefixItems?.length ?? 0
        for (const item of node.prefixItems?.slice(0, value.length) ?? []) covered.add(item)
        if (node.items !== undefined && value.length > listed) covered.add(node.items)
      } else if (isJsonObject(value)) {
        for (const [name, member] of node.properties ?? []) if (Object.hasOwn(value, name)) covered.add(member)
      }
    }
  }
}

type Propose = (subject: Subject, seed: number) => JsonValue | undefined | Promise<JsonValue | undefined>

interface Rates {
  some: number
  all: number
  coverage: number
  ms: number
  slowestMs: number
  failed: string[]
}

async function rate(subjects: readonly Subject[], propose: Propose): Promise<Rates> {
  const rates: Rates = { some: 0, all: 0, coverage: 0, ms: 0, slowestMs: 0, failed: [] }
  let withMembers = 0
  for (const subject of subjects) {
    const declared = declaredMembers(subject.compiled)
    const covered = new Set<SchemaNode>()
    let valid = 0
    for (const seed of seeds) {
      const start = performance.now()
      const payload = await propose(subject, seed)
      const took = performance.now() - start
      rates.ms += took
      rates.slowestMs = Math.max(rates.slowestMs, took)
      if (payload === undefined || !isValidPayload(subject.compiled, payload)) continue
      valid++
      if (declared.size > 0) cover(subject.compiled, payload, covered)
    }
    if (valid > 0) rates.some++
    if (valid === seeds.length) rates.all++
    else rates.failed.push(`${subject.name} (${valid} of ${seeds.length})`)
    if (declared.size === 0) continue
    withMembers++
    let count = 0
    for (const member of declared) if (covered.has(member)) count++
    rates.coverage += count / declared.size
  }
  rates.coverage /= Math.max(1, withMembers)
  rates.ms /= subjects.length * seeds.length
  return rates
}

/** The share of schemas for which a kind of case is found with the first seed, and with any of ten. */
function rateKind(subjects: readonly Subject[], kind: CaseKind): { first: number; some: number; failed: string[] } {
  let first = 0
  let some = 0
  const failed: string[] = []
  for (const subject of subjects) {
    const answered = seeds.map((seed) => generateCase(subject.compiled, { kind, seed }).ok)
    if (answered[0] === true) first++
    if (answered.includes(true)) some++
    else failed.push(subject.name)
  }
  return { first, some, failed }
}

function proposeOurs(subject: Subject, seed: number): JsonValue | undefined {
  const made = generateCase(subject.compiled, { kind: 'valid', seed })
  return made.ok ? made.value.payload : undefined
}

/** The peer in a worker of its own, because some schemas keep it busy for ever. */
class Peer {
  private worker: Worker | undefined

  async propose(subject: Subject, seed: number): Promise<JsonValue | undefined> {
    this.worker ??= new Worker(import.meta.path)
    const { worker } = this
    const answer = new Promise<{ payload?: JsonValue }>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = () => resolve({})
    })
    worker.postMessage({ schema: subject.schema, seed })
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), peerMs).unref())
    const made = await Promise.race([answer, late])
    if (made === undefined) {
      worker.terminate()
      this.worker = undefined
    }
    return made?.payload
  }

  close(): void {
    this.worker?.terminate()
  }
}

function percent(count: number, total: number): string {
  return `${((100 * count) / Math.max(1, total)).toFixed(1)} %`.padStart(8)
}

/** For the chart: a share in per cent, and whose it is. */
function share(label: string, count: number, total: number): Bar {
  return { label, value: rounded((100 * count) / Math.max(1, total)), isOwn: label === 'Quire' }
}

function print(name: string, rates: Rates, total: number): void {
  const times = `${rates.ms.toFixed(1)} ms mean, ${rates.slowestMs.toFixed(0)} ms slowest`
  console.log(
    `${name.padEnd(20)} some seed ${percent(rates.some, total)}   all of ten ${percent(rates.all, total)}   coverage ${percent(rates.coverage, 1)}   ${times}`,
  )
}

async function main(): Promise<void> {
  const { QUIRE_JSON_SCHEMA_SUITE: suite, QUIRE_REAL_SCHEMAS: real } = process.env
  const isVerbose = process.argv.includes('--failed')
  const withPeer = !process.argv.includes('--alone')
  const sets: { title: string; subjects: Subject[] }[] = []
  if (suite !== undefined) sets.push({ title: 'satisfiable schemas of the suite', subjects: suiteSubjects(suite) })
  if (real !== undefined) {
    const { subjects, refused } = realSubjects(real)
    sets.push({ title: `published schemas (${refused} more do not compile as 2020-12)`, subjects })
  }
  if (sets.length === 0)
    console.log('Neither QUIRE_JSON_SCHEMA_SUITE nor QUIRE_REAL_SCHEMAS is set; nothing to measure.')
  const panels: BarPanel[] = []
  for (const { title, subjects } of sets) {
    console.log(`\n${subjects.length} ${title}`)
    const ours = await rate(subjects, proposeOurs)
    const found = [share('Quire', ours.all, subjects.length)]
    const covered = [share('Quire', ours.coverage, 1)]
    print('quire', ours, subjects.length)
    if (isVerbose) for (const name of ours.failed) console.log(`  ${name}`)
    if (withPeer) {
      const peer = new Peer()
      const theirs = await rate(subjects, (subject, seed) => peer.propose(subject, seed))
      print('json-schema-faker', theirs, subjects.length)
      found.push(share('json-schema-faker', theirs.all, subjects.length))
      covered.push(share('json-schema-faker', theirs.coverage, 1))
      peer.close()
    }
    panels.push({ title: `${subjects.length} ${title}`, unit: '%', most: 100, bars: found })
    panels.push({ title: 'Declared paths of these that the cases cover', unit: '%', most: 100, bars: covered })
    for (const kind of ['boundary', 'invalid'] as const) {
      const { first, some, failed } = rateKind(subjects, kind)
      const total = subjects.length
      console.log(`${kind.padEnd(20)} seed 0    ${percent(first, total)}   some seed  ${percent(some, total)}`)
      if (isVerbose) for (const name of failed) console.log(`  ${name}`)
    }
  }
  await keepResults('cases', {
    title: 'Finding a valid case for a schema',
    method: 'A payload that satisfies its own schema, for every one of ten seeds',
    command: 'bun bench/cases.bench.ts --keep',
    panels,
  })
}

if (Bun.isMainThread) await main()
else {
  self.onmessage = ({ data: { schema, seed } }: MessageEvent<{ schema: JsonValue; seed: number }>) => {
    try {
      postMessage({ payload: generateSync(schema as never, { seed } as never) as JsonValue })
    } catch {
      postMessage({})
    }
  }
}
