/** The schemas of stored-cases.txt and how a line of it is made; prints the file when it is run. */
import { canonicalHash } from '../../../src/core/canonical.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { type CaseKind, caseKinds, generateCase } from '../../../src/engines/schema/cases.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'
import { arbitraryDocument, seeded } from './arbitrary.ts'
import { bounded, everyKeyword, impliedTypes, named, oneRule, policy, retried } from './case-schemas.ts'

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
  for (const [name, schema] of storedSchemas())
    for (const kind of caseKinds) process.stdout.write(`${storedLine(name, schema, kind)}\n`)
}
