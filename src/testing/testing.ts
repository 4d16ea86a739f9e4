/** The package `@quire/testing`: documents under test with `bun test`. Importing it gives `expect` its matchers. */
import { expect } from 'bun:test'
import { matchers } from './matchers.ts'
import type { QuireMatchers } from './types.ts'

export { ProjectUnusable, quire } from './project.ts'
export type * from './types.ts'

expect.extend(matchers)

declare module 'bun:test' {
  interface Matchers<T> extends QuireMatchers {}
  interface AsymmetricMatchers extends QuireMatchers {}
}
