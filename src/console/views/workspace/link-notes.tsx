/** Broken links, in each pane that they touch, with one click that mends them. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type ApiProblem, problemFrom } from '../../api/problem.ts'
import { ask } from '../../engines/ask.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import type { Texts } from './fixes.ts'
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
  const newest = useRef(texts)
  newest.current = texts
  const problem = useSignal<ApiProblem | undefined>(undefined)
  return (
    <div class="link-note">
      <Icon name={link.severity === 'error' ? 'alert' : 'edit'} size={16} />
      <span class="link-note-text">{textOf(link)}</span>
      {fix !== undefined && (
        <button
          type="button"
          class="button button-small"
          onClick={async () => {
            const { contract, transformer } = texts
            problem.value = undefined
            try {
              const fixed = await ask('fixed', { fix, texts: { contract, transformer } })
              // What is typed meanwhile isn't taken back.
              const isSame = newest.current.contract === contract && newest.current.transformer === transformer
              if (fixed !== undefined && isSame) mend(fixed)
            } catch (error) {
              problem.value = problemFrom(error)
            }
          }}
        >
          {fixText(fix)}
        </button>
      )}
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
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
