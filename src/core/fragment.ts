/** An included template, as a release pins it: by the slug in the tag, `{{> clause-liability}}`. */
export interface PinnedFragment {
  slug: string
  versionId: string
  contentHash: string
}
