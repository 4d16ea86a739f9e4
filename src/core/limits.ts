/**
 * Every bound that is a policy, grouped by topic, with its unit in the name. A bound is a policy if a client, an author or
 * an operator can run into it (a refusal, a cut, a wait), or if it limits the memory or time that foreign input, a peer or
 * the history may take. Its comment gives the figure's source; "interface" marks figures that the HTTP interface fixes.
 *
 * Two kinds of constants are no policy, and stay beside the one function that uses them. Their comment begins with "Fixed
 * by" if a standard, a format, another program or the algorithm sets them, and with "Tuned" if they only decide how fast the
 * same result is ready. The console decides itself how much of a list it shows, and for how long, except where it repeats a
 * rule of the server; the client's package, which imports nothing from here, decides itself how long it waits.
 * test/architecture.test.ts enforces the rest.
 */
export const limits = {
  // Request bodies, in bytes (interface).
  authBodyBytes: 8_192,
  contractBodyBytes: 1_085_440,
  transformerValidateBodyBytes: 2_097_152,
  templateTestBodyBytes: 525_312,
  /** Bodies the interface gives no figure for: an empty object or a handful of names. */
  smallBodyBytes: 65_536,
  /** raw_input (512 KiB) again as an escaped JSON string (worst case \\u00XX), plus its metadata and params. */
  submissionBodyBytes: 3_473_408,

  // Requests.
  /** Parts of one multipart body: the interface's have three. */
  multipartParts: 64,
  /** Headers of one part, which hold a file's name and type. Reading 25 MB of them blocks the runtime for more than a second. */
  multipartHeaderBytes: 8_192,
  /** All of a form but its file; the largest text has half a mebibyte. Reading 25 MB blocks the runtime for up to half a second. */
  multipartTextBytes: 2_097_152,
  /** Tags of one If-Match or If-None-Match: more than any client has reason to send. */
  conditionTags: 16,
  /** Mistakes of one body or query that are reported at once: what fits on a screen. */
  shapeFindings: 20,
  /** A connection without traffic for this long is closed; an event stream sends a comment more often. */
  connectionIdleSeconds: 60,
  /** A chain of a dozen certificates has some 30 KB. */
  certificateFileBytes: 1_048_576,
  /** How often a renewed certificate is looked for, and how often an expiring one is logged. */
  certificateLookMs: 2_000,
  certificateRemarkMs: 86_400_000,
  /** How long browsers remember to use only TLS for a server: a year. */
  strictTransportSeconds: 31_536_000,
  /** While the service stops: how long without requests before the listener closes, and how often that is checked. */
  closingQuietMs: 150,
  closingLookMs: 20,
  /** Time for answers that were given up at the deadline to reach their clients. */
  closingLastMs: 500,
  /** What `Retry-After` says meanwhile: another instance may take the request at once. */
  closingRetrySeconds: 1,

  /** `Retry-After` while an object store can't be used: the longest pause between two probes. */
  dependencyRetrySeconds: 5,

  // Payloads and sources, in bytes.
  /** Case payload, raw input, execution input and output (interface). */
  payloadBytes: 524_288,
  contractSchemaBytes: 1_048_576,
  /** Transformer source (interface); ingestion models take the same. */
  sourceBytes: 262_144,
  /** A DOCX or PDF artifact (interface); uploaded templates take the same. */
  artifactBytes: 26_214_400,
  /** A file of a draft or version up to this size is stored in its row, a larger one in pieces of this size, some 3 ms each. */
  filePieceBytes: 524_288,
  /** Bytes of such files to read before memory is collected, on threads of its own. */
  fileCollectBytes: 33_554_432,
  /** A piece of a file sent to an engine process; sending it takes some 4 ms. */
  messagePieceBytes: 1_048_576,

  // Projects: configuration as an archive of files.
  projectArchiveBytes: 33_554_432,
  /** Files of configuration, a family each. */
  projectFamilies: 500,
  /** Path of a case's file from the project's root; as long as an issue's path may be. */
  projectPathChars: 500,
  /** How many cases made on a store an export includes for each model. */
  projectMadeCases: 100,
  /** `families.json`, with a name and a description for each family, or any other text of a project that isn't configuration. */
  projectTextsBytes: 4_194_304,
  /** Larger entries of an archive are inflated on another thread: a megabyte takes some 3 ms. */
  projectInflatedHereBytes: 262_144,
  /** Bytes of cases' files that one statement writes before yielding: some 10 ms. */
  caseFilesStatementBytes: 4_194_304,
  /** What a plan lists: changes of one contract, cases that do not pass, and later activations. */
  projectPlanRows: 200,
  /** Pairs of pages that a comparison draws: more than anybody looks at before an activation. */
  comparedPages: 20,
  /** How much of one file's changed lines a plan shows. */
  projectDifferenceChars: 20_000,

  // JSON (RFC 8259 through I-JSON, RFC 7493).
  jsonDepth: 128,

  // JSON Schema.
  /** RE2 instructions of one pattern once its counters are written out: a{1000} takes 1,000. */
  schemaPatternInstructions: 20_000,
  /** RE2 instructions up to which RE2 runs a sequence of classes faster than a matcher that keeps counters. */
  schemaPatternWrittenOut: 64,
  /** Classes with a counter, and ranges of each, up to which a pattern is matched in one pass that compares ranges. */
  schemaPatternSinglePassRuns: 64,
  schemaPatternSinglePassRanges: 32,
  /** Length of fixed-length texts that a pattern matches with a table of 128 bytes per character. */
  schemaPatternPlaces: 64,
  /** All patterns of a schema together, at about 3 µs of compiling each. */
  schemaPatternsInstructions: 200_000,
  /** Schemas nested in evaluation: 128 levels of data with some 16 references and combinators on each. */
  schemaEvaluationDepth: 2_048,
  /** Evaluations of one schema on one value, longer work charged by length: at worst some two seconds. */
  schemaEvaluationSteps: 5_000_000,
  /** Characters of candidates compared with a misspelt word, at about 0.3 µs each: a hundred findings of one answer take a second. */
  nearestCharacters: 32_768,
  /** Values of members examined, for one list of alternatives, to find the discriminator. */
  schemaAlternativesLooked: 10_000,
  /** Findings of one validation unless the caller wants another number. */
  schemaFindings: 100,
  /** Findings of an unusable schema that are counted, at some 2 µs each; `configurationIssues` of them are listed. */
  schemaFindingsCounted: 10_000,
  /** Names that all "did you mean" about references of a schema compare together, at some 2 µs each. */
  schemaNamesCompared: 20_000,
  /** Longest pattern whose compiled form schemas share, and how many are kept. */
  patternSharedChars: 1_024,
  patternsShared: 256,
  /** Characters whose membership in one class of a pattern is remembered. */
  schemaPatternKnownPoints: 4_096,
  /** Groups inside of groups in one pattern. */
  schemaPatternDepth: 100,
  /** Schemas examined for one family of references; the largest published schemas have some hundreds. */
  schemaFamily: 2_000,
  /** Schemas examined for undeclared properties; published schemas stay below a tenth of it. */
  schemaReviewed: 500_000,
  /** Branches of one list that a review compares; identifying each costs its length. */
  schemaBranchesCompared: 500,
  /** Pairs of schemas that a comparison of two versions examines, and changes that it lists. */
  schemaPairsCompared: 200_000,
  schemaChanges: 1_000,
  /** Values (scalars, arrays, objects) in a generated payload beyond those required: some screens, far below payloadBytes. */
  caseValues: 1_200,
  /** Steps of one generated case, evaluation included: at worst some two seconds. */
  caseSteps: 2_500_000,
  /** Longest text in a boundary case; 65,536 covers every limit that people set on purpose. */
  caseTextChars: 65_536,
  /** Characters of one text from a pattern, whatever the pattern's counters say. */
  casePatternChars: 100_000,
  /** Arrays and objects at their upper limit are generated only up to this length. */
  caseArrayItems: 2_000,
  caseObjectMembers: 2_000,
  /** Longest text or array generated only to exceed a maximum. */
  caseExcess: 20_000,
  /** Attempts at one value, one text and one invalid payload before the generator gives up. */
  caseValueAttempts: 40,
  caseTextAttempts: 24,
  caseInvalidTries: 120,
  caseInvalidTriesPerKeyword: 6,
  /** Rounds of removing optional members that break the schema; a payload that needs more is dropped. */
  casePruneRounds: 12,
  /** Rounds that size a recursive schema; a longer chain of required members counts as endless. */
  caseSizeRounds: 64,
  /** Ways to break one keyword that are collected before choosing one. */
  caseInvalidChangesPerKeyword: 400,

  /** Choices that a message lists, and their characters: nobody reads forty country codes, and messages are bounded. */
  schemaChoicesShown: 8,
  schemaChoiceChars: 120,
  /** How much of a string or a pattern a message shows. */
  schemaExcerptChars: 40,

  // Names and texts on the wire (interface).
  usernameChars: 64,
  displayNameChars: 160,
  /** What a login may try; more than any name or password has. */
  loginNameChars: 256,
  loginPasswordChars: 1_024,
  objectReferenceChars: 128,
  nodeLabelChars: 160,
  nodeAddressChars: 1_024,
  sourceTimestampChars: 64,
  correlationIdChars: 128,
  resourceIdChars: 128,
  /** Codes of problems, issues, stages and audit actions. */
  codeChars: 64,
  issueContextChars: 256,
  issueContextEntries: 16,
  auditReasonChars: 240,

  // Lists and findings (interface).
  pageSizeMax: 100,
  pageSizeDefault: 50,
  storagePageSizeDefault: 25,
  storageWindowDays: 366,
  storageDefaultWindowDays: 30,
  cursorChars: 512,
  configurationIssues: 100,
  stepIssues: 20,
  stepIssueMessageChars: 240,
  configurationIssueMessageChars: 512,
  issuePathChars: 512,
  issueKeywordChars: 64,
  /**
   * How a place in a document is shown: the heading, the words before and after; how many characters suffice without
   * adding neighbouring paragraphs; and the room that a message needs. With ellipses they fit `issueContextChars`.
   */
  placeHeadingChars: 120,
  placeCharsBefore: 60,
  placeCharsAfter: 120,
  placeCharsEnough: 8,
  placeCharsTold: 24,
  stepAttempts: 5,
  caseSeedMax: 2_147_483_647,

  // OOXML packages: far above what Word writes, far below what would exhaust a worker.
  zipEntries: 4_096,
  zipEntryInflatedBytes: 134_217_728,
  zipInflatedBytes: 268_435_456,
  /** Deflate cannot exceed 1032:1; real parts of Word stay below 60:1. */
  zipRatio: 200,
  /** Small entries may exceed the ratio: a table of 10,000 equal rows legitimately deflates 200:1. */
  zipRatioFreeBytes: 4_194_304,
  /** One XML part, inflated: a thousand pages have some 10 MB, and reading takes 30 ms a megabyte. */
  xmlPartBytes: 33_554_432,
  /** Content types and relationships: 10,000 links take 2 MB. */
  packageXmlBytes: 2_097_152,
  /** A part with more XML has a tree of some hundred megabytes: it is parsed again rather than kept. */
  packageKeptPartBytes: 4_194_304,
  /** Longest text of a part whose tree later documents share, and total size of such trees in a worker: some ten templates. */
  xmlSharedChars: 65_536,
  xmlSharedBytes: 4_194_304,
  xmlDepth: 256,
  /** Attributes of one element; the root of a document declares some 40 namespaces. */
  xmlAttributes: 512,
  /** Elements and texts of one part: a thousand pages have some 500,000; 2,000,000 took 640 MB. */
  xmlNodes: 1_000_000,
  /** The same for a part that is read block by block and never held whole: 2,000 pages of reports have 2,700,000. */
  xmlStreamedNodes: 3_000_000,
  /** Start tags that a scope remembers, and their maximum length: tags with unique ids must not fill the memory. */
  xmlRememberedTags: 2_000,
  xmlRememberedTagChars: 160,
  /** Contents per name that equal elements of a long body share: a table repeats the properties of its columns. */
  xmlAlikeContents: 8,
  /** Longer contents are seldom equal. */
  xmlAlikeChars: 1_000,
  /** Nesting depth of fields that are read; Word's own nest a few levels deep. */
  fieldDepth: 64,
  /** A longer text of a list level is cut: it is repeated before every paragraph. */
  listLevelTextChars: 255,

  // Ingestion models.
  /** Columns of a CSV input; the widest ledger exports we have seen have some three hundred. */
  csvColumns: 1_000,
  /** Elements of an XML input: the largest payload, all `<a/>`, has some 130,000; an invoice of 1,000 lines some 40,000. */
  xmlInputElements: 100_000,
  /** Nesting depth of these elements; even with an array for each they stay below the depth of JSON. */
  xmlInputDepth: 60,
  /** Attributes of one such element; invoices and orders have fewer than ten. */
  xmlInputAttributes: 200,
  /** Paths that a model declares as lists, objects and types, each; a UBL invoice has some hundred amounts. */
  xmlPlaces: 1_000,
  /** Characters of a namespace; those of UBL and of the CII have 80. */
  xmlNamespaceChars: 1_000,
  /**
   * Nodes of one model, and by `modelDepth` their nesting: addresses have at most 15 segments after the model's slug
   * (interface).
   */
  modelNodes: 100,
  /** Families activated together: a model, its contract, and a transformer and a template for each of its nodes. */
  activationSetMembers: 202,
  /** Cases that a set is tried with: some 2 ms each without a document, 10 ms with one. */
  activationSetCases: 200,
  /** Cases of one request that runs a suite: the client then requests the next ones, and shows its progress. */
  suiteRunCases: 20,
  /** Ingestion models that a list of suites looks at, the newest. */
  suiteModels: 200,
  /** Cases of one suite that is required: some 100 ms each with a page, two at once. */
  suiteCases: 500,
  /** Cases that run at once for one request, so that executions keep their workers. */
  suiteCasesAtOnce: 2,
  /** Points by which what is drawn may be displaced, as in `quire test`. */
  suiteTolerancePt: 0.5,
  /** Cases that a refusal names. */
  suiteCasesTold: 5,
  /** Cases whose results are remembered, some 200 bytes each. */
  suiteVerdicts: 10_000,
  /** A model with this many case files takes no new cases: a project's archive has room for as many. */
  suiteCasesKept: 4_000,
  /** The name of a case, which is its file's name. */
  suiteNameChars: 100,
  /** How long an administrator may waive a suite that isn't green. */
  suiteLiftHours: 24,
  /** Versions of a contract that are searched, newest first, for one with cases. */
  activationSetCaseVersions: 20,
  modelDepth: 15,

  // Params of transformers, handed in with a submission.
  paramCount: 64,
  paramNameChars: 64,
  /** One text param: a paragraph. Anything longer belongs in the input. */
  paramTextChars: 4_096,

  // Families and releases.
  /**
   * Source text of ingestion models that stay compiled: 64 of the largest size, or thousands of the usual one, so that going through
   * all models in force still fits. The oldest is evicted first, since versions never change.
   */
  compiledModelChars: 16_777_216,
  /** Activations that one transaction moves into force. */
  activationSettleBatch: 100,
  /** Days of one calendar: a year and a month, with room for the days around them. */
  calendarDays: 400,
  /** Activations of one calendar: a row each, which a page can draw at once. */
  calendarActivations: 500,
  familyNameChars: 160,
  familyDescriptionChars: 4_000,
  slugChars: 64,
  /** Older families derive slugs from their names; this many may share a slug before a name is refused. */
  slugSuffixes: 99,
  /** Newest versions in a family's answer; the list of versions pages through all. */
  versionsShown: 100,
  /** Instants within one activation's reach for which the configuration in force is checked. */
  activationCheckInstants: 500,
  /** Multipart around one file: boundaries, headers, name and description. */
  multipartOverheadBytes: 65_536,

  // Submissions.
  /** Facts of each kind that intake caches; the oldest is evicted first. */
  knownSubmissionFacts: 4_096,
  /** How often a submission reads the configuration in force again, if it changes meanwhile. */
  planLooks: 5,

  // Templates.
  /** How much of a value is shown for a tag: enough to recognise it. */
  shownValueChars: 200,
  /** Tags of one part; the largest real parts have some hundreds. 12,000 take half a second to compile. */
  templateTags: 12_000,
  /** Nesting depth of included templates, and all that one template includes: a contract of 100 clauses has two levels. */
  fragmentDepth: 8,
  fragmentInclusions: 256,
  /** Nesting depth of blocks. */
  templateBlockDepth: 32,
  /** `#else if` and `#else` of one block; each adds a level of recursion to walks of the program. */
  templateBranches: 64,
  /** Nesting depth of parentheses and negations in one condition. */
  templateConditionDepth: 32,
  /** Comparisons in one condition. */
  templateConditionTests: 256,
  /** Word's own maximum. */
  tableColumns: 63,
  /** Items that one composition may loop over, all loops together. */
  composeIterations: 1_000_000,
  /** Characters of all composed parts, before compression at 50 ms a million; 30,000 paragraphs have five million. */
  composeChars: 16_777_216,
  /** Characters of XML within `{{#keep}}`: four times those of a page with a dense table. */
  keptChars: 400_000,
  /** Elements of all rich text in one composition, at some 5 µs each. */
  composeRichTextElements: 60_000,
  composeRichTextChars: 4_194_304,
  /** Characters of all distinct QR codes and barcodes, at some 25 µs each; a short code costs as much as 60 characters. */
  composeCodeChars: 12_000,
  composeCodeLeastChars: 60,
  /** Characters of one barcode; a longer one, printed at its usual width, fits on no page. */
  barcodeChars: 128,
  /** The widest page that Word can make: 22 inches, in EMU. */
  pictureWidthEmu: 22 * 914_400,
  /** A decoded picture, in bytes, and its sides, in pixels. */
  pictureBytes: 10_485_760,
  pictureSidePx: 20_000,
  /** Characters of an SVG drawing; of its prologue and root tag; of its simplified form, with text and shapes as outlines. */
  svgChars: 4_194_304,
  svgRootChars: 65_536,
  svgSimpleChars: 8_388_608,
  /** Nesting depth of a drawing's elements; programs write some dozens. */
  svgDepth: 512,
  /** Attributes of one tag, which resvg compares with each other; and selectors times elements, at 0.1 µs each. */
  svgAttributes: 1_000,
  svgStyleMatches: 20_000_000,
  /** All pictures in a drawing together, which resvg decodes whole. */
  svgPicturePixels: 40_000_000,
  /** Estimated time to rasterise a drawing, in nanoseconds; a slow machine takes half as long again. */
  svgDrawNs: 1_300_000_000,
  /** Pixels of a drawing's longer side when it is rasterised. */
  svgLeastSidePx: 300,
  svgMostSidePx: 2_400,
  /** Memory that resvg may keep between drawings; above this it is restarted. */
  svgHeldBytes: 67_108_864,
  /** One value of rich text, and what it is made of; Word's tables have at most 63 columns. */
  richTextChars: 262_144,
  richTextElements: 20_000,
  richTextDepth: 64,
  richTextColumns: 63,
  /** The rest of a `style` attribute is ignored. */
  richTextStyleChars: 2_000,
  /** Depth at which a chain of base styles is cut off: in a broken file it may be a circle. */
  styleBasedOnDepth: 32,
  /** Tables of contents that are rebuilt: documents have one or two, and each costs a walk over all headings. */
  contentsTables: 4,
  /** Headings that the rebuilt tables of contents of a document list. */
  contentsEntries: 5_000,
  /** XML of a rebuilt table of contents. */
  contentsChars: 4_000_000,
  /** Longer headings are cut, and longer properties of entries are dropped: a table repeats them thousands of times. */
  contentsHeadingChars: 500,
  contentsPropertiesChars: 2_000,

  // Transformers.
  /** Static cost bound and run-time fuel, in evaluated nodes. */
  transformFuel: 20_000_000,
  /** maxItems assumed for arrays whose contract gives none; for arrays in items of others, for all of them together. */
  transformAssumedItems: 10_000,
  /** Items that nested arrays of a payload can have in total: each takes two bytes of the payload. */
  transformInputItems: 262_144,
  /** Transformers whose loops are checked when a contract is validated, newest first. */
  reviewedTransformers: 50,
  /** Values, lists and objects in a YAML source; 24,000 are read and checked within 100 ms on a busy machine. */
  transformSourceNodes: 24_000,
  /** Lexer tokens, blanks included (about eight a line), above which faulty or unusual YAML is not analysed. */
  transformRareYamlTokens: 8_000,
  /** One text that a transformer makes, in UTF-16 code units: twice the largest payload. */
  transformTextChars: 1_048_576,
  /** Longest text that a transformer's pattern is matched against: codes, names and numbers, each in under a millisecond. */
  transformPatternChars: 1_024,
  /** Characters that all pattern searches in one text may read, about 0.1 s; each search may read the rest of the text. */
  transformPatternReads: 65_536,
  /** The exponent of a power in a formula; exponents of nested powers multiply. */
  formulaExponent: 100,
  /** Groups that a text is split into by sizes that the author lists. */
  transformBlockSizes: 20,
  /** Digits of one exact number; above every amount, below what would slow arithmetic down. */
  transformDecimalDigits: 1_000,
  /** Decimal places that an author may ask a result for. */
  transformScaleDigits: 100,
  /** Nesting depth of parentheses and signs in a formula; formulas are written by hand. */
  formulaDepth: 64,
  /** Parts of one formula: this many multiplications of numbers with a thousand digits take under a millisecond. */
  formulaParts: 500,
  /** `$ref`s and `allOf`s followed for one place of a contract; beyond that its type is unknown. */
  transformContractMerges: 200,
  /** Enumerations of a contract longer than this are treated as any text. */
  transformEnumeration: 200,
  /** Terms of a statically bounded size; a size with more counts as infinite, which exceeds every budget. */
  transformSizeTerms: 64,
  /** A part of the input that is passed on whole may be recursive; the list of writes ends at this depth and length. */
  transformWritesDepth: 16,
  transformWrites: 2_000,
  /** Values (scalars, arrays, objects) in a transformer's output, and paths that its lineage lists. */
  transformOutputValues: 1_000_000,
  /** Rounds of formatting until the text no longer changes; two settle nearly everything. */
  formatRounds: 5,

  // Rendering.
  renderPages: 2_000,
  renderMs: 30_000,
  /** Memory of one document's pages by layout's own estimate: 2,000 pages of text, or 950 of tables, within 512 MB in all. */
  renderLayoutBytes: 335_544_320,
  /** A main part of some three hundred pages: after reading a longer one, garbage is collected before layout. */
  renderCollectedPartBytes: 8_388_608,
  /** Pages of a preview drawn for the console, more than anybody looks through, and their total size. */
  drawnPages: 100,
  drawnChars: 33_554_432,
  /** Pixels of one picture: 8,000 by 8,000. PNGs are read row by row; JPEGs go into the PDF unchanged. */
  renderImagePixels: 64_000_000,
  /** Pixels in one row of a PNG. Several rows are in memory at a time; rows of 60 million took a gigabyte. */
  renderImageRowPixels: 1_000_000,
  /** A PNG with fewer bytes of decoded rows goes into the PDF unchanged: 1,100 by 1,100 pixels with colour and opacity. */
  renderImageAsIsBytes: 5_000_000,
  /** Larger pictures are scaled down to this many pixels per inch, and in total; an A3 page at 300 dpi has 17 million. */
  renderImageDpi: 300,
  renderImageMadePixels: 18_000_000,
  /** Pixels of a picture whose decoder holds it whole: GIF and BMP. */
  renderImageHeldPixels: 24_000_000,
  /** All PNGs of a document, decoded; reading that much takes some ten seconds. */
  renderImagesBytes: 1_073_741_824,
  /** Characters of text that a finding about a rendering quotes, and how many of them are searched for on the pages. */
  findingWords: 60,
  findingWordsSought: 24,
  /** Remarks of one report: ten thousand occurrences of the same oddity are one remark, and a hundred are enough to act on. */
  renderRemarks: 100,
  /** Nesting depth of tables, text boxes and content controls; Word gives up far earlier. */
  renderNesting: 60,
  /** Nesting depth of text boxes; Word does not allow even two. */
  renderBoxDepth: 6,
  /** Depth at which a bullet's picture is searched for; it is a few elements deep. */
  renderBulletDepth: 10,
  /** Styles based on styles: Word allows eleven levels; cycles and longer chains end here. */
  renderStyleDepth: 24,
  /** One paragraph; Word's own limit is far lower, and a longer paragraph is cut and reported. */
  renderParagraphChars: 2_000_000,
  /** Shaping works word by word; anything longer isn't a word, and is cut. */
  renderWordChars: 1_000,
  /** Longer words are not hyphenated: they are no words. */
  hyphenatedLetters: 64,
  /** Characters of a heading that a header quotes; no header repeats more. */
  renderRunningHeadChars: 1_000,
  /** Word stops at 63 columns; other writers go further, and 10,000 would only be an attack. */
  renderTableColumns: 256,
  /** In a table with more cells, content is not measured and the stored grid decides. */
  renderMeasuredCells: 4_000,
  /** A floating table in a cell cannot break across pages; one with more rows stays in the text flow. */
  renderFloatRows: 16,
  /** Characters of one equation; longer ones are cut and shown as linear text. */
  renderMathChars: 10_000,
  /** Nesting depth of one equation, a recursion of layout; deeper ones are shown as linear text. Word stops at 20. */
  renderMathDepth: 60,
  /** Columns of a matrix that one statement may describe; Word has at most 64. */
  renderMathColumns: 64,
  /** A document embeds a dozen faces at most. */
  renderEmbeddedFonts: 64,
  /** Blocks of a GIF before its first picture, and markers of a JPEG before its frame: files have a dozen or two. */
  gifBlocks: 2_000,
  jpegMarkers: 2_000,
  /** Font files of QUIRE_FONTS: all packages of a distribution have some 3,000, the largest file 20 MB. */
  fontFiles: 5_000,
  fontFileBytes: 67_108_864,
  /** All files of a .tgz of fonts: a family for Chinese in nine weights has some 90 MB. */
  fontArchiveBytes: 536_870_912,
  /** Nesting depth of folders; installed fonts nest a few levels deep. */
  fontFolderDepth: 8,
  /** Fonts of one collection; real ones hold a dozen. */
  fontCollection: 64,
  /** Dictionaries of one CID-keyed font. */
  fontDicts: 256,
  /** Bytes that are read of one such dictionary; the longest have some hundred. */
  fontDictBytes: 4_096,
  /** Composite glyphs nest in real fonts at most two deep, with a handful of parts; others are broken or hostile. */
  fontCompositeDepth: 8,
  fontComponents: 64,
  /** Parts of one glyph at all depths together, and points of its outline: the maximum of the `maxp` fields (OpenType 1.9). */
  fontGlyphParts: 1_024,
  fontGlyphPoints: 65_535,
  /** Operators of one glyph including its subroutines; the most intricate ideographs have some thousand. */
  fontGlyphOperators: 20_000,
  /** Numbers of one glyph including its subroutines: in real fonts an operator takes at most a dozen. */
  fontGlyphNumbers: 240_000,
  /** Pair subtables that GPOS names for kerning; the richest fonts have some hundred. */
  fontKerningTables: 1_024,
  /** Subtables of GPOS that join glyphs or place marks; fonts for Urdu have some hundred. */
  fontPlacingTables: 2_048,
  /** UTF-16 units of a family's name; Windows takes 31 (OpenType 1.9, `name`). */
  fontNameLength: 256,
  /** Bytes of a copied font's file name without its ending: file systems allow 255, and part of its hash may be appended. */
  fontFileNameLength: 240,
  /** Cached answers of a font library: it lives as long as its process, and documents may ask for any name and character. */
  fontAnswers: 20_000,
  /** HarfBuzz's memory, and its share for font files: the largest Chinese fonts have 20 MB. */
  shaperBytes: 268_435_456,
  shaperFontBytes: 67_108_864,
  /** Fonts loaded in HarfBuzz at once: each takes some 8 KB besides its file, more than a small file itself. */
  shaperFonts: 256,
  /** Words of one face whose glyphs are cached; running text repeats most of its words. */
  shapedWords: 8_192,
  /** Formulas of one shape; the richest preset of the standard has some hundred. */
  renderShapeGuides: 2_000,
  /** Steps of one outline: a full-page map drawn by hand has some ten thousand. */
  renderPathSteps: 50_000,
  /** Shapes of one drawing, its groups included, and nesting depth of groups. */
  renderDrawingShapes: 5_000,
  renderDrawingDepth: 16,
  /** Stops of one gradient; more cannot be told apart. */
  renderGradientStops: 32,
  /** Paragraphs of one text body; a shape with more would not fit on its page. */
  renderShapeParagraphs: 2_000,
  /** Boxes of one diagram that was never drawn; more would be too small to read. */
  renderDiagramNodes: 100,
  /** Characters of a lettering; more would run off any page. */
  renderLetteringChars: 2_000,
  /** Lines of one WordArt; Word's own gallery has at most three. */
  renderWordArtLines: 20,
  /** VML: shape types of one element, adjustments of one shape (the standard has eight), and its long attributes. */
  renderVmlTypes: 200,
  renderVmlAdjustments: 32,
  renderVmlPointChars: 100_000,
  renderVmlPathChars: 1_000_000,
  renderVmlStyleChars: 4_000,
  /** Series of one chart, and points of all of them: more than can be told apart on paper. */
  renderChartSeries: 255,
  renderChartPoints: 10_000,
  chartAxes: 8,
  /** Colours of a chart's points before they repeat. */
  chartPalette: 256,
  /** Cells of a table of a chart's data; more would be too small to be read. */
  chartTableCells: 2_000,
  /** Trends and error bars of one series; Word offers a few of the one and two of the other. */
  chartTrends: 16,
  chartErrorBars: 2,
  /** How far a trend may be drawn beyond its points, in units of the axis. */
  chartTrendReach: 1_000_000,
  /** Ticks of an axis with steps given by the document, and of a category axis: thousands would be a black bar. */
  chartTicks: 1_000,
  chartCategoryTicks: 1_000,
  /** Labels of an axis that are measured, and names that are broken into lines. */
  chartMeasuredLabels: 500,
  chartBrokenLabels: 100,
  chartLegendEntries: 200,
  /** Lines and characters of one title or label: more lines run out of any chart, and further characters are not measured. */
  chartTextLines: 40,
  chartTextChars: 400,
  /** A number format, and the decimals that it asks for. */
  chartFormatChars: 255,
  chartFormatDecimals: 20,
  /** How much of a chart its summary describes. */
  chartSummarySeries: 12,
  chartSummaryChars: 500,
  /** Records of one metafile; the richest we have seen have some ten thousand. */
  renderMetafileRecords: 100_000,
  /** Characters of one record, nesting depth of saved states, and records among which a WMF's window is searched. */
  renderMetafileChars: 4_000,
  renderMetafileSaved: 256,
  renderMetafilePreamble: 200,
  /** What a worker caches between renderings: the pictures, fonts and styles of some hundred templates. */
  renderCacheBytes: 25_165_824,

  // Objects.
  /** One S3 request with its answer; an artifact of 25 MiB over 10 Mbit/s takes 21 s. */
  objectRequestMs: 30_000,
  objectRequestTries: 5,
  objectProbeMs: 3_000,
  /** A bucket that took a write within this time is only read by the next probe: writes are S3's most expensive requests. */
  objectProbeWriteMs: 10_000,
  /** Approximate first pause between two tries, doubled each time. */
  objectRetryMs: 25,
  /** Age at which an object without a row is an orphan, and how often a service looks for those. */
  orphanAgeMs: 86_400_000,
  orphanSweepMs: 6 * 3_600_000,
  /** How long the dropped file of a cancelled batch may remain: several sweeps, and a weekend without any. */
  droppedFileMs: 7 * 86_400_000,
  /** Objects that one statement of a sweep looks up. */
  orphanSweepBatch: 500,
  /**
   * An object this old is renewed when it is stored again, and so is one that has waited this long for its row. Plus a
   * removal turn, this is far below the age at which objects are removed.
   */
  objectRenewMs: 15_000,
  /** A process's exclusive right to remove objects; none begins in its second half, so that each takes effect within the turn. */
  objectTurnMs: 20_000,
  /** One removal with its answer: well within half a turn. */
  objectRemoveMs: 5_000,
  objectTurnPollMs: 100,
  /** A round that has waited this long for turns in total leaves the rest to the next round. */
  objectTurnPatienceMs: 2_000,
  /** Disk space that artifacts leave free: the database, often on the same disk, must still be able to record the failure. */
  objectReserveBytes: 67_108_864,
  /** Twice the largest object that Quire stores, a batch's file. Anything larger is foreign, and not read into memory. */
  objectBytes: 67_108_864,

  // Bus and outbox.
  /** From publish to PUBACK; a broker that takes longer is treated as unreachable. */
  busPublishMs: 5_000,
  busProbeMs: 2_000,
  /** A broker that takes longer to accept a connection is tried again. */
  busConnectMs: 5_000,
  /** A connection that is silent for one and a half of these is closed (MQTT 5.0, 3.1.2.10). */
  busKeepaliveSeconds: 15,
  /** Pause before the first reconnection attempt, doubled each time up to the maximum. */
  busReconnectMs: 250,
  busReconnectMaxMs: 5_000,
  /** Messages waiting for PUBACK at once, over all aggregates; mosquitto's default window is 20, aedes' 65,535. */
  relayWindowMessages: 64,
  relayBatchEvents: 512,
  /** Events committed within this time are relayed together, so that marking them takes one commit. */
  relayGatherMs: 20,
  relayPollMs: 1_000,
  relayBackoffMs: 250,
  relayBackoffMaxMs: 5_000,
  relayLeaseMs: 10_000,
  /** A lease that ends this much later than a whole lease from now was written before the clock was set back. */
  leaseMarginMs: 1_000,

  /** One packet to the embedded broker's port: far above the largest event of Quire's own. */
  brokerPacketBytes: 1_048_576,
  /** Connections to that port at once. */
  brokerConnections: 256,
  /** A TLS handshake with the broker; on a slow line it takes two seconds. */
  brokerHandshakeMs: 10_000,
  /** Unread data of a subscriber beyond what the system buffers: thousands of events. */
  brokerUnsentBytes: 2_097_152,
  /** Unacknowledged messages kept for one session, and for all: some 10,000 of Quire's own events, 800 bytes each. */
  brokerHeldBytes: 8_388_608,
  brokerAllHeldBytes: 67_108_864,
  /** Memory of a kept message besides its topic and payload. */
  brokerMessageOverheadBytes: 300,
  /** Sessions that outlive their connections, and subscriptions of one. */
  brokerSessions: 512,
  brokerSubscriptions: 100,
  /** Wrong credentials before an address is refused, for how long after the last one, and how many addresses are tracked. */
  brokerGuesses: 10,
  brokerGuessesMs: 60_000,
  brokerGuessers: 1_024,

  // Databases.
  /** How long a statement on a libSQL file waits for another process's lock. */
  databaseBusyMs: 5_000,
  /** One request to a libSQL server, a statement or a page of rows. */
  databaseRequestMs: 30_000,
  /** Differences of a schema that one message lists. */
  schemaDifferencesShown: 8,
  /** Jobs sharing one commit: enough for 64 callers, few enough that the event loop is not held for long. */
  databaseGroupJobs: 128,
  /** Most turns of the event loop that a group gathers for, as long as each brings more. */
  databaseGatherTurns: 16,
  /**
   * A group of jobs yields to the event loop after this long, so that reads need not wait for the whole group. Yielding
   * slows intake: at 3 ms by a tenth.
   */
  databaseTurnMs: 10,
  /** Jobs of requests in one commit while steps are running, so that the results of steps needn't wait long for the next one. */
  databaseRequestJobs: 32,
  /** How long steps count as running after a step's last job: those of one execution follow each other within this. */
  databaseStepsMs: 1_000,
  /** Prepared statements that one connection keeps, the most recently used ones. */
  databaseStatements: 256,
  /** Connections of one instance, besides the heartbeat's; PostgreSQL's default allows a hundred in all. */
  databaseConnections: 10,
  /** Timeout of a connection, as of an answer; and the longest pause between attempts, to find a returning server soon. */
  databaseConnectSeconds: 2,
  databaseReconnectMaxSeconds: 0.5,
  /** Most writers that share one transaction: the claimed steps of two instances. */
  databaseGroupWriters: 32,
  /** How long a group waits for another transaction's lock, and for the writers of a failed group, which each run alone. */
  databaseGroupWaitMs: 1_000,
  /** How many writers run alone at once, and how many wait for another transaction's lock at once, each on a connection. */
  databaseAloneWriters: 3,
  databasePatientWriters: 2,
  /** PostgreSQL ends a transaction that is idle for this long: its machine is gone, and it locks rows that others wait for. */
  databaseSilentMs: 30_000,
  /** Tries of one write that PostgreSQL aborts in favour of another (serialization failure, deadlock). */
  databaseWriteTries: 5,
  /** A replicated log is checkpointed at this length: SQLite's usual 1,000 pages. */
  followedLogBytes: 4_194_304,
  /** One part of a log, uploaded with one request; and one piece of a database's file, the unit of comparison. */
  replicaPartBytes: 4_194_304,
  replicaPieceBytes: 1_048_576,
  /** How often a replica is updated: a lost disk may lose the work of two intervals. */
  replicaEveryMs: 1_000,
  /** Parts that wait in memory while a replica can't be written; further ones stay in the log. */
  replicaWaitingBytes: 33_554_432,
  /** If the log reaches this size while the replica can't be written, it is emptied, and the replica starts over later. */
  replicaLogMaxBytes: 536_870_912,
  replicaBackoffMaxMs: 30_000,
  /** New objects copied at once, each whole in memory: copying one at a time is slower than they are made. */
  replicaObjectsAtOnce: 8,
  /** Time for the last update when the service stops: part of the ten seconds for all components. */
  replicaStopMs: 2_000,
  /** How often the database's file is copied again: a restore reads the log since then. */
  replicaBaseMs: 86_400_000,
  replicaDays: 7,
  replicaDaysMax: 3_650,
  /** How often instances that share a database read its clock, and the smallest step of it that they log. */
  clockSampleMs: 5_000,
  clockStepLoggedMs: 1_000,
  /** How often the first reading is repeated, while its answer takes as long as such a step. */
  clockFirstRepeats: 2,
  /**
   * Interval and timeout of the heartbeat to PostgreSQL; their sum is how long a caller waits for a 503. With several servers, the
   * first answer has the time of a connection more for each further server.
   */
  databaseHeartbeatMs: 1_000,
  databaseAnswerMs: 2_000,

  // Runner.
  /** Longer than any step takes between two heartbeats; afterwards, the steps of a killed process are taken over. */
  stepLeaseMs: 15_000,
  stepHeartbeatMs: 5_000,
  stepPollMs: 1_000,
  /** Claimed executions per worker: one computing, the others storing, recording or about to compute. */
  stepsInHandPerWorker: 4,
  /** Waiting long jobs that are claimed in addition, so that they don't keep others from being claimed. */
  stepsLongInHand: 64,
  /**
   * A job that takes longer is long: some 1,300 pages. If there are several workers, one takes no long jobs; in the
   * queue, a long job lets this many others pass.
   */
  jobLongMs: 2_000,
  jobLongLetsPass: 16,
  /** A job of a kind not seen before is long if it reads more than this: the data of a report of some hundred pages. */
  jobUnknownBytes: 131_072,
  /** If all steps of a document together take no longer, they run as one job, which saves round trips, commits and syncs. */
  jobWholeMs: 250,
  /** Kinds of jobs with a known duration: each is a template's steps. */
  jobKindsKnown: 1_024,
  /** How many of the longest waiting steps are considered for fair turns; the others follow a little later. */
  stepTurnWindow: 64,
  /**
   * How many other jobs a repeated job lets pass. If something else keeps killing processes, a step that ran during one
   * kill then seldom runs during the next, and keeps its attempts. If the step is the cause, others finish before it.
   */
  stepRepeatedLetsPass: 16,
  /** Tries to record a result that the database refuses, and the first pause, doubled each time: 5 s in all. */
  stepRecordTries: 6,
  stepRecordRetryMs: 200,
  /** Longest pause between two tries while the database is unavailable; the result is kept as long as its step is held. */
  stepRecordRetryMaxMs: 2_000,
  /** First pause between two probes of an object store for which work is paused, doubled up to the maximum. */
  gateProbeMs: 250,
  gateProbeMaxMs: 5_000,
  /** Probes between two log entries: about five minutes. */
  gateProbesPerComplaint: 60,
  /** Steps whose setbacks are remembered; further ones start their back-off anew. */
  gateSteps: 10_000,
  /** How often a live trace polls for commits of other instances: while there are some, and after a while without any. */
  traceActivePollMs: 20,
  traceIdlePollMs: 500,
  traceActiveMs: 2_000,
  /** Proxies close connections that are silent for a minute or less. */
  traceHeartbeatMs: 15_000,
  /** Events of one execution: more than four steps of five attempts each can write. */
  traceEvents: 200,
  /** Pause between a lease's end and the takeover, by attempts made; the last one plus a poll stays within 5 s. */
  stepTakeoverRestMs: [0, 500, 1_000, 2_000],
  stepBackoffMs: 500,
  stepBackoffMaxMs: 30_000,
  /** How often the queue is counted to admit submissions: some 10 ms for 100,000 steps. */
  backlogCountMs: 1_000,
  /** Per cent of the limit below which Quire forgets the senders' shares of the queue. */
  backlogLowPercent: 10,
  /** What `Retry-After` says while the queue is full. */
  backlogRetrySeconds: 5,
  /** Steps in the queue when no limit is set, and the highest limit. */
  queuedSteps: 100_000,
  queuedStepsMax: 10_000_000,
  /** Time beyond the engine's own limit after which a worker counts as stuck. */
  workerMarginMs: 5_000,
  /** Memory of an engine process, in bytes: layout's 512 MB, a document's parts and pictures, and 100 MB of its own. */
  engineMemoryBytes: 1_073_741_824,
  /** How often that is checked during work; in between, memory may grow by some 100 MB. */
  engineMemoryLookMs: 50,
  /** A worker collects garbage after growing by this much, and checks no more often than this: a collection takes some 30 ms. */
  workerGrownBytes: 50_331_648,
  workerGrownLookMs: 1_000,
  /** Timeout of `soffice --version`, with a fresh profile on a busy machine. */
  sofficeVersionMs: 20_000,
  /** Compiled schemas, transformers and templates kept by each worker, and sources kept beside the pool. */
  compiledSources: 64,
  sourceCacheBytes: 67_108_864,

  // Settings.
  /** A file with one secret: far above any key, password or URL, far below a file named by mistake. */
  secretFileBytes: 65_536,

  // Judging authored content for requests.
  /** Timeout of one question; the costliest content within the engines' own limits takes some 6 s on a busy machine. */
  judgeMs: 15_000,
  /** How long others wait behind a question until a second process takes over theirs. */
  judgePatienceMs: 1_000,
  /** How long an idle judge stays alive; its start takes some 200 ms, and it holds over 60 MB of memory. */
  judgeIdleMs: 60_000,
  /** Questions that may wait; further callers are refused. */
  judgeWaiting: 64,
  /** Questions sent to the judge's process: the current one and the next, so that it is never idle. */
  judgeSent: 2,
  /** Questions that a plan asks at once: those sent to the judge, and the next. */
  projectQuestionsAtOnce: 3,
  /** Sources whose compiled forms the judge caches: those of some hundred documents, in some ten times as much memory. */
  judgedSourceBytes: 4_194_304,
  /** Cached verdicts on drafts that are about to be frozen. */
  judgedContents: 512,
  /** Cached verdicts that transactions ask for, and the longest question that is answered in place: some 7 ms of a thread. */
  judgedQuestions: 4_096,
  judgedOnTheSpotChars: 32_768,
  /** RE2 instructions of all patterns in such a question, at about 3 µs of compiling each. */
  judgedOnTheSpotInstructions: 2_000,
  /** Longest pattern compiled in place. */
  judgedOnTheSpotPatternChars: 4_096,
  /** Files in the questions of one round: two of the largest templates with their fragments, or hundreds of usual ones. */
  judgedTogetherBytes: 67_108_864,
  /** After this long in a turn of the event loop, further questions go to the judge: a hundred nodes ask a hundred. */
  judgedOnTheSpotMs: 10,
  /** Time for all conditions of one submission on the thread that serves requests; the judge decides the rest. */
  conditionsMs: 10,
  /** How long the judge decides all conditions of a model after they exceeded that time. */
  conditionsSlowMs: 60_000,
  /** Longer conditions are not compiled on that thread, at some 2 µs a character. */
  conditionChars: 4_096,
  /** How often a transaction restarts for further verdicts: at worst for each member of a set (`activationSetMembers`). */
  judgingRounds: 256,
  /** `Retry-After` while the service is overloaded. */
  busyRetrySeconds: 1,

  // Requests a minute of one user or token, on one instance.
  /** More than an instance of two cores answered in all when measured: 7,400 reads and 2,156 submissions a second. */
  rateWindowMs: 60_000,
  readsAMinute: 600_000,
  changesAMinute: 300_000,
  costlyAMinute: 60_000,
  /** The highest limit that can be set. */
  requestsAMinuteMax: 10_000_000,

  // Requests at work.
  /** How long reading and hashing large bodies holds the thread before it yields: half a megabyte takes some 100 ms in all. */
  turnMs: 4,
  /** A body that takes longer is large: five times the time of a usual submission. */
  turnAtOnceMs: 0.5,
  /** Sessions looked up at once, in some tenths of a millisecond of the thread. */
  arrivalsAtOnce: 16,
  /** Reads, changes and trials processed at once: 64 changes share one commit well, and more would only wait for each other. */
  readsAtOnce: 32,
  changesAtOnce: 64,
  trialsAtOnce: 16,
  /** Requests of each kind that wait for this, and for how long; a trial may take as long as a document. */
  requestsWaiting: 512,
  requestWaitMs: 2_000,
  trialsWaiting: 64,
  trialWaitMs: 10_000,
  /** Bytes of all bodies being read or processed: eight archives. A body takes a few times as much memory. */
  bodiesAtOnceBytes: 268_435_456,
  /** Bytes of all answers that clients have not taken yet: twenty documents; and the size from which an answer counts. */
  answersAtOnceBytes: 536_870_912,
  heldAnswerBytes: 262_144,
  /** One user's maximum share, so that others find room. */
  requestUserPercent: 75,
  trialUserPercent: 25,

  // Sessions, passwords and throttling.
  sessionIdleMs: 30 * 60_000,
  sessionAbsoluteMs: 12 * 3_600_000,
  /** last_seen_at is written at most this often, so that reading costs no commit. */
  sessionTouchMs: 60_000,
  /** Sessions, and tokens, kept in memory between two changes of an embedded database. */
  sessionsKept: 1_000,
  /** Longer Cookie headers are checked again with each request. */
  cookieCharsKept: 2_048,
  /** How often expired sessions and idempotency records are deleted. */
  sessionSweepMs: 10 * 60_000,
  /** Log lines about refused rights and refused inputs, which anybody may cause: as many as a person can read in a minute. */
  refusalsToldAMinute: 60,
  /** How long after giving the password a user may grant access that outlives a stolen session: the time of a short task. */
  passwordRecentMs: 10 * 60_000,
  passwordMinChars: 12,
  passwordMaxChars: 128,
  /** Parallel argon2id hashes, 19 MiB each; and how many may wait in one lane before callers are refused. */
  passwordHashesAtOnce: 2,
  passwordHashesWaiting: 64,
  /** Failures within the window before the next one is blocked. An address may be a whole office. */
  throttleAccountFailures: 5,
  throttleAddressFailures: 50,
  throttleWindowMs: 15 * 60_000,
  /** First block, doubled with each failure up to the maximum: no lock is permanent. */
  throttleBlockMs: 30_000,
  throttleBlockMaxMs: 300_000,
  /** How long a browser or an address that logged into an account is exempt from blocks that others cause for it. */
  throttleKnownMs: 30 * 86_400_000,
  /** Blocks whose refused attempts are counted for the audit trail at once; those of further blocks are not counted. */
  throttleTallies: 1_000,
  /** Lifetime of a token: a year, with a day to renew it in. */
  tokenLifetimeDays: 366,
  tokenLifetimeDefaultDays: 90,
  tokenNameChars: 100,
  /** Families that one token may be limited to, and tokens that one user may have at a time. */
  tokenFamilies: 100,
  tokensPerUser: 100,
  /** How long before its end a token's user is notified, if it lives at least four times as long: time to plan. */
  tokenReminderMs: 14 * 86_400_000,
  /** Tokens that one sweep checks for expiry, the next to expire first. */
  tokensReminded: 1_000,
  /** Notices kept for one user, and for how long: a page, and longer than anybody is on leave. */
  noticesPerUser: 50,
  noticeKeptMs: 90 * 86_400_000,
  /**
   * Unsaved input kept for one user. For each draft: a state a minute for the last hour, then one an hour, up to this
   * many. For all drafts: this many bytes. For two weeks: longer than a holiday weekend, not long enough to be
   * forgotten.
   */
  unsavedStates: 100,
  unsavedStateMs: 60_000,
  unsavedDenseMs: 3_600_000,
  unsavedBytesPerUser: 8_388_608,
  unsavedKeptMs: 14 * 86_400_000,
  /** A text and the one it started from, each as large as a contract's schema and written as JSON. */
  unsavedBodyBytes: 4_259_840,
  /** A user is notified of refused attempts at most this often; the audit trail has all of them. */
  noticeAgainMs: 86_400_000,
  /** From the password to the second factor, or to enrolling one: time to find the phone. */
  signInMs: 10 * 60_000,
  /** Validity of an authenticator app's code, and how many steps a phone's clock may be off (RFC 6238, 5.2). */
  codeStepSeconds: 30,
  codeStepsOff: 1,
  /** Wrong codes in a row that disable an authenticator app until its user signs in otherwise (NIST SP 800-63B, 5.2.2). */
  codeFailures: 100,
  /** A browser's user agent, kept with its session. */
  browserChars: 300,
  /** Sessions listed; a user who has more can end them all. */
  sessionsListed: 100,
  /** Second factors of one user, and characters of a name for one. */
  factorsPerUser: 10,
  factorNameChars: 60,
  recoveryCodes: 10,
  /** From a passkey's challenge to its answer: as long as browsers wait for one. */
  passkeyMs: 300_000,
  /** A passkey's id, base64url: WebAuthn allows 1,023 bytes. */
  passkeyIdChars: 1_364,
  /** Users remembered for one browser: those of a shared desk; each takes 98 bytes of a cookie. */
  deviceCookieUsers: 4,

  // Sign-in at an OpenID provider.
  /** From the start at the sign-in page to the redirect back: enough for a second factor, too short for a forgotten tab. */
  oidcFlowMs: 10 * 60_000,
  /** Sign-ins under way in one browser; more push out the oldest. Each takes up to 1.6 KiB of the cookie's 4. */
  oidcFlows: 2,
  /** The console's address to return to after signing in. */
  oidcReturnChars: 500,
  /** The notes in a device cookie, 98 characters for each user. */
  oidcDeviceChars: 400,
  /** Timeout of one request to the provider, and size of its answer: a large provider's key set has 20 KiB. */
  oidcRequestMs: 10_000,
  oidcAnswerBytes: 512 * 1024,
  /** Sign-ins that ask the provider at one time, and those that wait for a turn. */
  oidcAtOnce: 16,
  oidcWaiting: 64,
  /** Maximum age of the provider's description and keys, and how soon keys are fetched again when one is missing. */
  oidcDescriptionMs: 3_600_000,
  oidcKeysMs: 600_000,
  oidcKeysAgainMs: 5_000,
  /** How far the provider's clock may be off. */
  oidcToleranceSeconds: 30,
  /** Maximum age of a logout token, which must be short-lived (OpenID Connect Back-Channel Logout 1.0, 2.4). */
  oidcLogoutTokenMs: 120_000,
  oidcTokenChars: 65_536,
  oidcSubjectChars: 255,
  oidcCodeChars: 8_192,
  oidcStateChars: 512,
  /** Groups of one person that are read. */
  oidcGroups: 2_000,
  /** A provider's user whose last sign-in is older can't use tokens: the person may have left. */
  oidcVouchedMs: 30 * 86_400_000,
  /** Longest validity of a sign-in at the provider that can be set. */
  oidcMaxAgeSeconds: 30 * 86_400,

  // Audit.
  /** How often the sealer runs: half of the second that a record may stay unsealed. */
  auditSealMs: 500,
  auditSealBatch: 256,
  auditLeaseMs: 10_000,
  /** Foreign records that the log names, once each. */
  auditRefusedKept: 1_000,
  /**
   * How long after the introduction of the store's newest key tags of earlier keys are accepted: for unsealed records, and for
   * those of instances not yet restarted.
   */
  auditKeyOverlapMs: 86_400_000,
  /** Shortest interval for publishing a signed head outside of the store. */
  auditAnnounceMs: 60_000,
  /** Records of the audit trail that a proof links to its head, some 140 bytes each. */
  proofLinks: 100_000,
  /** How often an export that follows the trail polls: as often as records are sealed. */
  auditFollowMs: 1_000,
  /** Timeout of one batch to a syslog receiver, including the end of the connection. */
  syslogSendMs: 10_000,
  /** Shortest wait before Quire ends its side, in which a receiver can show that it closed the connection unread. */
  syslogSettleMs: 50,
  /** Bytes accepted from a syslog receiver, though the protocol has no answers: a banner. */
  syslogAnswerBytes: 4_096,
  /** First and longest pause between two tries while a receiver of the trail is away; the log mentions one in so many. */
  auditForwardRetryMs: 1_000,
  auditForwardRetryMaxMs: 60_000,
  auditForwardTold: 30,
  /** Longer than a batch takes, so that two instances seldom send the same records. */
  auditForwardLeaseMs: 60_000,
  /** Records that one verification reads: some 10 µs each, so about a second. */
  auditVerifyRecords: 50_000,

  // Erasure.
  /** Submissions that one erasure removes, so that no writer waits long; a further erasure takes the rest. */
  erasureSubmissions: 50,
  /** How often an erasure searches again for data about its object, until a search finds nothing new. */
  erasureLooks: 5,
  erasureReasonChars: 200,
  /** How often the remaining work of erasures is looked for. */
  erasureFinishMs: 1_000,
  /** Younger objects are not removed yet: a step may just have stored the same bytes, and be about to name them. */
  erasureObjectAgeMs: 60_000,
  /** A database file up to this size is rewritten after an erasure, in half a second and as much memory. */
  erasureRewriteBytes: 67_108_864,
  /** Erasures that `verify` lists, one a line; all are counted. */
  erasuresShown: 100,
  /** Files whose references were searched: the results are cached by hash for the next holds. */
  holdLookedFiles: 1_000,

  // Batches.
  /** A year of letters of a small insurer; the rows are counted, not only their bytes. */
  batchRows: 50_000,
  /** As much as a project's archive: read into memory whole on submission, and again by the feeder. */
  batchFileBytes: 33_554_432,
  batchNameChars: 200,
  /** The transformers' params, as JSON in a form's field. */
  batchParamsChars: 8_192,
  batchPlaceChars: 300,
  /** Depth of `$ref`, `allOf` and the like to which a column's property is searched. */
  batchSchemaDepth: 16,
  /** Schemas, and alternatives in them, that are examined for all columns of one file, at some 0.2 µs each. */
  batchSchemaParts: 1_000_000,
  /** The header line, which is kept with the batch and repeated for every row: 1,000 names of 64 characters. */
  batchHeaderChars: 65_536,
  /** The feeder waits while the whole database has more queued steps, so that other submissions find a short queue. */
  batchQueuedSteps: 200,
  /** Rows that one transaction submits: some 10 ms embedded. */
  batchFeedRows: 8,
  /** Submitted rows checked at once for ended executions: some 5 ms. */
  batchSettleRows: 1_000,
  /** How often the feeder polls while a batch runs, and while none does: for batches that other instances accepted. */
  batchFeedMs: 100,
  batchIdleMs: 2_000,
  /** Longer than any of its transactions takes, so that two instances seldom read the same rows. */
  batchLeaseMs: 15_000,
  /** Batches that are fed in turns. */
  batchesAtOnce: 8,
  /** Characters shown of a row's cause. */
  batchMessageChars: 500,
  /** Causes of one batch that are listed, the most frequent first. */
  batchCauses: 200,
  /** Rows that one request retries; its answer says how many are left. */
  batchRetryRows: 500,
  /** Rows of a download that are looked up at a time. */
  batchResultRows: 100,
  /** Documents and bytes of one PDF for print, which is made in memory, in a process of its own. */
  batchPrintDocuments: 2_000,
  batchPrintBytes: 134_217_728,
  batchPrintMs: 300_000,
  /** Documents, their copies and the file are in memory at once. */
  batchPrintMemoryBytes: 1_610_612_736,

  // Retention.
  /** Failed executions that one bulk retry request examines, and how many one transaction retries. */
  retryPageRows: 500,
  retryBatch: 20,
  /** Submissions that one transaction removes: embedded, a median of 23 ms and at most 49 (bench/retention.bench.ts). */
  retentionBatch: 20,
  /** Pause between two such transactions, for other writers. */
  retentionPauseMs: 50,
  retentionEveryMs: 600_000,
  /** Rows of one page of the index of due submissions. */
  retentionPageRows: 500,
  /** Due submissions still running, which each round checks again. */
  retentionWaiting: 1_000,
  /** Submissions that a dry run counts; it says where it stopped. */
  retentionPlanSubmissions: 10_000,
  retentionPolicies: 200,
  /** A hundred years. */
  retentionDaysMax: 36_525,
  retentionLeaseMs: 900_000,

  // Webhooks.
  /** Receivers of one store, and connections of each at once: a slow one then blocks few. */
  webhooks: 50,
  webhookWindow: 4,
  webhookNameChars: 100,
  webhookUrlChars: 2_048,
  webhookFamilies: 100,
  /** Events that become deliveries in one transaction. */
  webhookFanOutEvents: 256,
  /** How long a registration waits for writers under way; only a change of thousands of rows takes longer. */
  webhookRegistrationMs: 10_000,
  webhookRegistrationPollMs: 20,
  /** How often the sender polls: for commits of other instances, and for deliveries due again. */
  webhookPollMs: 1_000,
  /** Twice a request and its record: by the time another sender takes over, the earlier one has no request under way. */
  webhookLeaseMs: 60_000,
  /** Resolving, connecting and the whole answer; Standard Webhooks recommends 15 to 30 s. */
  webhookRequestMs: 15_000,
  /** Interim answers (RFC 9110, 15.2) before the one that counts; servers send one or two. */
  announcedAnswers: 16,
  /** How much of an answer is read, and how much is kept for display. */
  webhookAnswerBytes: 4_096,
  webhookAnswerChars: 300,
  /** Pauses before the retries of one delivery: the schedule that Standard Webhooks suggests, three and a half days in all. */
  webhookRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** Failures in a row after which a receiver counts as away, and gets one delivery at a time. */
  webhookAwayFailures: 3,
  /** First and longest pause between those deliveries, doubled each time; and the longest `Retry-After` that is obeyed. */
  webhookAwayMs: 5_000,
  webhookAwayMaxMs: 15 * 60_000,
  webhookRetryAfterMs: 3_600_000,
  /** A receiver that has failed this long without one success is disabled. */
  webhookDisableMs: 5 * 86_400_000,
  /** How long the previous secret signs as well: a working day in every time zone. */
  webhookSecretOverlapMs: 24 * 3_600_000,
  /** Deliveries are removed this long after their event, even if they wait for an inactive receiver. */
  webhookKeptMs: 30 * 86_400_000,
  /** Rows that one statement removes of them, so that no writer waits long. */
  webhookPruneRows: 1_000,

  // Commands at the server's clients and at projects.
  /** Default time that `quire submit` waits for an execution; a letter takes less than a second, a queue may take minutes. */
  submitWaitSeconds: 300,
  /** Its longest time, and that of `quire logs --follow`: nobody watches an execution for longer. */
  followSeconds: 86_400,
  /** Default time in which `quire test --mutate` starts changes. */
  mutationSeconds: 300,
  /** Results it caches of steps that a change can't have affected. */
  mutationKeptBytes: 67_108_864,
  /** How often a file that changes during reading is read again, and the pause before: editors write in several steps. */
  projectFileReadings: 3,
  projectFilePauseMs: 20,
  /** Lines of a text in a message of `@quire/testing`, so that a long document doesn't hide the reason. */
  testingLinesShown: 30,

  // Commands beside the server.
  /** Command-line commands that one server runs at once, and how long one may take to send its request. */
  controlCommands: 8,
  controlAskMs: 5_000,
  /** A command's arguments: names, scopes and a hundred families. */
  controlAskBytes: 65_536,
  /** How long a stop waits for commands under way. */
  controlStopMs: 2_000,

  // Idempotency records.
  idempotencyMs: 7 * 86_400_000,
  /** Records that one transaction removes, so that no writer waits long. */
  idempotencySweepRows: 500,

  // Backup, verify and move.
  /** Rows in one statement: a page of the largest ones, half a mebibyte each, still fits into memory. */
  tablePageRows: 100,
  /** The same for rows of a hash and a size. */
  tableHashRows: 1_000,
  backupChunkBytes: 1_048_576,
  /** Longest line: a row with a template has some 35 million characters. */
  backupLineChars: 268_435_456,
  /** The manifest lists what was erased during the backup: some three million objects. */
  backupManifestBytes: 268_435_456,
  /** The header of an encrypted backup, read whole: some 600 recipients. */
  backupHeaderBytes: 65_536,
  /** An unfinished backup that was not written to for this long is left over from a killed one; clocks may differ by hours. */
  backupLeftoverMs: 86_400_000,
  /** How long a snapshot of the database is held during verification: meanwhile no deleted space is freed. */
  verifyStateMs: 1_000,
  /** Characters shown of an error, and of a refused setting. */
  shownWordsChars: 4_000,
  /** Problems that are listed, one a line; all are counted. */
  verifyProblemsShown: 100,
  /** Hashes of objects that a backup keeps in memory, 2 MB; more go into 256 files. */
  backupHashesInMemory: 65_536,
  backupProblemsShown: 20,

  // The doctor.
  /** Time for one dependency to answer at all; then the database has this long for all checks, a bucket for its probe. */
  doctorAskMs: 5_000,
  doctorDatabaseMs: 30_000,
  doctorObjectsMs: 15_000,
  /** Reads of an object just written to a bucket. */
  doctorReads: 5,
  /** Syncs to measure, at least three, and the time for them. */
  doctorSyncs: 50,
  doctorSyncMs: 1_000,
  /** A disk with power-loss protection takes 20 µs or more; libeatmydata or a RAM disk less than 1. */
  doctorSyncQuickUs: 10,
  /** With slower syncs there are fewer than twenty group commits a second. */
  doctorSyncSlowUs: 50_000,
  /** With less, a disk is soon full: some 70,000 documents, and as many files. */
  doctorFreeBytes: 1_073_741_824,
  doctorFreeFiles: 10_000,
  /** Memory of the service, and of each worker (docs/operations.md). */
  doctorMemoryBytes: 150_000_000,
  /** A generous maximum difference of clocks that follow a time server. */
  doctorClockMs: 2_000,
  /** Two thirds into the last month of a certificate of 90 days, renewal has failed. */
  doctorCertificateDays: 20,

  // Logs and metrics.
  /** How much of a statement stays in the message of a database error. */
  loggedStatementChars: 300,
  /** Often enough to catch a single long statement, seldom enough to cost nothing. */
  lagSampleMs: 100,
  /** Errors that wrap each other in circles end here; drivers wrap a handful at most. */
  errorCauses: 5,
  /** Requests and started steps whose spans are still open: some minutes of a busy instance. */
  telemetryRemembered: 10_000,
  /** An unreachable collector is logged at most this often. */
  telemetryComplaintMs: 60_000,
  /** Requests of one signal under way at a slow collector, besides those of a stop; OpenTelemetry's default. */
  telemetryRequests: 30,

  // Health.
  /** One dependency's probe; a readiness probe of an orchestrator usually allows 1 s more. */
  probeMs: 2_000,
  /** Probes write, so each dependency is probed at most once in this time, however many ask. */
  probeFreshMs: 1_000,
  /** Rows counted for one figure of the operations' status: some 2 ms with an index. */
  statusRows: 10_000,
  /** Rows that a gauge of waiting work counts: meanwhile the embedded database answers nobody. */
  gaugeRows: 100_000,
  /** Failed executions whose causes the operations' status reads. */
  statusFailures: 500,

  // Search, asked for with every pause in typing.
  searchCharsMin: 1,
  searchCharsMax: 200,
  /** Shorter texts occur in most sources. */
  searchContentChars: 3,
  searchResults: 20,
  /** Newest submissions and executions searched for a substring: some 40 ms of the thread for both, in slices. */
  searchedRows: 5_000,
  /** Families searched: by name, and the newest of them by content. */
  searchedFamilies: 10_000,
  searchedContents: 500,
  /** Rows of one statement: 250 take about 1 ms. Contents may have half a megabyte each. */
  searchPageRows: 250,
  searchPageContents: 10,
  /** An instance that shares its database counts as present for this long after its last sign of life. */
  presenceMs: 60_000,
} as const
