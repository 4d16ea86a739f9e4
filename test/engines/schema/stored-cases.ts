/** The schemas of stored-cases.txt and how a line of it is made; prints the file when it is run. */
import { canonicalHash } from '../../../src/core/canonical.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { type CaseKind, caseKinds, generateCase } from '../../../src/engines/schema/cases.ts'
import { caseLocaleKeyword, caseLocales } from '../../../src/engines/schema/generate/believe.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'
import { arbitraryDocument, seeded } from './arbitrary.ts'
import {
  bounded,
  breakable,
  everyKeyword,
  impliedTypes,
  local,
  named,
  neither,
  oneRule,
  policy,
  retried,
  structures,
} from './case-schemas.ts'

const arbitraryCount = 60

export function storedSchemas(): [name: string, schema: JsonValue][] {
  return [
    ['policy', policy],
    ['bounds', bounded],
    ...Object.entries(everyKeyword),
    ...Object.entries(oneRule),
    ...Object.entries(named),
    ...Array.from({ length: arbitraryCount }, (_, seed): [string, JsonValue] => [
      `arbitrary document ${seed}`,
      arbitraryDocument(seeded(1_000 + seed)),
    ]),
    ...Object.entries(retried),
    ...Object.entries(impliedTypes).map(([type, schemas]): [string, JsonValue] => [
      `keywords for the type ${type}`,
      { type: 'object', properties: schemas, required: Object.keys(schemas) },
    ]),
  ]
}

/** Those of a second file of tests: of structures, of single rules that are broken, and of each country. */
export function furtherSchemas(): [name: string, schema: JsonValue][] {
  return [
    ...Object.entries(structures),
    ...neither,
    ...breakable.map((schema): [string, JsonValue] => [JSON.stringify(schema), schema]),
    ...caseLocales.map((locale): [string, JsonValue] => [
      localName + locale,
      { ...local, [caseLocaleKeyword]: locale },
    ]),
  ]
}

const localName = 'people and firms of '

/** The other kinds are of the same values where a country is named. */
export function storedKinds(name: string): readonly CaseKind[] {
  return name.startsWith(localName) ? ['valid'] : caseKinds
}

/** Lines that stored-cases.txt lacks. */
export async function missingLines([name, schema]: [name: string, schema: JsonValue]): Promise<string[]> {
  const lines = await storedLines()
  return storedKinds(name)
    .map((kind) => storedLine(name, schema, kind))
    .filter((line) => !lines.has(line))
}

export async function storedLines(): Promise<ReadonlySet<string>> {
  const text = await Bun.file(new URL('stored-cases.txt', import.meta.url)).text()
  return new Set(text.trimEnd().split('\n'))
}

/** `hash kind name`; a refusal counts with its message, a boundary or a broken rule with its place. */
export function storedLine(name: string, schema: JsonValue, kind: CaseKind): string {
  const compiled = compileSchemaValue(schema)
  if (!compiled.ok) throw new Error(`${name}: ${compiled.findings[0]?.message}`)
  const answers: JsonValue[] = []
  for (let seed = 0; seed < 10; seed++) {
    const made = generateCase(compiled.value, { kind, seed })
    if (!made.ok) answers.push(made.findings[0]?.message ?? '')
    else answers.push([made.value.payload, made.value.path ?? null, made.value.keyword ?? null])
  }
  return `${canonicalHash(answers).slice(0, 16)} ${kind} ${name}`
}

if (import.meta.main) {
  for (const [name, schema] of [...storedSchemas(), ...furtherSchemas()])
    for (const kind of storedKinds(name)) process.stdout.write(`${storedLine(name, schema, kind)}\n`)
}
