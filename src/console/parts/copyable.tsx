/** A hash or id: short to the eye, whole to the clipboard. */

import { useSignal } from '@preact/signals'
import { rich, t } from '../language.ts'
import { copyText } from './clipboard.ts'
import { Icon } from './icon.tsx'

const shownMs = 1_600

/** Copies, and says so for a moment. */
function useCopied(value: string) {
  const copied = useSignal(false)
  async function copy(): Promise<void> {
    copied.value = await copyText(value)
    setTimeout(() => {
      copied.value = false
    }, shownMs)
  }
  return { copied, copy }
}

/** Copies a text that is shown beside it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopied(text)
  return (
    <button type="button" class="button button-small copy-button" onClick={copy}>
      <Icon name={copied.value ? 'check' : 'copy'} size={14} />
      <span class="copy-word" aria-hidden="true">
        {copied.value ? t`Copied` : t`Copy`}
      </span>
      <span class="offscreen">{rich`Copy ${label}`}</span>
      <span class="offscreen" role="status">
        {copied.value ? t`Copied` : ''}
      </span>
    </button>
  )
}

/**
 * @param label what it is, for the button's name: "Copy content hash"
 * @param chars how much of the value is shown; all of it when left out
 */
export function Copyable({ value, label, chars }: { value: string; label: string; chars?: number }) {
  const { copied, copy } = useCopied(value)
  const shown = chars === undefined || value.length <= chars ? value : `${value.slice(0, chars)}…`
  return (
    <button type="button" class="copyable" title={value} aria-label={t`Copy ${label} ${shown}`} onClick={copy}>
      <code>{shown}</code>
      <Icon name={copied.value ? 'check' : 'copy'} size={14} />
      <span class="offscreen" role="status">
        {copied.value ? t`Copied` : ''}
      </span>
    </button>
  )
}
