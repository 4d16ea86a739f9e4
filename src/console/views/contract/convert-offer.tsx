/** A schema of an older draft is offered in 2020-12, with the difference; nothing changes until somebody takes it. */

import { useSignal } from '@preact/signals'
import type { OlderSchema } from '../../engines/answers.ts'
import { rich, t } from '../../language.ts'
import type { Region } from '../../merge.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Side } from '../configuration/draft-conflict.tsx'

interface ConvertOfferProps {
  older: OlderSchema
  /** Puts the converted schema into the editor; left out for readers. */
  take: ((text: string) => void) | undefined
}

export function ConvertOffer({ older, take }: ConvertOfferProps) {
  const isOpen = useSignal(false)
  const { from, isNamed, conversion } = older
  return (
    <>
      <p class="pane-note" role="status">
        {rich`${isNamed ? t`This is JSON Schema ${from}.` : t`This names no draft, and reads as JSON Schema ${from}.`} Contracts are 2020-12. ${conversion === undefined && t`It can be converted once this is mended:`}`}
        {conversion !== undefined && take !== undefined && (
          <button type="button" class="button button-small" onClick={() => (isOpen.value = true)}>
            {t`Convert to 2020-12`}
          </button>
        )}
      </p>
      {isOpen.value && conversion !== undefined && take !== undefined && (
        <FormDialog
          title={t`Convert to 2020-12`}
          action={t`Take the converted schema`}
          wide
          onSubmit={async () => take(conversion.text)}
          onClose={() => (isOpen.value = false)}
        >
          <p class="muted">{rich`It accepts the same values as ${from}. Nothing is saved until you save the draft.`}</p>
          {conversion.notes.length > 0 && (
            <ul class="converted-notes" aria-label={t`What the difference does not explain`}>
              {conversion.notes.map(({ path, text }) => (
                <li key={`${path} ${text}`}>
                  <code>{path}</code> {text}
                </li>
              ))}
            </ul>
          )}
          <Difference regions={conversion.regions} />
        </FormDialog>
      )}
    </>
  )
}

/** Two columns; lines that stay are counted. */
function Difference({ regions }: { regions: readonly Region[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <section class="meeting converted" aria-label={t`What changes`} tabIndex={0}>
      {regions.map(({ verdict, base, mine }) =>
        verdict === 'same' ? (
          <p class="meeting-same" key={`${base.line} ${mine.line}`}>
            {rich`${base.texts.length === 1 ? t`One line is` : t`${base.texts.length} lines are`} the same`}
          </p>
        ) : (
          <div class="meeting-place converted-sides" key={`${base.line} ${mine.line}`}>
            <Side title={t`Before`} of={base} fate="dropped" />
            <Side title={t`Converted`} of={mine} fate="taken" />
          </div>
        ),
      )}
    </section>
  )
}
