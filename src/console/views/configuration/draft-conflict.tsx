/** Two people changed one draft: what each of them did beside what both began from, and the choice where they collide. */
import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type Choice, type Lines, mergedText, type Region } from '../../merge.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Meeting } from './draft.ts'

interface DraftConflictProps {
  meeting: Meeting
  decide(text: string): void
  takeTheirs(): unknown
}

type Choices = ReadonlyMap<Region, Choice>

export function DraftConflict({ meeting, decide, takeTheirs }: DraftConflictProps) {
  const choices = useSignal<Choices>(new Map())
  const heading = useRef<HTMLHeadingElement>(null)
  const { theirRevision, baseRevision, regions } = meeting
  const collisions = regions.filter(({ verdict }) => verdict === 'collision')
  const open = collisions.filter((region) => !choices.value.has(region)).length
  const merged = mergedText(regions, choices.value)
  useLayoutEffect(() => heading.current?.focus(), [meeting])
  const choose = (...chosen: readonly (readonly [Region, Choice])[]) => {
    choices.value = new Map([...choices.value, ...chosen])
  }
  return (
    <section class="panel conflict" aria-labelledby="conflict-title">
      <header class="conflict-head">
        <h2 id="conflict-title" ref={heading} tabIndex={-1}>
          <Icon name="alert" /> {collisions.length === 1 ? 'One place' : `${collisions.length} places`} where two people
          wrote
        </h2>
        <p class="muted">
          Revision {theirRevision} was saved by somebody else while you edited{' '}
          {baseRevision === undefined ? 'a new draft' : `revision ${baseRevision}`}. What only one of you changed is
          merged; choose the rest. Nothing is saved until you save it.
        </p>
        <p class="conflict-tools">
          <button
            type="button"
            class="button button-small"
            onClick={() => choose(...collisions.map((region) => [region, 'theirs'] as const))}
          >
            Theirs everywhere
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => choose(...collisions.map((region) => [region, 'mine'] as const))}
          >
            Mine everywhere
          </button>
        </p>
      </header>
      <MeetingTable meeting={meeting} choices={choices.value} choose={(region, choice) => choose([region, choice])} />
      <footer class="conflict-foot">
        <span class="muted" role="status">
          {open === 0 ? 'All is decided.' : `${open} of ${collisions.length} still to choose.`}
        </span>
        <button type="button" class="button button-quiet" onClick={() => void takeTheirs()}>
          Discard mine
        </button>
        <button
          type="button"
          class="button button-primary"
          disabled={merged === undefined}
          onClick={() => merged !== undefined && decide(merged)}
        >
          Go on with the merged text
        </button>
      </footer>
    </section>
  )
}

interface MeetingTableProps {
  meeting: Meeting
  choices?: Choices
  /** Left out where nothing is left to decide. */
  choose?(region: Region, choice: Choice): void
}

/** Three columns: what both began from, theirs, mine. Lines that nobody changed are counted. */
export function MeetingTable({ meeting, choices = new Map(), choose }: MeetingTableProps) {
  const { baseRevision, theirRevision, regions } = meeting
  return (
    <div class="meeting">
      <p class="meeting-titles" aria-hidden="true">
        <span>{baseTitle(baseRevision)}</span>
        <span>Theirs, revision {theirRevision}</span>
        <span>Mine</span>
      </p>
      {regions.map((region) =>
        region.verdict === 'same' ? (
          <p class="meeting-same" key={keyOf(region)}>
            {region.base.texts.length === 1 ? 'One line is' : `${region.base.texts.length} lines are`} the same
          </p>
        ) : (
          <Place key={keyOf(region)} meeting={meeting} region={region} choice={choices.get(region)} choose={choose} />
        ),
      )}
    </div>
  )
}

function keyOf({ base, theirs, mine }: Region): string {
  return `${base.line} ${theirs.line} ${mine.line}`
}

function baseTitle(revision: number | undefined): string {
  return revision === undefined ? 'Before' : `Before, revision ${revision}`
}

const outcomes: Readonly<Partial<Record<Region['verdict'], string>>> = {
  theirs: 'Only they changed this: taken',
  mine: 'Only you changed this: kept',
  alike: 'You both made the same change',
}

const choiceTexts = [
  ['theirs', 'Theirs'],
  ['mine', 'Mine'],
  ['both', 'Both, theirs first'],
] as const

interface PlaceProps {
  meeting: Meeting
  region: Region
  choice: Choice | undefined
  choose: MeetingTableProps['choose']
}

function Place({ meeting, region, choice, choose }: PlaceProps) {
  const group = useId()
  const { verdict, base, theirs, mine } = region
  const taken = verdict === 'collision' ? choice : verdict
  return (
    <section class="meeting-place" aria-label={`Line ${mine.line}`}>
      <div class="meeting-decision">
        <strong>Line {mine.line}</strong>
        {verdict === 'collision' ? (
          <fieldset class="meeting-choices">
            <legend class="offscreen">What to take at line {mine.line}</legend>
            {choiceTexts.map(([value, text]) => (
              <label key={value}>
                <input type="radio" name={group} checked={choice === value} onChange={() => choose?.(region, value)} />{' '}
                {text}
              </label>
            ))}
          </fieldset>
        ) : (
          <span class="muted">{outcomes[verdict]}</span>
        )}
      </div>
      <div class="meeting-sides">
        <Side title={baseTitle(meeting.baseRevision)} of={base} />
        <Side
          title={`Theirs, revision ${meeting.theirRevision}`}
          of={theirs}
          fate={taken === undefined ? undefined : taken === 'mine' ? 'dropped' : 'taken'}
        />
        <Side
          title="Mine"
          of={mine}
          fate={taken === undefined ? undefined : taken === 'theirs' ? 'dropped' : 'taken'}
        />
      </div>
    </section>
  )
}

interface SideProps {
  title: string
  of: Lines
  /** Of both sides, once it is known. */
  fate?: 'taken' | 'dropped' | undefined
}

/** One side's lines, by their numbers. */
export function Side({ title, of: { line, texts }, fate }: SideProps) {
  return (
    <figure class="meeting-side" data-fate={fate}>
      <figcaption>{title}</figcaption>
      {texts.length === 0 ? (
        <p class="meeting-none">nothing</p>
      ) : (
        <ol start={line}>
          {texts.map((text, index) => (
            <li key={line + index} value={line + index}>
              <code>{text === '' ? ' ' : text}</code>
            </li>
          ))}
        </ol>
      )}
    </figure>
  )
}
