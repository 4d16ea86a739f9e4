import { expect, test } from 'bun:test'
import { withoutCredentials } from '../../src/core/redact.ts'

test.each([
  ['postgres://host:5432/db', 'postgres://host:5432/db'],
  ['postgres://user:geheim@host/db', 'postgres://…@host/db'],
  ['postgres://user:ge@heim@host/db', 'postgres://…@host/db'],
  ['postgres://host/db?user=a&password=geheim&sslmode=require', 'postgres://host/db?user=a&password=…&sslmode=require'],
  ['libsql://host?authToken=geheim', 'libsql://host?authToken=…'],
  ['s3://bucket/a@b?region=x', 's3://bucket/a@b?region=x'],
  ['file:/var/quire@home.db', 'file:/var/quire@home.db'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown)
})
