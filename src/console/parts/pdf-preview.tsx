/**
 * The PDF inside the page. The bytes are fetched first: the download answers as an attachment, which a frame would
 * save instead of show.
 */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { callForBlob } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { t } from '../language.ts'
import { PdfFrame } from './pdf-frame.tsx'
import { ProblemNote } from './problem-note.tsx'

export function PdfPreview({ path }: { path: string }) {
  const blob = useSignal<Blob | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const attempt = useSignal(0)

  // A new attempt loads again.
  useEffect(() => {
    const abort = new AbortController()
    problem.value = undefined
    callForBlob(path, { signal: abort.signal }).then(
      (loaded) => {
        blob.value = loaded
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
      },
    )
    return () => abort.abort()
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
  if (blob.value === undefined)
    return <div class="preview preview-loading" role="status" aria-label={t`Loading the PDF`} />
  return <PdfFrame blob={blob.value} title={t`PDF preview`} />
}
