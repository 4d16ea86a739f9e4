import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ProjectChange, ProjectPlan } from '../client/quire.ts'
import { makeFoldersOf, packProject, unpackProject } from '../project/archive.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, writeOutput } from './files.ts'
import { lineOf, withServer } from './remote.ts'

const server = { type: 'string' } as const

/** `quire export [<folder>]`: writes all that is in force on a server as files. */
export const runExport: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server, replace: { type: 'boolean' } },
    allowPositionals: true,
  })
  const folder = oneFolder('export', positionals)
  const archive = await withServer(values.server, async (quire) => (await quire.exportProject()).body)
  const files = unpackProject(archive)
  if (!files.ok) throw new CommandFailure('the server answered with something else than an archive')
  const others = [...files.value].filter(([name, bytes]) => {
    const path = join(folder, name)
    return !existsSync(path) || !readFileSync(path).equals(bytes)
  })
  const taken = others.map(([name]) => name).filter((name) => existsSync(join(folder, name)))
  if (taken.length > 0 && values.replace !== true) {
    throw new CommandFailure(
      `nothing was written, because ${taken.join(', ')} would change; --replace writes over them`,
    )
  }
  for (const [name, bytes] of others) {
    makeFoldersOf(join(folder, name))
    writeOutput(join(folder, name), bytes)
    process.stdout.write(`wrote ${name}\n`)
  }
  process.stdout.write(`${others.length} of ${files.value.size} files written\n`)
  return 0
}

const planOptions = { server, at: { type: 'string' }, json: { type: 'boolean' } } as const

/** `quire plan [<folder>]`: what bringing the folder into force on a server would change, and what keeps it from fitting. */
export const runPlan: Command = async (args) => {
  const options = { ...planOptions, 'exit-code': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const folder = oneFolder('plan', positionals)
  const plan = await withServer(values.server, async (quire) => {
    return (await quire.planProject({ form: formOf(folder, values.at) })).body
  })
  process.stdout.write(values.json ? `${JSON.stringify(plan)}\n` : planText(plan))
  if (!plan.valid) return 1
  return values['exit-code'] && plan.changes.length > 0 ? 3 : 0
}

/** `quire apply [<folder>]`: brings the folder into force as it is planned, or as it was planned before. */
export const runApply: Command = async (args) => {
  const options = { ...planOptions, plan: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const form = formOf(oneFolder('apply', positionals), values.at)
  const print = (text: string) => void (values.json || process.stdout.write(text))
  return withServer(values.server, async (quire) => {
    let hash = values.plan
    if (hash === undefined) {
      const { body: plan } = await quire.planProject({ form })
      print(planText(plan))
      if (!plan.valid) return 1
      hash = plan.plan_hash
    }
    const { body: applied } = await quire.applyProject({ form: { ...form, plan_hash: hash } })
    if (values.json) process.stdout.write(`${JSON.stringify(applied)}\n`)
    print(`applied: ${count(applied.changes)}, in force from ${applied.effective_from}\n`)
    return 0
  })
}

function oneFolder(command: string, [folder = '.', ...rest]: readonly string[]): string {
  if (rest.length > 0) throw new UsageError(`${command} takes one folder: quire ${command} letters`)
  return folder
}

function formOf(folder: string, at: string | undefined) {
  if (!existsSync(folder)) throw new CommandFailure(`${folder} cannot be read: there is no such file or folder`)
  return { file: packProject(folder), ...(at === undefined ? {} : { effective_from: at }) }
}

const words: Readonly<Record<ProjectChange['action'], string>> = {
  create: 'create',
  new_version: 'new version',
  activate: 'put in force',
  publish: 'publish',
}

/** A plan for people: the changes with their lines, what does not fit, and the hash by which it can be applied. */
export function planText(plan: ProjectPlan): string {
  const lines = plan.changes.flatMap((change) => {
    const { action, path, from_version: from, to_version: to, replaces_draft: replaces, difference } = change
    const versions = from === undefined ? `version ${to}` : `version ${from} to ${to}`
    const draft = replaces ? '; the draft has changes of its own, which this replaces' : ''
    const changed = difference.split('\n').filter((line) => line !== '')
    return [`${words[action].padEnd(12)} ${path} (${versions}${draft})`, ...changed.map((line) => `  ${line}`)]
  })
  const absent = plan.absent.map((path) => `not in the folder, and stays in force: ${path}`)
  const issues = plan.issues.length === 0 ? [] : ['does not fit:', ...plan.issues.map(lineOf)]
  const last = `${count(plan.changes)}, ${plan.unchanged} unchanged; plan ${plan.plan_hash}`
  return [...lines, ...absent, ...issues, last].map((line) => `${line}\n`).join('')
}

function count(changes: readonly unknown[]): string {
  return changes.length === 1 ? '1 change' : `${changes.length} changes`
}
