/**
 * The PDF inside the page, shown by the browser's own viewer. The bytes are fetched first: the download answers as an
 * attachment, which a frame would save instead of show. Browsers without a viewer get a link.
 */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { callForBlob } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { Icon } from './icon.tsx'
import { ProblemNote } from './problem-note.tsx'

export function PdfPreview({ path }: { path: string }) {
  const address = useSignal<string | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const attempt = useSignal(0)

  // A new attempt loads again.
  useEffect(() => {
    const abort = new AbortController()
    let made: string | undefined
    problem.value = undefined
    callForBlob(path, { signal: abort.signal }).then(
      (blob) => {
        made = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
        address.value = made
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
      },
    )
    return () => {
      abort.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [path, attempt.value])

  if (problem.value !== undefined) {
    return (
      <ProblemNote
        problem={problem.value}
        retry={() => {
          attempt.value++
        }}
      />
    )
  }
  if (address.value === undefined)
    return <div class="preview preview-loading" role="status" aria-label="Loading the PDF" />
  if (!navigator.pdfViewerEnabled) {
    return (
      <div class="preview preview-none">
        <p>This browser has no PDF viewer of its own.</p>
        <a class="button button-primary" href={address.value} target="_blank" rel="noopener">
          <Icon name="external" size={16} /> Open the PDF
        </a>
      </div>
    )
  }
  return (
    <figure class="preview">
      <iframe title="PDF preview" src={`${address.value}#toolbar=0&navpanes=0&view=FitH`} />
      <figcaption>
        <a href={address.value} target="_blank" rel="noopener">
          <Icon name="external" size={14} /> Open in its own tab
        </a>
      </figcaption>
    </figure>
  )
}
