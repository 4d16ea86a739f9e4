/**
 * Reads an input into the value that its contract describes: JSON as it is, CSV and XML by the model's declaration. The
 * result is a value, with the place in the text of each of its parts, or a located finding.
 */
import { type Finding, type Outcome, succeed } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import type { InputFormat } from './input-format.ts'
import type { ReadInput } from './input-value.ts'
import { readCsv } from './read-csv.ts'
import { readXml } from './read-xml.ts'
import { located } from './refusal.ts'

export type { ReadInput }

/** @param format of the model; JSON without one */
export function readInput(text: string, format: InputFormat | undefined): Outcome<ReadInput> {
  if (format?.format === 'csv') return located(text, () => readCsv(text, format))
  if (format?.format === 'xml') return located(text, () => readXml(text, format))
  const read = readJson(text)
  return read.ok ? succeed({ value: read.value, placeOf: () => undefined }) : read
}

/** A raw input as JSON text: what can't be read is left as it is, for others to refuse. */
export function asJsonText(text: string, format: InputFormat | undefined): string {
  if (format === undefined) return text
  const read = readInput(text, format)
  return read.ok ? JSON.stringify(read.value.value) : text
}

/** Findings about a value, with the place in the text that it comes from. */
export function placedIn(input: ReadInput, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const place = input.placeOf(finding.path ?? '')
    if (place === undefined) return finding
    const { line, column, element } = place
    const what = element === undefined ? '' : `, in ${element}`
    return { ...finding, message: `${finding.message}${what} (line ${line}, column ${column})`, line, column }
  })
}
