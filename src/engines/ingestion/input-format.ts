/** Reads the part `input` of a model, which declares the format of its inputs. Without it, an input is JSON. */
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { type CsvFormat, checkCsvFormat } from './csv-format.ts'
import type { Refuse } from './declaration.ts'
import { csvKeys, xmlKeys } from './model-keys.ts'
import { keyMeant } from './slips.ts'
import { checkXmlFormat, type XmlFormat } from './xml-format.ts'

export type InputFormat = CsvFormat | XmlFormat

const keysOf: Record<string, readonly string[]> = { csv: csvKeys, xml: xmlKeys }

/** The declaration, with every default filled in. @returns undefined if it is refused */
export function checkInputFormat(value: JsonValue, refuse: Refuse): InputFormat | undefined {
  if (!isJsonObject(value)) {
    const hint = 'write "input: { format: csv }" or "{ format: xml, root: … }", or leave it out for JSON'
    refuse(['input'], 'type', 'input must be a mapping', hint)
    return undefined
  }
  const { format } = value
  if (format !== 'csv' && format !== 'xml') {
    const hint = 'write "format: csv" or "format: xml", or leave input out for JSON'
    refuse(['input', 'format'], 'input', 'format must be csv or xml', hint)
    return undefined
  }
  const keys = keysOf[format] ?? []
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue
    refuse(['input', key], 'unknown_key', `there is no key "${key}" here`, keyMeant(key, keys))
  }
  return format === 'csv' ? checkCsvFormat(value, refuse) : checkXmlFormat(value, refuse)
}
