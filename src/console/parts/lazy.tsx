/** A component whose code is loaded when it is first shown. */
import { useSignal } from '@preact/signals'
import type { ComponentChild, ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

const loaded = new Map<unknown, ComponentType<never>>()

interface LazyProps<Props> {
  load: () => Promise<ComponentType<Props>>
  props: Props
  /** Shown until it is there. */
  until?: ComponentChild
}

export function Lazy<Props extends object>({ load, props, until = null }: LazyProps<Props>) {
  const isReady = useSignal(loaded.has(load))
  useEffect(() => {
    if (isReady.value) return
    void load().then((component) => {
      loaded.set(load, component as ComponentType<never>)
      isReady.value = true
    })
  }, [])
  const Loaded = loaded.get(load) as ComponentType<Props> | undefined
  if (!isReady.value || Loaded === undefined) return <>{until}</>
  return <Loaded {...props} />
}
