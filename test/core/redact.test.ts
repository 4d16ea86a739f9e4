import { expect, test } from 'bun:test'
import { withoutCredentials, withoutCredentialsIn } from '../../src/core/redact.ts'
import { cpuMsOf } from '../support/cpu.ts'

test.each([
  ['postgres://host:5432/db', 'postgres://host:5432/db'],
  ['postgres://user:geheim@host/db', 'postgres://…@host/db'],
  ['postgres://user:ge@heim@host/db', 'postgres://…@host/db'],
  ['postgres://host/db?user=a&password=geheim&sslmode=require', 'postgres://host/db?user=a&password=…&sslmode=require'],
  ['libsql://host?authToken=geheim', 'libsql://host?authToken=…'],
  ['s3://bucket/a@b?region=x', 's3://bucket/a@b?region=x'],
  ['file:/var/quire@home.db', 'file:/var/quire@home.db'],
  ['postgres://u:ge/he?im#x@host/db', 'postgres://…@host/db'],
  ['postgres://host:5432/a@b', 'postgres://host:5432/a@b'],
  ['https://[::1]:8080/a@b', 'https://[::1]:8080/a@b'],
  ['s3://a:geheim@b/p?endpoint=http://u:geheim@host:9000&region=x', 's3://…@b/p?endpoint=http://…@host:9000&region=x'],
  ['s3://b/p?endpoint=http%3A%2F%2Fu%3Ageheim%40host', 's3://b/p?endpoint=http%3A%2F%2F…%40host'],
  ['s3://b?Secret_Access_Key=geheim&style=path', 's3://b?Secret_Access_Key=…&style=path'],
  ['postgres://quire:correct horse@db/quire', 'postgres://…@db/quire'],
  ['libsql://host?authToken=ge heim&tls=1', 'libsql://host?authToken=…&tls=1'],
  ['postgres://h1:5432,h2:5432/db?application_name=a@b', 'postgres://h1:5432,h2:5432/db?application_name=a@b'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown)
})

test.each([
  ['"http://a.test" is none, "tls://u:ge heim@host" either', '"http://a.test" is none, "tls://…@host" either'],
  ['no answer from mqtt://u:geheim@host:1883 for a@b', 'no answer from mqtt://…@host:1883 for a@b'],
  ['GET http://host/?key=geheim failed: no reason', 'GET http://host/?key=… failed: no reason'],
])('in a text, %s is shown as %s', (text, shown) => {
  expect(withoutCredentialsIn(text)).toBe(shown)
})

test('a text that was made to take long is cut', () => {
  const ms = cpuMsOf(() => expect(withoutCredentialsIn('//a:b'.repeat(100_000)).length).toBeLessThan(5_000))
  expect(ms).toBeLessThan(1_000)
})
