import { describe, expect, test } from 'bun:test'
import { best, rankOf, type Searched } from '../../src/core/search.ts'

const letter: Searched = {
  title: 'Policy premium letter',
  words: ['clws-policy', 'What the policyholder is sent.'],
  uuid: '0198c3d2-7a10-7c00-8000-00000000dead',
}

describe('what the palette finds', () => {
  test.each([
    ['policy', 4],
    ['prem', 3],
    ['emium', 2],
    ['clws', 4],
    ['s-pol', 2],
    ['holder is', 2],
    ['7a10', 2],
    ['dead', 2],
    ['pplr', 1],
    ['zebra', 0],
  ])('%s fits by %i', (text, rank) => {
    expect(rankOf(text, letter)).toBe(rank)
  })

  test('three characters of an id find nothing, for they are in most ids', () => {
    expect(rankOf('198', { title: 'x', uuid: letter.uuid! })).toBe(0)
  })

  test('letters in order find screens and configuration, never one of many', () => {
    expect(rankOf('pcl', { title: 'policy:CLW-1', isOneOfMany: true })).toBe(0)
    expect(rankOf('clw', { title: 'policy:CLW-1', isOneOfMany: true })).toBe(2)
  })

  test('what has neither the text nor its letters in order is not found, however few are found then', () => {
    const all = ['letter', 'lxexttxer', 'policy', 'rettel'].map((title) => ({ title }))
    expect(best('letter', all, 9).map(({ title }) => title)).toEqual(['letter', 'lxexttxer'])
    expect(best('zebra', all, 9)).toEqual([])
    expect(rankOf('ll', { title: 'l' })).toBe(0)
    expect(rankOf('', { title: 'anything' })).toBe(4)
  })

  test('one of many is found by its name, its words or its id alone', () => {
    const many = { title: 'CLW-1', words: ['the first'], uuid: 'abcd-ef', isOneOfMany: true }
    expect(['clw', 'first', 'd-ef', 'c1', 'tf'].map((text) => rankOf(text, many))).toEqual([4, 3, 2, 0, 0])
    // Others are found by the letters of their title, not of their words.
    expect(['c1', 'tf'].map((text) => rankOf(text, { ...many, isOneOfMany: false }))).toEqual([1, 0])
  })

  test('the best come first, the others in their order, and no more than asked for', () => {
    const all = ['a letter', 'letter one', 'new letter', 'letter two'].map((title) => ({ title }))
    expect(best('letter', all, 3).map(({ title }) => title)).toEqual(['letter one', 'letter two', 'a letter'])
  })
})
