import { expect } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { parse } from 'yaml'
import type { JsonObject, JsonValue } from '../../src/core/json.ts'
import { compileSchema, validatePayload } from '../../src/engines/schema/schema.ts'

const ajv = new Ajv({ allErrors: false, strict: false, validateFormats: false })

/** Says what a schema finds in a text of YAML or JSON, by Quire's validator; another one has to agree whether there is anything. */
export function judgeOf(schema: JsonObject): (text: string) => string[] {
  const own = compileSchema(JSON.stringify(schema))
  if (!own.ok) throw new Error(JSON.stringify(own.findings))
  const other = ajv.compile(schema)
  return (text) => {
    const value = parse(text) as JsonValue
    const findings = validatePayload(own.value, value)
    expect([text, other(value)]).toEqual([text, findings.length === 0])
    return findings.map(({ path, message }) => `${path}: ${message}`)
  }
}
