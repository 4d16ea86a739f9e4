/** One family of configuration: what it is, its parts as tabs, and the part that the address names. */

import type { ComponentChild } from 'preact'
import { useResource } from '../../api/resource.ts'
import type { Family } from '../../api/types.ts'
import { inSentence, t } from '../../language.ts'
import { authors } from '../../navigation.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { activeTab, type Tab, Tabs } from '../../parts/tabs.tsx'
import { holdsRole } from '../../session.ts'

export interface FamilyPart extends Tab {
  show(): ComponentChild
}

/** What a screen knows of its family. */
export interface Opened<F> {
  family: F
  mayEdit: boolean
  reload(): Promise<void>
}

interface FamilyPageProps<F extends Family> {
  words: { singular: string; plural: string; path: string }
  id: string
  parts(opened: Opened<F>): readonly FamilyPart[]
  tools?(opened: Opened<F>): ComponentChild
  /** Tools that are also for those who may not change it. */
  ways?(opened: Opened<F>): ComponentChild
}

export function FamilyPage<F extends Family>({ words, id, parts, tools, ways }: FamilyPageProps<F>) {
  const { singular, plural, path } = words
  const { value, problem, reload } = useResource<F>(`/api/v1${path}/${encodeURIComponent(id)}`)
  const family = value.value
  const opened = family === undefined ? undefined : { family, mayEdit: holdsRole(authors), reload }
  const tabs = opened === undefined ? [] : parts(opened)
  const active = activeTab(tabs)
  return (
    <div class="page page-wide">
      <PageHead
        title={family?.name ?? singular}
        parent={{ href: path, title: plural }}
        facts={
          family && (
            <>
              {family.slug !== family.name && <code>{family.slug}</code>}
              {family.description !== '' && <span>{family.description}</span>}
              <Copyable value={family.id} label={t`${inSentence(singular)} id`} chars={13} />
            </>
          )
        }
      >
        {opened !== undefined && ways?.(opened)}
        {opened?.mayEdit === true ? tools?.(opened) : undefined}
      </PageHead>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {family === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the ${inSentence(singular)}`} />
      )}
      {opened !== undefined && (
        <>
          <Tabs label={singular} tabs={tabs} />
          {tabs.find(({ key }) => key === active)?.show()}
        </>
      )}
    </div>
  )
}
