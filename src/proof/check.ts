import { canonicalHash } from '../core/canonical.ts'
import { type FileFormat, fileFormatNames, isFileFormat } from '../core/formats.ts'
import { sha256Hex } from '../core/hash.ts'
import { parseInstant } from '../core/instant.ts'
import { type JsonObject, type JsonValue, readJson } from '../core/json.ts'
import { newestReading, type Reading } from '../core/reading.ts'
import { type RetainedPart, retainedParts } from '../core/retained-parts.ts'
import type { StepName } from '../core/steps.ts'
import type { RetentionRule } from '../db/schema.ts'
import { compileIngestionModel } from '../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../engines/ingestion/input-format.ts'
import { readZip, type ZipArchive } from '../engines/ooxml/zip.ts'
import { checkShape } from '../http/shape.ts'
import { isGenuine, readHead, signedHead } from '../modules/audit/audit.heads.ts'
import { linkOf } from '../modules/audit/audit.service.ts'
import type { AuditHeadRow } from '../modules/audit/audit.store.ts'
import { type Recorded, type RunSteps, reproduce } from '../modules/executions/reproduction.service.ts'
import { releaseHashOf } from '../modules/releases/releases.service.ts'
import type { FragmentSource } from '../runner/job.ts'
import type { MadeSoFar } from '../runner/job-for.ts'
import {
  entryNameOf,
  type Proof,
  type ProofFile,
  partlyFormat,
  proofEntry,
  proofSchema,
  retentionRule,
} from './format.ts'

/** What a proof is compared with, besides itself. */
export interface Against {
  /** Runs the engines of this build. */
  run: RunSteps
  /** Heads that were kept: each path has to end at one of them. None leaves that out. */
  heads: readonly AuditHeadRow[]
  /** The public key that has to have signed, hexadecimal. */
  key?: string
}

export interface CheckedProof {
  /** Sentences without a full stop; none if everything in the zip is as the signed heads say. */
  problems: string[]
  /** What this build makes otherwise; none if it makes the same bytes. */
  differences: string[]
  facts: ProofFacts | undefined
}

export interface ProofFacts {
  execution: string
  status: string
  objectReference: string
  submittedAt: string
  /** The build that made the proof. */
  madeBy: { product_version: string; engine_revision: string }
  /** Ids of the keys that signed. */
  keys: string[]
  files: number
  /** Hashes that were computed again by running the engines. */
  remade: number
  /** Steps that can't be run again, because what they read was removed. */
  notRemade: { execution: string; step: StepName }[]
  /** What policies have removed, in the order of the trail. */
  removed: RemovedFromProof[]
}

export interface RemovedFromProof {
  part: RetainedPart
  /** As the database has it. */
  removedAt: string
  rule: RetentionRule
  /** The hashes that stay of it. */
  hashes: string[]
}

/**
 * Checks a proof by itself, without any network access: files have the hashes that states name, states are those that the
 * records cover, records lead to signed heads, and the engines make the same files again.
 */
export async function checkProof(bytes: Uint8Array, against: Against): Promise<CheckedProof> {
  const problems: string[] = []
  const opened = open(bytes, problems)
  if (opened === undefined) return { problems, differences: [], facts: undefined }
  const { proof, files } = opened
  const keys = checkPaths(proof, against, problems)
  checkStates(proof, problems)
  const removed = checkRemovals(proof, problems)
  const gone = new Set(removed.map(({ part }) => part))
  checkPins(proof, files, gone, problems)
  // Whoever altered a file gets told that, not that the altered one makes another document.
  const made = problems.length > 0 ? nothingMade([]) : await tryAgain(proof, files, against.run)
  const { submission, executions } = proof
  const facts = {
    execution: proof.execution,
    status: executions.at(-1)?.state.execution.status ?? '',
    objectReference: submission.state.submission.object_reference,
    submittedAt: submission.state.submission.created_at,
    madeBy: proof.made_by,
    keys,
    files: proof.files.length,
    ...{ remade: made.remade, notRemade: made.notRemade, removed },
  }
  return { problems, differences: made.differences, facts }
}

/** Files by role and, for those of an execution, by its id. */
type Files = ReadonlyMap<string, ProofFile & { bytes: Uint8Array }>

const fileKey = (role: string, execution = '', slug = ''): string => `${role} ${execution} ${slug}`

function open(bytes: Uint8Array, problems: string[]): { proof: Proof; files: Files } | undefined {
  const zip = readZip(bytes)
  if (!zip.ok) {
    problems.push(...zip.findings.map(({ message }) => withoutStop(message)))
    return undefined
  }
  const text = zip.value.names.includes(proofEntry) ? entryOf(zip.value, proofEntry, problems) : undefined
  if (text === undefined) {
    problems.push(`it has no ${proofEntry}, so it is no proof`)
    return undefined
  }
  const read = readJson(text)
  const findings = read.ok ? checkShape(proofSchema, read.value, 'proof') : read.findings
  if (!read.ok || findings.length > 0) {
    for (const { message } of findings) problems.push(`${proofEntry}: ${withoutStop(message)}`)
    return undefined
  }
  const proof = shaped(read.value)
  if ((proof.format === partlyFormat) !== (proof.removals !== undefined)) {
    problems.push(`${proofEntry}: removals are in proofs of the format ${partlyFormat}, and only there`)
    return undefined
  }
  const files = new Map<string, ProofFile & { bytes: Uint8Array }>()
  const executions = proof.executions.map(({ state }) => state.execution.id)
  for (const file of proof.files) {
    if (file.name !== entryNameOf(file, executions)) {
      problems.push(`nothing proves that the file ${file.name} is what its name says`)
      continue
    }
    const content = entryOf(zip.value, file.name, problems)
    if (content === undefined) continue
    if (sha256Hex(content) !== file.sha256) problems.push(`the file ${file.name} is not what ${proofEntry} names`)
    const key = fileKey(file.role, file.execution, file.slug)
    if (files.has(key)) problems.push(`the file ${file.name} is there a second time, as ${files.get(key)?.name}`)
    files.set(key, { ...file, bytes: content })
  }
  const named = new Set([proofEntry, 'README.txt', ...proof.files.map(({ name }) => name)])
  for (const name of [...zip.value.names, ...zip.value.fullFolders])
    if (!named.has(name)) problems.push(`nothing proves the file ${name}`)
  return { proof, files }
}

/** The schema was checked just before; TypeBox's static type says what that means. */
function shaped(value: JsonValue): Proof {
  return value as unknown as Proof
}

function entryOf(zip: ZipArchive, name: string, problems: string[]): Uint8Array | undefined {
  const data = zip.names.includes(name) ? zip.read(name) : undefined
  if (data?.ok) return data.value
  problems.push(data === undefined ? `the file ${name} is missing` : `the file ${name} can not be read`)
  return undefined
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

/** Computes every path up to its head. @returns the public keys that signed the heads */
function checkPaths({ paths }: Proof, { heads, key }: Against, problems: string[]): string[] {
  const keys = new Set<string>()
  for (const { from, previous_hash: start, links, head: given } of paths) {
    const name = `the path from position ${from}`
    const head = readHead(given as JsonValue)
    // A member that the signature is not made over would look signed to whoever reads it.
    if (head === undefined || canonicalHash(given as JsonObject) !== canonicalHash(signedHead(head))) {
      problems.push(`${name} leads to no head`)
      continue
    }
    const end = links.reduce(
      (previous, [contentHash, digest], index) => linkOf({ contentHash, digest }, from + index, previous),
      start,
    )
    if (head.position !== from + links.length - 1 || head.hash !== end)
      problems.push(`${name} does not lead to its head`)
    if (!isGenuine(head)) problems.push(`the head at position ${head.position} does not have its key's signature`)
    else keys.add(head.publicKey)
    if (key !== undefined && head.publicKey !== key) {
      problems.push(`the head at position ${head.position} is signed with another key than ${key}`)
    }
    const kept = heads.find(({ position }) => position === head.position)
    if (heads.length > 0 && kept === undefined) {
      problems.push(`no kept head is at position ${head.position}; let the proof be made with --head and these heads`)
    } else if (kept !== undefined && (kept.hash !== head.hash || kept.publicKey !== head.publicKey)) {
      problems.push(`the head at position ${head.position} is not the one that was kept`)
    }
  }
  return [...keys]
}

/** Each state is the one whose digest its record's link has, and they belong together. */
function checkStates(proof: Proof, problems: string[]): void {
  const { paths, submission, executions, model, removals = [], execution } = proof
  const about = [
    { kind: 'submission', id: submission.state.submission.id, ...submission },
    ...executions.map((one) => ({ kind: 'execution', id: one.state.execution.id, ...one })),
    ...(model === undefined ? [] : [{ id: model.record.resource_id, ...model }]),
    ...removals.map((one) => ({ kind: 'erasure', id: one.state.erasure.id, ...one })),
  ]
  for (const { kind, id, record, position, path, state } of about) {
    const name = `the ${kind} ${id}`
    const along = paths[path]
    const [contentHash, digest] = along?.links[position - along.from] ?? []
    if (contentHash !== canonicalHash(record as JsonObject))
      problems.push(`the record of ${name} is not the one in the trail`)
    const covered = kind === 'execution' ? (digestLeft(proof, id, position) ?? digest) : digest
    if (covered !== canonicalHash(state as JsonObject))
      problems.push(`${name} is not in the state that the trail covers`)
    if (record.resource_kind !== kind || record.resource_id !== id)
      problems.push(`the record of ${name} tells of another`)
  }
  if (parseInstant(submission.state.submission.created_at) === undefined) {
    problems.push('the submission does not say when it was made')
  }
  const { executions: planned } = submission.state
  let parent: string | null = null
  for (const { state } of executions) {
    const { id } = state.execution
    const plan = planned.find((one) => one.id === id)
    if (plan === undefined) problems.push(`the execution ${id} is not of this submission`)
    else if (plan.parent_execution_id !== parent) problems.push(`the execution ${id} does not follow the one before it`)
    parent = id
  }
  if (parent !== execution) problems.push(`the last execution is not ${execution}, which this should prove`)
}

/** The digest left by the last removal after the execution's end; undefined if none has changed its state. */
function digestLeft({ removals = [] }: Proof, execution: string, endedAt: number): string | undefined {
  const later = removals
    .filter(({ position }) => position > endedAt)
    .sort((one, other) => other.position - one.position)
  const left = later.flatMap(({ state }) =>
    state.items.filter(({ kind, item_id: id }) => kind === 'execution_state' && id === execution),
  )
  return left[0]?.content_hash ?? undefined
}

/** Each removal took a part of this submission, under a rule. */
function checkRemovals({ submission, executions, removals = [] }: Proof, problems: string[]): RemovedFromProof[] {
  const { id, raw_input_hash: rawInput, params_hash: params } = submission.state.submission
  const hashesOf = (part: RetainedPart): string[] => {
    if (part === 'raw_input') return [rawInput, ...(params === null ? [] : [params])]
    if (part === 'output') return executions.flatMap(({ state }) => state.execution.output_hash ?? [])
    if (part === 'artifacts') return executions.flatMap(({ state }) => state.artifacts.map((one) => one.content_hash))
    return []
  }
  return removals.flatMap(({ record, state: { erasure, items } }) => {
    const part = retainedParts.find((one) => items.some(({ kind, item_id: item }) => kind === one && item === id))
    const rule = readJson(erasure.rule)
    const isRule = rule.ok && checkShape(retentionRule, rule.value, 'proof').length === 0
    if (parseInstant(erasure.erased_at) === undefined) {
      problems.push(`the removal ${erasure.id} does not say when it was`)
      return []
    }
    if (part === undefined || !isRule || record.action !== 'retention.removed') {
      problems.push(`the removal ${erasure.id} took no part of this submission under a policy`)
      return []
    }
    const { part: ofRule, ...rest } = rule.value as unknown as RetentionRule
    if (ofRule !== part) problems.push(`the removal ${erasure.id} took another part than its rule names`)
    return [{ part, removedAt: erasure.erased_at, rule: rest, hashes: hashesOf(part) }]
  })
}

/** What the template of an execution includes, by slug in order. */
function fragmentsOf(files: Files, execution: string): FragmentSource[] {
  return [...files.values()]
    .flatMap(({ role, execution: own, slug, sha256: hash, bytes: content }) =>
      role === 'fragment' && own === execution && slug !== undefined ? [{ slug, hash, content }] : [],
    )
    .sort((one, other) => (one.slug < other.slug ? -1 : 1))
}

/** Checks that every file has the hash that a state names, and that each execution's input is the output of the one before. */
function checkPins(
  { submission, executions, model }: Proof,
  files: Files,
  gone: ReadonlySet<RetainedPart>,
  problems: string[],
): void {
  const { submission: handedIn, executions: planned } = submission.state
  const hashOf = (role: string, execution?: string) => files.get(fileKey(role, execution))?.sha256
  const expect = (what: string, recorded: string | null | undefined, found: string | undefined, of?: RetainedPart) => {
    // What a policy has removed is not available, and its hash is what is proved.
    if (found === undefined && of !== undefined && gone.has(of)) return
    if ((recorded ?? undefined) !== found) problems.push(`${what} is not the one that was recorded`)
  }
  expect('the raw input', handedIn.raw_input_hash, hashOf('raw_input'), 'raw_input')
  expect('the params', handedIn.params_hash, hashOf('params'), 'raw_input')
  const version = model?.state.versions.find(({ id }) => id === handedIn.model_version_id)
  expect('the ingestion model', version?.content_hash, hashOf('model'))
  if (handedIn.model_version_id !== null && version === undefined) {
    problems.push('the ingestion model that the submission names is missing')
  }
  for (const [index, { state }] of executions.entries()) {
    const { execution, artifacts } = state
    const of = `of the execution ${execution.id}`
    const pin = (role: string) => ({ id: '', contentHash: hashOf(role, execution.id) ?? '' })
    const template = hashOf('template', execution.id) === undefined ? undefined : pin('template')
    const fragments = fragmentsOf(files, execution.id).map(({ slug, hash }) => ({
      slug,
      versionId: '',
      contentHash: hash,
    }))
    const release = releaseHashOf({ contract: pin('contract'), transformer: pin('transformer'), template, fragments })
    expect(`the configuration ${of}`, planned.find(({ id }) => id === execution.id)?.release_hash, release)
    expect(`the output ${of}`, execution.output_hash, hashOf('output', execution.id), 'output')
    const before = executions[index - 1]?.state.execution
    if (before !== undefined) expect(`the input ${of}`, execution.input_hash, before.output_hash ?? undefined)
    for (const { kind, content_hash: recorded, byte_size: size } of artifacts) {
      const made = files.get(fileKey(kind, execution.id))
      expect(`the ${kind} ${of}`, recorded, made?.sha256, 'artifacts')
      if (made !== undefined && made.bytes.length !== size) problems.push(`the ${kind} ${of} has not the recorded size`)
    }
    const kinds = new Set(artifacts.map(({ kind }) => kind))
    for (const { role, name, execution: own } of files.values()) {
      if (own === execution.id && isFileFormat(role) && !kinds.has(role))
        problems.push(`nothing proves the file ${name}`)
    }
  }
}

type Made = Pick<ProofFacts, 'remade' | 'notRemade'> & Pick<CheckedProof, 'differences'>

const nothingMade = (differences: string[]): Made => ({ remade: 0, notRemade: [], differences })

/** Whoever has a key can sign states that no engine can have made; report them like any other difference. */
async function tryAgain(proof: Proof, files: Files, run: RunSteps): Promise<Made> {
  try {
    return await makeAgain(proof, files, run)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return nothingMade([`it can not be made again: ${why}`])
  }
}

/** What the model of a proof says that its inputs are written in. */
function inputFormatOf(model: (ProofFile & { bytes: Uint8Array }) | undefined): InputFormat | undefined {
  if (model === undefined) return undefined
  const format = model.format === 'json' ? 'json' : 'yaml'
  const reading = (model.reading ?? newestReading) as Reading
  const compiled = compileIngestionModel(new TextDecoder().decode(model.bytes), format, reading)
  return compiled.ok ? compiled.value.input : undefined
}

/** Runs every execution again with the engines of this build, as far as the inputs of its steps are present. */
async function makeAgain(proof: Proof, files: Files, run: RunSteps): Promise<Made> {
  const differences: string[] = []
  const notRemade: Made['notRemade'] = []
  let remade = 0
  const textOf = (role: string, execution?: string) => {
    const bytes = files.get(fileKey(role, execution))?.bytes
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
  }
  const rawInput = textOf('raw_input')
  const inputFormat = inputFormatOf(files.get(fileKey('model')))
  const { submission, executions: planned } = proof.submission.state
  for (const [index, { state }] of proof.executions.entries()) {
    const { execution, steps, artifacts } = state
    const sourceOf = (role: 'contract' | 'transformer' | 'template') => {
      const file = files.get(fileKey(role, execution.id))
      if (file === undefined) return undefined
      const { sha256: hash, format = 'json', bytes, reading } = file
      const content = role === 'template' ? bytes : new TextDecoder().decode(bytes)
      return { hash, format, content, ...(reading === undefined ? {} : { reading: reading as Reading }) }
    }
    const [contract, transformer, template] = [sourceOf('contract'), sourceOf('transformer'), sourceOf('template')]
    if (contract === undefined || transformer === undefined) continue
    const parent = proof.executions[index - 1]?.state.execution.id
    const input = parent === undefined ? rawInput : textOf('output', parent)
    const { checks, skipped } = await reproduce(
      run,
      {
        rawInputHash: submission.raw_input_hash,
        inputHash: execution.input_hash,
        paramsHash: submission.params_hash,
        releaseHash: planned.find(({ id }) => id === execution.id)?.release_hash ?? '',
        outputHash: execution.output_hash,
        steps: recordedSteps(steps),
        artifacts: artifacts.flatMap(({ kind, content_hash: contentHash }) =>
          isFileFormat(kind) ? [{ kind, contentHash }] : [],
        ),
      },
      { rawInput, inputFormat, input, params: textOf('params'), readsParent: parent !== undefined },
      {
        contract,
        transformer,
        ...(template === undefined ? {} : { template: { ...template, fragments: fragmentsOf(files, execution.id) } }),
      },
      keptOf(files, execution.id),
    )
    notRemade.push(...skipped.map((step) => ({ execution: execution.id, step })))
    remade += checks.length
    for (const { subject, identical } of checks) {
      if (!identical) differences.push(`the ${subject} of the execution ${execution.id} comes out otherwise`)
    }
  }
  return { remade, notRemade, differences }
}

/** What an execution has made, as far as it is in the proof. */
function keptOf(files: Files, execution: string): MadeSoFar {
  const output = files.get(fileKey('output', execution))?.bytes
  const made = fileFormatNames.flatMap((format): [FileFormat, Uint8Array][] => {
    const file = files.get(fileKey(format, execution))
    return file === undefined ? [] : [[format, file.bytes]]
  })
  return { files: new Map(made), ...(output === undefined ? {} : { output: new TextDecoder().decode(output) }) }
}

/** Steps as their rows were; what holds JSON is text in a state. */
function recordedSteps(steps: Proof['executions'][number]['state']['steps']): Recorded['steps'] {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return steps
    .toSorted((one, other) => one.position - other.position)
    .map(({ name, status, summary, failure }) => {
      return { name, status, summary: parsed(summary), failure: parsed(failure) } as Recorded['steps'][number]
    })
}
