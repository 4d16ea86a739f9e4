/** A file as the input: dropped anywhere on the screen, or chosen. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { limits } from '../../../core/limits.ts'
import { formatBytes } from '../../format.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'

type Take = (text: string, name: string) => void
type Refuse = (why: string) => void

async function read(file: File, take: Take, refuse: Refuse): Promise<void> {
  if (file.size > limits.payloadBytes) {
    return refuse(
      t`${file.name} has ${formatBytes(file.size)}; an input has at most ${formatBytes(limits.payloadBytes)}. Split it, or leave out what no document needs.`,
    )
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (text.trim() === '') return refuse(t`${file.name} is empty. Choose one with an input in it.`)
    take(text, file.name)
  } catch {
    refuse(t`${file.name} is no text in UTF-8. Save it as UTF-8, then choose it again.`)
  }
}

/** Answers whether a file is held over the page. */
export function useFileDrop(take: Take, refuse: Refuse): Signal<boolean> {
  const isOver = useSignal(false)
  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes(t`Files`) === true
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      isOver.value = true
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return
      event.preventDefault()
      isOver.value = false
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) void read(file, take, refuse)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    // Before the editor's own, which would insert the file where the pointer is.
    window.addEventListener('drop', drop, { capture: true })
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop, { capture: true })
    }
  })
  return isOver
}

export function FileChoice({ onText, onProblem }: { onText: Take; onProblem: Refuse }) {
  return (
    <label class="button file-button compose-file">
      <Icon name="upload" size={16} /> {t`A file, or drop it here`}
      <input
        type="file"
        class="offscreen"
        accept=".json,.csv,.xml,application/json,text/csv,application/xml,text/xml,text/plain"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) void read(file, onText, onProblem)
        }}
      />
    </label>
  )
}
