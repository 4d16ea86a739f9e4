import { type Static, Type } from '@sinclair/typebox'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { readJsonInParts } from '../../core/json.ts'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { familiesFile, projectKinds, projectLayout } from '../../core/project-layout.ts'
import { atOnce, type InParts } from '../../core/turns.ts'
import { checkShape } from '../../http/shape.ts'
import { object } from '../../http/wire.ts'
import { familyDescription, familyName } from '../families/families.model.ts'

/** A family's texts for people. */
export interface FamilyTexts {
  name: string
  description: string
}

/** By kind and slug, separated by a space. */
export type FamilyTextsOf = ReadonlyMap<string, FamilyTexts>

const texts = object({ name: familyName, description: familyDescription })
const bySlug = Type.Record(Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }), texts, {
  additionalProperties: false,
})
export const familiesShape = Type.Object(
  Object.fromEntries(projectKinds.map((kind) => [projectLayout[kind].folder, Type.Optional(bySlug)])),
  { additionalProperties: false },
)

/** Reads `families.json`. Fails with findings whose `path` begins with the file's name. */
export function readFamilyTexts(bytes: Uint8Array): Outcome<FamilyTextsOf> {
  return atOnce(familyTextsInParts(bytes))
}

/** `readFamilyTexts` in slices, for a thread that others need. */
export function* familyTextsInParts(bytes: Uint8Array): InParts<Outcome<FamilyTextsOf>> {
  if (bytes.length > limits.projectTextsBytes) {
    const message = `The file has more than ${limits.projectTextsBytes} bytes.`
    return fail({ code: 'project.size', severity: 'error', path: familiesFile, message, hint: 'Shorten descriptions.' })
  }
  const read = yield* readJsonInParts(bytes)
  if (!read.ok) return fail(...read.findings.map(inFile))
  const findings = checkShape(familiesShape, read.value, 'file')
  if (findings.length > 0) return fail(...findings.map(inFile))
  const given = read.value as Record<string, Record<string, Static<typeof texts>> | undefined>
  return succeed(
    new Map(
      projectKinds.flatMap((kind) =>
        Object.entries(given[projectLayout[kind].folder] ?? {}).map(
          ([slug, told]) => [`${kind} ${slug}`, told] as const,
        ),
      ),
    ),
  )
}

function inFile(finding: Finding): Finding {
  return { ...finding, path: finding.path ? `${familiesFile}#${finding.path}` : familiesFile }
}

/** Writes `families.json`: kinds in the layout's order, slugs sorted by their characters. */
export function writeFamilyTexts(families: readonly ({ kind: FamilyKind; slug: string } & FamilyTexts)[]): string {
  // A family may be listed several times: as in force, and for each later instant.
  const once = new Map(families.map((family) => [`${family.kind} ${family.slug}`, family]))
  const sorted = [...once.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1))
  const byKind = projectKinds.flatMap((kind) => {
    const rows = sorted
      .filter((family) => family.kind === kind)
      .map(({ slug, name, description }) => {
        const told = `{ "name": ${JSON.stringify(name)}, "description": ${JSON.stringify(description)} }`
        return `    ${JSON.stringify(slug)}: ${told}`
      })
    return rows.length === 0 ? [] : [`  ${JSON.stringify(projectLayout[kind].folder)}: {\n${rows.join(',\n')}\n  }`]
  })
  return `{\n${byKind.join(',\n')}\n}\n`
}
