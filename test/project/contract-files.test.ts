import { expect, test } from 'bun:test'
import { contractNamed, readContractFile } from '../../src/project/contract-files.ts'

function file(path: string, schema: unknown = {}) {
  const read = readContractFile(path, JSON.stringify(schema))
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return read.value
}

test('a contract goes by the name of its file, without its endings and its version, and by its title', () => {
  const of = (path: string, schema?: unknown) => {
    const { names, version } = file(path, schema)
    return [names, version]
  }
  expect([
    of('contracts/policy.schema.json'),
    of('contracts/policy.json'),
    of('contracts/policy@3.json'),
    of('contracts/policy@12.schema.json', { title: 'Policy' }),
    of('policy.v2.json'),
    of('contracts/policy@0.json'),
    of('a.json', true),
  ]).toEqual([
    [['policy'], undefined],
    [['policy'], undefined],
    [['policy'], 3],
    [['policy', 'Policy'], 12],
    [['policy.v2'], undefined],
    [['policy@0'], undefined],
    [['a'], undefined],
  ])
})

test('a contract has its text as it is, and its schema as JSON; one that can not be used is refused', () => {
  expect(file('contracts/a.json', { type: 'string' })).toEqual({
    ...{ path: 'contracts/a.json', names: ['a'], version: undefined, text: '{"type":"string"}' },
    schema: { type: 'string' },
  })
  expect(readContractFile('a.json', '{"type":"strin"}').ok).toBe(false)
  expect(readContractFile('a.json', '{').ok).toBe(false)
})

test('a contract is found by its name and version, by its title, else by its name without a version', () => {
  const files = [
    file('a@1.json'),
    file('a.json'),
    file('a@2.json', { title: 'Both' }),
    file('b@1.json', { title: 'Both' }),
  ]
  const found = (name: string, version: number) => contractNamed({ name, version }, files)?.path
  expect([found('a', 1), found('a', 2), found('a', 3), found('b', 1), found('b', 2), found('c', 1)]).toEqual([
    ...['a@1.json', 'a@2.json', 'a.json', 'b@1.json', undefined, undefined],
  ])
  expect([found('Both', 1), found('Both', 2), found('Both', 3)]).toEqual(['b@1.json', 'a@2.json', undefined])
})
