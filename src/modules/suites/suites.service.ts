/** Suites: each ingestion model's cases with their expectations, run against drafts or what is in force. */
import type { Actor } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { addMs, formatInstant, hourMs, type Instant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { casePathOf, datedNameOf, expectedFiles, expectedPageOf, inputEndsFor } from '../../core/project-layout.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import type { Reach } from '../../http/reach.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { mustFindHead } from '../configuration/refusals.service.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { type FamilyHead, familiesPage, findFamily } from '../families/families.reads.ts'
import { holdCaseFiles, writeCaseFiles } from './case-files.service.ts'
import {
  casesAsFiles,
  casesOfSuite,
  expectedFolderOf,
  paramsPathOf,
  readCase,
  type SuiteCase,
  stemOf,
} from './suites.cases.ts'
import { reachesContract, type SuiteChain, suiteChain, type WantedParts } from './suites.chain.ts'
import type {
  Acceptance,
  Accepted,
  NewCase,
  NewSuitePolicy,
  Suite,
  SuiteCaseRead,
  SuiteFailure,
  SuiteItem,
  SuitePolicy,
  SuiteRun,
  SuiteRunRequest,
} from './suites.model.ts'
import {
  type CaseFileHead,
  findSuitePolicy,
  listModelFiles,
  listSuitePolicies,
  type SuitePolicyRow,
} from './suites.reads.ts'
import type { RanCase, SuiteRunner } from './suites.runner.ts'
import { putSuitePolicy, removeSuitePolicy } from './suites.store.ts'
import { type UsedFamily, usedFamily, uses } from './suites.uses.ts'

export type SuiteService = ReturnType<typeof createSuiteService>

export interface SuitePorts {
  database: Database
  clock: Clock
  judge: Judge
  runner: SuiteRunner
}

export function createSuiteService({ database, clock, judge, runner }: SuitePorts) {
  const chainOf = (family: FamilyHead, wanted: WantedParts) =>
    suiteChain(
      { connection: database.read, judge, verdict: (question) => judgeContent(judge, question), at: clock.now() },
      family,
      wanted,
    )

  /** The chain that the cases run through, and the cases; or the issues that leave no chain to run. */
  async function openSuite(family: FamilyHead, request: Pick<SuiteRunRequest, 'state' | 'versions' | 'contract'>) {
    const { state = 'drafts', versions, contract } = request
    const chain = await chainOf(family, { state, versions, contract })
    if (!chain.ok) return chain
    const cases = await casesIn(database.read, family, chain.value, clock.now())
    // The listed cases may be those of another version of the contract.
    const names = new Set(cases.map(({ name }) => name))
    const others = (await listedCases(family)).filter(({ name }) => !names.has(name))
    return { ok: true as const, chain: chain.value, cases: [...cases, ...others] }
  }

  /** The cases for a list: including those of the contract that the draft names, or else the model in force. */
  async function listedCases(family: FamilyHead, reach?: Reach): Promise<SuiteCase[]> {
    const chain = await listedChain(family)
    if (chain !== undefined) return reachedCases(await casesIn(database.read, family, chain, clock.now()), chain, reach)
    return casesAsFiles(await listModelFiles(database.read, family.slug), clock.now())
  }

  async function usesNow(modelId: string, used: UsedFamily, at: Instant): Promise<boolean> {
    const model = await findFamily(database.read, 'ingestion_model', modelId)
    return model !== undefined && (await uses({ connection: database.read, judge, at }, model, used))
  }

  async function listedChain(family: FamilyHead): Promise<SuiteChain | undefined> {
    for (const state of ['drafts', 'in_force'] as const) {
      const chain = await chainOf(family, { state })
      if (chain.ok) return chain.value
    }
    return undefined
  }

  async function mustFindCase(family: FamilyHead, name: string, reach: Reach): Promise<SuiteCase> {
    const found = (await listedCases(family, reach)).find((each) => each.name === name)
    if (found === undefined) throw noCase(family, name)
    return found
  }

  /** Runs the cases to be accepted, and checks that their results are those that the person looked at. */
  async function prepareAcceptance(family: FamilyHead, { cases: wanted, pages = 'kept', ...parts }: Acceptance) {
    const opened = await openSuite(family, parts)
    if (!opened.ok) {
      throw new Fault('validation_failed', 'The cases can’t be run, so nothing can be accepted. See the errors.', {
        ...{ findings: opened.findings, stage: 'suite', resourceKind: 'ingestion_model', resourceId: family.id },
      })
    }
    const looked = new Map(wanted.map((each) => [each.name, each]))
    const chosen = [...looked.keys()].map((name) => present(opened.cases, name, family))
    for (const { name, input } of chosen) requireName(input.path, name)
    const made = await runner.runAll(chosen, async (testCase) => {
      const compared = await runner.run(opened.chain, testCase, { pages, pictures: false })
      if (compared.brokeOff === true) throw brokenOff(testCase.name, compared)
      const seen = looked.get(testCase.name)
      if (seen?.case_hash !== testCase.hash || seen.made_hash !== compared.madeHash) throw changed(testCase.name)
      return { testCase, files: new Map(compared.made) }
    })
    return { opened, made }
  }

  /** @throws Fault conflict if the hash belongs to an input made for the contract, which isn't a file */
  async function requireFile(
    family: FamilyHead,
    { name, expectedHash, reach }: { name: string; expectedHash: string; reach: Reach },
  ) {
    const files = await listModelFiles(database.read, family.slug)
    if (casesByFiles(files, name, clock.now()) !== undefined) return
    const listed = (await listedCases(family, reach)).find((each) => each.name === name)
    if (listed?.origin !== 'contract' || listed.hash !== expectedHash) return
    throw new Fault(
      'conflict',
      `The case ${name} belongs to the contract, and no file has it yet. Accept what it makes, or store it without case_hash.`,
    )
  }

  return {
    /** All models with their cases, or only those that use a family in their draft or in force. */
    async list(familyId: string | undefined): Promise<{ suites: SuiteItem[] }> {
      const { read } = database
      const policies = new Map((await listSuitePolicies(read)).map((row) => [row.familyId, row]))
      const suites: SuiteItem[] = []
      const at = clock.now()
      const used = familyId === undefined ? undefined : await usedFamily(read, familyId.toLowerCase(), at)
      for (const model of await familiesPage(read, 'ingestion_model', undefined, limits.suiteModels)) {
        // Models are read and compiled one by one; a large one takes some 100 ms.
        await othersTurn()
        if (used !== undefined && !(await usesNow(model.id, used, at))) continue
        const cases = casesAsFiles(await listModelFiles(read, model.slug), at)
        suites.push({ ...headOf(model, policies.get(model.id)), cases: cases.length })
      }
      return { suites }
    },

    /** @param reach cases of a contract beyond it are left out. @throws Fault not_found */
    async read(id: string, reach: Reach): Promise<Suite> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      const policy = await findSuitePolicy(database.read, id)
      return { ...headOf(family, policy), cases: (await listedCases(family, reach)).map(caseToWire) }
    },

    /** @throws Fault not_found, also for the case of a contract beyond the caller's reach */
    async readCase(id: string, name: string, reach: Reach): Promise<SuiteCaseRead> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      const found = await mustFindCase(family, name, reach)
      const { raw, params } = await readCase(database.read, family.slug, found)
      return {
        ...caseToWire(found),
        input: raw,
        ...(params === undefined ? {} : { params }),
        expected: expectedToWire(found),
      }
    },

    /** Runs cases and reports differences from what is expected. Stores nothing. */
    async run(actor: Actor, id: string, request: SuiteRunRequest): Promise<SuiteRun> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      const opened = await openSuite(family, request)
      const { correlationId } = actor
      if (!opened.ok) {
        const subject = { stage: 'suite', resourceKind: 'ingestion_model', resourceId: id, correlationId }
        const issues = opened.findings.slice(0, limits.configurationIssues)
        return {
          ...{ parts: [], cases: [] },
          issues: issues.map((finding) => configurationIssueOf(finding, subject)),
          correlation_id: correlationId,
        }
      }
      const { chain, cases } = opened
      const { pages = 'kept', pictures = false } = request
      const wanted =
        request.cases === undefined
          ? cases.slice(0, limits.suiteRunCases)
          : request.cases.map((name) => present(cases, name, family))
      const results = await runner.runAll(wanted, async (testCase) =>
        resultToWire(testCase, await runner.run(chain, testCase, { pages, pictures })),
      )
      return { parts: chain.parts.map(partToWire), cases: results, issues: [], correlation_id: correlationId }
    },

    /**
     * Stores an input; expectations of an earlier case with this name stay.
     * @throws Fault conflict if the case has changed since it was read; validation_failed for a name that no file may have, and
     * for a format that the model doesn't read
     */
    async put(
      actor: Actor,
      request: IdempotentRequest,
      { id, name }: { id: string; name: string },
      { input, format = 'json', params, case_hash: expectedHash }: NewCase,
    ): Promise<SuiteCaseRead> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      const path = `${stemOf(family.slug, name)}.${format}`
      requireName(path, name)
      if (expectedHash !== undefined) await requireFile(family, { name, expectedHash, reach: actor.families })
      const chain = await listedChain(family)
      if (chain !== undefined && !inputEndsFor(chain.model.model.input?.format).includes(`.${format}`)) {
        throw new Fault(
          'validation_failed',
          `The ingestion model ${family.slug} reads no ${format}, so the case would never run. Send what it reads.`,
        )
      }
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        await holdCaseFiles(tx)
        const files = await listModelFiles(tx, family.slug)
        requireOtherNames(files, name)
        const before = casesByFiles(files, name, actor.at)
        if (before === undefined) {
          requireNewName(name)
          requireRoom(files, family)
        }
        requireUnchanged(before, name, expectedHash)
        const removed = [before?.input.path, before?.params?.path].filter((each) => each !== undefined)
        const paramsPath = paramsPathOf(family.slug, name)
        const written = new Map([[path, encode(input)]])
        if (params !== undefined) written.set(paramsPath, encode(params))
        await writeCaseFiles(tx, actor, { written, removed: removed.filter((each) => !written.has(each)) })
        await record(tx, actor, family, before === undefined ? 'suite.case_added' : 'suite.case_changed', { name })
        const after = casesByFiles(await listModelFiles(tx, family.slug), name, actor.at)
        if (after === undefined) throw new Error(`the case ${name} was written, and is not there`)
        return { status: 200, body: { ...caseToWire(after), expected: expectedToWire(after) } }
      })
      // The texts come from the request: a replay sends the same ones, so the recorded answer needs no copy.
      return { ...answer.body, input, ...(params === undefined ? {} : { params }) }
    },

    /** Removes an input with its expectations. @throws Fault not_found; conflict if it has changed since it was read */
    async remove(actor: Actor, { id, name }: { id: string; name: string }, expectedHash: string): Promise<void> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      await requireFile(family, { name, expectedHash, reach: actor.families })
      await database.write(async (tx) => {
        await holdCaseFiles(tx)
        const found = casesByFiles(await listModelFiles(tx, family.slug), name, actor.at)
        if (found === undefined) throw noCase(family, name)
        requireUnchanged(found, name, expectedHash)
        await writeCaseFiles(tx, actor, { written: new Map(), removed: pathsOf(found) })
        await record(tx, actor, family, 'suite.case_removed', { name, case_hash: found.hash })
      })
    },

    /**
     * Stores the current results of cases as their expectations.
     * @throws Fault conflict if a case, or its result, isn't the one that the person looked at
     */
    async accept(
      actor: Actor,
      request: IdempotentRequest,
      id: string,
      { cases: wanted, pages = 'kept', ...parts }: Acceptance,
    ): Promise<Accepted> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      // Keep a refusal for the transaction: a replay must return the recorded answer, even if the cases have changed since.
      const prepared = await prepareAcceptance(family, { cases: wanted, pages, ...parts }).catch((error) => {
        if (error instanceof Fault) return error
        throw error
      })
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        if (prepared instanceof Fault) throw prepared
        const { opened, made } = prepared
        await holdCaseFiles(tx)
        const now = new Map((await casesIn(tx, family, opened.chain, actor.at)).map((each) => [each.name, each]))
        for (const { testCase, files } of made) {
          if (now.get(testCase.name)?.hash !== testCase.hash) throw changed(testCase.name)
          await writeCaseFiles(tx, actor, filesToWrite(family.slug, testCase, files))
        }
        const after = new Map((await casesIn(tx, family, opened.chain, actor.at)).map((each) => [each.name, each]))
        const told = made.map(({ testCase: { name }, files }) => {
          return { name, case_hash: after.get(name)?.hash ?? '', files: files.size }
        })
        await record(tx, actor, family, 'suite.accepted', {
          cases: told.map(({ name, case_hash: hash }) => ({ name, case_hash: hash })),
          parts: opened.chain.parts.map(({ kind, slug, contentHash }) => ({ kind, slug, content_hash: contentHash })),
        })
        return { status: 200, body: { cases: told, correlation_id: actor.correlationId } }
      })
      return answer.body
    },

    /** Sets when the suite must be green, and may lift that for some hours. @throws Fault not_found */
    async setPolicy(
      actor: Actor,
      request: IdempotentRequest,
      id: string,
      wanted: NewSuitePolicy,
    ): Promise<SuitePolicy> {
      const family = await mustFindHead(database, 'ingestion_model', id)
      const { requires, lift } = wanted
      if (requires === 'nothing' && lift !== undefined) {
        throw new Fault('validation_failed', 'Body field lift has no use where nothing is required. Leave it out.')
      }
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        const row = requires === 'nothing' ? undefined : policyRow(actor, id, requires, lift)
        await (row === undefined ? removeSuitePolicy(tx, id) : putSuitePolicy(tx, row))
        await record(tx, actor, family, 'suite.policy_set', {
          requires,
          ...(row?.liftedUntil == null ? {} : { lifted_until: formatInstant(row.liftedUntil), reason: row.liftReason }),
        })
        return { status: 200, body: headOf(family, row) }
      })
      return answer.body
    },
  }
}

/** All cases that run through a chain. */
export function casesIn(
  connection: Connection,
  { slug }: Pick<FamilyHead, 'slug'>,
  { contractVersionId, model }: SuiteChain,
  at: Instant,
): Promise<SuiteCase[]> {
  return casesOfSuite(connection, slug, { contractVersionId, inputFormat: model.model.input }, at)
}

/** Leaves out the cases of a contract beyond the caller's reach. */
function reachedCases(cases: SuiteCase[], chain: SuiteChain, reach: Reach): SuiteCase[] {
  return reachesContract(chain, reach) ? cases : cases.filter(({ origin }) => origin === 'suite')
}

function casesByFiles(files: readonly CaseFileHead[], name: string, at: Instant): SuiteCase | undefined {
  return casesAsFiles(files, at).find((each) => each.name === name)
}

/**
 * The files that accepting writes and removes; writes the input, too, if it was made for the contract. Later expectations stay.
 */
function filesToWrite(slug: string, testCase: SuiteCase, files: ReadonlyMap<string, string>) {
  const folder = expectedFolderOf(slug, testCase.name)
  const written = new Map<string, Uint8Array>([...files].map(([file, text]) => [`${folder}/${file}`, encode(text)]))
  if (testCase.payload !== undefined) written.set(testCase.input.path, encode(testCase.payload))
  const before = [...[...testCase.expected.values()].map(({ path }) => path), ...testCase.replaced]
  const removed = before.filter((path) => !written.has(path))
  return { written, removed }
}

function pathsOf({ input, params, expected, replaced, later }: SuiteCase): string[] {
  const files = [input, ...(params === undefined ? [] : [params]), ...expected.values()]
  return [...files.map(({ path }) => path), ...replaced, ...later]
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function requireName(path: string, name: string): void {
  const place = casePathOf(path)
  if (datedNameOf(name) !== undefined) {
    throw new Fault(
      'validation_failed',
      `No case can be called ${name}: what is expected of it would be of another case from an instant on. Choose another name.`,
    )
  }
  if (place?.part === 'input' && place.name === name) return
  throw new Fault(
    'validation_failed',
    `No case can be called ${name}: its file would be something else. Choose another name.`,
  )
}

/** New names must be file names on every system; a project may have others. */
function requireNewName(name: string): void {
  if (name.length <= limits.suiteNameChars && /^[^:\p{Cc}]+$/u.test(name)) return
  throw new Fault(
    'validation_failed',
    `The name of a new case has at most ${limits.suiteNameChars} characters, and no colon or control character. Choose another name.`,
  )
}

/** All of a model's files must fit into one archive with the rest of a project. */
function requireRoom(files: readonly { path: string }[], { slug }: FamilyHead): void {
  if (files.length < limits.suiteCasesKept) return
  throw new Fault(
    'conflict',
    `The ingestion model ${slug} has ${files.length} files of cases, and ${limits.suiteCasesKept} are kept at most. Remove some cases first.`,
  )
}

/** Windows and macOS don't distinguish names by case. */
function requireOtherNames(files: readonly { path: string }[], name: string): void {
  const folded = name.normalize('NFC').toLowerCase()
  for (const { path } of files) {
    const other = casePathOf(path)?.name
    if (other === undefined || other === name || other.normalize('NFC').toLowerCase() !== folded) continue
    throw new Fault(
      'conflict',
      `There is a case called ${other}, which some systems take for the same. Choose another name.`,
    )
  }
}

function requireUnchanged(found: SuiteCase | undefined, name: string, expectedHash: string | undefined): void {
  if (found?.hash === expectedHash) return
  if (found === undefined) throw new Fault('conflict', `There is no case ${name} any more. Read the suite again.`)
  throw new Fault(
    'conflict',
    expectedHash === undefined
      ? `There is a case ${name} already. Name its case_hash to change it, or choose another name.`
      : `The case ${name} was changed meanwhile. Read it again.`,
  )
}

function changed(name: string): Fault {
  const message = `The case ${name}, or what it makes, is not what was looked at. Run it again, and look at it.`
  return new Fault('conflict', message)
}

function brokenOff(name: string, { failures: [first] }: RanCase): Fault {
  const why = first?.kind === 'other' ? ` ${first.message}` : ''
  return new Fault(
    'validation_failed',
    `The case ${name} made nothing that could be accepted: its run broke off.${why}`,
  )
}

function noCase({ slug }: FamilyHead, name: string): Fault {
  return new Fault('not_found', `The ingestion model ${slug} has no case ${name}.`)
}

function present(cases: readonly SuiteCase[], name: string, family: FamilyHead): SuiteCase {
  const found = cases.find((each) => each.name === name)
  if (found === undefined) throw noCase(family, name)
  return found
}

function policyRow(
  actor: Actor,
  familyId: string,
  requires: SuitePolicyRow['requires'],
  lift: NewSuitePolicy['lift'],
): SuitePolicyRow {
  return {
    familyId,
    requires,
    liftedUntil: lift === undefined ? null : addMs(actor.at, lift.hours * hourMs),
    liftReason: lift?.reason ?? null,
    setBy: actor.userId,
    correlationId: actor.correlationId,
    setAt: actor.at,
  }
}

function record(
  tx: Transaction,
  actor: Actor,
  { id, slug }: FamilyHead,
  action: string,
  detail: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  return recordAudit(tx, actor, {
    action,
    resourceKind: 'ingestion_model',
    resourceId: id,
    detail: { slug, ...detail },
  })
}

function headOf({ id, slug, name }: FamilyHead, policy: SuitePolicyRow | undefined): SuitePolicy {
  return {
    ...{ ingestion_model_id: id, slug, name, requires: policy?.requires ?? 'nothing' },
    ...(policy?.liftedUntil == null ? {} : { lifted_until: formatInstant(policy.liftedUntil as Instant) }),
    ...(policy?.liftReason == null ? {} : { lift_reason: policy.liftReason }),
  }
}

function caseToWire({ name, origin, input, params, expected, hash }: SuiteCase): Suite['cases'][number] {
  const names = [...expected.keys()].map((file) => file.slice(file.lastIndexOf('/') + 1))
  const kinds = new Set(
    names.flatMap((file) => {
      if (expectedPageOf(file) !== undefined) return ['pages' as const]
      return (['output', 'text', 'refusal'] as const).filter((kind) => expectedFiles[kind] === file)
    }),
  )
  const format = (['csv', 'xml'] as const).find((each) => input.path.endsWith(`.${each}`)) ?? 'json'
  return {
    ...{ name, origin, format, case_hash: hash, has_params: params !== undefined, expects: [...kinds] },
    ...(input.writtenBy === undefined ? {} : { written_by: input.writtenBy }),
    ...(input.writtenAt === undefined ? {} : { written_at: formatInstant(input.writtenAt) }),
  }
}

function expectedToWire({ expected }: SuiteCase): SuiteCaseRead['expected'] {
  return [...expected].map(([file, { contentHash }]) => ({ file, content_hash: contentHash }))
}

function resultToWire(testCase: SuiteCase, { failures, madeHash, brokeOff }: RanCase): SuiteRun['cases'][number] {
  const { name, hash, expected } = testCase
  return {
    ...{ name, case_hash: hash, made_hash: madeHash },
    verdict: failures.length > 0 ? 'red' : expected.size === 0 ? 'unwritten' : 'green',
    failures: failures.map(failureToWire),
    ...(brokeOff === undefined ? {} : { broke_off: brokeOff }),
  }
}

function failureToWire(failure: RanCase['failures'][number]): SuiteFailure {
  if (failure.kind !== 'text') return failure
  const { kind, file, changes } = failure
  return { kind, file, changes: changes.map(({ line, lines }) => ({ line, lines: [...lines] })) }
}

function partToWire({ kind, familyId, slug, version, draftRevision, contentHash }: SuiteChain['parts'][number]) {
  return {
    ...{ kind, family_id: familyId, slug, content_hash: contentHash },
    ...(version === undefined ? {} : { version }),
    ...(draftRevision === undefined ? {} : { draft_revision: draftRevision }),
  }
}
