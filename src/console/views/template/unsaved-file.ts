/** A template's draft with a file that may take its place: seen at once, saved when somebody says so. */

import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import type { Template, TemplateDraft } from '../../api/types.ts'
import type { Collision } from './file-collision.tsx'
import { putFile } from './put-file.ts'
import { chosen, type SeenDraft, type WaitingFile, waitingFile } from './waiting-files.ts'

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

export function useUnsavedFile(template: Template | undefined, reload: () => Promise<void>): UnsavedFile {
  const path = `/api/v1/templates/${template?.id}`
  const hasDraft = template !== undefined && template.draft_revision > 0
  const draft = useResource<TemplateDraft>(hasDraft ? `${path}/draft` : undefined)
  const taken = useSignal(0)
  const waits = useMemo(() => waitingFile(template?.id ?? ''), [template?.id])
  const file = useComputed(() => waits.value?.file)
  const discarded = useSignal<WaitingFile | undefined>(undefined)
  const collision = useSignal<Collision | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isSaving = useSignal(false)
  const shown = draft.value.value

  useEffect(() => {
    const now = waits.peek()
    if (now?.seen === 'unread' && shown !== undefined) waits.value = { ...now, seen: shown }
  }, [waits.value, shown])

  async function put(sent: File, seen: TemplateDraft | undefined): Promise<boolean> {
    if (await putFile(path, sent, seen)) {
      collision.value = undefined
      await Promise.all([reload(), draft.reload()])
      const now = waits.peek()
      // A file that was chosen meanwhile will replace the draft that is saved now.
      waits.value =
        now === undefined || now.file === sent ? undefined : { ...now, seen: draft.value.peek() ?? 'unread' }
      return true
    }
    await Promise.all([reload(), draft.reload()])
    const theirs = draft.value.peek() ?? (await call<TemplateDraft>(`${path}/draft`))
    collision.value = { file: sent, base: seen, theirs }
    return false
  }

  async function saveOver(seen: SeenDraft): Promise<boolean> {
    const sent = file.peek()
    if (sent === undefined) return true
    // Until the draft is read, nobody can say what the file would replace.
    problem.value = seen === 'unread' ? draft.problem.peek() : undefined
    if (isSaving.peek() || seen === 'unread') return false
    isSaving.value = true
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
    ...{ draft, file, taken, collision, problem, isSaving },
    discarded: useComputed(() => discarded.value?.file),
    take(one) {
      problem.value = undefined
      discarded.value = undefined
      taken.value++
      waits.value = chosen(one, waits.peek(), hasDraft ? (draft.value.peek() ?? 'unread') : undefined)
    },
    discard() {
      discarded.value = waits.peek()
      waits.value = undefined
      problem.value = undefined
    },
    bringBack() {
      taken.value++
      waits.value = discarded.peek()
      discarded.value = undefined
    },
    save: async () => collision.peek() === undefined && (await saveOver(waits.peek()?.seen)),
    decide(keeps) {
      const theirs = collision.peek()?.theirs
      if (keeps === 'mine') void saveOver(theirs)
      else {
        collision.value = undefined
        waits.value = undefined
      }
    },
  }
}
