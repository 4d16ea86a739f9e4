/** Why a step failed: its code, its message, and each located issue with its place in the raw input. */

import type { ComponentChild } from 'preact'
import { readJson } from '../../core/json.ts'
import { locatePointers, type SourcePosition } from '../../core/positions.ts'
import type { Step } from '../api/types.ts'
import { blamesInput, remedyOf } from '../execution-steps.ts'
import { rich, t } from '../language.ts'
import { stepTitle } from '../words.ts'

interface FailureProps {
  step: Step
  /** The text the paths of a validate failure point into. */
  rawInput: string | undefined
  /** Shows a place of the raw input; left out if the input is not on the page. */
  reveal?: ((place: SourcePosition) => void) | undefined
  /** Where the paths of the other steps' issues point: the transformer or the template that was run. */
  origin?: { title: string; hrefOf(path: string): string } | undefined
}

export function Failure({ step, rawInput, reveal, origin }: FailureProps) {
  const { failure } = step
  if (failure === undefined) return null
  const { issues } = failure
  const remedy = remedyOf(step)
  const pointsIntoInput = blamesInput(step)
  const places = pointsIntoInput
    ? placesOf(
        rawInput,
        issues.map((issue) => issue.path),
      )
    : undefined
  return (
    <section class="failure" aria-label={t`Issues`}>
      <p class="failure-message">
        {failure.message} <code>{failure.code}</code>
      </p>
      {issues.length > 0 && (
        <ol class="issues">
          {issues.map((issue) => {
            const place = places?.get(issue.path) ?? (pointsIntoInput ? placeIn(issue.message) : undefined)
            return (
              <li class="issue" key={`${issue.path} ${issue.keyword} ${issue.message}`}>
                {issue.message !== failure.message && <p class="issue-message">{issue.message}</p>}
                <p class="issue-place">
                  <code>{issue.path === '' ? t`the whole input` : issue.path}</code>
                  {issue.keyword !== undefined && <span>{issue.keyword}</span>}
                  {place !== undefined && reveal !== undefined && (
                    <button type="button" class="link-button" onClick={() => reveal(place)}>
                      {rich`line ${place.line}, column ${place.column}`}
                    </button>
                  )}
                  {origin !== undefined && !pointsIntoInput && (
                    <a href={origin.hrefOf(issue.path)}>{rich`show in ${origin.title}`}</a>
                  )}
                </p>
              </li>
            )
          })}
        </ol>
      )}
      {remedy !== undefined && <p class="failure-remedy">{remedy}</p>}
    </section>
  )
}

/** In a list: the step that failed, and why. */
export function FailedAt({ step, reason }: { step: string; reason: ComponentChild }) {
  return (
    <span class="row-text">
      <span class="tone-danger">{stepTitle(step)}</span> {reason}
    </span>
  )
}

/** The place that a message about an input in CSV ends with. */
export function placeIn(message: string): SourcePosition | undefined {
  const [, line, column] = /\(line (\d+), column (\d+)\)$/.exec(message) ?? []
  return line === undefined ? undefined : { line: Number(line), column: Number(column) }
}

/** Input that is not JSON has no places, and neither has a path that is no pointer. */
function placesOf(rawInput: string | undefined, pointers: string[]): Map<string, SourcePosition> | undefined {
  if (rawInput === undefined || !readJson(rawInput).ok) return undefined
  return locatePointers(rawInput, pointers)
}
