/** The live pages of a workspace, or the data that fills them; a word leads to where it comes from. */

import { useSignal } from '@preact/signals'
import type { JsonValue } from '../../../core/json.ts'
import type { ApiProblem } from '../../api/problem.ts'
import type { Template } from '../../api/types.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import type { PageMark } from '../template/drawn-page.tsx'
import type { FileDrop } from '../template/drop-zone.tsx'
import type { Filled } from '../template/filled.ts'
import { placeKey } from '../template/places.ts'
import { PdfDialog, pagesText, Sheets } from '../template/sheets.tsx'
import { OutputView } from '../transformer/output-view.tsx'
import type { Chosen, Trace } from './trace.ts'
import { type Part, TraceStrip } from './trace-strip.tsx'

interface PagesPaneProps {
  template: Template | undefined
  /** The newest pages that could be made. */
  shown: Filled | undefined
  errors: Filled['errors']
  problem: ApiProblem | undefined
  again(): Promise<void>
  isWorking: boolean
  /** The pages are older than the texts, which make none. */
  isStale: boolean
  /** Why there is nothing to fill in. */
  why: string | undefined
  output: JsonValue | undefined
  drop: FileDrop
  /** The name of the file that isn't saved. */
  fileName: string | undefined
  trace: Trace | undefined
  chosen: Chosen | undefined
  choose(chosen: Chosen | undefined): void
  valueAt(pointer: string): string | undefined
  show(part: Part): void
}

export function PagesPane(props: PagesPaneProps) {
  const { template, shown, errors, problem, again, isWorking, isStale, why, output, drop, fileName } = props
  const { trace, chosen, choose, valueAt, show } = props
  const showsPdf = useSignal(false)
  const showsData = template === undefined || place.value.query.get('view') === 'data'
  const drawn = shown?.drawn
  const select = (mark: PageMark) => {
    const isAgain = chosen?.in === 'page' && trace?.isOnPage(mark) === true
    choose(isAgain ? undefined : { in: 'page', place: placeKey(mark), pointer: mark.pointer })
  }
  return (
    <section
      class="pane workspace-pages"
      aria-label={showsData ? t`Data` : t`Pages`}
      data-drop={drop.isOver.value}
      {...(template === undefined ? {} : drop.handlers)}
    >
      <header class="pane-head">
        <h2>{showsData ? t`Data` : t`Pages`}</h2>
        <span class="pane-note" role="status" data-working={isWorking}>
          {stateText(props)}
        </span>
        {template !== undefined && (
          <button
            type="button"
            class="button button-quiet button-small"
            onClick={() => changeQuery({ view: showsData ? undefined : 'data' })}
          >
            {showsData ? t`Show the pages` : t`Show the data`}
          </button>
        )}
        {!showsData && shown !== undefined && (
          <button type="button" class="button button-small" onClick={() => (showsPdf.value = true)}>
            {t`As PDF`}
          </button>
        )}
      </header>
      {problem !== undefined && <ProblemNote problem={problem} retry={again} />}
      <section
        class="pane-body sheets"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        tabIndex={0}
        aria-label={t`Filled pages`}
        data-stale={isStale}
        hidden={showsData}
      >
        {why !== undefined && <p class="note note-warning">{why}</p>}
        <Sheets
          {...(drawn === undefined ? {} : { drawn })}
          errors={errors}
          bindings={shown?.bindings ?? []}
          isLit={(mark) => trace?.isOnPage(mark) === true}
          onSelect={select}
        />
        {drawn === undefined && why === undefined && errors.length === 0 && (
          <div class="sheet sheet-empty" aria-hidden="true" />
        )}
      </section>
      {showsData && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        <section class="pane-body" tabIndex={0} aria-label={t`Output text`}>
          {output === undefined ? (
            <p class="pane-empty">{why ?? t`Reading…`}</p>
          ) : (
            <OutputView
              output={output}
              selected={chosen?.in === 'output' ? chosen.pointer : undefined}
              lit={new Set(trace?.outputs)}
              onSelect={(pointer) => choose(pointer === undefined ? undefined : { in: 'output', pointer })}
            />
          )}
        </section>
      )}
      <div class="pane-foot trace-foot">
        <TraceStrip trace={trace} valueAt={valueAt} show={show} />
      </div>
      {drop.isOver.value && (
        <p class="drop-veil" role="status">
          <Icon name="upload" size={22} />{' '}
          {fileName === undefined ? t`Drop it to put it in the template’s place` : t`Drop it to replace ${fileName}`}
        </p>
      )}
      {showsPdf.value && shown !== undefined && <PdfDialog filled={shown} onClose={() => (showsPdf.value = false)} />}
    </section>
  )
}

function stateText({ template, shown, isWorking, isStale, fileName }: PagesPaneProps): string {
  if (isWorking) return t`following…`
  if (isStale) return t`the last pages that could be made`
  if (template === undefined || shown?.drawn === undefined) return ''
  const pages = pagesText(shown.drawn.pages.length, shown.drawn.total_pages)
  return fileName === undefined ? pages : t`${pages}, with ${fileName}`
}
