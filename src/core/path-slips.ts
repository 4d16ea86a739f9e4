/** Recognises paths of JSONPath, jq, JSONata and JavaScript, and their words used in place of a name. */

const path = /^[A-Za-z_][\w-]*(?:[./][A-Za-z_][\w-]*|\.?\[\d+\]|[./]\d+)*$/

/** `customer.name`, `$.lines[0].text`, `.total` or `customer/name` as a JSON Pointer; undefined for anything else. */
export function pointerMeant(written: string): string | undefined {
  const inner = written.replace(/^(?:\$\$?|@)(?=[./])/, '').replace(/^[./]/, '')
  if (!path.test(inner)) return undefined
  const names = inner.replace(/\[(\d+)\]/g, '.$1').split(/[./]+/)
  return `/${names.join('/')}`
}

/** What is written where one name of a pointer should be. */
export type PathSlip =
  /** `customer.name`, `lines[0]`: the way to a member in another language. */
  | { kind: 'member'; pointer: string }
  /** `lines.length`: how many there are. */
  | { kind: 'length' }
  /** `lines[]`, `lines[*]`, `*`: all items. */
  | { kind: 'all' }
  /** `total > 3`, `paid = true`. */
  | { kind: 'comparison'; left: string; sign: string; right: string }
  /** `total * 1.19`. */
  | { kind: 'formula' }
  /** `//name`, `/name/`. */
  | { kind: 'nothing' }

/** What an unknown name may have been meant for; undefined if it looks like a name. */
export function pathSlip(name: string): PathSlip | undefined {
  if (name === '') return { kind: 'nothing' }
  if (/^\*$|\[\*?\]/.test(name)) return { kind: 'all' }
  if (/\.(?:length|size|count)(?:\(\))?$/.test(name)) return { kind: 'length' }
  const [, left, sign, right] = /^([^\s=<>!]+)\s*(==?=?|!==?|<=?|>=?)\s*(\S.*)$/s.exec(name) ?? []
  if (left !== undefined && sign !== undefined && right !== undefined) {
    return { kind: 'comparison', left, sign: sign.replace(/^={2,}$/, '=').replace('!==', '!='), right }
  }
  if (/\s[-+*/%]\s|[*%]/.test(name)) return { kind: 'formula' }
  const pointer = /[.[]/.test(name) ? pointerMeant(name) : undefined
  return pointer === undefined ? undefined : { kind: 'member', pointer }
}
