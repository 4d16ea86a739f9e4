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
  /** What each place has: texts are long, so each is written once. */
  readonly #written = new Map<string, KeptText>()

  /** @param id of the family */
  constructor(readonly id: string) {}

  read(shelf: Shelf): KeptText | undefined {
    const place = this.#placeOf(shelf)
    const text = recall(place, 'tab')
    if (text === undefined) return undefined
    const kept = { text, base: baseOf(recall(`${place}.base`, 'tab')) }
    this.#written.set(place, kept)
    return kept
  }

  /** Answers whether the browser took it. */
  keep(shelf: Shelf, { text, base }: KeptText): boolean {
    const place = this.#placeOf(shelf)
    const known = this.#written.get(place)
    const hasBase = known !== undefined && known.base?.revision === base?.revision && known.base?.text === base?.text
    const isKept =
      (hasBase || remember(`${place}.base`, textOf(base), 'tab')) &&
      ((hasBase && known.text === text) || remember(place, text, 'tab'))
    // Half of it would be worse than nothing: an older text, or one with a wrong base.
    if (isKept) this.#written.set(place, { text, base })
    else this.forget(shelf)
    return isKept
  }

  forget(shelf: Shelf): void {
    const place = this.#placeOf(shelf)
    for (const key of [place, `${place}.base`]) remember(key, undefined, 'tab')
    this.#written.delete(place)
    if (recall(this.#placeOf(shelf === 'typed' ? 'discarded' : 'typed'), 'tab') === undefined)
      remember(this.#swapped, undefined, 'tab')
  }

  /** Exchanges what is typed and what was discarded. Only a mark changes: moving the texts takes long. */
  swap(): void {
    remember(this.#swapped, this.#isSwapped() ? undefined : 'yes', 'tab')
  }

  #placeOf(shelf: Shelf): string {
    const isFirst = (shelf === 'typed') !== this.#isSwapped()
    return isFirst ? `draft.${this.id}` : `draft.${this.id}.discarded`
  }

  #isSwapped(): boolean {
    return recall(this.#swapped, 'tab') !== undefined
  }

  get #swapped(): string {
    return `draft.${this.id}.swapped`
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
