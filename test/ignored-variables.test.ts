import { expect, test } from 'bun:test'
import { ignoredVariables } from '../src/ignored-variables.ts'

const known = new Set(['QUIRE_LISTEN', 'QUIRE_SECRET', 'QUIRE_SERVICE_PORT'])
const remarks = (...names: string[]) => ignoredVariables(Object.fromEntries(names.map((name) => [name, 'x'])), known)

test('settings, and variables of others, are not remarked on', () => {
  expect(
    remarks('QUIRE_LISTEN', 'QUIRE_SERVICE_PORT', 'PATH', 'MY_QUIRE_LISTEN', 'QUIRELISTEN', 'quire_listen'),
  ).toEqual([])
})

test('a misspelt one is, with what was meant, and one that is like none without', () => {
  expect(remarks('QUIRE_LISTNE', 'QUIRE_WHATEVER_ELSE')).toEqual([
    'QUIRE_LISTNE: there is no such setting, so it is ignored; did you mean QUIRE_LISTEN?',
    'QUIRE_WHATEVER_ELSE: there is no such setting, so it is ignored',
  ])
})

test.each([
  ...['QUIRE_SERVICE_HOST', 'QUIRE_SERVICE_PORT_HTTP', 'QUIRE_PORT', 'QUIRE_PORT_8080_TCP', 'QUIRE_PORT_53_UDP_ADDR'],
  ...['QUIRE_PORT_9_SCTP_PROTO'],
])('%s, which a platform sets for a service, is taken for no slip', (name) => {
  const near = new Set([`${name.slice(0, -1)}`])
  expect(ignoredVariables({ [name]: 'x' }, near)).toEqual([`${name}: there is no such setting, so it is ignored`])
})

test.each(['QUIRE_PORTS', 'QUIRE_PORT_8080_HTTP', 'QUIRE_SERVICE_HOSTS', 'QUIRE_SERVICE_PORT-X'])(
  '%s, which none sets, may be one',
  (name) => {
    const near = new Set([`${name}S`])
    expect(ignoredVariables({ [name]: 'x' }, near)[0]).toEndWith(`did you mean ${name}S?`)
  },
)
