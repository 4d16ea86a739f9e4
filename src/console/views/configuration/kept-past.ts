/**
 * The undo history, kept for the tab, so that a reload doesn't end it. It fits one text only, and is dropped for any
 * other: undoing on another text would make a third that nobody wrote.
 */
import { recall, remember } from '../../memory.ts'
import type { EditorPast, KeptPast } from '../../parts/editor-props.ts'

/** Limit of the steps as JSON; the oldest go first. A tab has room for half of it beside two long texts. */
const maxChars = 300_000

interface Steps {
  done: readonly unknown[]
  undone: readonly unknown[]
}

export class PastKeeper implements EditorPast {
  readonly #key: string

  /**
   * @param id of the family
   * @param began gives the text that was in the editor before the page was loaded, which may have been merged since
   */
  constructor(
    id: string,
    private readonly began: () => string | undefined,
  ) {
    this.#key = `draft.${id}.past`
  }

  /** The history of this text, or else of the one that was in the editor before. */
  recall(text: string): KeptPast | undefined {
    const kept = recall(this.#key, 'tab')
    if (kept === undefined) return undefined
    const [mark, steps] = splitOnce(kept)
    const fitting = [text, this.began()].find((candidate) => candidate !== undefined && markOf(candidate) === mark)
    return fitting === undefined ? undefined : { text: fitting, steps: JSON.parse(steps) }
  }

  keep({ text, steps }: KeptPast): void {
    if (!isSteps(steps)) return
    remember(this.#key, `${markOf(text)} ${JSON.stringify(shortened(steps))}`, 'tab')
  }
}

function splitOnce(kept: string): [mark: string, steps: string] {
  const at = kept.indexOf(' ')
  return [kept.slice(0, at), kept.slice(at + 1)]
}

function isSteps(steps: unknown): steps is Steps {
  return typeof steps === 'object' && steps !== null && 'done' in steps && 'undone' in steps
}

/** The newest steps that fit: first those done, then those undone. */
function shortened({ done, undone }: Steps): Steps {
  let room = maxChars
  const newest = (steps: readonly unknown[]) => {
    let from = steps.length
    while (from > 0) {
      const chars = JSON.stringify(steps[from - 1]).length
      if (chars > room) break
      room -= chars
      from--
    }
    return steps.slice(from)
  }
  const left = newest(done)
  return { done: left, undone: newest(undone) }
}

/** Tells texts apart: FNV-1a over their code units, and their length. */
function markOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return `${text.length}.${(hash >>> 0).toString(36)}`
}
