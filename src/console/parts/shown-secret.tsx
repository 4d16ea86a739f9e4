/** What was made just now, and nobody can read again. */
import { t } from '../language.ts'
import { CopyButton } from './copyable.tsx'
import { Dialog } from './dialog.tsx'

interface ShownSecretProps {
  title: string
  secret: string
  /** What the button copies, in a word. */
  label: string
  onClose(): void
}

export function ShownSecret({ title, secret, label, onClose }: ShownSecretProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t`Copy it now: it is shown only this once.`}</p>
      <p class="secret">
        <code class="secret-text">{secret}</code> <CopyButton text={secret} label={label} />
      </p>
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Done`}
        </button>
      </div>
    </Dialog>
  )
}
