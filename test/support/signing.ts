import { signingKeyOf } from '../../src/core/signing-key.ts'

/** The key of a store that several processes of a test use. */
export const signingSecret = '6'.repeat(64)
export const signing = signingKeyOf(signingSecret)
