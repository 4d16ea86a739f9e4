/** Translates the tags of another language to Quire's by rule, and makes data with which both can fill the template. */
import type { JsonValue } from '../../src/core/json.ts'

/** What a tag does, whatever its language. */
export type Meaning =
  | { kind: 'value'; place: Place }
  /** Mustache's section: a list, or a flag if nothing is read in it. */
  | { kind: 'section'; place: Place; isNot: boolean }
  | { kind: 'loop'; place: Place; variable: string }
  | { kind: 'if'; place: Place; isNot: boolean; compared?: string }
  | { kind: 'else' }
  | { kind: 'end' }
  | { kind: 'index' }
  | { kind: 'image'; place: Place }
  /** No rule translates it. */
  | { kind: 'beyond'; why: string }

/** `item`: from the variable of a loop; `lexical`: from the innermost block that has it. */
export type Place =
  | { of: 'root'; names: readonly string[] }
  | { of: 'lexical'; names: readonly string[] }
  | { of: 'item'; variable: string; names: readonly string[] }
  /** The item of a loop with that variable, or else a member of the data. */
  | { of: 'scoped'; variable: string; names: readonly string[] }
  | { of: 'self' }

/** The shape of the data at a place. */
interface Shape {
  members: Map<string, Shape>
  use: 'text' | 'list' | 'flag' | undefined
  /** One of the texts with which it is compared. */
  compared?: string
}

interface Frame {
  kind: 'each' | 'if'
  variable?: string
  /** Name of the list that the block iterates. */
  name?: string
  shape: Shape
}

export type Translation = { ok: true; tags: string[]; data: JsonValue } | { ok: false; why: string }

/** @param meanings of all tags of a document, by part */
export function translate(parts: readonly (readonly Meaning[])[]): Translation {
  const root: Shape = { members: new Map(), use: undefined }
  const tags: string[] = []
  for (const meanings of parts) {
    const frames: Frame[] = []
    for (const [index, meaning] of meanings.entries()) {
      const tag = tagOf(meaning, { root, frames, isRead: isRead(meanings, index) })
      if (typeof tag !== 'string') return { ok: false, why: tag.why }
      tags.push(tag)
    }
    if (frames.length > 0) return { ok: false, why: 'blocks that begin and end in different parts' }
  }
  return { ok: true, tags, data: dataOf(root, '') }
}

interface Context {
  root: Shape
  frames: Frame[]
  /** Whether the block reads a value. */
  isRead: boolean
}

function tagOf(meaning: Meaning, context: Context): string | { why: string } {
  const { frames } = context
  const each = frames.filter(({ kind }) => kind === 'each')
  switch (meaning.kind) {
    case 'beyond':
      return meaning
    case 'else':
      return '{{#else}}'
    case 'end':
      return frames.pop() === undefined ? { why: 'an end without a beginning' } : '{{#end}}'
    case 'index':
      return each.length === 0 ? { why: 'the number of no item' } : '{{@index}}'
    default: {
      const found = find(meaning.place, context)
      if (found === undefined) return { why: 'a name that no loop gives' }
      const { shape, path } = found
      if (meaning.kind === 'value' || meaning.kind === 'image') {
        if (shape.use === 'list' || shape.members.size > 0) return { why: 'one name for a text and a list' }
        shape.use ??= 'text'
        return `{{${path}}}`
      }
      if (meaning.kind === 'if') {
        shape.use ??= 'flag'
        frames.push({ kind: 'if', shape: frames.at(-1)?.shape ?? context.root })
        if (meaning.compared !== undefined) shape.compared = meaning.compared
        const test = meaning.compared === undefined ? path : `${path} = "${meaning.compared}"`
        return `{{#if ${meaning.isNot ? 'not ' : ''}${test}}}`
      }
      if (hasName(frames, meaning.place)) return { why: 'a name that the peer looks for in outer blocks' }
      const isFlag = meaning.kind === 'section' && (meaning.isNot || !context.isRead)
      if (isFlag && shape.use !== 'list') {
        shape.use ??= meaning.kind === 'section' && meaning.isNot ? undefined : 'flag'
      } else if (shape.use === 'text' || shape.use === 'flag') return { why: 'one name for a text and a list' }
      else shape.use = 'list'
      if (isFlag) {
        frames.push({ kind: 'if', shape: frames.at(-1)?.shape ?? context.root })
        return `{{#if ${meaning.isNot ? 'not ' : ''}${path}}}`
      }
      const variable = meaning.kind === 'loop' ? { variable: meaning.variable } : {}
      const name = meaning.place.of === 'lexical' ? { name: meaning.place.names.join('.') } : {}
      frames.push({ kind: 'each', shape, ...variable, ...name })
      return `{{#each ${path}}}`
    }
  }
}

/** Whether an enclosing block has the same name, in which the peer looks if the inner item lacks it. */
function hasName(frames: readonly Frame[], place: Place): boolean {
  const name = place.of === 'lexical' ? place.names.join('.') : undefined
  return name !== undefined && frames.some((frame) => frame.name === name)
}

/** Whether the block that begins at an index reads anything. */
function isRead(meanings: readonly Meaning[], index: number): boolean {
  let depth = 0
  for (const { kind } of meanings.slice(index + 1)) {
    if (kind === 'end' && depth-- === 0) return false
    if (kind === 'section' || kind === 'loop' || kind === 'if') depth++
    if (kind !== 'end' && kind !== 'else') return true
  }
  return false
}

function find(place: Place, { root, frames }: Context): { shape: Shape; path: string } | undefined {
  const loops = frames.filter(({ kind }) => kind === 'each')
  if (place.of === 'self') {
    const inner = loops.at(-1)
    return inner === undefined ? undefined : { shape: itemOf(inner.shape), path: '.' }
  }
  const names = place.names.map((name) => (/^\w+$/.test(name) ? `/${name}` : `/"${name}"`)).join('')
  if (place.of === 'root' || (place.of === 'lexical' && loops.length === 0))
    return { shape: memberOf(root, place.names), path: names }
  if (place.of === 'lexical') {
    const inner = loops.at(-1)
    return inner === undefined ? undefined : { shape: memberOf(inner.shape, place.names), path: `.${names}` }
  }
  const at = loops.findLastIndex(({ variable }) => variable === place.variable)
  const loop = loops[at]
  if (loop === undefined && place.of === 'scoped') {
    const tokens = [place.variable, ...place.names]
    return { shape: memberOf(root, tokens), path: tokens.map((name) => `/${name}`).join('') }
  }
  if (loop === undefined) return undefined
  const up = loops.length - 1 - at
  const start = up === 0 ? '.' : Array(up).fill('..').join('/')
  return {
    shape: place.names.length === 0 ? itemOf(loop.shape) : memberOf(loop.shape, place.names),
    path: start + names,
  }
}

const own = '\u0000'

/** The item of a list whose items are texts. */
function itemOf(list: Shape): Shape {
  return memberOf(list, [own])
}

function memberOf(shape: Shape, names: readonly string[]): Shape {
  let found = shape
  for (const name of names) {
    const next: Shape = found.members.get(name) ?? { members: new Map(), use: undefined }
    found.members.set(name, next)
    found = next
  }
  return found
}

/** Data of this shape: texts that name their place, and two items in each list. */
function dataOf(shape: Shape, name: string): JsonValue {
  if (shape.use === 'list') return [1, 2].map((number) => itemData(shape, `${name} ${number}`))
  if (shape.members.size > 0) return membersOf(shape, name)
  if (shape.use === 'flag') return shape.compared ?? true
  return shape.use === 'text' ? (shape.compared ?? name.trim()) : {}
}

function itemData(shape: Shape, name: string): JsonValue {
  const self = shape.members.get(own)
  return self !== undefined ? dataOf(self, name) : membersOf(shape, name)
}

function membersOf(shape: Shape, name: string): JsonValue {
  const used = [...shape.members].filter(([, member]) => member.use !== undefined || member.members.size > 0)
  return Object.fromEntries(used.map(([key, member]) => [key, dataOf(member, `${name} ${key}`)]))
}
