/** What a transformer names: the contract that types its input, and the template that wants its output. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { named as familyNamed, useEvery } from '../../api/every.ts'
import type { Binding, ContractItem, Family, TemplateVersion, Version } from '../../api/types.ts'

export interface Named {
  contract?: { name: string; version: number } | undefined
  template?: { slug: string; version: number } | undefined
}

export interface NamedContent {
  contract?: { id: string; versionId: string; schema: string }
  bindings?: readonly Binding[]
  template?: { id: string }
  contracts: readonly ContractItem[]
}

/** Reads what is named, and keeps the last that was found while something else is being typed. */
export function useNamed(named: Named): NamedContent {
  const contracts = useEvery<ContractItem>('/api/v1/contracts', 'contracts')
  const templates = useEvery<Family>('/api/v1/templates', 'templates')
  const content = useSignal<Omit<NamedContent, 'contracts'>>({})
  const contractKey = named.contract === undefined ? '' : `${named.contract.name}@${named.contract.version}`
  const templateKey = named.template === undefined ? '' : `${named.template.slug}@${named.template.version}`

  useLayoutEffect(() => {
    const { contract } = named
    const family = familyNamed(contracts, contract?.name)
    if (contract === undefined || family === undefined) {
      const { contract: _, ...rest } = content.peek()
      content.value = rest
      return
    }
    return readAhead<Version>(`/api/v1/contracts/${family.id}/versions/${contract.version}`, ({ id, schema = '' }) => {
      content.value = { ...content.peek(), contract: { id: family.id, versionId: id, schema } }
    })
  }, [contractKey, contracts])

  useLayoutEffect(() => {
    const { template } = named
    const family = familyNamed(templates, template?.slug)
    if (template === undefined || family === undefined) {
      const { bindings: _, template: __, ...rest } = content.peek()
      content.value = rest
      return
    }
    return readAhead<TemplateVersion>(`/api/v1/templates/${family.id}/versions/${template.version}`, ({ bindings }) => {
      content.value = { ...content.peek(), bindings, template: { id: family.id } }
    })
  }, [templateKey, templates])

  return { ...content.value, contracts: contracts ?? [] }
}

/** Reads something that may be missing: the server's check reports that as a finding. Returns a function that cancels it. */
function readAhead<T>(path: string, take: (read: T) => void): () => void {
  const abort = new AbortController()
  call<T>(path, { signal: abort.signal }).then(
    (read) => {
      if (!abort.signal.aborted) take(read)
    },
    () => {},
  )
  return () => abort.abort()
}
