/** What authors of contracts write wrong, as in templates.ts; `$schema` comes before it. */
import type { Mistake } from './answers.ts'

/** A schema. */
export const inContracts: readonly Mistake[] = [
  ['{"type": "objekt"}', 'schema.keyword 1:69', 'Write "object".'],
  ['{"type": "int"}', 'schema.keyword 1:69', 'Write "integer".'],
  [
    '{"type": "object", "properties": {"a": {"type": "string", "required": true}}}',
    'schema.keyword 1:130',
    'List the name in the object around it: "required": ["a"], beside "properties".',
  ],
  [
    '{"type": "object", "properties": {"a": {}}, "requiredProperties": ["a"]}',
    'schema.unknown-keyword 1:126',
    'Write "required".',
  ],
  [
    '{"type": "string", "max": 3}',
    'schema.unknown-keyword 1:86',
    'Write "maximum" for a number, "maxLength" for text, "maxItems" for an array.',
  ],
  [
    '{"type": "number", "min": 3}',
    'schema.unknown-keyword 1:86',
    'Write "minimum" for a number, "minLength" for text, "minItems" for an array.',
  ],
  [
    '{"type": "array", "items": [{}, {}]}',
    'schema.keyword 1:87',
    'Write "prefixItems" for a schema of each place, and "items" for the others.',
  ],
  [
    '{"type": "number", "minimum": 3, "exclusiveMinimum": true}',
    'schema.keyword 1:113',
    'Write the bound itself into "exclusiveMinimum", and leave "minimum" out.',
  ],
  ['{"type": "string", "format": "mail"}', 'schema.unknown-format 1:89', 'Write "email".'],
  [
    '{"type": "string", "pattern": "(?=a)b"}',
    'schema.pattern-unsupported 1:90',
    'Express the condition with several patterns in allOf or not, or with other keywords.',
  ],
  [
    '{"type": "string", "pattern": "\\d+"}',
    'json.syntax 1:91',
    'Use one of \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hexadecimal digits.',
  ],
  [
    '{"$ref": "address.json"}',
    'schema.foreign-reference 1:69',
    'Copy that schema into $defs, with its $id, and refer to it there.',
  ],
  ['{"type": "string", "enum": "home"}', 'schema.keyword 1:87', 'Write a list: "enum": ["home"].'],
  [
    '{"type": "string", "nullable": true}',
    'schema.unknown-keyword 1:91',
    'Write null among the types: "type": ["string", "null"].',
  ],
  ['{"type": "string", "example": "x"}', 'schema.unknown-keyword 1:90', 'Write "examples": [ … ].'],
  ['{"type": "object", "additionalProperties": "false"}', 'schema.keyword 1:103', 'Write false without quotes.'],
  [
    '{"type": "object", "required": ["nmae"], "properties": {"name": {}}}',
    'schema.required-undeclared 1:92',
    'Did you mean "name"?',
  ],
  ['{// comment\n "type": "object"}', 'json.syntax 1:61', 'JSON has no comments: remove it.'],
  [
    'type: object\nproperties: {}\n',
    'json.syntax 1:1',
    'Write a JSON value, such as an object in braces; YAML is not read here.',
  ],
  ['{"then": {"type": "object"}}', 'schema.unreachable-branch 1:69', 'Add the condition, or move its rules out.'],
  ['{"oneof": []}', 'schema.unknown-keyword 1:70', 'Did you mean "oneOf"?'],
  ['{"type": "string", "readonly": true}', 'schema.unknown-keyword 1:91', 'Did you mean "readOnly"?'],
]
