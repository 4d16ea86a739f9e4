/** Keywords, types and formats as other languages and older drafts write them. */
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { parsePointer } from '../../core/pointer.ts'

const typeWords: Readonly<Record<string, string>> = {
  int: 'Write "integer".',
  long: 'Write "integer".',
  float: 'Write "number".',
  double: 'Write "number".',
  decimal: 'Write "number".',
  bool: 'Write "boolean".',
  str: 'Write "string".',
  text: 'Write "string".',
  list: 'Write "array".',
  map: 'Write "object".',
  dict: 'Write "object".',
  objekt: 'Write "object".',
  date: 'Write "type": "string", "format": "date".',
  datetime: 'Write "type": "string", "format": "date-time".',
  'date-time': 'Write "type": "string", "format": "date-time".',
  email: 'Write "type": "string", "format": "email".',
  enum: 'Write "enum": ["a", "b"] without a type.',
  file: 'Write "type": "string" and hand the content in as base64 text.',
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** What to write for a value that the metaschema refuses; undefined if nothing is known of it. */
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
  size: 'Write "minItems" and "maxItems".',
  regex: 'Write "pattern".',
  property: 'Write "properties".',
  fields: 'Write "properties".',
  requiredproperties: 'Write "required".',
  mandatory: 'List the name in "required" of the object around it.',
  optional: 'Leave it out: what "required" of the object around it does not list may be missing.',
  nullable: 'Write null among the types: "type": ["string", "null"].',
  additionalitems: 'Write "prefixItems" for the first places, and "items": false for no others.',
  additionalproperty: 'Write "additionalProperties".',
  values: 'Write "enum".',
  options: 'Write "enum".',
  choices: 'Write "enum".',
  example: 'Write "examples": [ … ].',
  desc: 'Write "description".',
  comment: 'Write "$comment".',
  id: 'Write "$id".',
  schema: 'Write "$schema".',
  ref: 'Write "$ref".',
  defs: 'Write "$defs".',
  discriminator: 'Give each branch of "oneOf" a property with "const"; a discriminator of OpenAPI checks nothing.',
  divisibleby: 'Write "multipleOf".',
  extends: 'Write "allOf".',
  disallow: 'Write "not".',
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
  guid: 'Write "uuid".',
  ip: 'Write "ipv4" or "ipv6".',
  phone: 'Write a pattern, such as "^\\\\+[0-9]{7,15}$".',
  iban: 'Write a pattern; check digits are not checked.',
  float: 'Leave it out: "type": "number" is exact.',
  double: 'Leave it out: "type": "number" is exact.',
  int32: 'Write "minimum": -2147483648 and "maximum": 2147483647.',
  int64: 'Leave it out, or write "minimum" and "maximum".',
}

/** For a format that checks nothing here. */
export function otherFormat(name: string): string | undefined {
  const word = name.toLowerCase()
  return Object.hasOwn(otherFormats, word) ? otherFormats[word] : undefined
}
