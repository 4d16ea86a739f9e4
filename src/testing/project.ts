/** Projects under test: read once, run in this process. */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { casesFolder, projectLayout, projectPathOf } from '../core/project-layout.ts'
import { suggest } from '../engines/declarative/suggest.ts'
import { readInput } from '../engines/ingestion/read-input.ts'
import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import { findFonts, libraryOf } from '../font-files.ts'
import { contractNamed, readContractFile } from '../project/contract-files.ts'
import { ProjectFolder } from '../project/folder.ts'
import { type Project as ReadProject, readProject } from '../project/project.ts'
import { readCaseInput } from '../project/test-cases.ts'
import { createPerformer } from '../runner/perform.ts'
import { type CaseInput, type Perform, runCase } from '../suite/run.ts'
import { contractOf } from './contract.ts'
import { Run } from './result.ts'
import type { Contract, Project, ProjectFinding, QuireOptions, RunOptions, RunResult } from './types.ts'

/** The project's files can't be used; the message has every finding with its file. */
export class ProjectUnusable extends Error {
  override readonly name = 'ProjectUnusable'

  constructor(
    readonly folder: string,
    readonly findings: readonly ProjectFinding[],
  ) {
    super(`The project ${folder} can't be used:\n${findings.map(lineOf).join('\n')}`)
  }
}

function lineOf({ file, line, path, message, hint }: ProjectFinding): string {
  const place = line === undefined ? (path ?? '') : `:${line}`
  return `  ${file}${place}: ${message}${hint === undefined ? '' : ` ${hint}`}`
}

/**
 * Opens a project folder, to run inputs through it in this process.
 *
 * @param folder its path, relative to the working directory, or a file URL such as `new URL('..', import.meta.url)`
 * @throws Error when there is no such folder
 */
export function quire(folder: string | URL = '.', options: QuireOptions = {}): Project {
  const path = resolve(typeof folder === 'string' ? folder : fileURLToPath(folder))
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`${path} is no folder, so no project either; "quire init" makes one.`)
  }
  const perform = performWith(options.fonts ?? fontFolders())
  const run = async (model: string, input: CaseInput, stem?: string): Promise<RunResult> => {
    const project = projectAt(path)
    const found = project.models.find(({ slug }) => slug === model)
    if (found === undefined)
      throw absent(
        'ingestion model',
        model,
        project.models.map(({ slug }) => slug),
      )
    const read = readInput(input.raw, found.model.input)
    const value = read.ok ? read.value.value : undefined
    const inputIssues = () =>
      value === undefined
        ? [
            {
              path: '',
              message: `The input is not ${(found.model.input?.format ?? 'json').toUpperCase()} as Quire reads it.`,
            },
          ]
        : contractOf(model, String(found.contract.content)).issuesOf(value)
    const runs = await runCase(found, input, perform)
    return new Run({ folder: path, model, input: value, inputIssues, stem }, runs)
  }
  return {
    folder: path,
    get models() {
      return projectAt(path).models.map(({ slug }) => slug)
    },
    get cases() {
      return projectAt(path).cases.map(nameOf)
    },
    run: async (model: string, input: object | string, { params }: RunOptions = {}) =>
      run(model, { raw: jsonText(input), params: params === undefined ? undefined : jsonText(params) }),
    async runCase(name) {
      const { cases } = projectAt(path)
      const found = cases.find((each) => nameOf(each) === name)
      if (found === undefined) throw absent('case', name, cases.map(nameOf))
      const files = new ProjectFolder(path)
      const input = readCaseInput(files, found)
      if (files.findings.length > 0) throw new ProjectUnusable(path, files.findings)
      return run(found.model.slug, input, found.stem)
    },
    contract: (name) => contractAt(path, name),
  }
}

function nameOf({ model, name }: ReadProject['cases'][number]): string {
  return `${model.slug}/${name}`
}

function absent(kind: string, name: string, known: readonly string[]): Error {
  const hint = suggest(name, known)
  return new Error(`The project has no ${kind} "${name}".${hint === undefined ? '' : ` ${hint}`}`)
}

/** The last reading of each folder, with the state that its files had. */
const readings = new Map<string, { state: string; project: ReadProject }>()

/** @throws ProjectUnusable */
function projectAt(folder: string): ReadProject {
  const state = stateOf(folder)
  const known = readings.get(folder)
  if (known?.state === state) return known.project
  const { outcome, findings } = readProject(folder)
  if (!outcome.ok) throw new ProjectUnusable(folder, findings)
  readings.set(folder, { state, project: outcome.value })
  return outcome.value
}

/** What changes whenever a file of the project does: its name, size and times. */
function stateOf(folder: string): string {
  const folders = [...Object.values(projectLayout).map((layout) => layout.folder), ...caseFolders(folder)]
  return folders
    .flatMap((below) =>
      namesIn(join(folder, below)).map((name) => {
        const found = statSync(join(folder, below, name), { bigint: true, throwIfNoEntry: false })
        return `${below}/${name} ${found?.ino} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs}`
      }),
    )
    .join('\n')
}

function caseFolders(folder: string): string[] {
  return namesIn(join(folder, casesFolder)).map((name) => `${casesFolder}/${name}`)
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder).sort() : []
}

function contractAt(folder: string, name: string): Contract {
  const { folder: below } = projectLayout.contract
  const project = new ProjectFolder(folder)
  const named = project.names(below).filter((file) => projectPathOf(`${below}/${file}`) !== undefined)
  const files = named.flatMap((file) => {
    const read = readContractFile(file, project.text(`${below}/${file}`) ?? '')
    return read.ok ? [read.value] : []
  })
  if (project.findings.length > 0) throw new ProjectUnusable(folder, project.findings)
  const [, slug = '', version = '0'] = /^(.*?)(?:@(\d+))?$/.exec(name) ?? []
  const found =
    contractNamed({ name: slug, version: Number(version) }, files) ?? files.find((file) => file.names.includes(slug))
  if (found === undefined)
    throw absent(
      'contract',
      name,
      files.flatMap(({ names }) => names),
    )
  return contractOf(name, found.text)
}

/** Engines by their fonts: what they have compiled and laid out serves later runs. */
const engines = new Map<string, Perform>()

function performWith(folders: readonly string[]): Perform {
  const key = folders.map((folder) => resolve(folder)).join('\n')
  const known = engines.get(key)
  if (known !== undefined) return known
  const found = folders.length === 0 ? undefined : findFonts(folders.map((folder) => resolve(folder)))
  let library = found === undefined ? undefined : libraryOf(found.entries)
  const performer = createPerformer({
    fonts: () => {
      library ??= embeddedFonts()
      return library
    },
    fontsHash: () => found?.hash,
  })
  const perform: Perform = async (job) => performer.perform(job)
  engines.set(key, perform)
  return perform
}

function fontFolders(): string[] {
  return (process.env.QUIRE_FONTS ?? '')
    .split(',')
    .map((folder) => folder.trim())
    .filter(Boolean)
}

/** @throws TypeError for a value that JSON does not have, with its place */
function jsonText(value: object | string): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`The input must be an object, an array, or a text as it would be submitted; it is ${value}.`)
  }
  return JSON.stringify(value, function (this: unknown, name: string, member: unknown) {
    const isLost = typeof member === 'number' ? !Number.isFinite(member) : member === undefined && Array.isArray(this)
    if (!isLost) return member
    throw new TypeError(`The input has ${member} at "${name}", which JSON does not have.`)
  })
}
