/** Retention policies as the lines of a text field. */

import { partTitles, type RetainedPart } from '../core/retained-parts.ts'
import type { Retention } from './api/types.ts'
import { translated } from './language.ts'

type Policy = Retention['policies'][number]

/** Also those that this page knows no words for: they must not get lost when a set is changed. */
export function partsOf({ parts = {} }: Policy): [part: string, days: number][] {
  return Object.entries(parts)
}

export function titleOf(part: string): string {
  return Object.hasOwn(partTitles, part) ? translated(partTitles[part as RetainedPart]) : part
}

/** `clws-policy 365 raw_input=30` on each line; `*` is all other models. */
export function writePolicies(policies: readonly Policy[]): string {
  return policies
    .map((policy) => {
      const { ingestion_model: model = '*', keep_days: count } = policy
      return [model, count, ...partsOf(policy).map(([part, days]) => `${part}=${days}`)].join(' ')
    })
    .join('\n')
}

export function readPolicies(text: string): Policy[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [model = '', count = '', ...given] = line.split(/\s+/)
      const parts = given.map((one): [string, number] => {
        const [part = '', days = ''] = one.split('=')
        return [part, Number(days)]
      })
      return {
        ...(model === '*' ? {} : { ingestion_model: model }),
        keep_days: Number(count),
        ...(parts.length === 0 ? {} : { parts: Object.fromEntries(parts) }),
      }
    })
}
