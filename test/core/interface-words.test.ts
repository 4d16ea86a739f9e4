import { describe, expect, test } from 'bun:test'
import { faultKinds } from '../../src/core/faults.ts'
import {
  defaultFileFormats,
  fileFormatNames,
  fileFormats,
  isFileFormat,
  sourceFormats,
  textFormats,
} from '../../src/core/formats.ts'
import { activatedKinds, activationStatuses, caseKinds, familyKinds } from '../../src/core/kinds.ts'
import {
  areMakeable,
  executionStatuses,
  formatMadeBy,
  formatsBehind,
  makerOf,
  processingKinds,
  sourceRoles,
  stepKinds,
  stepNames,
  stepStatuses,
} from '../../src/core/steps.ts'

describe('the words of the interface', () => {
  test('are those of its descriptions, in their order', () => {
    expect({ executionStatuses, stepStatuses, processingKinds, stepNames }).toEqual({
      executionStatuses: ['queued', 'processing', 'awaiting_compose', 'completed', 'failed'],
      stepStatuses: ['not_started', 'queued', 'running', 'succeeded', 'failed'],
      processingKinds: ['transformation', 'document_generation'],
      stepNames: ['validate', 'transform.declarative', 'compose', 'render'],
    })
    expect({ familyKinds, activatedKinds, activationStatuses, caseKinds }).toEqual({
      familyKinds: ['contract', 'ingestion_model', 'transformer', 'template'],
      activatedKinds: ['ingestion_model', 'transformer', 'template'],
      activationStatuses: ['scheduled', 'active', 'superseded', 'cancelled'],
      caseKinds: ['valid', 'boundary', 'invalid'],
    })
    expect({ textFormats, sourceFormats, fileFormatNames, sourceRoles }).toEqual({
      textFormats: ['yaml', 'json'],
      sourceFormats: ['yaml', 'json', 'docx'],
      fileFormatNames: ['docx', 'pdf'],
      sourceRoles: ['contract', 'transformer', 'template'],
    })
  })

  test('give each file the media type of its proof', () => {
    expect(fileFormats.docx.mediaType).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document')
    expect(fileFormats.pdf.mediaType).toBe('application/pdf')
    for (const name of fileFormatNames) expect([name, fileFormats[name].extension]).toEqual([name, name])
    expect([...defaultFileFormats]).toEqual(['docx', 'pdf'])
    for (const other of ['', 'toString', 'DOCX', undefined, 1])
      expect([other, isFileFormat(other)]).toEqual([other, false])
  })

  test('give each problem a title of its own', () => {
    const titles = Object.values(faultKinds).map(({ title }) => title)
    expect(titles.every((title) => /^[A-Z]/.test(title))).toBe(true)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('a step', () => {
  test('reads what it is made from, and its issues point into what its author wrote', () => {
    const told = stepNames.map((name) => {
      const { reads, issuesPointInto, isSmall, makes, waitsAs } = {
        makes: undefined,
        waitsAs: undefined,
        isSmall: false,
        ...stepKinds[name],
      }
      return [name, reads.join(' '), makes, issuesPointInto, isSmall, waitsAs]
    })
    expect(told).toEqual([
      ['validate', 'contract rawInput', undefined, 'rawInput', true, undefined],
      ['transform.declarative', 'contract transformer input params', 'output', 'transformer', true, undefined],
      ['compose', 'template output', 'docx', 'template', false, 'awaiting_compose'],
      ['render', 'docx', 'pdf', 'template', false, undefined],
    ])
  })

  test('has a title for the console, and says what it does', () => {
    for (const name of stepNames)
      expect([stepKinds[name].title, stepKinds[name].does].every((text) => text !== '')).toBe(true)
  })

  test('makes one file at most, and a PDF comes from the DOCX', () => {
    expect(stepNames.map(formatMadeBy)).toEqual([undefined, undefined, 'docx', 'pdf'])
    expect([makerOf('output'), makerOf('docx'), makerOf('pdf')]).toEqual(['transform.declarative', 'compose', 'render'])
    expect(() => makerOf('odt' as 'pdf')).toThrow('no step makes odt')
    expect([formatsBehind('docx'), formatsBehind('pdf')]).toEqual([[], ['docx']])
    expect([areMakeable([]), areMakeable(['docx']), areMakeable(['pdf']), areMakeable(['pdf', 'docx'])]).toEqual([
      ...[true, true, false, true],
    ])
  })
})
