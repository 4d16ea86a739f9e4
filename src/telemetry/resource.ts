import { bytesField, doubleField, message, textField, varintField } from './protobuf.ts'

/** Who tells: the same for spans and metrics of one process. */
export interface Resource {
  attributes: Attributes
  /** What of it measured: the instrumentation scope. */
  scope: { name: string; version: string }
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Attributes as OTLP's JSON has them: 64-bit integers as text. */
export function jsonAttributes(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }))
}

function jsonValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

export function attributeFields(field: number, attributes: Attributes): Uint8Array[] {
  return Object.entries(attributes).map(([key, value]) =>
    bytesField(field, message(textField(1, key), bytesField(2, valueMessage(value)))),
  )
}

function valueMessage(value: string | number | boolean): Uint8Array {
  if (typeof value === 'string') return textField(1, value)
  if (typeof value === 'boolean') return varintField(2, value ? 1n : 0n)
  return Number.isSafeInteger(value) ? varintField(3, BigInt(value)) : doubleField(4, value)
}

/** Resource and scope, which stand in the same places of both messages: `resource_spans` and `resource_metrics`. */
export function protobufRequest(
  { attributes, scope }: Resource,
  scoped: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const inScope = message(
    bytesField(1, message(textField(1, scope.name), textField(2, scope.version))),
    ...scoped.map((one) => bytesField(2, one)),
  )
  return message(
    bytesField(1, message(bytesField(1, message(...attributeFields(1, attributes))), bytesField(2, inScope))),
  )
}
