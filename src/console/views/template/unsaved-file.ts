/** A template's draft with a file that may take its place: seen at once, saved when somebody says so. */

import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import type { Template, TemplateDraft } from '../../api/types.ts'
import { recall } from '../../memory.ts'
import type { Collision } from './file-collision.tsx'
import { putFile } from './put-file.ts'

export interface UnsavedFile {
  draft: Resource<TemplateDraft>
  /** In the draft's place, and not saved. */
  file: ReadonlySignal<File | undefined>
  /** Tells files apart. */
  taken: ReadonlySignal<number>
  /** What was thrown away, and can be brought back. */
  discarded: ReadonlySignal<File | undefined>
  /** Somebody else changed the draft meanwhile. */
  collision: ReadonlySignal<Collision | undefined>
  problem: ReadonlySignal<ApiProblem | undefined>
  isSaving: ReadonlySignal<boolean>
  take(file: File): void
  discard(): void
  bringBack(): void
  /** True when the server has what is shown. */
  save(): Promise<boolean>
  /** Ends the collision. */
  decide(keeps: 'mine' | 'theirs'): void
}

/** Files by person and template: a visit to another screen loses none, and nobody else in the tab sees them. */
const waiting = new Map<string, File>()

export function useUnsavedFile(template: Template | undefined, reload: () => Promise<void>): UnsavedFile {
  const path = `/api/v1/templates/${template?.id}`
  const hasDraft = template !== undefined && template.draft_revision > 0
  const draft = useResource<TemplateDraft>(hasDraft ? `${path}/draft` : undefined)
  const taken = useSignal(0)
  const key = `${recall('person', 'tab')} ${template?.id}`
  const file = useSignal<File | undefined>(waiting.get(key))
  const discarded = useSignal<File | undefined>(undefined)
  const collision = useSignal<Collision | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isSaving = useSignal(false)
  const isUnsaved = useComputed(() => file.value !== undefined)

  useEffect(() => {
    if (file.value === undefined) waiting.delete(key)
    else waiting.set(key, file.value)
  }, [file.value])

  useEffect(() => {
    // A file can't be kept over a reload, so leaving asks first.
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved.peek()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  async function put(sent: File, seen: TemplateDraft | undefined): Promise<boolean> {
    if (await putFile(path, sent, seen)) {
      collision.value = undefined
      await Promise.all([reload(), draft.reload()])
      if (file.peek() === sent) file.value = undefined
      return true
    }
    await Promise.all([reload(), draft.reload()])
    const theirs = draft.value.peek() ?? (await call<TemplateDraft>(`${path}/draft`))
    collision.value = { file: sent, base: seen, theirs }
    return false
  }

  async function saveOver(seen: TemplateDraft | undefined): Promise<boolean> {
    const sent = file.peek()
    if (sent === undefined) return true
    if (isSaving.peek()) return false
    isSaving.value = true
    problem.value = undefined
    try {
      return await put(sent, seen)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
      return false
    } finally {
      isSaving.value = false
    }
  }

  return {
    ...{ draft, file, taken, discarded, collision, problem, isSaving },
    take(one) {
      problem.value = undefined
      discarded.value = undefined
      taken.value++
      file.value = one
    },
    discard() {
      discarded.value = file.peek()
      file.value = undefined
      problem.value = undefined
    },
    bringBack() {
      taken.value++
      file.value = discarded.peek()
      discarded.value = undefined
    },
    save: async () => collision.peek() === undefined && (await saveOver(draft.value.peek())),
    decide(keeps) {
      const theirs = collision.peek()?.theirs
      if (keeps === 'mine') void saveOver(theirs)
      else {
        collision.value = undefined
        file.value = undefined
      }
    },
  }
}
