/** Whether what a template binds is written by a transformer. Pure. */
import type { Write } from '../../../engines/declarative/declarative.ts'

/** What writes a binding's value: the very place, something inside it, or something around it. */
export function writerOf(pointer: string, writes: readonly Write[]): Write | undefined {
  return (
    writes.find((write) => write.pointer === pointer) ??
    writes.find((write) => isAround(pointer, write.pointer)) ??
    writes.find((write) => isAround(write.pointer, pointer))
  )
}

/** Whether a pointer leads through another one, or there; `*` is any item or member. */
function isAround(outer: string, inner: string): boolean {
  const names = inner.split('/')
  const around = outer.split('/')
  return (
    around.length <= names.length &&
    around.every((name, index) => [names[index], '*'].includes(name) || names[index] === '*')
  )
}
