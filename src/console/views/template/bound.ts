/** Whether what a template binds is written by a transformer. Pure. */
import type { Write } from '../../../engines/declarative/declarative.ts'

/** What writes a binding's value: the very place, something inside it, or something around it. */
export function writerOf(pointer: string, writes: readonly Write[]): Write | undefined {
  return (
    writes.find((write) => write.pointer === pointer) ??
    writes.find((write) => write.pointer.startsWith(`${pointer}/`)) ??
    writes.find((write) => pointer.startsWith(`${write.pointer}/`))
  )
}
