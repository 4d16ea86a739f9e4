/** A request to fill in: as a sample for programs, and to send from here, as the person who is signed in. */

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { newIdempotencyKey } from '../../api/client.ts'
import { t } from '../../language.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { session } from '../../session.ts'
import { AnswerPart, Code, useSending } from './answer.tsx'
import type { Description, Operation } from './description.ts'
import { fieldsOf, firstBody, firstTyped, keyOf, requestOf } from './request.ts'
import { type Language, languages, sampleOf } from './samples.ts'

/** Length of a suggested key: the server wants at least eight characters, and people read it. */
const keyChars = 20

/** The language that was looked at last; the next operation shows it, too. */
let lastLanguage: Language = 'curl'

export function TryIt({ operation, api }: { operation: Operation; api: Description }) {
  const typed = useSignal(
    useMemo(() => firstTyped(operation, () => newIdempotencyKey().slice(0, keyChars)), [operation]),
  )
  const mediaType = useSignal(operation.body[0]?.mediaType)
  const body = useSignal(useMemo(() => bodyOf(mediaType.value), [operation]))
  const file = useSignal<File | undefined>(undefined)
  const language = useSignal(lastLanguage)
  const sending = useSending()

  function bodyOf(chosen: string | undefined): string {
    const form = operation.body.find((one) => one.mediaType === chosen)
    return form === undefined ? '' : firstBody(form.mediaType, form.schema, api)
  }

  const request = requestOf(
    operation,
    { typed: typed.value, mediaType: mediaType.value, body: body.value },
    window.location.origin,
  )
  const sample = sampleOf(language.value, request)
  const fields = fieldsOf(operation)
  const missing = fields.filter((field) => field.required === true && !typed.value[keyOf(field)])
  const isForm = mediaType.value === 'multipart/form-data'
  const wantsFile = mediaType.value !== undefined && mediaType.value !== 'application/json'
  const isReady = missing.length === 0 && (!wantsFile || file.value !== undefined)

  return (
    <div class="try">
      <form
        class="try-form"
        onSubmit={(event) => {
          event.preventDefault()
          void sending.send(request, file.value)
        }}
      >
        {fields.map((field) => (
          <label class="field" key={keyOf(field)}>
            <span>
              <code>{field.name}</code> <span class="muted">{field.in}</span>
              {field.required === true && <span class="form-required"> {t`required`}</span>}
            </span>
            <input
              type="text"
              spellcheck={false}
              autocomplete="off"
              value={typed.value[keyOf(field)] ?? ''}
              onInput={(event) => {
                typed.value = { ...typed.value, [keyOf(field)]: event.currentTarget.value }
              }}
            />
          </label>
        ))}
        {operation.body.length > 1 && (
          <label class="field">
            <span>{t`Body as`}</span>
            <select
              value={mediaType.value}
              onChange={(event) => {
                mediaType.value = event.currentTarget.value
                body.value = bodyOf(mediaType.value)
              }}
            >
              {operation.body.map((one) => (
                <option key={one.mediaType}>{one.mediaType}</option>
              ))}
            </select>
          </label>
        )}
        {(mediaType.value === 'application/json' || isForm) && (
          <label class="field">
            <span>{isForm ? t`Fields, as JSON` : t`Body`}</span>
            <textarea
              class="try-body"
              rows={Math.min(16, body.value.split('\n').length + 1)}
              spellcheck={false}
              value={body.value}
              onInput={(event) => {
                body.value = event.currentTarget.value
              }}
            />
          </label>
        )}
        {wantsFile && (
          <label class="field">
            <span>{t`File`}</span>
            <input
              type="file"
              onChange={(event) => {
                file.value = event.currentTarget.files?.[0]
              }}
            />
          </label>
        )}
        {session.value === undefined && operation.caller !== 'nobody' ? (
          <p class="muted">{t`Sign in to send it from here.`}</p>
        ) : (
          <p class="try-send">
            <button type="submit" class="button" disabled={!isReady || sending.isOpen}>
              {t`Send`}
            </button>
            {sending.isOpen && (
              <button type="button" class="button" onClick={sending.stop}>
                {t`Stop`}
              </button>
            )}
            <span class="muted">{noteOf(operation, missing.length > 0, wantsFile && file.value === undefined)}</span>
          </p>
        )}
      </form>
      <div class="try-sample">
        <div class="try-languages">
          <fieldset class="segments">
            <legend class="offscreen">{t`Sample in`}</legend>
            {languages.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name={`sample-${operation.id}`}
                  checked={one === language.value}
                  onChange={() => {
                    language.value = one
                    lastLanguage = one
                  }}
                />
                <span>{one}</span>
              </label>
            ))}
          </fieldset>
          <CopyButton text={sample} label={t`the sample in ${language.value}`} />
        </div>
        <Code label={t`Sample in ${language.value}`} text={sample} />
        {operation.caller === 'person' && <p class="muted">{t`For people alone: it takes a session, and no token.`}</p>}
        <AnswerPart sending={sending} />
      </div>
    </div>
  )
}

function noteOf({ method }: Operation, isMissing: boolean, isFileMissing: boolean): string {
  if (isMissing) return t`Fill in what is required.`
  if (isFileMissing) return t`Choose a file.`
  return method === 'get' ? t`As you, on this server.` : t`As you, on this server: it does what it says.`
}
