/**
 * Every bound of the system, with its unit in the name. "interface" marks a figure the HTTP interface fixes;
 * the others are ours, with the reason beside them.
 */
export const limits = {
  // Request bodies, in bytes (interface).
  authBodyBytes: 8_192,
  contractBodyBytes: 1_085_440,
  transformerValidateBodyBytes: 2_097_152,
  templateTestBodyBytes: 525_312,
  /** Bodies the interface gives no figure for: an empty object or a handful of names. */
  smallBodyBytes: 65_536,
  /** raw_input (512 KiB) once more as an escaped JSON string (worst case \\u00XX), and its metadata. */
  submissionBodyBytes: 3_211_264,

  // Payloads and sources, in bytes.
  /** Case payload, raw input, execution input and output (interface). */
  payloadBytes: 524_288,
  contractSchemaBytes: 1_048_576,
  /** Transformer source (interface); ingestion models take the same. */
  sourceBytes: 262_144,
  /** A DOCX or PDF artifact (interface); uploaded templates take the same. */
  artifactBytes: 26_214_400,

  // JSON (RFC 8259 through I-JSON, RFC 7493).
  jsonDepth: 128,

  // Lists and findings (interface).
  pageSizeMax: 100,
  pageSizeDefault: 50,
  storagePageSizeDefault: 25,
  storageWindowDays: 366,
  storageDefaultWindowDays: 30,
  storageCursorChars: 512,
  configurationIssues: 100,
  stepIssues: 20,
  stepIssueMessageChars: 240,
  configurationIssueMessageChars: 512,
  issuePathChars: 512,
  stepAttempts: 5,
  caseSeedMax: 2_147_483_647,

  // OOXML packages: far above what Word writes, far below what would exhaust a worker.
  zipEntries: 4_096,
  zipEntryInflatedBytes: 134_217_728,
  zipInflatedBytes: 268_435_456,
  /** Deflate cannot exceed 1032:1; real parts of Word stay below 60:1. */
  zipRatio: 200,
  xmlDepth: 256,
  xmlNodes: 4_000_000,

  // Transformers.
  /** Static cost bound and run-time fuel, in evaluated nodes. */
  transformFuel: 20_000_000,
  /** maxItems assumed for arrays whose contract gives none. */
  transformAssumedItems: 10_000,
  yamlAliases: 0,

  // Rendering.
  renderPages: 2_000,
  renderMs: 30_000,
} as const
