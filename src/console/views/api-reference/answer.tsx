/** What came back for a request that was sent from the reference. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { formatBytes } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import type { SampleRequest } from './request.ts'

interface Came {
  status: number
  tookMs: number
  correlationId: string
  text: string
  /** A file to save, where the answer is no text. */
  file: { url: string; name: string; bytes: number } | undefined
}

export interface Sending {
  came: Came | undefined
  failed: string | undefined
  isOpen: boolean
  send(request: SampleRequest, file: File | undefined): Promise<void>
  stop(): void
}

/** More of an answer is cut off on the screen. */
const shownChars = 100_000

export function useSending(): Sending {
  const came = useSignal<Came | undefined>(undefined)
  const failed = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(false)
  const abort = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  async function send(request: SampleRequest, file: File | undefined): Promise<void> {
    const control = new AbortController()
    abort.current = control
    forget(came.value)
    came.value = undefined
    failed.value = undefined
    isOpen.value = true
    const began = performance.now()
    try {
      const response = await ask(request.path, optionsOf(request, file, control.signal))
      const head = {
        status: response.status,
        tookMs: performance.now() - began,
        correlationId: response.headers.get('x-correlation-id') ?? '',
      }
      const type = response.headers.get('content-type') ?? ''
      if (/json|^text\//.test(type) || type === '') {
        await readText(response, (text) => {
          came.value = { ...head, text: laidOut(text, type), file: undefined }
        })
      } else {
        const bytes = await response.blob()
        const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'answer'
        const saved = { url: URL.createObjectURL(bytes), name, bytes: bytes.size }
        came.value = { ...head, text: '', file: saved }
      }
    } catch (error) {
      if (!control.signal.aborted) failed.value = error instanceof ApiProblem ? error.detail : String(error)
    } finally {
      isOpen.value = false
    }
  }

  return { came: came.value, failed: failed.value, isOpen: isOpen.value, send, stop: () => abort.current?.abort() }
}

function forget(came: Came | undefined): void {
  if (came?.file !== undefined) URL.revokeObjectURL(came.file.url)
}

function optionsOf({ method, headers, sent }: SampleRequest, file: File | undefined, signal: AbortSignal) {
  const common = {
    method: method as 'GET',
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    signal,
  }
  switch (sent?.kind) {
    case 'json':
      // As it was typed, mistakes included: the server says what is wrong.
      return { ...common, body: new Blob([sent.text], { type: 'application/json' }) }
    case 'form': {
      const form = new FormData()
      for (const [name, value] of sent.fields) form.append(name, value)
      if (file !== undefined) form.append(sent.file, new File([file], file.name, { type: sent.mediaType }))
      return { ...common, body: form }
    }
    case 'file':
      return { ...common, body: new Blob(file === undefined ? [] : [file], { type: sent.mediaType }) }
    default:
      return common
  }
}

/** Streams are shown as they come. */
async function readText(response: Response, show: (text: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  show(text)
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    show(text)
  }
}

function laidOut(text: string, type: string): string {
  const cut = (whole: string) => (whole.length > shownChars ? `${whole.slice(0, shownChars)}…` : whole)
  if (!type.includes('json')) return cut(text)
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return cut(text)
  }
}

export function AnswerPart({ sending: { came, failed, isOpen } }: { sending: Sending }) {
  return (
    <div class="try-answer" role="status" aria-busy={isOpen}>
      {failed !== undefined && <p class="note note-danger">{failed}</p>}
      {came !== undefined && (
        <>
          <p class="try-status">
            <strong data-tone={came.status < 400 ? 'ok' : 'danger'}>{came.status}</strong>
            <span>{rich`${Math.round(came.tookMs)} ms`}</span>
            {came.correlationId !== '' && <Copyable value={came.correlationId} label={t`correlation id`} chars={13} />}
          </p>
          {came.file !== undefined && (
            <p>
              <a href={came.file.url} download={came.file.name}>
                {rich`Save ${came.file.name}`}
              </a>{' '}
              <span class="muted">{formatBytes(came.file.bytes)}</span>
            </p>
          )}
          {came.text !== '' && <Code label={t`Answer`} text={came.text} />}
        </>
      )}
    </div>
  )
}

export function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <section class="try-code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}
