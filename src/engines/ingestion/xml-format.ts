/** Reads a model's declaration of XML inputs: which elements are lists, objects or numbers. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import {
  type EmptyChoice,
  emptyChoices,
  isValueType,
  oneOf,
  type Refuse,
  textOf,
  type ValueType,
  valueTypes,
} from './declaration.ts'
import { choiceMeant } from './slips.ts'

export interface XmlFormat {
  format: 'xml'
  /** The name of the root element, whose content is the input. */
  root: string
  /** The namespaces of elements and attributes, by the prefix that their names get in the value. */
  namespaces: Record<string, string>
  /** Places of the elements that make an array, however often they are there. */
  lists: string[]
  /** Places of the elements that make an object, even if they have only text. */
  objects: string[]
  /** By place; elements and attributes are text otherwise. */
  types: Record<string, ValueType>
  /** The member that holds an object's own text. */
  text: string
  /** What comes before the name of an attribute. */
  attributes: string
  decimal: '.' | ','
  /** Whether white space around the text of elements is dropped. */
  trim: boolean
  /** What an element without text, attributes and elements becomes. */
  empty: EmptyChoice
  /** For a model from before the fifth rules (core/reading.ts), which accepts inputs that are refused today. */
  isEarlier?: true
}

/** A name of XML, with or without a prefix. */
const name = String.raw`(?:[\p{L}_][\p{L}\p{N}\p{M}._·-]*:)?[\p{L}_][\p{L}\p{N}\p{M}._·-]*`
export const wholeName = new RegExp(`^${name}$`, 'u')
export const elementPlace = new RegExp(`^/?${name}(?:/${name})*$`, 'u')
export const anyPlace = new RegExp(`^/?(?:${name}/)*(?:@?${name})$`, 'u')
/** Names repeat it, so it is short. */
export const namespacePrefix = /^(?:[\p{L}_][\p{L}\p{N}\p{M}._·-]{0,39})?$/u

/** The declaration, with every default filled in. */
export function checkXmlFormat(value: JsonObject, refuse: Refuse): XmlFormat {
  const one = <T>(key: string, choices: readonly T[], otherwise: T): T =>
    oneOf({ value, key, refuse }, choices, otherwise)
  const namespaces = namespacesOf(value.namespaces, refuse)
  const places: Places = { namespaces, refuse }
  return {
    format: 'xml',
    root: rootOf(value.root, places),
    namespaces,
    lists: placesOf(value.lists, 'lists', places),
    objects: placesOf(value.objects, 'objects', places),
    types: typesOf(value.types, places),
    text: textOf({ value, key: 'text', refuse }, '#text'),
    attributes: one('attributes', ['@', ''], '@'),
    decimal: one('decimal', ['.', ','] as const, '.'),
    trim: one('trim', [true, false], true),
    empty: one('empty', emptyChoices, 'omit'),
  }
}

interface Places {
  namespaces: Record<string, string>
  refuse: Refuse
}

function rootOf(given: JsonValue | undefined, places: Places): string {
  if (typeof given === 'string' && wholeName.test(given)) {
    requirePrefixes(given, ['input', 'root'], places)
    return given
  }
  const hint = 'write "root: invoice", or with a prefix of namespaces'
  places.refuse(['input', 'root'], 'input', 'root must be the name of the root element', hint)
  return ''
}

function namespacesOf(given: JsonValue | undefined, refuse: Refuse): Record<string, string> {
  const made: Record<string, string> = Object.create(null)
  if (given === undefined) return made
  if (!isJsonObject(given)) {
    const hint = 'write "namespaces: { inv: \'urn:example:invoice\' }"; the prefix "" is for names without one'
    refuse(['input', 'namespaces'], 'type', 'namespaces must be a mapping of prefixes', hint)
    return made
  }
  const known = new Set<string>()
  for (const [key, uri] of Object.entries(given)) {
    const at = ['input', 'namespaces', key]
    if (!namespacePrefix.test(key) || /^xml/i.test(key)) {
      refuse(
        at,
        'input',
        `"${key.slice(0, 60)}" is no prefix`,
        'write letters and digits; those that begin with xml are taken',
      )
    } else if (typeof uri !== 'string' || uri === '' || uri.length > limits.xmlNamespaceChars) {
      refuse(at, 'input', `a namespace is text of 1 to ${limits.xmlNamespaceChars} characters`, 'copy it from xmlns')
    } else if (known.has(uri)) {
      refuse(at, 'input', 'two prefixes have the same namespace', 'leave one of them out')
    } else {
      known.add(uri)
      made[key] = uri
    }
  }
  return made
}

function placesOf(given: JsonValue | undefined, key: 'lists' | 'objects', places: Places): string[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.length > limits.xmlPlaces) {
    const message = `${key} must be a list of at most ${limits.xmlPlaces} elements`
    places.refuse(['input', key], 'type', message, `write "${key}: [line]", or leave it out`)
    return []
  }
  return given.filter((place, index): place is string => isPlace(place, elementPlace, ['input', key, index], places))
}

function typesOf(given: JsonValue | undefined, places: Places): Record<string, ValueType> {
  const types: Record<string, ValueType> = Object.create(null)
  if (given === undefined) return types
  if (!isJsonObject(given) || Object.keys(given).length > limits.xmlPlaces) {
    const message = `types must be a mapping of at most ${limits.xmlPlaces} elements and attributes`
    places.refuse(['input', 'types'], 'type', message, 'write "types: { amount: number, line/@no: number }"')
    return types
  }
  for (const [place, type] of Object.entries(given)) {
    const at = ['input', 'types', place]
    if (!isPlace(place, anyPlace, at, places)) continue
    if (isValueType(type)) types[place] = type
    else
      places.refuse(
        at,
        'input',
        `a type must be one of ${valueTypes.join(', ')}`,
        choiceMeant(type) ?? 'leave it out for text',
      )
  }
  return types
}

/** Whether it is one; refused if not. */
function isPlace(place: JsonValue, form: RegExp, at: (string | number)[], places: Places): boolean {
  if (typeof place !== 'string' || !form.test(place)) {
    const hint =
      typeof place === 'string' && place.startsWith('//') && form.test(place.slice(2))
        ? `write ${place.slice(2, 62)}: a name by itself is any element of that name`
        : 'write its name, the end of its path such as line/amount, or all of it from the root: /order/line'
    places.refuse(at, 'input', `${JSON.stringify(place).slice(0, 60)} is no place of an element`, hint)
    return false
  }
  return requirePrefixes(place, at, places)
}

/** Whether all prefixes of names are declared; refused if not. */
function requirePrefixes(place: string, at: (string | number)[], { namespaces, refuse }: Places): boolean {
  const prefixes = place.split('/').flatMap((step) => /^@?([^:]+):/.exec(step)?.[1] ?? [])
  const unknown = prefixes.find((each) => each !== 'xml' && !Object.hasOwn(namespaces, each))
  if (unknown === undefined) return true
  refuse(at, 'input', `the prefix "${unknown}" is not declared`, `add it to namespaces: { ${unknown}: 'urn:…' }`)
  return false
}
