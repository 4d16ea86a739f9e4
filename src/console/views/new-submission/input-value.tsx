/** An input in XML, shown as the value that the model makes of it; it is edited in the text beside. */

import { useMemo } from 'preact/hooks'
import type { XmlFormat } from '../../../engines/ingestion/xml-format.ts'
import type { SubmissionPlan } from '../../api/submit.ts'
import { layOutJson } from '../../json-layout.ts'
import { rich, t } from '../../language.ts'
import { SourceView } from '../../parts/source-view.tsx'

interface InputValueProps {
  /** The plan for the text as it is, or as it was a moment ago. */
  plan: SubmissionPlan | undefined
  format: XmlFormat
  isEmpty: boolean
}

export function InputValue({ plan, format, isEmpty }: InputValueProps) {
  const value = isEmpty ? undefined : plan?.input
  const shown = useMemo(() => (value === undefined ? '' : layOutJson(JSON.stringify(value)).text), [value])
  return (
    <>
      <h2 class="pane-title">{t`As the model reads it`}</h2>
      {value === undefined ? (
        <Expected {...{ format, isEmpty }} />
      ) : (
        <SourceView label={t`Input as JSON`} text={shown} />
      )}
    </>
  )
}

function Expected({ format, isEmpty }: Pick<InputValueProps, 'format' | 'isEmpty'>) {
  const { root, lists, types } = format
  const places = [...new Set([...lists, ...Object.keys(types)])]
  return (
    <>
      <p class="muted">
        {isEmpty
          ? rich`This model takes XML with the root element ${<code>{root}</code>}. Drop an .xml file here, choose one, or write the text.`
          : t`The input shows when the text is XML as the model reads it. Nothing of it is lost.`}
      </p>
      {places.length > 0 && (
        <p class="chips">
          {places.map((place) => (
            <code class="chip" key={place}>
              {place}
              {lists.includes(place) ? ' …' : `: ${types[place]}`}
            </code>
          ))}
        </p>
      )}
    </>
  )
}
