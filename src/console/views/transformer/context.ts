/** What a transformer names: the contract that types its input, and the template that wants its output. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Binding, Contract, Family, TemplateVersion, Version } from '../../api/types.ts'

export interface Named {
  contract?: { name: string; version: number } | undefined
  template?: { slug: string; version: number } | undefined
}

export interface NamedContent {
  contract?: { id: string; versionId: string; schema: string }
  bindings?: readonly Binding[]
  template?: { id: string }
  contracts: readonly Contract[]
}

/** Reads what is named, and keeps the last that was found while something else is being typed. */
export function useNamed(named: Named): NamedContent {
  const contracts = useResource<{ contracts: Contract[] }>('/api/v1/contracts?limit=100').value.value?.contracts
  const templates = useResource<{ templates: Family[] }>('/api/v1/templates?limit=100').value.value?.templates
  const content = useSignal<Omit<NamedContent, 'contracts'>>({})
  const contractKey = named.contract === undefined ? '' : `${named.contract.name}@${named.contract.version}`
  const templateKey = named.template === undefined ? '' : `${named.template.slug}@${named.template.version}`

  useEffect(() => {
    const { contract } = named
    const family = contracts?.find(({ name, slug }) => name === contract?.name || slug === contract?.name)
    if (contract === undefined || family === undefined) {
      const { contract: _, ...rest } = content.peek()
      content.value = rest
      return
    }
    call<Version>(`/api/v1/contracts/${family.id}/versions/${contract.version}`).then(
      ({ id, schema = '' }) => {
        content.value = { ...content.peek(), contract: { id: family.id, versionId: id, schema } }
      },
      // A version that isn't there is a finding of the check, which the server tells as well.
      () => {},
    )
  }, [contractKey, contracts])

  useEffect(() => {
    const { template } = named
    const family = templates?.find(({ slug }) => slug === template?.slug)
    if (template === undefined || family === undefined) {
      const { bindings: _, template: __, ...rest } = content.peek()
      content.value = rest
      return
    }
    call<TemplateVersion>(`/api/v1/templates/${family.id}/versions/${template.version}`).then(
      ({ bindings }) => {
        content.value = { ...content.peek(), bindings, template: { id: family.id } }
      },
      () => {},
    )
  }, [templateKey, templates])

  return { ...content.value, contracts: contracts ?? [] }
}
