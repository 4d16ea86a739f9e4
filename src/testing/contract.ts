import { type JsonValue, readJson } from '../core/json.ts'
import { compileSchema, validatePayload } from '../engines/schema/schema.ts'
import type { Contract, Issue } from './types.ts'

/**
 * A contract from its text.
 *
 * @throws Error for a text that isn't a usable schema
 */
export function contractOf(name: string, text: string): Contract {
  const compiled = compileSchema(text)
  if (!compiled.ok) {
    const lines = compiled.findings.map(({ path = '', message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`)
    throw new Error(`The contract ${name} can't be used:${lines.join('')}`)
  }
  return {
    name,
    issuesOf(value) {
      const read = asJson(value)
      if (!('value' in read)) return [{ path: '', message: read.message }]
      return validatePayload(compiled.value, read.value).map(
        ({ path = '', keyword, message }): Issue => ({ path, message, ...(keyword === undefined ? {} : { keyword }) }),
      )
    },
  }
}

function asJson(value: unknown): { value: JsonValue } | { message: string } {
  const text = JSON.stringify(value)
  if (text === undefined) return { message: `It is no JSON: ${String(value)}` }
  const read = readJson(text)
  return read.ok ? { value: read.value } : { message: read.findings[0]?.message ?? 'It is no JSON.' }
}
