import { expect, test } from 'bun:test'
import { postgresHosts } from '../../src/db/postgres-hosts.ts'

test('names every server of an address of PostgreSQL, each with its port', () => {
  expect(postgresHosts('postgres://quire:se,cret@one:6432,two,[::1]:7000,[fe80::1]/quire?sslmode=require')).toEqual([
    { hostname: 'one', port: 6432 },
    { hostname: 'two', port: 5432 },
    { hostname: '::1', port: 7000 },
    { hostname: 'fe80::1', port: 5432 },
  ])
  expect(postgresHosts('postgresql://127.0.0.1')).toEqual([{ hostname: '127.0.0.1', port: 5432 }])
})

test('names none where the address is a folder of sockets', () => {
  expect(postgresHosts('postgres://%2Fvar%2Frun%2Fpostgresql/quire')).toEqual([])
})
