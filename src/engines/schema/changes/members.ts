/** Rules on the members of objects and arrays, where one keyword decides what another applies to. */
import { joinPointer } from '../../../core/pointer.ts'
import { describeValue } from '../explain.ts'
import type { SchemaNode } from '../model.ts'
import { acceptsAll } from './meaning.ts'
import { type ChangeEffect, type Changes, type Context, weakened } from './report.ts'

type Push = (older: SchemaNode | undefined, newer: SchemaNode | undefined, context: Context) => void

type MemberKeyword = 'additionalProperties' | 'items' | 'unevaluatedProperties' | 'unevaluatedItems'

/** Compares the rules of two schemas for members; `push` takes the members' own schemas, to be compared later. */
export class MemberRules {
  constructor(
    private readonly changes: Changes,
    private readonly push: Push,
  ) {}

  compareObjects(older: SchemaNode, newer: SchemaNode, context: Context): void {
    this.compareRequired(older, newer, context)
    const member = { ...context, isCounted: false }
    const names = new Set([...(older.properties?.keys() ?? []), ...(newer.properties?.keys() ?? [])])
    for (const name of names) {
      const [before, after] = [older.properties?.get(name), newer.properties?.get(name)]
      if (before !== undefined && after !== undefined) this.push(before, after, member)
      else if (after !== undefined) this.compareNewProperty(older, after, name, context)
      else if (before !== undefined) this.compareGoneProperty(before, newer, name, context)
    }
    this.comparePatterns(older, newer, context)
    const [before, after] = [older.additionalProperties, newer.additionalProperties]
    this.comparePresence(older, newer, 'additionalProperties', context)
    this.push(before, after, member)
    this.push(older.propertyNames, newer.propertyNames, member)
  }

  /** A keyword that evaluates members changes what `unevaluated…` sees by being there at all. */
  comparePresence(older: SchemaNode, newer: SchemaNode, keyword: MemberKeyword, context: Context): void {
    const [before, after] = [older[keyword], newer[keyword]]
    if (!context.isCounted || (before === undefined) === (after === undefined)) return
    const side = after === undefined ? 'old' : 'new'
    const place = joinPointer((after === undefined ? older : newer).pointer, keyword)
    this.changes.tell(
      side,
      place,
      keyword,
      'unknown',
      `"${keyword}" ${after === undefined ? 'is gone' : 'is new'}, which changes what counts as evaluated`,
    )
  }

  private compareRequired(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const before = new Set(older.required)
    const after = new Set(newer.required)
    newer.required?.forEach((name, index) => {
      if (before.has(name)) return
      const place = joinPointer(joinPointer(newer.pointer, 'required'), index)
      this.changes.tell(
        'new',
        place,
        'required',
        context.stricter,
        `The property ${describeValue(name)} is required now`,
      )
    })
    older.required?.forEach((name, index) => {
      if (after.has(name)) return
      const place = joinPointer(joinPointer(older.pointer, 'required'), index)
      this.changes.tell('old', place, 'required', context.looser, `The property ${describeValue(name)} is optional now`)
    })
    const triggers = new Set([...(older.dependentRequired?.keys() ?? []), ...(newer.dependentRequired?.keys() ?? [])])
    for (const trigger of triggers) {
      const [had, has] = [older.dependentRequired?.get(trigger) ?? [], newer.dependentRequired?.get(trigger) ?? []]
      const added = has.filter((name) => !had.includes(name))
      const gone = had.filter((name) => !has.includes(name))
      const tell = (side: 'old' | 'new', effect: ChangeEffect, list: string[], verb: string) => {
        const place = joinPointer(joinPointer((side === 'old' ? older : newer).pointer, 'dependentRequired'), trigger)
        const what = `${describeValue(trigger)} ${verb} ${list.map((name) => describeValue(name)).join(', ')}`
        this.changes.tell(side, place, 'dependentRequired', effect, what)
      }
      if (added.length > 0) tell('new', context.stricter, added, 'now requires')
      if (gone.length > 0) tell('old', context.looser, gone, 'no longer requires')
    }
  }

  /** A property that is declared now was under the rules for further properties before. */
  private compareNewProperty(older: SchemaNode, after: SchemaNode, name: string, context: Context): void {
    const isPatterned = older.patternProperties?.some(({ pattern }) => pattern.test(name)) === true
    const further = older.additionalProperties
    const shown = describeValue(name)
    const tell = (effect: ChangeEffect, what: string) =>
      this.changes.tell('new', after.pointer, 'properties', effect, what)
    if (context.isCounted) {
      tell('unknown', `The property ${shown} is declared, which changes what counts as evaluated`)
      return
    }
    if (isPatterned) {
      tell(acceptsAll(after) ? context.looser : 'unknown', `The property ${shown} has rules of its own now`)
      return
    }
    if (further?.always === false) {
      tell(context.looser, `The property ${shown} is allowed now`)
      return
    }
    if (further !== undefined && !acceptsAll(further)) {
      tell(context.looser, `The property ${shown} has rules of its own now, compared with those for further properties`)
      this.push(further, after, { ...context, isCounted: false })
      return
    }
    if (acceptsAll(after)) {
      tell(context.looser, `The property ${shown} is declared without rules`)
      return
    }
    tell('unknown', `The property ${shown}, which could hold anything, has rules now`)
  }

  private compareGoneProperty(before: SchemaNode, newer: SchemaNode, name: string, context: Context): void {
    const isPatterned = newer.patternProperties?.some(({ pattern }) => pattern.test(name)) === true
    const further = newer.additionalProperties
    const shown = describeValue(name)
    const tell = (effect: ChangeEffect, what: string) =>
      this.changes.tell('old', before.pointer, 'properties', effect, what)
    if (context.isCounted) {
      tell('unknown', `The property ${shown} is no longer declared, which changes what counts as evaluated`)
      return
    }
    if (isPatterned) {
      tell('unknown', `The property ${shown} falls under a pattern now`)
      return
    }
    if (further?.always === false) {
      const isForbidden = before.always === false
      tell(isForbidden ? context.looser : context.stricter, `The property ${shown} is not allowed any more`)
      return
    }
    if (further !== undefined && !acceptsAll(further)) {
      tell(context.looser, `The property ${shown} falls under the rules for further properties now`)
      this.push(before, further, { ...context, isCounted: false })
      return
    }
    tell(context.looser, `The property ${shown} may hold anything now`)
  }

  private comparePatterns(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const before = new Map((older.patternProperties ?? []).map(({ pattern, schema }) => [pattern.source, schema]))
    const after = new Map((newer.patternProperties ?? []).map(({ pattern, schema }) => [pattern.source, schema]))
    for (const [source, schema] of after) {
      const was = before.get(source)
      if (was !== undefined) this.push(was, schema, { ...context, isCounted: false })
      else {
        const effect = acceptsAll(schema) && !context.isCounted ? context.looser : 'unknown'
        this.changes.tell(
          'new',
          schema.pointer,
          'patternProperties',
          effect,
          `Names that match ${describeValue(source)} have rules of their own now`,
        )
      }
    }
    for (const [source, schema] of before) {
      if (after.has(source)) continue
      const isFree = newer.additionalProperties === undefined || acceptsAll(newer.additionalProperties)
      const effect = isFree && !context.isCounted ? context.looser : 'unknown'
      this.changes.tell(
        'old',
        schema.pointer,
        'patternProperties',
        effect,
        `Names that match ${describeValue(source)} have no rules of their own any more`,
      )
    }
  }

  compareArrays(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const member = { ...context, isCounted: false }
    const [before, after] = [older.prefixItems ?? [], newer.prefixItems ?? []]
    const count = Math.max(before.length, after.length)
    for (let index = 0; index < count; index++) {
      const was = before[index] ?? older.items
      const is = after[index] ?? newer.items
      const listed = before[index] ?? after[index]
      if (context.isCounted && listed !== undefined && before.length > index !== after.length > index) {
        const place = listed.pointer
        const side = after[index] === undefined ? 'old' : 'new'
        this.changes.tell(
          side,
          place,
          'prefixItems',
          'unknown',
          'The number of listed items changed, and with it what counts as evaluated',
        )
      }
      this.push(was, is, member)
    }
    this.comparePresence(older, newer, 'items', context)
    this.push(older.items, newer.items, member)
    if (older.uniqueItems !== newer.uniqueItems) {
      const side = newer.uniqueItems ? 'new' : 'old'
      const place = joinPointer((newer.uniqueItems ? newer : older).pointer, 'uniqueItems')
      const what = newer.uniqueItems ? 'Items must not repeat any more' : 'Items may repeat now'
      this.changes.tell(side, place, 'uniqueItems', newer.uniqueItems ? context.stricter : context.looser, what)
    }
    this.compareContains(older, newer, context)
  }

  private compareContains(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const [before, after] = [older.contains, newer.contains]
    const some = after ?? before
    if (some === undefined) return
    if (before === undefined || after === undefined) {
      const side = after === undefined ? 'old' : 'new'
      const effect = context.isCounted ? 'unknown' : after === undefined ? context.looser : weakened(context.stricter)
      const place = some.pointer
      this.changes.tell(side, place, 'contains', effect, `"contains" ${after === undefined ? 'is gone' : 'is new'}`)
      return
    }
    const isBounded = older.maxContains !== undefined || newer.maxContains !== undefined
    const looser = isBounded ? 'unknown' : context.looser
    this.push(before, after, { stricter: weakened(context.stricter), looser, isCounted: false })
  }
}
