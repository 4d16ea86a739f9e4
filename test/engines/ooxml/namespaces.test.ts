import { describe, expect, test } from 'bun:test'
import {
  conformanceOf,
  conventionalPrefix,
  normalizeRelationshipType,
  relationshipType,
  relationshipUri,
} from '../../../src/engines/ooxml/namespaces.ts'

const open = 'http://schemas.openxmlformats.org'
const microsoft = 'http://schemas.microsoft.com/office'

describe('the prefix of a namespace', () => {
  test.each([
    ['w', 'wordprocessingml/2006/main', 'wordprocessingml/main'],
    ['r', 'officeDocument/2006/relationships', 'officeDocument/relationships'],
    ['m', 'officeDocument/2006/math', 'officeDocument/math'],
    ['a', 'drawingml/2006/main', 'drawingml/main'],
    ['wp', 'drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'],
    ['pic', 'drawingml/2006/picture', 'drawingml/picture'],
    ['c', 'drawingml/2006/chart', 'drawingml/chart'],
    ['dgm', 'drawingml/2006/diagram', 'drawingml/diagram'],
    ['ep', 'officeDocument/2006/extended-properties', 'officeDocument/extendedProperties'],
    ['op', 'officeDocument/2006/custom-properties', 'officeDocument/customProperties'],
    ['vt', 'officeDocument/2006/docPropsVTypes', 'officeDocument/docPropsVTypes'],
  ])('%s is the same in transitional and strict documents', (prefix, transitional, strict) => {
    expect(conventionalPrefix(`${open}/${transitional}`)).toBe(prefix)
    expect(conventionalPrefix(`http://purl.oclc.org/ooxml/${strict}`)).toBe(prefix)
  })

  test.each([
    ['b', `${open}/officeDocument/2006/bibliography`],
    ['mc', `${open}/markup-compatibility/2006`],
    ['v', 'urn:schemas-microsoft-com:vml'],
    ['o', 'urn:schemas-microsoft-com:office:office'],
    ['w10', 'urn:schemas-microsoft-com:office:word'],
    ['w14', `${microsoft}/word/2010/wordml`],
    ['w15', `${microsoft}/word/2012/wordml`],
    ['wp14', `${microsoft}/word/2010/wordprocessingDrawing`],
    ['wps', `${microsoft}/word/2010/wordprocessingShape`],
    ['wpg', `${microsoft}/word/2010/wordprocessingGroup`],
    ['wpc', `${microsoft}/word/2010/wordprocessingCanvas`],
    ['a14', `${microsoft}/drawing/2010/main`],
    ['cp', `${open}/package/2006/metadata/core-properties`],
    ['dc', 'http://purl.org/dc/elements/1.1/'],
    ['dcterms', 'http://purl.org/dc/terms/'],
    ['', `${open}/package/2006/content-types`],
    ['', `${open}/package/2006/relationships`],
    ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ])('is %p for %s', (prefix, uri) => {
    expect(conventionalPrefix(uri)).toBe(prefix)
  })

  test('is unknown for others', () => {
    expect(conventionalPrefix('urn:x')).toBeUndefined()
    expect(conventionalPrefix('constructor')).toBeUndefined()
  })
})

test('a relationship type is recognised by its last word, in either form of the format', () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
  expect(relationshipType('image')).toBe(`${open}/officeDocument/2006/relationships/image`)
  expect(relationshipType('image', 'strict')).toBe(`${strict}/image`)
  expect(relationshipUri('transitional')).toBe(`${open}/officeDocument/2006/relationships`)
  expect(relationshipUri('strict')).toBe(strict)
  expect(normalizeRelationshipType(`${strict}/image`)).toBe(relationshipType('image'))
  expect(normalizeRelationshipType('urn:x')).toBe('urn:x')
  expect(conformanceOf('http://purl.oclc.org/ooxml/wordprocessingml/main')).toBe('strict')
  expect(conformanceOf(`${open}/wordprocessingml/2006/main`)).toBe('transitional')
})
