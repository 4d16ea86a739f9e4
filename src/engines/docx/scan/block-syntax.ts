/** Tags that begin, divide and end blocks. */
import { parseCondition } from './condition.ts'
import { readPath, wordName } from './expression.ts'
import { pathOf } from './foreign-tags.ts'
import { pointerHint, type TagResult, unknownTag } from './syntax.ts'

/** A word behind the `#`, and the rest of the tag. `else if` counts as one word. */
const words = /^#(each|with|if|else\s+if)(?![\p{L}\p{N}_-])\s*(.+)$/su

export function parseBlockTag(source: string): TagResult {
  if (source === '#end') return { ok: true, tag: { kind: 'end' } }
  if (source === '#else') return { ok: true, tag: { kind: 'else' } }
  if (source === '#keep') return { ok: true, tag: { kind: 'keep' } }
  const [, word, rest = ''] = words.exec(source) ?? []
  if (word === undefined) return unknownTag(source)
  if (word === 'each') return parseLoop(rest)
  if (word === 'with') return parseWith(rest)
  const parsed = parseCondition(rest)
  if (!parsed.ok) return parsed
  return { ok: true, tag: { kind: word === 'if' ? 'if' : 'elseif', condition: parsed.condition } }
}

function parseLoop(rest: string): TagResult {
  const list = readPath(rest, 0, wordName)
  const more = list === undefined ? '' : rest.slice(list.end).trim()
  if (list === undefined || !/^[/.]/.test(rest)) return noList(rest)
  const words = more === '' ? [] : more.split(/\s+/)
  const [restarts, columns] = ['restart', 'columns'].map((word) => words.includes(word))
  if (words.length === Number(restarts) + Number(columns)) {
    const tag = { kind: 'each' as const, value: list.value, restarts: restarts === true }
    return { ok: true, tag: columns === true ? { ...tag, columns } : tag }
  }
  const written = rest.slice(0, list.end)
  return {
    ok: false,
    code: 'docx.bad_option',
    message: `“${more.slice(0, 80)}” is not an option of #each.`,
    hint: /^as\b|^in\b/.test(more)
      ? `Write {{#each ${written}}}: the members of its items are ./name, and .. leads outwards.`
      : /^(?:where|if|filter|sort|sortby|order|orderby|by|limit|take|first|reverse|desc|asc)\b/i.test(more)
        ? 'Let the transformer choose and sort the items: { $each: /list, as: item, where: …, sort: { by: $item/name } }. A condition goes inside of the loop.'
        : `Write {{#each ${written} restart}}, {{#each ${written} columns}}, or nothing behind the list. Put a name with blanks in quotes: /"line items".`,
  }
}

function parseWith(rest: string): TagResult {
  const object = readPath(rest, 0, wordName)
  if (object === undefined || !/^[/.]/.test(rest)) {
    const message = `“${rest}” does not point to an object.`
    return { ok: false, code: 'docx.bad_pointer', message, hint: bareHint('with', rest) ?? pointerHint }
  }
  const more = rest.slice(object.end).trim()
  if (more === '') return { ok: true, tag: { kind: 'with', value: object.value } }
  return {
    ok: false,
    code: 'docx.bad_option',
    message: `“${more.slice(0, 80)}” is not an option of #with.`,
    hint: `Write {{#with ${rest.slice(0, object.end)}}}: the members are ./name, and .. leads outwards. Put a name with blanks in quotes.`,
  }
}

export function noList(written: string): TagResult {
  const message = `“${written}” does not point to a list.`
  const [, looped] = /^[\p{L}_$][\p{L}\p{N}_]*\s+(?:in|of)\s+([/.][^\s{}]*)$/u.exec(written) ?? []
  if (looped !== undefined) {
    const hint = `Write {{#each ${looped}}}: the members of its items are ./name.`
    return { ok: false, code: 'docx.bad_pointer', message, hint }
  }
  return { ok: false, code: 'docx.bad_pointer', message, hint: bareHint('each', written) ?? pointerHint }
}

/** For names as other languages write them: `lines`, `this.lines`, `order.lines as |line|`. */
function bareHint(word: string, written: string): string | undefined {
  const name = /^[A-Za-z_$][\w.$]*(?=\s|$)/.exec(written)?.[0]
  return name === undefined
    ? undefined
    : `Write {{#${word} ${pathOf(name)}}}; inside of another block, ./ is a member of its item.`
}
