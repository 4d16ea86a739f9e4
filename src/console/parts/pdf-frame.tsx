/** Bytes of a PDF inside the page, shown by the browser's own viewer. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fileFormats } from '../../core/formats.ts'
import { t } from '../language.ts'
import { Icon } from './icon.tsx'

interface PdfFrameProps {
  blob: Blob
  title: string
}

export function PdfFrame({ blob, title }: PdfFrameProps) {
  const address = useSignal<string | undefined>(undefined)
  const isShown = useSignal(false)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type: fileFormats.pdf.mediaType }))
    address.value = made
    isShown.value = false
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (address.value === undefined)
    return <div class="preview preview-loading" role="status" aria-label={t`Loading the PDF`} />
  const open = (
    <a href={address.value} target="_blank" rel="noopener">
      <Icon name="external" size={14} /> {t`Open in its own tab`}
    </a>
  )
  if (!navigator.pdfViewerEnabled) {
    return (
      <div class="preview preview-none">
        <p>{t`This browser has no PDF viewer of its own.`}</p>
        {open}
      </div>
    )
  }
  return (
    <figure class="preview">
      {/* The viewer is black until it has something to show. */}
      <iframe
        title={title}
        data-shown={isShown.value}
        src={`${address.value}#toolbar=0&navpanes=0&view=FitH`}
        onLoad={() => {
          isShown.value = true
        }}
      />
      <figcaption>{open}</figcaption>
    </figure>
  )
}
