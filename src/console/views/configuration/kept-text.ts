/**
 * What is typed and not saved, kept for the tab together with the saved state that it began from: without that state
 * nobody could tell later what was changed here and what elsewhere.
 */
import { recall, remember } from '../../memory.ts'

/** A saved state of a draft. */
export interface Saved {
  text: string
  revision: number
}

export interface KeptText {
  text: string
  /** Undefined if there was no draft yet. */
  base: Saved | undefined
}

/** What is in the editor, or what was thrown away and can be brought back. */
export type Shelf = 'typed' | 'discarded'

export class TextKeeper {
  /** Bases are long and seldom change, so each is written once. */
  readonly #written = new Map<Shelf, Saved | undefined>()

  /** @param id of the family */
  constructor(readonly id: string) {}

  read(shelf: Shelf): KeptText | undefined {
    const [textKey, baseKey] = this.#keysOf(shelf)
    const text = recall(textKey, 'tab')
    return text === undefined ? undefined : { text, base: baseOf(recall(baseKey, 'tab')) }
  }

  /** Answers whether the browser took it. */
  keep(shelf: Shelf, { text, base }: KeptText): boolean {
    const [textKey, baseKey] = this.#keysOf(shelf)
    const known = this.#written.get(shelf)
    const isKnown = this.#written.has(shelf) && known?.revision === base?.revision && known?.text === base?.text
    const isKept = (isKnown || remember(baseKey, textOf(base), 'tab')) && remember(textKey, text, 'tab')
    // Half of it would be worse than nothing: an older text, or one with a wrong base.
    if (isKept) this.#written.set(shelf, base)
    else this.forget(shelf)
    return isKept
  }

  forget(shelf: Shelf): void {
    for (const key of this.#keysOf(shelf)) remember(key, undefined, 'tab')
    this.#written.delete(shelf)
  }

  #keysOf(shelf: Shelf): [text: string, base: string] {
    const key = shelf === 'typed' ? `draft.${this.id}` : `draft.${this.id}.discarded`
    return [key, `${key}.base`]
  }
}

/** What was typed into a draft in this tab and isn't saved. */
export function unsavedText(id: string): string | undefined {
  return new TextKeeper(id).read('typed')?.text
}

function textOf(base: Saved | undefined): string | undefined {
  return base && JSON.stringify({ text: base.text, revision: base.revision })
}

function baseOf(kept: string | undefined): Saved | undefined {
  if (kept === undefined) return undefined
  const read: unknown = JSON.parse(kept)
  if (typeof read !== 'object' || read === null || !('text' in read) || !('revision' in read)) return undefined
  const { text, revision } = read
  return typeof text === 'string' && typeof revision === 'number' ? { text, revision } : undefined
}
