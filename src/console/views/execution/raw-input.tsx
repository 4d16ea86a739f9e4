/**
 * What was submitted, laid out for reading. It marks the places that a failure of `validate` names: no other step shows
 * what is wrong with the input.
 */

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { readJson } from '../../../core/json.ts'
import { LineIndex, locatePointers } from '../../../core/positions.ts'
import type { Step, StepIssue } from '../../api/types.ts'
import { blamesInput } from '../../execution-steps.ts'
import type { Layout } from '../../json-layout.ts'
import { t } from '../../language.ts'
import { placeIn } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'
import { SourceView } from '../../parts/source-view.tsx'
import type { SourceMark } from '../../source-rows.ts'

interface RawInputProps {
  text: string
  layout: Layout | undefined
  failed: Step | undefined
  reveal: { line: number } | undefined
}

export function RawInput({ text, layout, failed, reveal }: RawInputProps) {
  const ofInput = failed !== undefined && blamesInput(failed) ? failed : undefined
  const open = useSignal(failed !== undefined)
  const marks = useMemo(
    () => (ofInput === undefined ? [] : marksOf(text, layout, ofInput.failure?.issues ?? [])),
    [text, layout, ofInput?.failure],
  )
  return (
    <details
      class="more"
      open={open.value || reveal !== undefined}
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <Icon name="chevron" size={14} /> {t`Raw input`}
      </summary>
      <SourceView
        label={t`Raw input`}
        text={layout?.text ?? text}
        copied={text}
        marks={marks}
        tone="danger"
        reveal={reveal}
      />
      {layout !== undefined && (
        <p class="source-foot">{t`Laid out for reading. Copy gives it exactly as it was sent.`}</p>
      )}
    </details>
  )
}

/** Where the issues are in the text as it is shown; input that isn't JSON has one place, where reading it stopped. */
function marksOf(text: string, layout: Layout | undefined, issues: readonly StepIssue[]): SourceMark[] {
  const shown = layout?.text ?? text
  // For an input in CSV the issue itself has the place.
  const placed = issues.flatMap(({ path, message }) => {
    const place = placeIn(message) ?? (layout === undefined ? placeIn(`(${path})`) : undefined)
    return place === undefined ? [] : [{ ...place, message }]
  })
  if (placed.length > 0) return placed
  const read = readJson(text)
  if (read.ok) {
    const places = locatePointers(
      shown,
      issues.map(({ path }) => path),
    )
    return issues.flatMap(({ path, message }) => {
      const place = places.get(path)
      return place === undefined ? [] : [{ ...place, message }]
    })
  }
  return read.findings.slice(0, 1).map(({ line = 1, column = 1, message }) => {
    if (layout === undefined) return { line, column, message }
    const original = new LineIndex(text).offsetOf({ line, column })
    return { ...new LineIndex(shown).positionOf(layout.offsetOf(original)), message }
  })
}
