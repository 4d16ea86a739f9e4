/** The package `@quire/testing`: tests documents with `bun test`. Importing it adds the matchers to `expect`. */
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
