import { describe, expect, test } from 'bun:test'
import { isOutside, matchPath, safeReturn } from '../../src/console/address.ts'

describe('matchPath', () => {
  test('gives the parameters of a path that fits, decoded', () => {
    expect(matchPath('/executions/:id', '/executions/a%20b')).toEqual({ id: 'a b' })
    expect(matchPath('/lab', '/lab')).toEqual({})
  })

  test('fits neither a longer nor a shorter path, nor an empty or broken parameter', () => {
    for (const path of ['/executions', '/executions/', '/executions/a/b', '/executions/%E0%A4%A']) {
      expect(matchPath('/executions/:id', path)).toBeUndefined()
    }
    expect(matchPath('/lab', '/Lab')).toBeUndefined()
  })
})

describe('safeReturn', () => {
  test('leads back to an address of the console, its query included', () => {
    expect(safeReturn('/lab?scenario=annual')).toBe('/lab?scenario=annual')
  })

  test('never leads to another host, to the interface, or round in circles', () => {
    for (const next of [
      null,
      '',
      'lab',
      'https://other.example/',
      '//other.example/',
      '/\\other.example',
      '/api/v1/x',
      '/login?next=/',
    ]) {
      expect(safeReturn(next)).toBe('/')
    }
  })
})

test('what the console does not own is left to the browser', () => {
  for (const path of ['/openapi.json', '/assets/x.js', '/api/v1/executions/x/artifacts/y/download']) {
    expect(isOutside(path)).toBe(true)
  }
  for (const path of ['/lab', '/docs', '/changelog', '/apiary', '/']) expect(isOutside(path)).toBe(false)
})
