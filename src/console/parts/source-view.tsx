/** A text to read, with line numbers; some lines may be lit, and one brought into view. For changing text see editor.tsx. */
import { useLayoutEffect, useRef } from 'preact/hooks'

interface SourceViewProps {
  label: string
  text: string
  /** 1-based. */
  litLines?: readonly number[]
  tone?: 'accent' | 'danger'
  /** A new object brings the line into view. */
  reveal?: { line: number } | undefined
}

/** Numbering more lines than anybody reads would only cost. */
const maxNumberedLines = 5_000

export function SourceView({ label, text, litLines = [], tone = 'accent', reveal }: SourceViewProps) {
  const box = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    if (reveal === undefined || box.current === null) return
    const line = box.current.children[reveal.line - 1]
    if (!(line instanceof HTMLElement)) return
    box.current.scrollTop = line.offsetTop - box.current.clientHeight / 2
    box.current.scrollIntoView({ block: 'nearest' })
    box.current.focus({ preventScroll: true })
  }, [reveal])
  const lines = text.split('\n')
  const lit = new Set(litLines)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: preformatted text, whose lines are its content.
    <pre ref={box} class="source source-lines" tabIndex={0} role="region" aria-label={label} data-tone={tone}>
      {lines.length > maxNumberedLines
        ? text
        : lines.map((line, index) => (
            <span class="source-line" key={index} data-lit={lit.has(index + 1) ? '' : undefined}>
              {line}
              {'\n'}
            </span>
          ))}
    </pre>
  )
}
