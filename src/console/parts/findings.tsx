/** Findings of an engine as a list; each leads to its place. */

import { describeSurroundings, type Finding, type Surroundings } from '../../core/finding.ts'
import { rich, t } from '../language.ts'
import { Icon } from './icon.tsx'

interface FindingsProps {
  findings: readonly Finding[]
  onReveal?: (finding: Finding) => void
  /** Shown when there are none. */
  none: string
}

export function Findings({ findings, onReveal, none }: FindingsProps) {
  if (findings.length === 0) {
    return (
      <p class="findings-none" role="status">
        <Icon name="check" size={16} /> {none}
      </p>
    )
  }
  return (
    <ol class="findings" aria-label={t`Findings`}>
      {findings.map((finding) => (
        <li key={`${finding.code} ${finding.path} ${finding.line} ${finding.message}`} data-severity={finding.severity}>
          <p>
            <span class="offscreen">{finding.severity}: </span>
            {finding.message}
          </p>
          {finding.hint !== undefined && <p class="finding-hint">{finding.hint}</p>}
          {finding.near !== undefined && <p class="finding-hint">{placeText(finding.near)}</p>}
          <p class="issue-place">
            {finding.line !== undefined && onReveal !== undefined && (
              <button type="button" class="link-button" onClick={() => onReveal(finding)}>
                {rich`line ${finding.line}, column ${finding.column ?? 1}`}
              </button>
            )}
            {finding.path !== undefined && finding.path !== '' && <code>{finding.path}</code>}
            <span>{finding.code}</span>
          </p>
        </li>
      ))}
    </ol>
  )
}

function placeText(near: Surroundings): string {
  const text = describeSurroundings(near)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
