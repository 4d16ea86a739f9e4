/** Paths and values as other languages write them, and the form that they have here. */
import { pathSlip, pointerMeant } from '../../core/path-slips.ts'
import { shorten } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { ownForm } from './foreign.ts'

/**
 * A hint for a name that an object lacks, if it looks like a mistaken path.
 * @param path what is written before it, slash included
 */
export function slipHint(name: string, path: string): string | undefined {
  const slip = pathSlip(name)
  switch (slip?.kind) {
    case 'member':
      return `Write ${shorten(path.slice(0, -1) + slip.pointer)}: a slash leads to a member, and to an item by its number from 0.`
    case 'length':
      return 'Count the items with { $count: /list }.'
    case 'all':
      return 'Loop with { $each: /list, as: item, do: $item/name }.'
    case 'comparison':
      return `Compare with { $is: [${shorten(path + slip.left)}, "${slip.sign}", ${shorten(slip.right, 30)}] }.`
    case 'formula':
      return calculation
    case 'nothing':
      return 'Write one slash before each name, and none at the end.'
    default:
      return undefined
  }
}

const calculation = 'Calculate with { $calc: "a * b", a: /first, b: /second }.'

/** For `/lines/amount`, which goes into a list. */
export function ofItems(node: SourceNode, list: string, token: string): string {
  if (!/^[A-Za-z_]/.test(token)) return 'Loop over it with $each, or take one item with $pick.'
  const keys = node.parent?.kind === 'map' ? node.parent.entries.map(({ key }) => key) : []
  const sum = ['$sum', '$min', '$max', '$avg'].find((key) => keys.includes(key))
  return sum === undefined
    ? `Loop over it: { $each: ${shorten(list)}, as: item, do: $item/${shorten(token)} }, or take one item with $pick.`
    : `Write { ${sum}: ${shorten(list)}, as: item, of: $item/${shorten(token)} }.`
}

/** A hint for text that begins with $ and names nothing: `$.customer.name`, `$item.amount`, `$sum(/lines)`. */
export function foreignReading(text: string, isKnown: (name: string) => boolean): string | undefined {
  const [, word = ''] = /^(\$[A-Za-z]+)\(/.exec(text) ?? []
  if (word !== '') return `Operators are keys: { ${word}: … }. ${ownForm(word) ?? ''}`.trim()
  const [, name = ''] = /^\$([A-Za-z_][\w-]*)[.[]/.exec(text) ?? []
  if (name !== '' && isKnown(name))
    return `Write $${name}${pointerMeant(text.slice(name.length + 1)) ?? '/name'}: a slash leads to a member.`
  const pointer = pointerMeant(text.replace(/^\$\$?(?=\w)/, ''))
  return pointer === undefined ? undefined : `Write ${shorten(pointer)}: a path that begins with / starts at the input.`
}
