import { describe, expect, test } from 'bun:test'
import { PathTree } from '../../src/http/path.ts'

function treeOf(...paths: string[]): PathTree<string> {
  const tree = new PathTree<string>()
  for (const path of paths) tree.add(path, path)
  return tree
}

describe('paths', () => {
  test('are found exactly: case, slashes, verbs and the number of segments count', () => {
    const tree = treeOf('/api/things', '/api/things/{id}', '/api/things/{id}/parts:count')
    expect(tree.find('/api/things')).toEqual([{ value: '/api/things', params: {} }])
    expect(tree.find('/api/things/a%20b')).toEqual([{ value: '/api/things/{id}', params: { id: 'a b' } }])
    expect(tree.find('/api/things/7/parts:count')[0]?.params).toEqual({ id: '7' })
    const others = [
      '/API/things',
      '/api/things/',
      '/api//things',
      '/api/things/7/parts',
      '/api/things/7/',
      '/api',
      '/',
      '',
    ]
    for (const other of others) expect(tree.find(other)).toEqual([])
  })

  test('with a literal win over those with a parameter, in whatever order they came', () => {
    for (const paths of [
      ['/a/{id}', '/a/b:resolve'],
      ['/a/b:resolve', '/a/{id}'],
    ]) {
      expect(treeOf(...paths).find('/a/b:resolve')).toEqual([{ value: '/a/b:resolve', params: {} }])
    }
    expect(treeOf('/{x}/{y}/c', '/a/{y}/c').find('/a/b/c')).toEqual([{ value: '/a/{y}/c', params: { y: 'b' } }])
  })

  test('with the same pattern come together, each with its own names', () => {
    const tree = new PathTree<string>()
    tree.add('/a/{id}', 'GET')
    tree.add('/a/{key}', 'DELETE')
    expect(tree.find('/a/1')).toEqual([
      { value: 'GET', params: { id: '1' } },
      { value: 'DELETE', params: { key: '1' } },
    ])
  })

  test('leave a parameter that is no valid percent-encoding as it came', () => {
    expect(treeOf('/a/{id}').find('/a/%E0%A4')[0]?.params).toEqual({ id: '%E0%A4' })
  })

  test('take a parameter of a whole segment only', () => {
    expect(() => treeOf('/a/x{id}')).toThrow('a parameter must be a whole segment')
  })
})
