/** `activations.yaml`: which files of a project come into force later than the others, and when. */
import { type Static, Type } from '@sinclair/typebox'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { activationsFile, scheduledFolder, scheduledPathOf } from '../../core/project-layout.ts'
import { type Remedies, readTree } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { checkShape } from '../../http/shape.ts'
import { object } from '../../http/wire.ts'

/** The instant of each scheduled file, by its path in the project. */
export type ScheduledFiles = ReadonlyMap<string, Instant>

const entry = object({
  effective_from: Type.String({ description: 'An instant such as 2027-01-01T00:00:00Z.' }),
  files: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: limits.projectFamilies,
    description: `Paths below ${scheduledFolder}/ that come into force then.`,
  }),
})
export const activationsShape = object({ activations: Type.Array(entry, { maxItems: limits.projectFamilies }) })

const remedies: Remedies = {
  alias: 'Write the value out.',
  anchor: 'Write the value out.',
  merge: 'Write the keys out.',
  deep: 'Write a list of activations, each with effective_from and files.',
  long: 'Divide the project.',
  empty: 'Remove it, or write "activations: []".',
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the file. Fails with findings whose `path` begins with its name.
 *
 * @param paths all files of the project: each scheduled one must be among them, and scheduled only once
 */
export function readActivations(bytes: Uint8Array, paths: ReadonlySet<string>): Outcome<ScheduledFiles> {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return fail(refusal('', 'The file is not UTF-8.', 'Save it as UTF-8.'))
  }
  const tree = readTree(text, 'yaml', remedies)
  if (!tree.ok) return fail(...tree.findings.map((found) => ({ ...found, path: placeIn(found.path) })))
  const value = jsonOf(tree.value)
  const findings = checkShape(activationsShape, value, 'file')
  if (findings.length > 0) return fail(...findings.map((found) => ({ ...found, path: placeIn(found.path) })))
  const scheduled = new Map<string, Instant>()
  const wrong: Finding[] = []
  for (const [index, { effective_from: from, files }] of (
    value as Static<typeof activationsShape>
  ).activations.entries()) {
    const at = parseInstant(from)
    if (at === undefined) {
      const message = `"${from}" is no instant.`
      wrong.push(refusal(`/activations/${index}/effective_from`, message, 'Write one such as 2027-01-01T00:00:00Z.'))
      continue
    }
    for (const [each, path] of files.entries()) {
      const place = `/activations/${index}/files/${each}`
      if (scheduledPathOf(path) === undefined) {
        const hint = `Put it below ${scheduledFolder}/<a name>/, in a folder such as models.`
        wrong.push(refusal(place, `${path} is no file of configuration below ${scheduledFolder}.`, hint))
      } else if (!paths.has(path)) wrong.push(refusal(place, `There is no ${path}.`, 'Put the file there.'))
      else if (scheduled.has(path)) wrong.push(refusal(place, `${path} is scheduled already.`, 'Keep one of the two.'))
      else scheduled.set(path, at)
    }
  }
  return wrong.length > 0 ? fail(...wrong) : succeed(scheduled)
}

/** Writes the file: instants in order, and each one's files ordered by path. */
export function writeActivations(scheduled: ScheduledFiles): string {
  const byInstant = Map.groupBy([...scheduled].sort(), ([, at]) => at)
  const entries = [...byInstant].sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = entries.flatMap(([at, files]) => [
    `  - effective_from: ${formatInstant(at)}`,
    '    files:',
    ...files.map(([path]) => `      - ${path}`),
  ])
  return [
    '# What comes into force later. All else does when the project is applied.',
    'activations:',
    ...lines,
    '',
  ].join('\n')
}

/** The folder for files that come into force at an instant; every file system accepts the name. */
export function scheduledFolderOf(at: Instant): string {
  return `${scheduledFolder}/${formatInstant(at).replaceAll(':', '-')}`
}

/** Scalars as their text, which is an instant or a path, whatever else YAML could read in it. */
function jsonOf(node: SourceNode): JsonValue {
  if (node.kind === 'list') return node.items.map(jsonOf)
  if (node.kind === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, jsonOf(value)]))
  return typeof node.value === 'string' || node.value === null ? node.value : node.text
}

function placeIn(path: string | undefined): string {
  return path === undefined || path === '' ? activationsFile : `${activationsFile}#${path}`
}

function refusal(path: string, message: string, hint: string): Finding {
  return { code: 'project.activations', severity: 'error', path: placeIn(path), message, hint }
}
