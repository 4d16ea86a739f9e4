/** The reference's text about operators, made from their declarations, so that page and program agree. */
import type { ArgumentSpec, Operator } from './call.ts'
import { wants } from './wants.ts'

function describeKind(spec: ArgumentSpec): string {
  switch (spec.kind) {
    case 'value':
      return spec.want === 'maybe' ? 'a value, which may be missing' : wants[spec.want].name
    case 'values':
      return `a sequence; each: ${spec.want === 'maybe' ? 'a value, which may be missing' : wants[spec.want].name}`
    case 'word':
      return 'literal text'
    case 'choice':
      return 'one of a few literals'
    case 'integer':
      return `a literal whole number, ${spec.min} to ${spec.max}`
    case 'flag':
      return 'literal true or false'
    case 'name':
      return 'a name'
    case 'node':
      return 'see below'
  }
}

/** A Markdown section: heading, what it does, its arguments. */
export function describeOperator(operator: Operator): string {
  const rows = Object.entries(operator.args).map(([name, spec]) => {
    const key = name === 'subject' ? operator.name : name
    const optional = spec.optional === true ? ' (optional)' : ''
    return `| \`${key}\`${optional} | ${describeKind(spec)} | ${spec.doc.replaceAll('|', '\\|')} |`
  })
  if (operator.open === 'slots') rows.push('| any other name | a value | the slot of that name |')
  if (operator.open === 'cases') rows.push('| any other key | a value | the value for that case |')
  return [
    `### \`${operator.name}\``,
    '',
    operator.doc,
    '',
    '| argument | form | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
