import { describe, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import type { FamilyRow } from '../../../src/modules/families/families.reads.ts'
import {
  takenToWire,
  templateDraftToWire,
  templatePagesToWire,
  templateToWire,
  templateVersionToWire,
} from '../../../src/modules/templates/templates.wire.ts'
import type { VersionHead } from '../../../src/modules/versions/versions.reads.ts'

const made = instantOf('2026-11-20T09:30:00Z')
const saved = instantOf('2026-11-20T09:31:00Z')
const binding = { pointer: '/name', part: 'word/document.xml', paragraph: 1, position: 2, required: true }
const family: FamilyRow = {
  ...{ id: 'f', kind: 'template', slug: 'letter', name: 'Letter', description: 'A letter', draftRevision: 3 },
  ...{
    draftSource: null,
    draftFormat: 'docx',
    draftBytes: new Uint8Array([1, 2, 3]),
    draftFileId: null,
    draftUpdatedAt: saved,
  },
  ...{ latestNumber: 1, createdBy: 'ann', createdAt: made, updatedAt: made },
}
const version: VersionHead = {
  ...{ id: 'v', familyId: 'f', kind: 'template', number: 1, contentHash: 'h', sourceRevision: 2, status: 'versioned' },
  ...{ format: 'docx', byteSize: 3, bindings: null, fragments: null, reading: 1, createdBy: 'ann', createdAt: made },
  ...{ publishedAt: null, deprecatedAt: null },
}

describe('a template is shown', () => {
  const plain = {
    ...{ id: 'v', kind: 'template', family_id: 'f', number: 1, byte_size: 3, content_hash: 'h', source_revision: 2 },
    ...{ status: 'versioned', bindings: [], created_at: '2026-11-20T09:30:00Z', created_by: 'ann' },
  }

  test('with its versions, and what they bind and include where they do', () => {
    expect(templateVersionToWire(version)).toEqual(plain as never)
    const whole = {
      ...{ ...version, status: 'published' as const, publishedAt: saved },
      ...{ bindings: [binding] as never, fragments: ['clause'] },
    }
    expect(templateVersionToWire(whole)).toEqual({
      ...{ ...plain, status: 'published', bindings: [binding], fragments: ['clause'] },
      published_at: '2026-11-20T09:31:00Z',
    } as never)
    expect(templateToWire(family, [version])).toEqual({
      ...{ kind: 'template', id: 'f', slug: 'letter', name: 'Letter', description: 'A letter', draft_revision: 3 },
      ...{ created_at: '2026-11-20T09:30:00Z', updated_at: '2026-11-20T09:30:00Z', versions: [plain] },
    } as never)
  })

  test('with the file that is its draft, and what that takes from outside if it has no mistakes', () => {
    const draft = templateDraftToWire(family, undefined)
    expect(draft).toEqual({
      ...{
        id: 'f',
        slug: 'letter',
        name: 'Letter',
        description: 'A letter',
        format: 'docx',
        byte_size: 3,
        revision: 3,
      },
      media_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      content_hash: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
      updated_at: '2026-11-20T09:31:00Z',
    })
    const taken = { bindings: [binding] as never[], fragments: [] }
    expect(templateDraftToWire({ ...family, draftUpdatedAt: null }, taken)).toEqual({
      ...{ ...draft, updated_at: '2026-11-20T09:30:00Z', bindings: [binding] as never[] },
    })
    expect(takenToWire({ ...taken, fragments: ['clause'] })).toEqual({
      ...{ bindings: [binding] as never[], fragments: ['clause'] },
    })
    expect(takenToWire(undefined)).toEqual({})
    expect(() => templateDraftToWire({ ...family, draftBytes: null }, taken)).toThrow(
      'template f has a draft without a file',
    )
  })

  test('as pages, with the place of each value in the file and in the data', () => {
    const box = { x: 1, y: 2, width: 3, height: 4 }
    const page = { width: 595, height: 842, svg: '<svg/>' }
    const marks = [
      { place: 'word/header#1.xml#12:5', pointer: '/name', ...box },
      { place: 'nowhere', pointer: undefined, ...box },
    ]
    expect(templatePagesToWire({ pages: [{ ...page, marks }], totalPages: 9 })).toEqual({
      total_pages: 9,
      pages: [
        {
          ...page,
          marks: [
            { part: 'word/header#1.xml', paragraph: 12, position: 5, pointer: '/name', ...box },
            { part: '', paragraph: 0, position: 0, ...box },
          ],
        },
      ],
    })
    const taken = { bindings: [], fragments: ['clause'] }
    expect(templatePagesToWire({ pages: [], totalPages: 0 }, taken)).toEqual({
      ...{ total_pages: 0, pages: [], bindings: [], fragments: ['clause'] },
    })
  })
})
