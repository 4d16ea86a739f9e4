/** The head of a screen: where it belongs, its title, and its actions. */
import type { ComponentChild, ComponentChildren } from 'preact'

interface PageHeadProps {
  title: ComponentChild
  /** Where this belongs. */
  parent?: { href: string; title: string }
  lede?: ComponentChild
  /** Facts in a row, in place of the sentence. */
  facts?: ComponentChild
  children?: ComponentChildren
}

export function PageHead({ title, parent, lede, facts, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div class="page-title">
        {parent !== undefined && (
          <p class="crumbs">
            <a href={parent.href}>{parent.title}</a>
          </p>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {lede !== undefined && <p class="lede">{lede}</p>}
        {facts !== undefined && <div class="lede lede-facts">{facts}</div>}
      </div>
      {children !== undefined && <div class="page-tools">{children}</div>}
    </header>
  )
}
