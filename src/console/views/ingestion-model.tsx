/** One ingestion model: its source beside the tree it draws, and its versions. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { compileIngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { useResource } from '../api/resource.ts'
import type { DefinitionFamily, Family } from '../api/types.ts'
import type { ViewProps } from '../navigation.ts'
import { Editor } from '../parts/editor.tsx'
import type { EditorProps } from '../parts/editor-props.ts'
import { Findings } from '../parts/findings.tsx'
import { useDraft } from './configuration/draft.ts'
import { DraftBar } from './configuration/draft-bar.tsx'
import { DraftPending } from './configuration/draft-pending.tsx'
import { FamilyPage, type Opened } from './configuration/family-page.tsx'
import { kindTexts } from './configuration/kinds.ts'
import { freezeSource, sourceDraftPort } from './configuration/source-draft.ts'
import { sourceVersions } from './configuration/version-source.tsx'
import { starterModel } from './ingestion-model/starter.ts'
import { type Known, ModelTree } from './ingestion-model/tree.tsx'

export function IngestionModelView({ parameters }: ViewProps) {
  return (
    <FamilyPage<DefinitionFamily>
      words={kindTexts.ingestion_model}
      id={parameters.id ?? ''}
      parts={(opened) => [
        { key: 'draft', title: 'Draft', show: () => <ModelDraft {...opened} /> },
        sourceVersions('ingestion_model', opened),
      ]}
    />
  )
}

function ModelDraft({ family, mayEdit, reload }: Opened<DefinitionFamily>) {
  const path = `/api/v1/ingestion-models/${family.id}`
  const draft = useDraft(family.id, starterModel, sourceDraftPort(path))
  const format = draft.stored.value?.extra.format ?? 'yaml'
  const reveal = useSignal<EditorProps['reveal']>(undefined)
  const known: Known = {
    contracts: useResource<{ contracts: Family[] }>('/api/v1/contracts?limit=100').value.value?.contracts ?? [],
    transformers:
      useResource<{ transformers: Family[] }>('/api/v1/transformers?limit=100').value.value?.transformers ?? [],
    templates: useResource<{ templates: Family[] }>('/api/v1/templates?limit=100').value.value?.templates ?? [],
  }
  const text = draft.text.value
  const compiled = useMemo(() => compileIngestionModel(text, format), [text, format])
  if (draft.isPending.value) return <DraftPending draft={draft} />
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit={mayEdit}
        hasErrors={!compiled.ok}
        freeze={async () => {
          const told = await freezeSource(path, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      <div class="panes panes-two">
        <section class="pane" aria-label="Source">
          <Editor
            label="Source"
            language={format}
            value={text}
            {...(mayEdit ? { onChange: draft.edit } : {})}
            findings={compiled.findings}
            reveal={reveal.value}
            completions={() => [
              ...known.transformers.map(({ slug, name }) => ({ label: slug, detail: name, type: 'variable' as const })),
              ...known.templates.map(({ slug, name }) => ({ label: slug, detail: name, type: 'variable' as const })),
            ]}
          />
          <div class="pane-foot">
            <Findings
              findings={compiled.findings}
              none="A valid ingestion model"
              onReveal={({ line = 1, column = 1 }) => {
                reveal.value = { line, column }
              }}
            />
          </div>
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane pane-scroll" aria-label="Tree" tabIndex={0}>
          <h2 class="pane-title">Tree</h2>
          {compiled.ok ? (
            <ModelTree model={compiled.value} slug={family.slug} known={known} />
          ) : (
            <p class="muted">The tree shows when the source has no errors.</p>
          )}
        </section>
      </div>
    </>
  )
}
