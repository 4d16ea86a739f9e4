/** What happens when a value is missing or null. */

import { sumCosts } from '../built.ts'
import { operator, take } from '../call.ts'
import { nameOf } from '../check.ts'
import { burn, Fault, originPointer } from '../frame.ts'
import { isUnknown, joinTypes, present, type Type, types } from '../types.ts'

function canBeMissing(type: Type): boolean {
  return type.missing || type.null || isUnknown(type)
}

export const missingOperators = [
  operator({
    name: '$default',
    group: 'missing',
    doc: 'The first of several values that is neither missing nor null.',
    args: { subject: take.values('maybe', 2, 'the values in the order in which they are tried') },
    build(call) {
      const values = call.values('subject')
      let type: Type | undefined
      values.forEach((value, index) => {
        const last = index === values.length - 1
        if (!last && !canBeMissing(value.type)) {
          const name = nameOf(value.built)
          call.warning(
            'never_missing',
            value.built.node,
            `${name} is never missing.`,
            'Remove $default, or what follows.',
          )
        }
        const taken = last ? value.type : present(value.type)
        type = type === undefined ? taken : joinTypes(type, taken)
      })
      const { node } = call
      call.builder.warnOfNamesAmong(values.map(({ built }) => built))
      return call.result(type ?? types.unknown, sumCosts(values), (frame) => {
        burn(frame, node)
        for (const value of values) {
          const found = value.run(frame)
          if (found !== undefined && found !== null) return found
        }
        return values.at(-1)?.type.null ? null : undefined
      })
    },
  }),

  operator({
    name: '$require',
    group: 'missing',
    doc: 'The value; when it is missing or null, the run ends with the fault `required` and the given code.',
    args: {
      subject: take.value('maybe', 'the value'),
      code: take.word('a code for the fault: letters, digits and _'),
    },
    build(call) {
      const value = call.value('subject')
      const code = call.word('code')
      if (code !== undefined && !/^[A-Za-z][A-Za-z0-9_]{0,49}$/.test(code)) {
        call.error('argument', call.nodeOf('code'), '"code" wants a letter and then up to 49 letters, digits and _.')
      }
      if (!canBeMissing(value.type)) {
        call.warning('never_missing', value.built.node, `${nameOf(value.built)} is never missing.`, 'Remove $require.')
      }
      const { node } = call
      const { built } = value
      return call.result(present(value.type), sumCosts([value]), (frame) => {
        burn(frame, node)
        const found = value.run(frame)
        if (found !== undefined && found !== null) return found
        const name = built.origin === undefined ? nameOf(built) : originPointer(built.origin, frame)
        throw new Fault(`required.${code?.toLowerCase()}`, node, `${name} is required and is missing (${code}).`)
      })
    },
  }),

  operator({
    name: '$omit',
    group: 'missing',
    doc: 'The value; when it is missing or null, its key (or item) is left out.',
    args: { subject: take.value('maybe', 'the value') },
    build(call) {
      const value = call.value('subject')
      if (!canBeMissing(value.type)) {
        call.warning('never_missing', value.built.node, `${nameOf(value.built)} is never missing.`, 'Remove $omit.')
      }
      const { node } = call
      const type: Type = canBeMissing(value.type)
        ? { ...value.type, missing: true, null: false, omit: true }
        : value.type
      return call.result(type, sumCosts([value]), (frame) => {
        burn(frame, node)
        return value.run(frame) ?? undefined
      })
    },
  }),

  operator({
    name: '$exists',
    group: 'missing',
    doc: 'True when the value is neither missing nor null; what is read under that condition counts as present.',
    args: { subject: take.value('maybe', 'the value') },
    build(call) {
      const value = call.value('subject')
      if (!canBeMissing(value.type)) {
        call.warning('never_missing', value.built.node, `${nameOf(value.built)} is never missing.`, 'Remove the test.')
      }
      const { node } = call
      const result = call.result(types.boolean, sumCosts([value]), (frame) => {
        burn(frame, node)
        const found = value.run(frame)
        return found !== undefined && found !== null
      })
      return value.built.known === undefined ? result : { ...result, whenTrue: [value.built.known] }
    },
  }),
]
