import { expect, test } from 'bun:test'
import { counted } from '../../src/commands/erase.ts'
import { noCounts } from '../../src/modules/erasures/erasures.counts.ts'

test('what an erasure takes of batches alone is not told as nothing', () => {
  const ofServer = (more: object) => counted({ ...noCounts(), ...more })
  expect(ofServer({ refused_rows: 0, dropped_files: 1 })).toBe('1 dropped file')
  expect(ofServer({ submissions: 1, refused_rows: 2, dropped_files: 0 })).toBe('1 submission, 2 refused rows')
  expect(ofServer({ refused_rows: 0, dropped_files: 0 })).toBe('nothing')
  // A server of an earlier version.
  expect(ofServer({ refused_rows: undefined })).toBe('nothing')
})
