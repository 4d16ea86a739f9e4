/** Keywords, types and formats as other languages and older drafts write them. */
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { parsePointer } from '../../core/pointer.ts'

const typeWords: Readonly<Record<string, string>> = {
  int: 'Write "integer".',
  float: 'Write "number".',
  bool: 'Write "boolean".',
  text: 'Write "string".',
  objekt: 'Write "object".',
  date: 'Write "type": "string", "format": "date".',
  datetime: 'Write "type": "string", "format": "date-time".',
  'date-time': 'Write "type": "string", "format": "date-time".',
  email: 'Write "type": "string", "format": "email".',
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** What to write for a value that the metaschema refuses; undefined where nothing is known of it. */
export function keywordHint(root: JsonValue, path: string): string | undefined {
  const tokens = parsePointer(path) ?? []
  const keyword = tokens.at(-1) ?? ''
  let value: JsonValue | undefined = root
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[Number(token)]
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
  }
  const holder = tokens.at(-2)
  if (keyword === 'type' && typeof value === 'string') {
    const word = value.toLowerCase()
    if (types.includes(word)) return `Write "${word}" in small letters.`
    return Object.hasOwn(typeWords, word) ? typeWords[word] : undefined
  }
  if (keyword === 'required' && typeof value === 'boolean') {
    return value && holder !== undefined
      ? `List the name in the object around it: "required": ["${holder}"], beside "properties".`
      : 'Leave it out: what "required" of the object around it does not list may be missing.'
  }
  if (keyword === 'required' && typeof value === 'string') return `Write "required": ["${value}"].`
  if (keyword === 'items' && Array.isArray(value))
    return 'Write "prefixItems" for a schema of each place, and "items" for the others.'
  if (/^exclusiveM(?:in|ax)imum$/.test(keyword) && typeof value === 'boolean') {
    return `Write the bound itself into "${keyword}", and leave "${keyword.endsWith('nimum') ? 'minimum' : 'maximum'}" out.`
  }
  if (keyword === 'enum') return `Write a list: "enum": [${JSON.stringify(value ?? 'a')}].`
  if (/^(?:anyOf|oneOf|allOf)$/.test(keyword)) return `Write a list of schemas: "${keyword}": [{ … }, { … }].`
  if (holder === 'properties' && typeof value === 'string')
    return `Write a schema: "${keyword}": { "type": "${value}" }.`
  if (keyword === 'properties' && Array.isArray(value))
    return 'Write an object: "properties": { "name": { "type": "string" } }.'
  if (value === 'true' || value === 'false') return `Write ${value} without quotes.`
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? `Write ${value} without quotes.` : undefined
}

const otherKeywords: Readonly<Record<string, string>> = {
  min: 'Write "minimum" for a number, "minLength" for text, "minItems" for an array.',
  max: 'Write "maximum" for a number, "maxLength" for text, "maxItems" for an array.',
  length: 'Write "minLength" and "maxLength".',
  regex: 'Write "pattern".',
  property: 'Write "properties".',
  requiredproperties: 'Write "required".',
  optional: 'Leave it out: what "required" of the object around it does not list may be missing.',
  nullable: 'Write null among the types: "type": ["string", "null"].',
  additionalitems: 'Write "prefixItems" for the first places, and "items": false for no others.',
  example: 'Write "examples": [ … ].',
  id: 'Write "$id".',
}

/** For a keyword of another language or draft. */
export function otherKeyword(name: string): string | undefined {
  const word = name.toLowerCase()
  return Object.hasOwn(otherKeywords, word) ? otherKeywords[word] : undefined
}

const otherFormats: Readonly<Record<string, string>> = {
  datetime: 'Write "date-time".',
  timestamp: 'Write "date-time".',
  'iso-date': 'Write "date".',
  iso8601: 'Write "date" or "date-time".',
  mail: 'Write "email".',
  'e-mail': 'Write "email".',
  url: 'Write "uri".',
  float: 'Leave it out: "type": "number" is exact.',
}

/** For a format that checks nothing here. */
export function otherFormat(name: string): string | undefined {
  const word = name.toLowerCase()
  return Object.hasOwn(otherFormats, word) ? otherFormats[word] : undefined
}
