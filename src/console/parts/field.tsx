/** A labelled field of a form. */
import type { ComponentChildren } from 'preact'

interface FieldProps {
  label: string
  hint?: string
  children: ComponentChildren
}

export function Field({ label, hint, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <span class="field-hint">{hint}</span>}
    </label>
  )
}
