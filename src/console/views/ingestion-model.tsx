/** One ingestion model: its source beside the tree it draws, and its versions. */

import { useMemo } from 'preact/hooks'
import { compileIngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { useEvery } from '../api/every.ts'
import type { ContractItem, DefinitionFamily, Family } from '../api/types.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { Icon } from '../parts/icon.tsx'
import { SubmitLink } from '../parts/submit-link.tsx'
import { linesCompared } from './configuration/compare-lines.tsx'
import { useDraft } from './configuration/draft.ts'
import { DraftBar } from './configuration/draft-bar.tsx'
import { DraftPending } from './configuration/draft-pending.tsx'
import { EditorPane } from './configuration/editor-pane.tsx'
import { FamilyPage, type Opened } from './configuration/family-page.tsx'
import { kindTexts } from './configuration/kinds.ts'
import { noneText, useServerCheck } from './configuration/server-check.ts'
import { freezeSource, sourceDraftPort } from './configuration/source-draft.ts'
import { sourceVersions } from './configuration/version-source.tsx'
import { starterModel } from './ingestion-model/starter.ts'
import { type Known, ModelTree } from './ingestion-model/tree.tsx'
import { FamilySuites } from './suite/suite-panel.tsx'

export function IngestionModelView({ parameters }: ViewProps) {
  return (
    <FamilyPage<DefinitionFamily>
      words={kindTexts.ingestion_model}
      id={parameters.id ?? ''}
      parts={(opened) => [
        { key: 'draft', title: t`Draft`, show: () => <ModelDraft {...opened} /> },
        sourceVersions('ingestion_model', opened),
        linesCompared('ingestion_model', opened.family),
      ]}
      ways={({ family }) => <SubmitLink to={{ model: family.slug }} />}
      tools={(opened) => <ForceSet {...opened} />}
    />
  )
}

/** All that the model names, reviewed and put in force with it. */
function ForceSet({ family }: Opened<DefinitionFamily>) {
  if (family.versions.length === 0 && family.draft_revision === 0) return null
  return (
    <>
      <a class="button" href={`/ingestion-models/${family.id}/workspace`}>
        <Icon name="edit" size={16} /> {t`Workspace`}
      </a>
      <a class="button" href={`/ingestion-models/${family.id}/review`}>
        <Icon name="calendar" size={16} /> {t`Put all in force`}
      </a>
    </>
  )
}

function ModelDraft({ family, mayEdit, reload }: Opened<DefinitionFamily>) {
  const path = `/api/v1/ingestion-models/${family.id}`
  const draft = useDraft(family.id, starterModel, sourceDraftPort(path))
  const format = draft.stored.value?.extra.format ?? 'yaml'
  const known: Known = {
    contracts: useEvery<ContractItem>('/api/v1/contracts', 'contracts'),
    transformers: useEvery<Family>('/api/v1/transformers', 'transformers'),
    templates: useEvery<Family>('/api/v1/templates', 'templates'),
  }
  const text = draft.text.value
  const compiled = useMemo(() => compileIngestionModel(text, format), [text, format])
  const server = useServerCheck(path, { source: text, format, hasErrors: !compiled.ok, mayEdit })
  const findings = useMemo(() => [...compiled.findings, ...server.findings], [compiled, server.findings])
  if (draft.isPending.value) return <DraftPending draft={draft} />
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit={mayEdit}
        hasErrors={!compiled.ok || server.findings.length > 0}
        freeze={async () => {
          const told = await freezeSource(path, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      <div class="panes panes-two">
        <EditorPane
          label={t`Source`}
          language={format}
          value={text}
          {...(mayEdit ? { onChange: draft.edit } : {})}
          past={draft.past}
          findings={findings}
          none={noneText(server.state, t`A valid ingestion model`)}
          completions={() => [
            ...[...(known.transformers ?? []), ...(known.templates ?? []), ...(known.contracts ?? [])].map(
              ({ slug, name }) => ({ label: slug, detail: name, type: 'variable' as const }),
            ),
          ]}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane pane-scroll" aria-label={t`Tree`} tabIndex={0}>
          <h2 class="pane-title">{t`Tree`}</h2>
          {compiled.ok ? (
            <ModelTree model={compiled.value} slug={family.slug} known={known} />
          ) : (
            <p class="muted">{t`The tree shows when the source has no errors.`}</p>
          )}
        </section>
      </div>
      <FamilySuites familyId={family.id} revision={draft.stored.value?.revision} mayEdit={mayEdit} />
    </>
  )
}
