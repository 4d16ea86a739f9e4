import { expect, test } from 'bun:test'
import { postgresHosts, postgresSocket } from '../../src/db/postgres-hosts.ts'

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

test('names the socket of a folder, and of no server', () => {
  expect(postgresSocket('postgres://%2Fvar%2Frun%2Fpostgresql/quire')).toBe('/var/run/postgresql/.s.PGSQL.5432')
  expect(postgresSocket('postgres://quire:a%2Fb@%2fsrv%2Fa%20b:6432/quire?x=y')).toBe('/srv/a b/.s.PGSQL.6432')
  for (const url of ['postgres://quire:%2F@one:6432,two/quire', 'postgres://one%2Ftwo/quire', 'postgres:///quire'])
    expect(postgresSocket(url)).toBeUndefined()
})
