/** Copies the members that are present, so that absent ones stay absent (`exactOptionalPropertyTypes`). */
export function present<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const result: Record<string, unknown> = {}
  for (const key in members) if (members[key] !== undefined) result[key] = members[key]
  return result as T
}
