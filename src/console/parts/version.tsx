/** The version of the server that answers, not of this page: after an update they may differ until a reload. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../api/client.ts'
import type { Liveness } from '../api/types.ts'

export function Version() {
  const version = useSignal<string | undefined>(undefined)
  useEffect(() => {
    call<Liveness>('/health/live').then(
      (live) => {
        version.value = live.build.version
      },
      // If the server does not answer, the rest of the page shows it.
      () => {},
    )
  }, [version])
  return <span class="version">{version.value === undefined ? ' ' : version.value}</span>
}
