/** Files that somebody chose for a template's draft and didn't save: another screen loses none, a reload all. */

import { type Signal, signal } from '@preact/signals'
import type { TemplateDraft } from '../../api/types.ts'
import { recall } from '../../memory.ts'

/** Which draft somebody saw: undefined if there was none, `unread` until it is known. */
export type SeenDraft = TemplateDraft | undefined | 'unread'

export interface WaitingFile {
  file: File
  /** The draft that it was chosen over. Saving it replaces this one and no other. */
  seen: SeenDraft
}

/** By person and template, so that nobody else in the tab sees them. */
const waiting = new Map<string, Signal<WaitingFile | undefined>>()

/** The file that waits for a template: the same for each visit. */
export function waitingFile(templateId: string): Signal<WaitingFile | undefined> {
  // What is there already is not added again.
  window.addEventListener('beforeunload', ask)
  const key = mine() + templateId
  const found = waiting.get(key) ?? signal(undefined)
  waiting.set(key, found)
  return found
}

/** What waits after another file was chosen. If one waited already, the new one replaces the same draft as that one. */
export function chosen(file: File, before: WaitingFile | undefined, shown: SeenDraft): WaitingFile {
  return { file, seen: before === undefined ? shown : before.seen }
}

/** A file can't be kept over a reload, so leaving asks first, on whichever screen. */
function ask(event: BeforeUnloadEvent): void {
  const isMine = ([key, { value }]: [string, Signal<WaitingFile | undefined>]) =>
    value !== undefined && key.startsWith(mine())
  if ([...waiting].some(isMine)) event.preventDefault()
}

function mine(): string {
  return `${recall('person', 'tab')} `
}
