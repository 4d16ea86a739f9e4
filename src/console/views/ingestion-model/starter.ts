/** What an ingestion model without a draft begins with. */
export const starterModel = `# What becomes of a submission: the contract its input must satisfy, and the nodes that process it.
model: ingestion-model-v1
contract: { name: my-contract, version: 1 }
nodes:
  - key: letter
    label: Letter
    transformer: my-transformer
    template: my-template
    formats: [docx, pdf]
`
