/** What the palette finds by asking the service. */

import type { Searched } from '../../core/search.ts'
import { call } from '../api/client.ts'
import { t } from '../language.ts'
import { routes } from '../navigation.ts'
import { maySee } from '../session.ts'
import type { IconName } from './icon.tsx'

export interface Source extends Searched {
  id: string
  hint: string
  icon: IconName
  /** Its address. */
  path: string
}

interface FoundThing {
  kind: keyof typeof kinds
  id: string
  title: string
  words: string
  found_in: 'title' | 'words' | 'id' | 'content'
}

const kinds = {
  contract: { list: '/contracts', hint: t`Contract`, icon: 'contract' },
  transformer: { list: '/transformers', hint: t`Transformer`, icon: 'transform' },
  template: { list: '/templates', hint: t`Template`, icon: 'document' },
  ingestion_model: { list: '/ingestion-models', hint: t`Ingestion model`, icon: 'tree' },
  submission: { list: '/submissions', hint: t`Submission`, icon: 'inbox' },
  execution: { list: '/executions', hint: t`Execution`, icon: 'list' },
} as const satisfies Record<string, { list: string; hint: string; icon: IconName }>

/** Nothing where the service can't be asked: the palette then finds screens. */
export async function search(text: string, signal: AbortSignal): Promise<Source[]> {
  if (text === '') return []
  const path = `/api/v1/search?text=${encodeURIComponent(text)}`
  const answer = await call<{ found: FoundThing[] }>(path, { signal }).catch(() => undefined)
  return (answer?.found ?? []).flatMap(sourceOf)
}

function sourceOf({ kind, id, title, words, found_in }: FoundThing): Source[] {
  const { list, hint, icon } = kinds[kind]
  if (!mayOpen(`${list}/:id`)) return []
  const isExecution = kind === 'execution'
  const workspace = `${list}/${id}/workspace`
  return [
    ...(kind === 'ingestion_model' && mayOpen(`${list}/:id/workspace`)
      ? [
          {
            id: workspace,
            title: t`Workspace of ${title}`,
            words: [title, words],
            isOneOfMany: true,
            hint: t`Screen`,
            icon: 'edit' as const,
            path: workspace,
          },
        ]
      : []),
    {
      id,
      uuid: id,
      title: isExecution ? t`Execution ${id}` : title,
      words: isExecution ? [title, words] : [words],
      isOneOfMany: true,
      // Also where it fits by what isn't shown here: a description, or a source.
      leastRank: 0.5,
      hint: found_in === 'content' ? t`${hint}, in its text` : hint,
      icon,
      path: `${list}/${id}`,
    },
  ]
}

function mayOpen(pattern: string): boolean {
  const route = routes.find((one) => one.pattern === pattern)
  return route !== undefined && maySee(route)
}
