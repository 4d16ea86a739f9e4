/** The source of a frozen version; a pointer in the address (`at`) is lit. */

import { useResource } from '../../api/resource.ts'
import type { ConfigurationKind, DefinitionFamily, Version } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { SourceView } from '../../parts/source-view.tsx'
import { place } from '../../router.ts'
import type { FamilyPart, Opened } from './family-page.tsx'
import { pathOfFamily } from './kinds.ts'
import { lineOfPointer } from './source-lines.ts'
import { shownVersion, Versions } from './versions.tsx'

/** The versions of a family whose content is a source, with the source of the one that is looked at. */
export function sourceVersions(
  kind: Exclude<ConfigurationKind, 'template'>,
  { family, mayEdit, reload }: Opened<DefinitionFamily>,
): FamilyPart {
  const shown = shownVersion(family.versions)
  const path = `/api/v1${pathOfFamily(kind, family.id)}`
  return {
    key: 'versions',
    title: t`Versions`,
    count: family.versions.length,
    show: () => (
      <Versions kind={kind} family={family} versions={family.versions} mayEdit={mayEdit} reload={reload}>
        {shown !== undefined && <VersionSource path={path} number={shown.number} />}
      </Versions>
    ),
  }
}

function VersionSource({ path, number }: { path: string; number: number }) {
  const { value, problem, reload } = useResource<Version>(`${path}/versions/${number}`)
  const source = value.value?.source
  const line = source === undefined ? undefined : lineOfPointer(source, place.value.query.get('at') ?? undefined)
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{rich`Source of v${number}`}</h2>
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {source !== undefined && (
        <SourceView
          label={t`Source of version ${number}`}
          text={source}
          marks={line === undefined ? [] : [{ line }]}
          tone="danger"
          reveal={line === undefined ? undefined : { line }}
        />
      )}
    </section>
  )
}
