/** What doesn't hold, in each pane that it touches, with one click that mends it. */

import { useMemo } from 'preact/hooks'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { applyFix, type Texts } from './fixes.ts'
import type { BrokenLink, Fix } from './links.ts'

export interface Mending {
  texts: Texts
  mend(texts: Texts): void
}

interface LinkNotesProps extends Mending {
  links: readonly BrokenLink[]
}

export function LinkNotes({ links, ...mending }: LinkNotesProps) {
  if (links.length === 0) return null
  return (
    <ul class="link-notes" aria-label={t`Broken links`}>
      {links.map((link) => (
        <li key={`${link.kind} ${link.pointer}`} data-severity={link.severity}>
          <LinkNote link={link} {...mending} />
        </li>
      ))}
    </ul>
  )
}

export function LinkNote({ link, texts, mend }: Mending & { link: BrokenLink }) {
  const { fix } = link
  // What is to be declared was found in the contract, which may be long: it is read when the button is pressed.
  const fits = useMemo(
    () => fix !== undefined && (fix.kind === 'declare' || applyFix(fix, texts) !== undefined),
    [fix, texts.transformer],
  )
  return (
    <div class="link-note">
      <Icon name={link.severity === 'error' ? 'alert' : 'edit'} size={16} />
      <span class="link-note-text">{textOf(link)}</span>
      {fix !== undefined && fits && (
        <button
          type="button"
          class="button button-small"
          onClick={() => {
            const fixed = applyFix(fix, texts)
            if (fixed !== undefined) mend(fixed)
          }}
        >
          {fixText(fix)}
        </button>
      )}
    </div>
  )
}

function textOf({ kind, pointer, lines }: BrokenLink) {
  const what = <code>{pointer}</code>
  if (kind === 'unbound') return rich`The template wants ${what}, and the transformer doesn’t make it.`
  if (kind === 'unused') return rich`The transformer makes ${what}, and the template doesn’t use it.`
  return lines[0] === undefined
    ? rich`The transformer reads ${what}, which the contract doesn’t declare.`
    : rich`Line ${lines[0]} reads ${what}, which the contract doesn’t declare.`
}

function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'rename-output':
      return t`Rename ${fix.from} to ${fix.to}`
    case 'add-output':
      return t`Add ${fix.name}: ${fix.reads}`
    case 'remove-output':
      return t`Remove it`
    case 'read-other':
      return t`Read ${fix.to} instead`
    case 'declare':
      return t`Declare ${fix.name}`
  }
}
