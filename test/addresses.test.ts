import { expect, test } from 'bun:test'
import { formatAddress, isEveryAddress, ownOrigins } from '../src/addresses.ts'

test.each([
  ['127.0.0.1', '127.0.0.1:80', false],
  ['localhost', 'localhost:80', false],
  ['::1', '[::1]:80', false],
  ['0.0.0.0', '0.0.0.0:80', true],
  ['::', '[::]:80', true],
])('%s is written %s, and is every address: %p', (hostname, text, isEvery) => {
  expect([formatAddress({ hostname, port: 80 }), isEveryAddress({ hostname, port: 80 })]).toEqual([text, isEvery])
})

test('a server on every address is found by localhost too, and one on a single address only there', () => {
  expect(ownOrigins({ hostname: '0.0.0.0', port: 80 }, 'http')).toEqual(['http://localhost:80', 'http://0.0.0.0:80'])
  expect(ownOrigins({ hostname: '::', port: 443 }, 'https')).toEqual(['https://localhost:443', 'https://[::]:443'])
  expect(ownOrigins({ hostname: '::1', port: 80 }, 'http')).toEqual(['http://[::1]:80'])
})
