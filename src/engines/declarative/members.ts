/** Moving values between containers without losing where they came from. */
import type { Frame } from './frame.ts'
import type { Trace } from './lineage.ts'
import type { Value } from './value.ts'

/** Tells the lineage, if there is one, that an item is now in another array too. */
export function itemOrigin(frame: Frame, from: Value[], fromIndex: number, to: Value[], toIndex: number): void {
  frame.lineage?.copyMember(from, fromIndex, to, toIndex)
}

/** Runs, and returns what was read meanwhile; that counts for the surrounding value too. */
export function tracedValue<T>(frame: Frame, run: (frame: Frame) => T): { value: T; trace: Trace | undefined } {
  if (frame.lineage === undefined) return { value: run(frame), trace: undefined }
  const result = frame.lineage.collect(() => run(frame))
  frame.lineage.add(result.trace)
  return result
}
