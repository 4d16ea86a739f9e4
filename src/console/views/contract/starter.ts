/** What a new contract begins with. */
export function starterSchema(title: string): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    type: 'object',
    required: ['number'],
    additionalProperties: false,
    properties: {
      number: { type: 'string', minLength: 1, maxLength: 40 },
    },
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`
}
