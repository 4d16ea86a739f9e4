/** What the server finds in a source: what the page finds, and whether all that it names is there and fits. */

import type { Finding } from '../../../core/finding.ts'
import { mutate } from '../../api/client.ts'
import type { SourceFormat, ValidationResult } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { useDebounced } from '../../debounced.ts'
import { t } from '../../language.ts'
import { lineOfPointer } from './source-lines.ts'

/** How long a pause in typing lasts before the server is asked. */
const pauseMs = 400

export interface ServerCheck {
  findings: readonly Finding[]
  /** `unknown` if the server gave no answer. */
  state: 'checking' | 'checked' | 'unknown'
}

interface SourceToCheck {
  source: string
  format: SourceFormat
  /** The page finds errors already; the server would report the same. */
  hasErrors: boolean
  /** The server doesn't check for those who may only read. */
  mayEdit: boolean
}

/** @param path of the family, `/api/v1/transformers/<id>` */
export function useServerCheck(path: string, { source, format, hasErrors, mayEdit }: SourceToCheck): ServerCheck {
  const settled = useDebounced(source, pauseMs)
  const isReady = mayEdit && !hasErrors && settled === source && source !== ''
  const check = useWork(isReady ? `${path} ${format} ${settled}` : undefined, async (signal) => {
    const body = { source: settled, format }
    const { errors } = await mutate<ValidationResult>(`${path}/validate`, { method: 'POST', body, signal })
    return errors.map((issue) => findingOf(issue, settled))
  })
  if (!mayEdit) return { findings: [], state: 'checked' }
  if (check.problem.value !== undefined) return { findings: [], state: 'unknown' }
  return { findings: check.value.value ?? [], state: check.value.value === undefined ? 'checking' : 'checked' }
}

function findingOf({ code, message, path, context }: ValidationResult['errors'][number], source: string): Finding {
  const line = Number(context?.line ?? lineOfPointer(source, path))
  const column = Number(context?.column)
  return {
    code,
    severity: 'error',
    message,
    ...(path === undefined ? {} : { path }),
    ...(Number.isInteger(line) ? { line } : {}),
    ...(Number.isInteger(column) ? { column } : {}),
  }
}

/** What an editor says where there is no finding. */
export function noneText(state: ServerCheck['state'], words: string): string {
  if (state === 'checking') return t`Checking what it names…`
  return state === 'checked' ? words : t`${words} by itself. The server did not answer, so its names are not checked.`
}
