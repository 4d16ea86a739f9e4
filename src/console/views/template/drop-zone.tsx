/** Takes one DOCX: dropped on it, or chosen. */

import { type Signal, useSignal } from '@preact/signals'
import { fileFormats } from '../../../core/formats.ts'
import { Icon } from '../../parts/icon.tsx'

const { mediaType, extension } = fileFormats.docx

export interface FileDrop {
  isOver: Signal<boolean>
  take(file: File | undefined | null): void
  /** For what takes the file. */
  handlers: {
    onDragOver(event: DragEvent): void
    onDragLeave(event: DragEvent & { currentTarget: Element }): void
    onDrop(event: DragEvent): void
  }
}

export function useFileDrop(onFile: (file: File) => void): FileDrop {
  const isOver = useSignal(false)
  const take = (file: File | undefined | null) => {
    // Some systems don't know the media type, and the server requires it.
    if (file) onFile(new File([file], file.name, { type: mediaType }))
  }
  const handlers: FileDrop['handlers'] = {
    onDragOver(event) {
      event.preventDefault()
      isOver.value = true
    },
    onDragLeave({ currentTarget, relatedTarget }) {
      // Moving between elements inside of it is no leaving.
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) isOver.value = false
    },
    onDrop(event) {
      event.preventDefault()
      isOver.value = false
      take(event.dataTransfer?.files[0])
    },
  }
  return { isOver, take, handlers }
}

export function DropZone({ text, onFile }: { text: string; onFile(file: File): void }) {
  const drop = useFileDrop(onFile)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the field in it.
    <label class="drop" data-over={drop.isOver.value} {...drop.handlers}>
      <Icon name="upload" size={22} />
      <span>{text}</span>
      <FileField drop={drop} />
    </label>
  )
}

/** Chooses a file where a larger place takes dropped ones. */
export function DropField({ drop, text }: { drop: FileDrop; text: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the field in it.
    <label class="button button-small file-button">
      <Icon name="upload" size={16} /> {text}
      <FileField drop={drop} />
    </label>
  )
}

function FileField({ drop }: { drop: FileDrop }) {
  return (
    <input
      type="file"
      class="offscreen"
      accept={`.${extension},${mediaType}`}
      onChange={(event) => {
        drop.take(event.currentTarget.files?.[0])
        // The same file, mended, may be chosen again.
        event.currentTarget.value = ''
      }}
    />
  )
}
