/** A fault that no place of the screen is for, in front of all of it. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { unexpected } from '../faults.ts'
import { t } from '../language.ts'
import { Icon } from './icon.tsx'
import { ProblemNote } from './problem-note.tsx'

export function UnexpectedNote() {
  const ref = useRef<HTMLDivElement>(null)
  const problem = unexpected.value
  // Also in front of a dialog.
  useLayoutEffect(() => ref.current?.showPopover?.(), [problem])
  if (problem === undefined) return null
  return (
    <div class="unexpected" popover="manual" ref={ref} key={problem.detail}>
      <ProblemNote problem={problem} />
      <button
        type="button"
        class="icon-button"
        aria-label={t`Close`}
        onClick={() => {
          unexpected.value = undefined
        }}
      >
        <Icon name="cross" size={16} />
      </button>
    </div>
  )
}
