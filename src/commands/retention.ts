import { parseArgs } from 'node:util'
import type { NewRetention, QuireClient, Retention, RetentionPlan } from '../client/client.ts'
import { yamlLibrary } from '../core/source/libraries.ts'
import { type Command, UsageError } from './command.ts'
import { counted } from './erase.ts'
import { CommandFailure, readInput } from './files.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { waitingFor } from './progress.ts'
import { withServer } from './remote.ts'
import { noVerb } from './usage.ts'

type Policies = NewRetention['policies']

/** @param file has the policies; without one they are those in force */
function wordsFor(file: string | undefined): Record<string, string> {
  return { policies: file === undefined ? 'policies' : `${file}: policies`, expected_number: 'the set in force' }
}

/**
 * `quire retention list`: prints the policies in force. `plan [FILE]` counts what they, or those of a file, would remove now,
 * and `set FILE` puts those of a file in force.
 */
export const runRetention: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server: { type: 'string' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const json = values.json === true
  const [action, file, ...more] = positionals
  const server = { server: values.server, words: wordsFor(file) }
  if (more.length > 0) throw new UsageError('retention takes one file')
  switch (action) {
    case 'list':
      if (file !== undefined) throw new UsageError('retention list takes no file')
      return withServer(server, async (quire) => tellSet((await quire.getRetention()).body, json))
    case 'plan': {
      const policies = file === undefined ? undefined : readPolicies(file)
      return withServer(server, async (quire) => {
        const asked = quire.planRetention({ body: policies === undefined ? {} : { policies } })
        const { body } = await waitingFor('counting', asked)
        return tellPlan(body, json)
      })
    }
    case 'set': {
      if (file === undefined) throw new UsageError('retention set takes a file with the policies')
      const policies = readPolicies(file)
      return withServer(server, (quire) => setPolicies(quire, policies, json))
    }
    default:
      throw new UsageError(noVerb('retention', action, ['list', 'plan', 'set']))
  }
}

/** Reads policies in the form of `quire export`'s retention.yaml. The server checks them. */
function readPolicies(path: string): Policies {
  let read: unknown
  try {
    read = yamlLibrary().parse(new TextDecoder().decode(readInput(path)))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${path}: ${String(error instanceof Error ? error.message : error).split('\n')[0]}`)
  }
  const policies: unknown = typeof read === 'object' && read !== null && 'policies' in read ? read.policies : undefined
  if (!Array.isArray(policies)) {
    throw new CommandFailure(
      `${path} has no list "policies"; write one, each with keep_days and, unless for all, ingestion_model`,
    )
  }
  return policies as Policies
}

async function setPolicies(quire: QuireClient, policies: Policies, json: boolean): Promise<0> {
  const { number } = (await quire.getRetention()).body
  const { body } = await quire.setRetention({ body: { policies, expected_number: number } })
  return tellSet(body, json)
}

function tellSet(set: Retention, json: boolean): 0 {
  if (json) {
    printJson(set)
    return 0
  }
  const head =
    set.number === 0 ? 'no set of policies was ever made' : `set ${set.number}, by ${set.set_by} at ${set.set_at}`
  const lines =
    set.policies.length === 0
      ? ['everything is kept']
      : set.policies.map((policy) => `${nameOf(policy)}  ${keptFor(policy)}`)
  process.stdout.write(`${[head, ...lines].map(plain).join('\n')}\n`)
  return 0
}

function tellPlan(plan: RetentionPlan, json: boolean): 0 {
  if (json) {
    printJson(plan)
    return 0
  }
  for (const { policy, parts = [], ...whole } of plan.policies) {
    process.stdout.write(`${plain(nameOf(policy))}: would remove ${removalOf(whole, 'not ended yet')}\n`)
    for (const { part, ...found } of parts) {
      process.stdout.write(`  ${plain(part)}: ${removalOf(found, 'not ended yet, or not sent')}\n`)
    }
  }
  if (plan.policies.length === 0) process.stdout.write('there is no policy: everything is kept\n')
  if (!plan.is_complete) process.stdout.write('there is more than is counted at once\n')
  return 0
}

type Counted = Pick<RetentionPlan['policies'][number], 'counts' | 'held' | 'at_work'>

/** @param working why those stay that are neither held nor removed */
function removalOf({ counts, held, at_work: atWork }: Counted, working: string): string {
  const kept = [held === 0 ? [] : [`${held} held`], atWork === 0 ? [] : [`${atWork} ${working}`]].flat().join(', ')
  return `${counted(counts)}${kept === '' ? '' : `; stays: ${kept}`}`
}

function nameOf(policy: Policies[number]): string {
  return policy.ingestion_model ?? 'all other models'
}

function keptFor({ keep_days: whole, parts = {} }: Policies[number]): string {
  const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`
  return [
    `kept for ${days(whole)}`,
    ...Object.entries(parts).map(([part, count]) => `${part} for ${days(count)}`),
  ].join(', ')
}
