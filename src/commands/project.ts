import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type QuireClient, QuireRefusal } from '../client/client.ts'
import type { ProjectApplied, ProjectChange, ProjectPlan } from '../client/quire.ts'
import { formatInstant, parseInstant } from '../core/instant.ts'
import { makeFoldersOf, packProject, unpackProject } from '../project/archive.ts'
import { ProjectFolder, withUnixLines } from '../project/folder.ts'
import { painted, paintFor, planPalette } from './colours.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, readInput, standardInput, standardOutput, writeOutput } from './files.ts'
import { findingLines } from './findings.ts'
import { plainLines } from './plain.ts'
import { printJson } from './print-json.ts'
import { waitingFor } from './progress.ts'
import { lineOf, withServer } from './remote.ts'

const server = { type: 'string' } as const

/** What the fields of requests are on the command line. */
const words = { effective_from: '--at', at: '--at', plan_hash: '--plan', file: 'the folder' }

/** `quire export [<folder>]`: writes all that is in force on a server as files, or with `-` as an archive to standard output. */
export const runExport: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server, at: { type: 'string' }, replace: { type: 'boolean' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const folder = oneFolder('export', positionals)
  if (folder === standardOutput && (values.json === true || values.replace === true)) {
    throw new UsageError('with -, stdout is the archive: --json and --replace are for a folder')
  }
  const query = atOf(values.at)
  const archive = await withServer({ server: values.server, words }, async (quire) => {
    return (await waitingFor('exporting', quire.exportProject({ query }))).body
  })
  // An answer that says it is JSON comes parsed.
  const files = archive instanceof Uint8Array ? unpackProject(archive) : undefined
  if (files?.ok !== true) throw new CommandFailure('the server answered with something else than an archive')
  if (folder === standardOutput) {
    writeOutput(folder, archive)
    return 0
  }
  const known = new ProjectFolder(folder)
  // What Git checked out with other line ends is the same.
  const others = [...files.value].flatMap(([name, bytes]) => {
    const own = known.writable(name)
    const isKept = own instanceof Uint8Array && (isSame(own, bytes) || isSame(own, withUnixLines(bytes)))
    return isKept ? [] : [{ name, bytes, isTaken: own !== 'absent' }]
  })
  const [unusable] = known.findings
  if (unusable !== undefined) throw new CommandFailure(findingLines(join(folder, unusable.file), [unusable]).trimEnd())
  const taken = others.filter(({ isTaken }) => isTaken).map(({ name }) => name)
  if (taken.length > 0 && values.replace !== true) {
    throw new CommandFailure(
      `nothing was written, because ${taken.join(', ')} would change; --replace writes over them`,
    )
  }
  for (const { name, bytes } of others) {
    makeFoldersOf(join(folder, name))
    writeOutput(join(folder, name), bytes)
    if (values.json !== true) process.stdout.write(plainLines(`wrote ${name}\n`))
  }
  if (values.json) printJson({ written: others.map(({ name }) => name), unchanged: files.value.size - others.length })
  else process.stdout.write(`${others.length} of ${files.value.size} files written\n`)
  return 0
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

const planOptions = {
  server,
  at: { type: 'string' },
  json: { type: 'boolean' },
  'freeze-only': { type: 'boolean', default: false },
} as const

/** `quire plan [<folder>]`: what bringing the folder into force on a server would change, and what keeps it from fitting. */
export const runPlan: Command = async (args) => {
  const options = { ...planOptions, 'exit-code': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const folder = oneFolder('plan', positionals)
  const fields = fieldsOf(values)
  const form = { file: archiveOf(folder), ...fields }
  const plan = await withServer({ server: values.server, words }, async (quire) => {
    const { body } = await waitingFor('planning', quire.planProject({ form }))
    if (values.json) printJson(body)
    else printPlan(body)
    return body
  })
  if (!plan.valid || plan.broken_cases.length > 0) return 1
  return values['exit-code'] && !isEmpty(plan) ? 3 : 0
}

/** Whether applying it would change nothing on the server. */
function isEmpty({ changes, case_files: { added, changed, removed } }: ProjectPlan): boolean {
  return changes.length === 0 && added + changed + removed === 0
}

/** `quire apply [<folder>]`: brings the folder into force as it is planned, or as it was planned before. */
export const runApply: Command = async (args) => {
  const options = { ...planOptions, plan: { type: 'string' }, 'broken-cases': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const folder = oneFolder('apply', positionals)
  const fields = fieldsOf(values)
  if (values.plan !== undefined && !/^[0-9a-f]{64}$/.test(values.plan)) {
    throw new UsageError(`--plan takes the hash that quire plan prints last; "${values.plan}" is none`)
  }
  const form = { file: archiveOf(folder), ...fields }
  const print = (text: string) => void (values.json || process.stdout.write(plainLines(text)))
  return withServer({ server: values.server, words }, async (quire) => {
    let hash = values.plan
    if (hash === undefined) {
      const { body: plan } = await waitingFor('planning', quire.planProject({ form }))
      if (values.json !== true) printPlan(plan)
      if (!plan.valid) return 1
      if (plan.broken_cases.length > 0 && values['broken-cases'] !== true) {
        throw new CommandFailure(
          `nothing was applied, because ${passed(plan)}; mend them, or apply all the same with --broken-cases`,
        )
      }
      hash = plan.plan_hash
    }
    const applied = await waitingFor(
      values['freeze-only'] ? 'freezing' : 'applying',
      applyOnce(quire, { ...form, plan_hash: hash }),
    )
    if (values.json) printJson(applied)
    print(values['freeze-only'] ? frozenText(applied) : appliedText(applied))
    return 0
  })
}

/** What a server answers, without an instant where nothing was left to apply. */
type Applied = Omit<ProjectApplied, 'effective_from'> & { effective_from?: string }
type ApplyForm = Parameters<QuireClient['applyProject']>[0]['form']

function appliedText({ changes, effective_from: from, case_files: files }: Applied): string {
  const [what] = changes.length > 0 ? [`${count(changes)}, in force from ${from}`] : caseFilesTexts(files)
  return what === undefined ? 'nothing to apply: it is in force as it is\n' : `applied: ${what}\n`
}

function frozenText({ changes, case_files: files }: Applied): string {
  const [what] = changes.length > 0 ? [`${count(changes)}, not in force`] : caseFilesTexts(files)
  return what === undefined ? 'nothing to freeze: every file has its version\n' : `frozen: ${what}\n`
}

/**
 * Applies a plan. A plan may be out of date because its project is in force already, for instance if the answer to the same
 * command was lost. That is no error.
 *
 * @throws QuireRefusal for a plan that is out of date for any other reason
 */
async function applyOnce(quire: QuireClient, form: ApplyForm): Promise<Applied> {
  try {
    return (await quire.applyProject({ form })).body
  } catch (error) {
    if (!(error instanceof QuireRefusal) || error.code !== 'conflict') throw error
    const { plan_hash: _hash, ...planned } = form
    const { body: plan } = await quire.planProject({ form: planned })
    if (!plan.valid || !isEmpty(plan)) throw error
    const { changes: _none, unchanged, case_files, correlation_id } = plan
    return { plan_hash: form.plan_hash, changes: [], unchanged, case_files, correlation_id }
  }
}

function printPlan(plan: ProjectPlan): void {
  process.stdout.write(painted(plainLines(planText(plan)), planPalette, paintFor(process.stdout)))
}

/** @throws UsageError for a text that isn't an instant */
function atOf(text: string | undefined): { at?: string } {
  if (text === undefined) return {}
  const instant = parseInstant(text)
  if (instant === undefined)
    throw new UsageError(`--at takes an instant such as 2027-01-01T00:00:00Z; "${text}" is none`)
  return { at: formatInstant(instant) }
}

/** What a plan is asked for besides the folder. @throws UsageError */
function fieldsOf({ at: from, 'freeze-only': isFreezing }: { at?: string | undefined; 'freeze-only': boolean }) {
  const { at } = atOf(from)
  if (at !== undefined && isFreezing)
    throw new UsageError('--freeze-only puts nothing in force, so it goes without --at')
  return {
    ...(at === undefined ? {} : { effective_from: at }),
    ...(isFreezing ? { freeze_only: 'true' as const } : {}),
  }
}

function oneFolder(command: string, [folder = '.', ...rest]: readonly string[]): string {
  if (rest.length > 0) throw new UsageError(`${command} takes one folder: quire ${command} letters`)
  return folder
}

/** @param folder or `-` for an archive from standard input, as export writes it */
function archiveOf(folder: string): Uint8Array<ArrayBuffer> {
  const isArchive = folder === standardInput
  if (!isArchive && !existsSync(folder)) {
    throw new CommandFailure(`${folder} cannot be read: there is no such file or folder`)
  }
  if (!isArchive) {
    const { outcome, findings } = packProject(folder)
    if (outcome.ok) return outcome.value
    const lines = findings.map(({ file, ...finding }) => findingLines(join(folder, file), [finding]).trimEnd())
    throw new CommandFailure(['the project has files that cannot be used:', ...lines].join('\n'))
  }
  const archive = new Uint8Array(readInput(folder))
  if (unpackProject(archive).ok) return archive
  throw new CommandFailure('standard input is no archive of a project, such as quire export - writes')
}

const actions: Readonly<Record<ProjectChange['action'], string>> = {
  create: 'create',
  new_version: 'new version',
  activate: 'put in force',
  publish: 'publish',
  describe: 'describe',
}

/** A plan for people: the changes with what they mean, what they break, and the hash by which it can be applied. */
export function planText(plan: ProjectPlan): string {
  const { broken_cases: broken, drift, later, case_files: files, left_out: leftOut = {} } = plan
  const more = (name: keyof typeof leftOut) => (leftOut[name] === undefined ? [] : [moreText(leftOut[name])])
  const sections: [title: string, lines: readonly string[]][] = [
    ['', plan.changes.flatMap(changeLines)],
    ['', caseFilesTexts(files)],
    ['', plan.absent.map((path) => `not in the folder, and stays in force: ${path}`)],
    [
      'changed on the server since a project was applied last, which this undoes:',
      [
        ...drift.map(
          ({ path, version, changed_by: who, changed_at: at }) => `  ${path}: version ${version}, by ${who} at ${at}`,
        ),
        ...more('drift'),
      ],
    ],
    [
      'scheduled already, and takes the place of what is in the folder:',
      [
        ...later.map(({ path, version, effective_from: at }) => `  ${path}: version ${version} from ${at}`),
        ...more('later'),
      ],
    ],
    ['warnings:', [...plan.warnings.map(lineOf), ...more('warnings')]],
    [
      'cases that do not pass:',
      [
        ...broken.map(({ path, effective_from: from, node, step, message }) => {
          const when = from === undefined ? '' : `from ${from} on, `
          return `  ${path}: ${when}${node} is refused by ${step}: ${message}`
        }),
        ...more('broken_cases'),
      ],
    ],
    ['does not fit:', [...plan.issues.map(lineOf), ...more('issues')]],
  ]
  const ran = runsOf(plan) === 0 ? '' : `; ${passed(plan)}`
  const planned = plan.freeze_only === true ? `${plan.changes.length} to freeze` : count(plan.changes)
  const last = `${planned}, ${plan.unchanged} unchanged${ran}; plan ${plan.plan_hash}`
  return [
    ...sections.flatMap(([title, lines]) => (lines.length === 0 || title === '' ? lines : [title, ...lines])),
    last,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** How many files of cases change, if any do. */
function caseFilesTexts({ added, changed, removed }: ProjectPlan['case_files']): string[] {
  const counts = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ]
  return counts.length === 0 ? [] : [`files of cases: ${counts.join(', ')}`]
}

function passed(plan: ProjectPlan): string {
  const { cases_run_later: later = 0, broken_cases: broken, left_out: leftOut } = plan
  const failed = new Set(broken.map(({ path, effective_from: from = '' }) => `${path} ${from}`)).size
  const afterwards = later === 0 ? '' : ` (${later} with what begins later)`
  const ran = runsOf(plan)
  if (failed === 0) return `${ran} ${ran === 1 ? 'case passes' : 'cases pass'}${afterwards}`
  return `${leftOut?.broken_cases === undefined ? '' : 'at least '}${failed} of ${ran} cases${afterwards} do not pass`
}

function runsOf({ cases_run: run, cases_run_later: later = 0 }: ProjectPlan): number {
  return run + later
}

function moreText(count: number): string {
  return `  … and ${count} more`
}

function changeLines(change: ProjectChange): string[] {
  const { action, path, from_version: from, to_version: to, difference } = change
  const versions = action === 'describe' || from === undefined ? `version ${to}` : `version ${from} to ${to}`
  const { effective_from: start } = change
  const remarks = [
    ...(start === undefined ? [] : [`from ${start} on`]),
    ...(change.renames ? ['its name changes'] : []),
    ...(change.replaces_draft ? ['the draft has changes of its own, which this replaces'] : []),
  ]
  const { pages, contract_changes: rules = [], contract_changes_left_out: rulesLeftOut } = change
  const { earlier_reading: earlier = [] } = change
  return [
    `${actions[action].padEnd(12)} ${path} (${[versions, ...remarks].join('; ')})`,
    ...rules.map(({ effect, pointer, message }) => `  ${effect}: ${pointer === '' ? '' : `${pointer}: `}${message}`),
    ...(rulesLeftOut === undefined ? [] : [moreText(rulesLeftOut)]),
    ...earlier.map(({ path, message }) => `  earlier rules of version ${from}: ${path}: ${message}`),
    ...(pages === undefined ? [] : [`  ${pagesText(pages)}`]),
    ...difference
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  ${line}`),
  ]
}

function pagesText({ before, after, changed }: NonNullable<ProjectChange['pages']>): string {
  const total = before === after ? `${after} ${after === 1 ? 'page' : 'pages'}` : `${before} to ${after} pages`
  if (changed.length === 0)
    return before === after ? `${total}, which look the same` : `${total}; the others look the same`
  return `${total}; changed: ${changed.join(', ')}`
}

function count(changes: readonly unknown[]): string {
  return changes.length === 1 ? '1 change' : `${changes.length} changes`
}
