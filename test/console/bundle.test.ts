import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type BuiltFile, buildConsole, measureConsole } from '../../scripts/build-console.ts'
import { limits } from '../../src/core/limits.ts'

/** What a first visit loads, compressed as it is sent. */
const shellMaxBytes = 45_000
/** Everything there is, the editor, the engines and the other languages included. */
const totalMaxBytes = 680_000

describe('the built console', () => {
  let files: BuiltFile[]
  const texts = () => files.map(({ path, bytes }) => ({ path, text: new TextDecoder().decode(bytes) }))
  beforeAll(async () => {
    files = await buildConsole(join(import.meta.dir, '../../src/console'))
  })

  test('has a shell of at most 45 KB compressed, and is at most 680 KB as a whole', () => {
    const { shellBytes, totalBytes } = measureConsole(files)
    expect(shellBytes).toBeGreaterThan(10_000)
    expect(shellBytes).toBeLessThan(shellMaxBytes)
    expect(totalBytes).toBeGreaterThan(shellBytes * 2)
    expect(totalBytes).toBeLessThan(totalMaxBytes)
  })

  test('names no address on another host', () => {
    // Names of XML namespaces and schema dialects, an example in a message and a library's licence look like addresses,
    // but nothing is ever fetched from them; the policy the pages are served with would refuse it.
    const names = new Set(['http://www.w3.org', 'https://json-schema.org', 'https://example.com', 'https://github.com'])
    const foreign = texts().flatMap(({ text }) => [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address))
    expect(foreign.filter((address) => !names.has(address))).toEqual([])
  })

  test('keeps editor and engines out of what every visit loads', () => {
    const page = texts().find(({ path }) => path === '/')?.text ?? ''
    const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
    const shell = texts().filter(({ path }) => named.includes(path))
    expect(shell.some(({ text }) => text.includes('Sign in to Quire'))).toBe(true)
    for (const mark of ['cm-content', 'declarative-v1', 'unevaluatedProperties', 'Anmelden']) {
      expect(shell.filter(({ text }) => text.includes(mark))).toEqual([])
      expect(texts().some(({ text }) => text.includes(mark))).toBe(true)
    }
  })

  test('uses nothing that browsers keep from pages that came over plain http', () => {
    for (const name of [/randomUUID\b/, /crypto\.subtle/, /navigator\.(?:locks|serviceWorker|storage)/, /\bcaches\./]) {
      expect(texts().flatMap(({ path, text }) => (name.test(text) ? [`${path} ${name}`] : []))).toEqual([])
    }
  })

  test('has the limits that its code names, and none of the server’s', () => {
    const all = texts()
      .map(({ text }) => text)
      .join()
    for (const name of ['stepAttempts', 'passwordMinChars', 'patternsShared']) expect(all).toContain(name)
    for (const name of ['authBodyBytes', 'connectionIdleSeconds', 'auditSealMs']) {
      expect(limits).toHaveProperty(name)
      expect(all).not.toContain(name)
    }
  })

  test('carries the changelog as HTML, made when it was built', async () => {
    const [, version] = /^## (\S+)/m.exec(await Bun.file(join(import.meta.dir, '../../CHANGELOG.md')).text()) ?? []
    expect(texts().some(({ text }) => text.includes(`<h2>${version}`))).toBe(true)
  })
})
