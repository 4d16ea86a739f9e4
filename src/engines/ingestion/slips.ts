/** Common mistakes in ingestion models, and the form that is meant. Hints have no capital and no full stop. */
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { nearest } from '../../core/nearest.ts'
import { pointerMeant } from '../../core/path-slips.ts'
import { metadataFields } from './model-keys.ts'

const otherKeys: Readonly<Record<string, readonly string[]>> = {
  if: ['when'],
  condition: ['when'],
  where: ['when'],
  only: ['when'],
  name: ['key'],
  id: ['key', 'reference'],
  title: ['label'],
  transform: ['transformer'],
  format: ['formats'],
  output: ['formats'],
  child: ['children'],
  nodes: ['children'],
  node: ['nodes'],
  documents: ['nodes'],
  schema: ['contract'],
  date: ['time'],
  timestamp: ['time'],
  number: ['reference'],
  separator: ['delimiter'],
  sep: ['delimiter'],
  headers: ['header'],
  columns: ['header'],
  arrays: ['lists'],
  array: ['lists'],
  element: ['root'],
  xmlns: ['namespaces'],
}

/** For a key that there is not: the one that is meant, else those that there are. */
export function keyMeant(key: string, known: readonly string[]): string {
  const all = `the keys are ${known.join(', ')}`
  if (key === 'encoding') return `leave it out: inputs are UTF-8; ${all}`
  const other = Object.hasOwn(otherKeys, key) ? otherKeys[key]?.find((name) => known.includes(name)) : undefined
  const meant = other ?? nearest(key, known)
  return meant === undefined ? all : `write ${meant} instead of ${key.slice(0, 60)}; ${all}`
}

/** For a name that isn't a slug. */
export function slugHint(value: JsonValue | undefined): string {
  const rule = 'use lower-case letters, digits and single hyphens, such as premium-letter'
  if (typeof value !== 'string' || value === '') return rule
  const [, pinned] = /^([a-z0-9-]+)@\d+$/.exec(value) ?? []
  if (pinned !== undefined) return `write ${pinned}: the version in force at the official time is taken`
  const slug = value
    .replace(/^.*[/\\]/, '')
    .replace(/\.(?:ya?ml|json|docx|dotx)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return slug === '' ? rule : `write ${slug.slice(0, 64)}: ${rule}`
}

/** For a place that is neither a pointer nor a field of the metadata. */
export function sourceHint(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.replace(/^metadata\./, '')
  const field =
    metadataFields.find((each) => each === name || each.endsWith(`_${name}`)) ?? nearest(name, metadataFields)
  if (field !== undefined && (value.startsWith('metadata.') || field === value)) return `write metadata.${field}`
  const pointer = pointerMeant(value)
  return pointer === undefined ? undefined : `write ${pointer}: a pointer has a slash before each name`
}

/** For what is no mapping of name and version. */
export function contractHint(value: JsonValue | undefined): string {
  const [, name = '…', version = '1'] = typeof value === 'string' ? (/^([^@]+)(?:@v?(\d+))?$/.exec(value) ?? []) : []
  return `${value === undefined ? 'add' : 'write'} "contract: {name: ${name.slice(0, 60)}, version: ${version}}"`
}

/** For a version that isn't a whole number. */
export function versionHint(version: JsonValue | undefined): string {
  const [digits] = typeof version === 'string' ? (/\d+/.exec(version) ?? []) : []
  if (digits !== undefined) return `write version: ${digits.slice(0, 9)}, without quotes and letters`
  return 'name a published version, such as version: 1; there is no latest one, as conditions are written for a version'
}

/** For what is no text of the length. */
export function textHint(value: JsonValue | undefined): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `put it in quotes: "${value}"`
  return value === undefined
    ? 'write it'
    : isJsonObject(value) || Array.isArray(value)
      ? 'write text'
      : 'shorten it, or write it'
}

/** For a format, delimiter or type that there is not. */
export function choiceMeant(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  return choices.get(value.toLowerCase())
}

const choices: ReadonlyMap<string, string> = new Map([
  ['semicolon', 'write ";"'],
  ['comma', 'write ","'],
  ['pipe', 'write "|"'],
  ['tab', 'write "\\t" in double quotes'],
  ['\\t', 'write "\\t" in double quotes'],
  ['decimal', 'write number'],
  ['int', 'write number'],
  ['integer', 'write number'],
  ['float', 'write number'],
  ['bool', 'write boolean'],
  ['string', 'write text'],
  ['date', 'write text, and "format": "date" in the contract'],
  ['yes', 'write true'],
  ['no', 'write false'],
])
