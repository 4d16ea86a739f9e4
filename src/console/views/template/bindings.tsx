/** Every binding of a version: where it stands, and where its value comes from. */
import { useMemo } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { Binding, Template, Version } from '../../api/types.ts'
import { Icon } from '../../parts/icon.tsx'
import { changeQuery, place } from '../../router.ts'
import { shownVersion } from '../configuration/versions.tsx'
import { check } from '../transformer/run.ts'
import { writerOf } from './bound.ts'
import { SampleChoice, useSample } from './sample.tsx'

const shapes: Readonly<Record<Binding['shape'], string>> = {
  scalar: 'value',
  list: 'list',
  flag: 'yes or no',
  image: 'image',
  rich: 'rich text',
}

export function Bindings({ template }: { template: Template }) {
  const shown = shownVersion(template.versions)
  const at = place.value.query.get('at')
  const sample = useSample(template)
  const { contract, version } = sample
  const contractVersion = useResource<Version>(
    contract === undefined ? undefined : `/api/v1/contracts/${contract.family.id}/versions/${contract.version.number}`,
  ).value.value
  const writes = useMemo(() => {
    if (version?.source === undefined) return undefined
    return check(version.source, version.format ?? 'yaml', contractVersion?.schema, undefined).transformer?.writes
  }, [version, contractVersion])
  if (shown === undefined) {
    return (
      <div class="panel empty-panel">
        <p>Bindings are listed for versions. Freeze the draft to see them.</p>
      </div>
    )
  }
  const rows = shown.bindings.map((binding) => ({ binding, writer: writes && writerOf(binding.pointer, writes) }))
  const unbound =
    writes === undefined ? [] : rows.filter(({ binding, writer }) => writer === undefined && binding.required)
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>Version</span>
          <select
            value={String(shown.number)}
            onChange={(event) => changeQuery({ version: event.currentTarget.value })}
          >
            {[...template.versions]
              .sort((a, b) => b.number - a.number)
              .map(({ number }) => (
                <option value={String(number)} key={number}>
                  v{number}
                </option>
              ))}
          </select>
        </label>
        <SampleChoice sample={sample} withCase={false} />
      </div>
      {writes !== undefined && (
        <p class={`verdict ${unbound.length === 0 ? 'verdict-success' : 'verdict-danger'}`} role="status">
          <span class="verdict-head">
            <Icon name={unbound.length === 0 ? 'check' : 'alert'} />
            <strong>
              {unbound.length === 0
                ? 'Every binding that needs a value has one'
                : `${unbound.length} ${unbound.length === 1 ? 'binding' : 'bindings'} without a value`}
            </strong>
          </span>
        </p>
      )}
      <div class="panel table-panel">
        <table class="table" aria-label="Bindings">
          <thead>
            <tr>
              <th scope="col">Binding</th>
              <th scope="col">Wants</th>
              <th scope="col">Written as</th>
              <th scope="col" class="wide">
                Place
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ binding, writer }) => (
              <tr
                key={`${binding.part} ${binding.paragraph} ${binding.position} ${binding.pointer}`}
                data-tone={isAt(binding, at) ? 'selected' : undefined}
              >
                <td class="cell-wrap">
                  <code>{binding.pointer}</code>
                </td>
                <td class="cell-wrap">
                  {shapes[binding.shape]} {!binding.required && <span class="form-optional">optional</span>}
                </td>
                <td class="cell-wrap">
                  {writes === undefined ? (
                    <span class="muted">–</span>
                  ) : writer === undefined ? (
                    <span class={binding.required ? 'tone-danger' : 'muted'}>nothing</span>
                  ) : (
                    <>
                      {writer.pointer !== binding.pointer && <code class="muted">{writer.pointer} </code>}
                      {writer.type}
                    </>
                  )}
                </td>
                <td class="wide muted">
                  {partName(binding.part)}, paragraph {binding.paragraph}, character {binding.position}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Whether an issue of composing (`word/document.xml#12:5`, or a pointer into the data) is about a binding. */
function isAt({ part, paragraph, position, pointer }: Binding, at: string | null): boolean {
  return at === `${part}#${paragraph}:${position}` || at === pointer
}

/** `word/header1.xml` as people call it. */
function partName(part: string): string {
  const name = part.replace(/^word\//, '').replace(/\.xml$/, '')
  return name === 'document' ? 'body' : name.replace(/(\d+)$/, ' $1')
}
