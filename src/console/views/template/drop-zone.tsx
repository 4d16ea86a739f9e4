/** Takes one DOCX: dropped on it, or chosen. */

import { useSignal } from '@preact/signals'
import { fileFormats } from '../../../core/formats.ts'
import { Icon } from '../../parts/icon.tsx'

const { mediaType, extension } = fileFormats.docx

export function DropZone({ text, onFile }: { text: string; onFile(file: File): void }) {
  const isOver = useSignal(false)
  const take = (file: File | undefined | null) => {
    // Some systems don't know the media type, and the server requires it.
    if (file) onFile(new File([file], file.name, { type: mediaType }))
  }
  return (
    <label
      class="drop"
      data-over={isOver.value}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => {
        isOver.value = false
      }}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        take(event.dataTransfer?.files[0])
      }}
    >
      <Icon name="upload" size={22} />
      <span>{text}</span>
      <input
        type="file"
        class="offscreen"
        accept={`.${extension},${mediaType}`}
        onChange={(event) => {
          take(event.currentTarget.files?.[0])
          // The same file, mended, may be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
