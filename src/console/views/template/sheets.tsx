/** The pages of a filled template with their values marked, and why there are none. */

import { useWork } from '../../api/work.ts'
import { t } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { PdfFrame } from '../../parts/pdf-frame.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { DrawnPageView, type PageMark } from './drawn-page.tsx'
import type { Filled } from './filled.ts'
import { placeKey } from './places.ts'

interface SheetsProps extends Pick<Filled, 'drawn' | 'errors' | 'bindings'> {
  isLit(mark: PageMark): boolean
  onSelect(mark: PageMark): void
}

export function Sheets({ drawn, errors, bindings, isLit, onSelect }: SheetsProps) {
  const byPlace = new Map(bindings.map((binding) => [placeKey(binding), binding]))
  const first = drawn?.pages.findIndex(({ marks }) => marks.some(isLit))
  return (
    <>
      {errors.length > 0 && (
        <ul class="findings">
          {errors.map((error) => (
            <li key={`${error.path} ${error.message}`}>
              {error.message} <code>{error.path}</code>
            </li>
          ))}
        </ul>
      )}
      {drawn?.pages.map((page, index) => (
        <DrawnPageView
          key={index}
          page={page}
          name={t`Page ${index + 1} of ${drawn.total_pages}`}
          marks={{
            ...{ isLit, onSelect },
            titleOf: (one) => byPlace.get(one)?.pointer ?? one,
            hasFirst: index === first,
          }}
        />
      ))}
    </>
  )
}

export function PdfDialog({ filled, onClose }: { filled: Filled; onClose(): void }) {
  const { value, problem, again } = useWork('pdf', () => filled.readPdf())
  return (
    <Dialog title={t`The filled template as PDF`} onClose={onClose} wide>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={again} />}
      {value.value !== undefined && <PdfFrame blob={value.value} title={t`Filled template`} />}
      {value.value === undefined && problem.value === undefined && (
        <div class="preview preview-loading" role="status" aria-label={t`Making the PDF`} />
      )}
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

export function pagesText(drawn: number, total: number): string {
  if (drawn < total) return t`the first ${drawn} of ${total}`
  return total === 1 ? t`one page` : t`${total} pages`
}

/** Scrolls the box, and then the window, only as far as needed: what is already in view stays put. */
export function bringIntoView(box: Element, found: Element): void {
  const scroller = box.querySelector('.pane-body') ?? box
  const outer = scroller.getBoundingClientRect()
  const inner = found.getBoundingClientRect()
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    scroller.scrollTop += inner.top - outer.top - outer.height / 3
  found.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
