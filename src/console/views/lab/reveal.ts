/** The place in the raw input that an issue was followed to; the editor on the page shows it. */
import { signal } from '@preact/signals'
import type { SourcePosition } from '../../../core/positions.ts'

export const revealed = signal<SourcePosition | undefined>(undefined)

/** A new object each time, so that the same place can be asked for twice. */
export function reveal(place: SourcePosition): void {
  revealed.value = { ...place }
}
