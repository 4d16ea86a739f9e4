/** How a place in a template is written, and how people call it. Pure. */
import type { Binding, TagPlace } from '../../api/types.ts'

/** `word/document.xml#12:5`, as issues of composing name it. */
export function placeKey({ part, paragraph, position }: TagPlace): string {
  return `${part}#${paragraph}:${position}`
}

/** Whether an issue of composing (a place, or a pointer into the data) is about a binding. */
export function isAt(binding: TagPlace & Pick<Binding, 'pointer'>, at: string | null): boolean {
  return at === placeKey(binding) || at === binding.pointer
}

/** `word/header1.xml` as people call it. */
export function partName(part: string): string {
  const name = part
    .replace(/^word\//, '')
    .replace(/\.xml$/, '')
    .replace(/^docProps\/.*/, 'properties')
  return name === 'document' ? 'body' : name.replace(/(\d+)$/, ' $1')
}
