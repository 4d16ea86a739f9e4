/** Shows whether the server has what is typed into a draft, and offers what was typed elsewhere. */

import { formatRelative } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Autosave } from './autosave.ts'
import type { Draft } from './draft.ts'

/** Said quietly: typing goes on either way, and the tab has its own copy. */
export function ServerCopy({ autosave }: { autosave: Autosave }) {
  const state = autosave.state.value
  if (state === 'none') return null
  return (
    <span class="draft-kept" data-state={state}>
      <Icon name={state === 'kept' ? 'check' : 'alert'} size={14} />{' '}
      {state === 'kept' ? t`kept on the server` : t`not on the server yet, kept in this tab`}
    </span>
  )
}

interface DraftOfferProps<Extra> {
  draft: Draft<Extra>
  /** Shows what that tab typed beside what is in the editor. */
  compare(tabId: string): void
}

/** Something that the same person typed elsewhere and didn't save. */
export function DraftOffer<Extra>({ draft, compare }: DraftOfferProps<Extra>) {
  const offer = draft.autosave.offer.value
  if (offer === undefined) return null
  const when = formatRelative(new Date(offer.typedAt), new Date())
  return (
    <div class="note note-warning note-row" role="status">
      <Icon name="reset" />
      <span>
        {offer.isHere
          ? rich`Typed in another tab ${when}, and not saved.`
          : rich`Typed on another device ${when}, and not saved.`}
      </span>
      <span class="note-acts">
        <button
          type="button"
          class="button button-small"
          onClick={async () => {
            await draft.takeUp(offer)
            await draft.autosave.settleOffer()
          }}
        >
          {t`Take it`}
        </button>
        <button type="button" class="button button-quiet button-small" onClick={() => compare(offer.tabId)}>
          {t`Look at it`}
        </button>
        <button
          type="button"
          class="button button-quiet button-small"
          onClick={() => void draft.autosave.settleOffer()}
        >
          {t`Leave it`}
        </button>
      </span>
    </div>
  )
}
