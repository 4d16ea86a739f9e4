/** A contract of about 600 KB: sections of fields with titles, descriptions and rules, as insurers have them. */
export function largeContract(sections = 40) {
  const kinds = [
    { type: 'string', maxLength: 80, pattern: '^[A-Z].*' },
    { type: 'number', minimum: 0, multipleOf: 0.01 },
    { type: 'string', enum: ['one', 'two', 'three'] },
    { type: 'array', items: { type: 'object', properties: { part: { type: 'string' }, count: { type: 'integer' } } } },
  ]
  const properties = Object.fromEntries(
    Array.from({ length: sections }, (_, section) => {
      const fields = Array.from({ length: 50 }, (_, field) => [
        `field_${section}_${field}`,
        {
          title: `Field ${field} of section ${section}`,
          description: 'What a person would write about a field of a form, in a line.',
          ...kinds[field % kinds.length],
        },
      ])
      return [
        `section_${section}`,
        { type: 'object', title: `Section ${section}`, properties: Object.fromEntries(fields) },
      ]
    }),
  )
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties }
}
