import { describe, expect, test } from 'bun:test'
import {
  defaultFileFormats,
  type FileFormat,
  fileFormatNames,
  fileFormats,
  fileFormatsByRank,
  fileMediaTypes,
  isFileFormat,
} from '../../src/core/formats.ts'
import { makeableChoices, makerOf, stepKinds, stepNames, stepsFor, stepsMadeWith } from '../../src/core/steps.ts'

describe('the table of steps', () => {
  test('makes every file, from what an earlier step made', () => {
    for (const format of fileFormatNames) {
      const maker = makerOf(format)
      for (const read of stepKinds[maker].reads.filter(isFileFormat)) {
        expect(stepNames.indexOf(makerOf(read))).toBeLessThan(stepNames.indexOf(maker))
      }
    }
  })

  test.each<[readonly FileFormat[], string]>([
    [[], 'validate transform.declarative'],
    [['docx'], 'validate transform.declarative compose'],
    [['docx', 'pdf'], 'validate transform.declarative compose render'],
    // The order of the steps is the table's, whatever the order of the wish.
    [['pdf', 'docx'], 'validate transform.declarative compose render'],
  ])('gives an execution that is to make %p these steps: %s', (formats, steps) => {
    expect(stepsFor(formats).join(' ')).toBe(steps)
  })

  test.each([
    ['validate', 'validate transform.declarative'],
    ['transform.declarative', 'transform.declarative'],
    ['compose', 'compose'],
    ['render', 'render'],
  ] as const)('lets the first job of %s make %s and no large step with it', (name, steps) => {
    expect(stepsMadeWith(name).join(' ')).toBe(steps)
  })

  test('offers the files that can be made, and never a PDF without its DOCX', () => {
    expect(makeableChoices()).toEqual([['docx'], ['docx', 'pdf']])
  })

  test('makes both files where nobody says which, and shows the PDF first', () => {
    expect(defaultFileFormats).toEqual(['docx', 'pdf'])
    expect(fileFormatsByRank).toEqual(['pdf', 'docx'])
  })

  test('names each media type once, and gives every file an ending of its own', () => {
    expect(new Set(fileMediaTypes).size).toBe(fileMediaTypes.length)
    const extensions = Object.values(fileFormats).map(({ extension }) => extension)
    expect(new Set(extensions).size).toBe(extensions.length)
  })
})
