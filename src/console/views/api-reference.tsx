/** The HTTP interface, read from its own description: what can be called, by whom, with what, and what comes back. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { rich, t, translated } from '../language.ts'
import { PageHead } from '../parts/page-head.tsx'
import { type Description, groupsOf, type Operation } from './api-reference/description.ts'
import { Shape } from './api-reference/shape.tsx'
import { TryIt } from './api-reference/try-it.tsx'

export function ApiReferenceView() {
  const description = useSignal<Description | undefined>(undefined)
  const failed = useSignal(false)
  const find = useSignal('')
  useEffect(() => {
    fetch('/openapi.json')
      // A refusal is JSON, too.
      .then((answer) => (answer.ok ? (answer.json() as Promise<Description>) : Promise.reject()))
      .then(
        (read) => {
          description.value = read
        },
        () => {
          failed.value = true
        },
      )
  }, [])
  const api = description.value
  const groups = api === undefined ? [] : groupsOf(api, find.value)
  return (
    <div class="page">
      <PageHead
        title={t`API reference`}
        facts={
          api && (
            <>
              <span>{api.info.title}</span>
              <span>{rich`version ${api.info.version}`}</span>
              <a href="/openapi.json">{rich`OpenAPI ${api.openapi}`}</a>
            </>
          )
        }
      />
      {failed.value && (
        <p class="note note-danger">{t`The description can't be read. Check that the server is running.`}</p>
      )}
      {api !== undefined && (
        <div class="reference">
          <div class="reference-nav">
            <label class="filter">
              <span>{t`Find an operation`}</span>
              <input
                type="text"
                data-search=""
                value={find.value}
                onInput={(event) => {
                  find.value = event.currentTarget.value
                }}
              />
            </label>
            <nav aria-label={t`Groups`}>
              {groups.map(([group]) => (
                <a key={group} href={`#${group.replaceAll(' ', '-')}`}>
                  {group}
                </a>
              ))}
            </nav>
          </div>
          <div>
            {groups.map(([group, operations]) => (
              <section class="reference-group" key={group} id={group.replaceAll(' ', '-')}>
                <h2>{group}</h2>
                {operations.map((operation) => (
                  <OperationPart key={operation.id} operation={operation} api={api} />
                ))}
              </section>
            ))}
            {groups.length === 0 && <p class="muted">{t`No operation has that in its name.`}</p>}
          </div>
        </div>
      )}
    </div>
  )
}

function OperationPart({ operation, api }: { operation: Operation; api: Description }) {
  const open = useSignal(false)
  const { method, path, summary } = operation
  return (
    <details
      class="operation"
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="method" data-method={method}>
          {method.toUpperCase()}
        </span>
        <code>{breakable(path)}</code>
        {summary !== undefined && <span class="operation-summary">{summary}</span>}
      </summary>
      {open.value && <OperationBody operation={operation} api={api} />}
    </details>
  )
}

/** A path that may break after its slashes. */
function breakable(path: string) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, <wbr key={part} />])
}

function OperationBody({ operation, api }: { operation: Operation; api: Description }) {
  const { parameters, body, answers, roles, permission } = operation
  return (
    <div class="operation-body">
      <p class="muted">
        <code>{operation.id}</code>
        {roles === undefined
          ? t`, for everyone`
          : t`, for ${roles.map((role) => translated(role.replaceAll('_', ' '))).join(', ')}`}
        {permission !== undefined && <>{rich`, with ${<code>{permission}</code>}`}</>}
      </p>
      <section>
        <h3>{t`Request`}</h3>
        <TryIt operation={operation} api={api} />
      </section>
      {parameters.length > 0 && (
        <section>
          <h3>{t`Parameters`}</h3>
          <table class="table table-tight">
            <thead>
              <tr>
                <th scope="col">{t`Name`}</th>
                <th scope="col">{t`Value`}</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map((parameter) => (
                <tr key={`${parameter.in} ${parameter.name}`}>
                  <td>
                    <code>{parameter.name}</code>
                    <span class="parameter-facts">
                      {parameter.in}
                      {parameter.required === true && <span class="form-required">{t`required`}</span>}
                    </span>
                  </td>
                  <td>
                    <Shape schema={parameter.schema ?? {}} api={api} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {body.map(({ mediaType, schema }) => (
        <section key={mediaType}>
          <h3>{rich`Body, ${mediaType}`}</h3>
          <Shape schema={schema} api={api} />
        </section>
      ))}
      {answers.map(({ status, description, contents }) => (
        <section key={status}>
          <h3>
            {status} {description}
            {contents.map(({ mediaType }) => `, ${mediaType}`)}
          </h3>
          {status.startsWith('2') &&
            contents.map(({ mediaType, schema }) => <Shape key={mediaType} schema={schema} api={api} />)}
        </section>
      ))}
    </div>
  )
}
