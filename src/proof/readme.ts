/** What a proof says of itself to whoever opens the zip. */
export const proofReadme = `This is the proof of a document that Quire made.

It holds what was handed in, the configuration that was in force, what was made of it, and proof.json, which leads from
each of these files to a signed head of the audit trail of the Quire that made them.

  quire verify proof.zip

checks all of it without that Quire, and makes the document again. docs/proofs.md of Quire describes the format, so that
others can write a checker. Compare the key that signed the head with the one you know: without that, a proof shows only
that it is consistent.
`
