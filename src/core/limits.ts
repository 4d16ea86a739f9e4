/**
 * Every bound that is a policy, grouped by room, with its unit in the name. A bound is one when a client, an author or an
 * operator can meet it (a refusal, a cut, a wait), or when it holds the memory or the time that foreign input, a peer or
 * the history may take. Its comment says where the figure comes from; "interface" marks those that the HTTP interface fixes.
 *
 * Two kinds of constants are no policy, and stay beside the one function that owns them. Their comment begins with
 * "Fixed by" where a standard, a format, another program or the algorithm sets them, and with "Tuned" where they decide
 * only how fast the same result is there. What the console shows of a list, and for how long, is its own affair, except
 * where it repeats a rule of the server's; so is how long the client's package waits, which takes nothing from here.
 * test/architecture.test.ts holds the rest.
 */
export const limits = {
  // Request bodies, in bytes (interface).
  authBodyBytes: 8_192,
  contractBodyBytes: 1_085_440,
  transformerValidateBodyBytes: 2_097_152,
  templateTestBodyBytes: 525_312,
  /** Bodies the interface gives no figure for: an empty object or a handful of names. */
  smallBodyBytes: 65_536,
  /** raw_input (512 KiB) once more as an escaped JSON string (worst case \\u00XX), its metadata, and params. */
  submissionBodyBytes: 3_473_408,

  // Requests.
  /** Parts of one multipart body: the interface's have three. */
  multipartParts: 64,
  /** Headers of one part, which hold a file's name and type: the runtime reads 25 MB of them in more than a second, in one go. */
  multipartHeaderBytes: 8_192,
  /** All of a form but its file, whose largest text has half a mebibyte: the runtime reads 25 MB in up to half a second, in one go. */
  multipartTextBytes: 2_097_152,
  /** Tags of one If-Match or If-None-Match: more than any client has reason to send. */
  conditionTags: 16,
  /** Mistakes of one body or query that are reported at once: what fits on a screen. */
  shapeFindings: 20,
  /** A connection on which nothing moves for this long is closed; an event stream sends a comment more often. */
  connectionIdleSeconds: 60,
  /** A chain of a dozen certificates has some 30 KB. */
  certificateFileBytes: 1_048_576,
  /** How often a renewed certificate is looked for, and how often it is said that one expires. */
  certificateLookMs: 2_000,
  certificateRemarkMs: 86_400_000,
  /** What browsers remember of a server over TLS: that it is asked over TLS alone; a year. */
  strictTransportSeconds: 31_536_000,
  /** While the service stops: how long nobody may have asked before the listener closes, and how often that is looked at. */
  closingQuietMs: 150,
  closingLookMs: 20,
  /** For answers that were given up at the deadline to reach their clients. */
  closingLastMs: 500,
  /** What `Retry-After` says meanwhile: another instance may take the request at once. */
  closingRetrySeconds: 1,

  /** What `Retry-After` says while an object store can't be used: as long as the longest pause between two probes. */
  dependencyRetrySeconds: 5,

  // Payloads and sources, in bytes.
  /** Case payload, raw input, execution input and output (interface). */
  payloadBytes: 524_288,
  contractSchemaBytes: 1_048_576,
  /** Transformer source (interface); ingestion models take the same. */
  sourceBytes: 262_144,
  /** A DOCX or PDF artifact (interface); uploaded templates take the same. */
  artifactBytes: 26_214_400,
  /** A file of a draft or version that its row holds; a larger one is stored in pieces of this size, at some 3 ms each. */
  filePieceBytes: 524_288,
  /** Bytes of such files that are read until memory is collected, on threads of its own. */
  fileCollectBytes: 33_554_432,
  /** Of a file that is sent to an engine process; a piece takes some 4 ms to be sent. */
  messagePieceBytes: 1_048_576,

  // Projects: configuration as an archive of files.
  projectArchiveBytes: 33_554_432,
  /** Files of configuration, a family each. */
  projectFamilies: 500,
  /** Path of a case's file from the project's root; as long as an issue's path may be. */
  projectPathChars: 500,
  /** How many of the cases made on a store an export has of each model. */
  projectMadeCases: 100,
  /** `families.json`: a name and a description for each family; and any other text of a project that isn't configuration. */
  projectTextsBytes: 4_194_304,
  /** Entries of an archive that are inflated on the thread; larger ones apart from it, a megabyte being some 3 ms. */
  projectInflatedHereBytes: 262_144,
  /** Bytes of cases' files that one statement writes, before others have a turn: some 10 ms. */
  caseFilesStatementBytes: 4_194_304,
  /** Changes of one contract that a plan tells, cases that do not pass, and activations that come later. */
  projectPlanRows: 200,
  /** Pairs of pages that a comparison draws: more than anybody looks at before something comes into force. */
  comparedPages: 20,
  /** How much of one file's changed lines a plan shows. */
  projectDifferenceChars: 20_000,

  // JSON (RFC 8259 through I-JSON, RFC 7493).
  jsonDepth: 128,

  // JSON Schema.
  /** RE2 instructions of one pattern once its counters are written out: a{1000} takes 1,000. */
  schemaPatternInstructions: 20_000,
  /** RE2 instructions up to which it runs a sequence of classes faster than a matcher that doesn't write counters out. */
  schemaPatternWrittenOut: 64,
  /** Classes with a counter, and ranges of each, up to which a pattern is matched in one pass that compares with each range. */
  schemaPatternSinglePassRuns: 64,
  schemaPatternSinglePassRanges: 32,
  /** Characters of the texts of one length that a pattern is matched against with a table of 128 bytes for each. */
  schemaPatternPlaces: 64,
  /** All patterns of a schema together, at about 3 µs of compiling each. */
  schemaPatternsInstructions: 200_000,
  /** Schemas nested in evaluation: 128 levels of data with some 16 references and combinators on each. */
  schemaEvaluationDepth: 2_048,
  /** Evaluations of one schema on one value, longer work charged by length: at worst some two seconds. */
  schemaEvaluationSteps: 5_000_000,
  /** Of candidates that a misspelt word is compared with, at about 0.3 µs each: some hundred findings of one answer take a second. */
  nearestCharacters: 32_768,
  /** Values of members that are looked at, for one list of alternatives, to find the member that tells them apart. */
  schemaAlternativesLooked: 10_000,
  /** Findings of one validation unless the caller wants another number. */
  schemaFindings: 100,
  /** Findings of an unusable schema that are counted, at some 2 µs each; `configurationIssues` of them are listed. */
  schemaFindingsCounted: 10_000,
  /** Names that all "did you mean" about references look at together, at some 2 µs each. */
  schemaNamesCompared: 20_000,
  /** Longest pattern that schemas share once it is compiled, and how many are kept. */
  patternSharedChars: 1_024,
  patternsShared: 256,
  /** Characters of one class of a pattern whose membership is remembered. */
  schemaPatternKnownPoints: 4_096,
  /** Groups inside of groups in one pattern. */
  schemaPatternDepth: 100,
  /** Schemas looked at for one family of references; the largest published schemas have some hundreds. */
  schemaFamily: 2_000,
  /** Schemas looked at for undeclared properties; published schemas stay below a tenth of it. */
  schemaReviewed: 500_000,
  /** Branches of one list that a review looks at; the identity of each costs its length. */
  schemaBranchesCompared: 500,
  /** Pairs of schemas that a comparison of two versions looks at, and changes that it tells. */
  schemaPairsCompared: 200_000,
  schemaChanges: 1_000,
  /** Values (scalars, arrays, objects) in a generated payload beyond those required: some screens, far below payloadBytes. */
  caseValues: 1_200,
  /** Steps of one generated case, evaluation included: at worst some two seconds. */
  caseSteps: 2_500_000,
  /** The longest text a boundary case is made of; 65,536 covers every limit that people write down with a purpose. */
  caseTextChars: 65_536,
  /** Characters of one text from a pattern, whatever the pattern's counters say. */
  casePatternChars: 100_000,
  /** Arrays and objects at their upper limit are only written out up to this length. */
  caseArrayItems: 2_000,
  caseObjectMembers: 2_000,
  /** Longest text or array that is made only to pass a maximum. */
  caseExcess: 20_000,
  /** Tries to make one value, one text and one invalid payload before the generator gives up on it. */
  caseValueAttempts: 40,
  caseTextAttempts: 24,
  caseInvalidTries: 120,
  caseInvalidTriesPerKeyword: 6,
  /** Rounds of taking out optional members that break the schema; a payload that needs more is dropped. */
  casePruneRounds: 12,
  /** Rounds that size a recursive schema; a longer chain of required members counts as endless. */
  caseSizeRounds: 64,
  /** Ways to break one keyword that are collected before one is chosen. */
  caseInvalidChangesPerKeyword: 400,

  /** Choices that a message lists, and their characters: nobody reads forty country codes, and a message has its length. */
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
   * How a place in a document is shown: the heading, the words before and behind, how many words find a paragraph
   * without its neighbours, and the room that a message needs to show it. With ellipses they fit `issueContextChars`.
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
  /** The ratio says nothing about small entries: a table of 10,000 equal rows deflates 200:1 honestly. */
  zipRatioFreeBytes: 4_194_304,
  /** One XML part, inflated: a thousand pages have some 10 MB, and reading takes 30 ms a megabyte. */
  xmlPartBytes: 33_554_432,
  /** Content types and relationships: 10,000 links take 2 MB. */
  packageXmlBytes: 2_097_152,
  /** XML from which the tree of a part takes some hundred megabytes: it is parsed once more rather than kept. */
  packageKeptPartBytes: 4_194_304,
  /** Text of a part whose tree the next document may use, and what a worker keeps of such trees: those of some ten templates. */
  xmlSharedChars: 65_536,
  xmlSharedBytes: 4_194_304,
  xmlDepth: 256,
  /** Attributes of one element; the root of a document declares some 40 namespaces. */
  xmlAttributes: 512,
  /** Elements and texts of one part: a thousand pages have some 500,000; 2,000,000 took 640 MB. */
  xmlNodes: 1_000_000,
  /** The same of a part that is read block by block and never held as a whole: 2,000 pages of reports have 2,700,000. */
  xmlStreamedNodes: 3_000_000,
  /** Start tags that a scope remembers, and how long they may be: those with ids of their own must not fill the memory. */
  xmlRememberedTags: 2_000,
  xmlRememberedTagChars: 160,
  /** Contents of equal elements that a long body shares, for each name: a table repeats the properties of its columns. */
  xmlAlikeContents: 8,
  /** Longer contents are seldom equal. */
  xmlAlikeChars: 1_000,
  /** Fields inside of fields that are looked at; Word's own nest a few levels deep. */
  fieldDepth: 64,
  /** More of a list level's text is cut off: it is repeated before every paragraph. */
  listLevelTextChars: 255,

  // Ingestion models.
  /** Columns of an input in CSV; the widest exports of ledgers that we met have some three hundred. */
  csvColumns: 1_000,
  /** Elements of an input in XML: with `<a/>` the largest payload has some 130,000, and an invoice of 1,000 lines some 40,000. */
  xmlInputElements: 100_000,
  /** Elements inside of elements there; with an array for each they stay below the depth of JSON. */
  xmlInputDepth: 60,
  /** Attributes of one element there; invoices and orders have below ten. */
  xmlInputAttributes: 200,
  /** Places of elements that a model declares, for lists, objects and types each; a UBL invoice has some hundred amounts. */
  xmlPlaces: 1_000,
  /** Characters of a namespace; those of UBL and of the CII have 80. */
  xmlNamespaceChars: 1_000,
  /** Nodes of one model, and nodes inside of nodes: an address has at most 15 segments after the model's slug (interface). */
  modelNodes: 100,
  /** Families that are put in force together: a model, its contract, a transformer and a template for each of its nodes. */
  activationSetMembers: 202,
  /** Cases that a set is tried with: some 2 ms each without a document, 10 with one. */
  activationSetCases: 200,
  /** Cases of one request that runs a suite: a client asks for the next ones then, and shows how far it is. */
  suiteRunCases: 20,
  /** Ingestion models that a list of suites looks at, the newest. */
  suiteModels: 200,
  /** Cases of one suite that is required: some 100 ms each with a page, two at once. */
  suiteCases: 500,
  /** Cases that run at once for one request, so that executions keep their place. */
  suiteCasesAtOnce: 2,
  /** Points by which what is drawn may be elsewhere, as `quire test` has it. */
  suiteTolerancePt: 0.5,
  /** Cases that a refusal names. */
  suiteCasesTold: 5,
  /** Cases whose results are remembered, some 200 bytes each. */
  suiteVerdicts: 10_000,
  /** Files of one model's cases above which no case is added: an archive of a project has room for as many. */
  suiteCasesKept: 4_000,
  /** The name of a case, which is its file's name. */
  suiteNameChars: 100,
  /** How long an administrator may let a suite pass that isn't green. */
  suiteLiftHours: 24,
  /** Versions of a contract among which the newest with cases is looked for. */
  activationSetCaseVersions: 20,
  modelDepth: 15,

  // Params of transformers, handed in with a submission.
  paramCount: 64,
  paramNameChars: 64,
  /** One text among the params: a paragraph. What is longer is input. */
  paramTextChars: 4_096,

  // Families and releases.
  /**
   * Sources of ingestion models that stay compiled, 64 of the largest; versions never change, so the oldest makes room. Whoever goes
   * through all models in force finds thousands of usual size here.
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
  /** Slugs of older families come from their names; this many may share one before a name is refused. */
  slugSuffixes: 99,
  /** Versions that a family's read shows, the newest; the list of versions pages through all. */
  versionsShown: 100,
  /** Instants, of one activation's reach, at which the configuration in force is checked with it. */
  activationCheckInstants: 500,
  /** Multipart around one file: boundaries, headers, name and description. */
  multipartOverheadBytes: 65_536,

  // Submissions.
  /** Facts of each kind that intake remembers; the one learnt first makes room. */
  knownSubmissionFacts: 4_096,
  /** How often a submission looks for what is in force together, if that changes while it looks. */
  planLooks: 5,

  // Templates.
  /** How much of a value is shown for a tag: enough to recognise it. */
  shownValueChars: 200,
  /** Tags of one part; the largest real ones have some hundreds, and these take half a second to compile. */
  templateTags: 12_000,
  /** Templates included by included ones, and all that one template includes: a contract of 100 clauses has two levels. */
  fragmentDepth: 8,
  fragmentInclusions: 256,
  /** Blocks inside of blocks. */
  templateBlockDepth: 32,
  /** `#else if` and `#else` of one block; each is a level of its own for whoever walks the program. */
  templateBranches: 64,
  /** Parentheses and negations inside of each other in one condition. */
  templateConditionDepth: 32,
  /** Comparisons in one condition. */
  templateConditionTests: 256,
  /** Word makes no table with more. */
  tableColumns: 63,
  /** Items that one composition may loop over, all loops together. */
  composeIterations: 1_000_000,
  /** Characters of all composed parts, before compression, which takes 50 ms a million; 30,000 paragraphs have five. */
  composeChars: 16_777_216,
  /** XML that `{{#keep}}` looks at, in characters: four times what a page of a dense table has. */
  keptChars: 400_000,
  /** Elements of all rich text in one composition, at some 5 µs each. */
  composeRichTextElements: 60_000,
  composeRichTextChars: 4_194_304,
  /** Characters of all different QR codes and barcodes, at some 25 µs each; drawing a short code costs as much as 60. */
  composeCodeChars: 12_000,
  composeCodeLeastChars: 60,
  /** Characters of one barcode; printed at its usual width, a longer one fits on no page. */
  barcodeChars: 128,
  /** A picture may be as wide as the widest page Word can make: 22 inches, in EMU. */
  pictureWidthEmu: 22 * 914_400,
  /** A decoded picture, in bytes, and its sides, in pixels. */
  pictureBytes: 10_485_760,
  pictureSidePx: 20_000,
  /** Characters of an SVG drawing, of its prologue and root tag, and of its simple form, where text and shapes are outlines. */
  svgChars: 4_194_304,
  svgRootChars: 65_536,
  svgSimpleChars: 8_388_608,
  /** Elements of a drawing inside of each other; programs write some dozens. */
  svgDepth: 512,
  /** Attributes of one tag, which resvg compares with each other; and selectors of a style sheet times elements, at 0.1 µs each. */
  svgAttributes: 1_000,
  svgStyleMatches: 20_000_000,
  /** All pictures in a drawing together, which resvg decodes whole. */
  svgPicturePixels: 40_000_000,
  /** What drawing it in pixels may take, in nanoseconds, as it is estimated before; a slow machine takes half as long again. */
  svgDrawNs: 1_300_000_000,
  /** Pixels of the longer side of a drawing where only pixels are shown. */
  svgLeastSidePx: 300,
  svgMostSidePx: 2_400,
  /** Bytes that resvg may keep from one drawing to the next; beyond them it starts afresh. */
  svgHeldBytes: 67_108_864,
  /** One value of rich text, and what it is made of; Word's tables have at most 63 columns. */
  richTextChars: 262_144,
  richTextElements: 20_000,
  richTextDepth: 64,
  richTextColumns: 63,
  /** More of a `style` attribute is not looked at. */
  richTextStyleChars: 2_000,
  /** Styles may be based on each other in a circle, in a broken file; so deep a chain is cut off. */
  styleBasedOnDepth: 32,
  /** Tables of contents that are rebuilt: documents have one or two, and each costs a walk over all headings. */
  contentsTables: 4,
  /** Headings that the tables of contents of a document list when they are rebuilt. */
  contentsEntries: 5_000,
  /** XML of a rebuilt table of contents. */
  contentsChars: 4_000_000,
  /** Longer headings are cut, and longer properties of entries left out: a table repeats them thousands of times. */
  contentsHeadingChars: 500,
  contentsPropertiesChars: 2_000,

  // Transformers.
  /** Static cost bound and run-time fuel, in evaluated nodes. */
  transformFuel: 20_000_000,
  /** maxItems assumed for arrays whose contract gives none, of arrays inside the items of others for all together. */
  transformAssumedItems: 10_000,
  /** Items that nested arrays of a payload can have together: its bytes, two for each. */
  transformInputItems: 262_144,
  /** Transformers whose loops are looked at when a contract is validated, newest first. */
  reviewedTransformers: 50,
  /** Values, lists and objects in a YAML source; this many are read and checked within 100 ms on a busy machine. */
  transformSourceNodes: 24_000,
  /** Lexer tokens, blanks included (about eight a line), up to which YAML with faults or of a rare form is read. */
  transformRareYamlTokens: 8_000,
  /** One text that a transformer makes, in UTF-16 code units: twice the largest payload. */
  transformTextChars: 1_048_576,
  /** Text that a pattern of a transformer reads: codes, names and numbers, each in under a millisecond. */
  transformPatternChars: 1_024,
  /** Characters that all searches for a pattern in one text may read; each may read the rest of it. About 0.1 s. */
  transformPatternReads: 65_536,
  /** The exponent of a power in a formula, powers of powers multiplied. */
  formulaExponent: 100,
  /** Groups that a text is cut into by sizes that the author writes out. */
  transformBlockSizes: 20,
  /** Digits of one exact number; above every amount, below what would slow arithmetic down. */
  transformDecimalDigits: 1_000,
  /** Decimal places that an author may ask a result for. */
  transformScaleDigits: 100,
  /** Parentheses and signs inside of each other in a formula; formulas are written by hand. */
  formulaDepth: 64,
  /** Numbers of a thousand digits multiplied this often still take under a millisecond. */
  formulaParts: 500,
  /** `$ref`s and `allOf`s followed for one place of a contract; a schema that needs more is unknown there. */
  transformContractMerges: 200,
  /** Enumerations of a contract longer than this are treated as any text. */
  transformEnumeration: 200,
  /** Terms of a size that is bounded statically; more are bounded by infinity, which is over every budget. */
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
  /** What the pages of one document hold by layout's own estimate: 2,000 of text, or 950 of tables, within 512 MB in all. */
  renderLayoutBytes: 335_544_320,
  /** A main part of some three hundred pages: garbage of reading a longer one is collected before it is laid out. */
  renderCollectedPartBytes: 8_388_608,
  /** A preview drawn for the console: more pages than anybody looks through, and their size together. */
  drawnPages: 100,
  drawnChars: 33_554_432,
  /** Pixels of one picture: 8,000 by 8,000. PNGs are read by rows, JPEGs go into the PDF as they are. */
  renderImagePixels: 64_000_000,
  /** Pixels in one row of a PNG. Several rows are in memory at a time; rows of 60 million took a gigabyte. */
  renderImageRowPixels: 1_000_000,
  /** Bytes of a PNG's decoded rows up to which it goes into the PDF as it is: 1,100 by 1,100 in colour and opacity. */
  renderImageAsIsBytes: 5_000_000,
  /** Pixels an inch, and of one picture, to which larger ones are brought; a page of A3 at 300 has 17 million. */
  renderImageDpi: 300,
  renderImageMadePixels: 18_000_000,
  /** Pixels of a picture whose decoder holds all of them: GIF and BMP. */
  renderImageHeldPixels: 24_000_000,
  /** All PNGs of a document, decoded; reading that much takes some ten seconds. */
  renderImagesBytes: 1_073_741_824,
  /** Words that a finding about a rendering tells, in characters, and of those what is sought on the pages. */
  findingWords: 60,
  findingWordsSought: 24,
  /** Remarks of one report: a document with ten thousand of the same oddity is one remark, and a hundred are enough to act on. */
  renderRemarks: 100,
  /** Tables, text boxes and content controls inside each other; Word gives up far earlier. */
  renderNesting: 60,
  /** Text boxes in text boxes; Word does not allow even two. */
  renderBoxDepth: 6,
  /** A picture is a few elements deep in its bullet. */
  renderBulletDepth: 10,
  /** Styles based on styles: Word allows eleven levels; cycles and longer chains end here. */
  renderStyleDepth: 24,
  /** One paragraph; Word's own limit is far lower, and a longer paragraph is cut and reported. */
  renderParagraphChars: 2_000_000,
  /** Shaping works word by word; what is longer is no word, and is cut. */
  renderWordChars: 1_000,
  /** Longer words are not hyphenated: they are no words. */
  hyphenatedLetters: 64,
  /** A heading that is quoted in a header; a header that repeats more is no header. */
  renderRunningHeadChars: 1_000,
  /** Word stops at 63 columns; other writers go further, and 10,000 would only be an attack. */
  renderTableColumns: 256,
  /** Above this many cells of a table, content is not measured and the stored grid decides. */
  renderMeasuredCells: 4_000,
  /** A floating table in a cell cannot continue on another page; one with more rows stays in the text flow. */
  renderFloatRows: 16,
  /** One equation; longer ones are cut and shown as linear text. */
  renderMathChars: 10_000,
  /** Levels of one equation, which layout follows by recursion; deeper ones are shown as linear text. Word stops at 20. */
  renderMathDepth: 60,
  /** Columns of a matrix that one statement may describe; Word has at most 64. */
  renderMathColumns: 64,
  /** A document embeds a dozen faces at most. */
  renderEmbeddedFonts: 64,
  /** Blocks of a GIF before its first picture, and markers of a JPEG before its frame: files have a dozen or two. */
  gifBlocks: 2_000,
  jpegMarkers: 2_000,
  /** Font files of QUIRE_FONTS: all that a distribution packages are some 3,000, the largest of 20 MB. */
  fontFiles: 5_000,
  fontFileBytes: 67_108_864,
  /** All files of a .tgz of fonts: a family for Chinese in nine weights has some 90 MB. */
  fontArchiveBytes: 536_870_912,
  /** Folders inside of folders; where fonts are installed, they nest a few levels deep. */
  fontFolderDepth: 8,
  /** Fonts of one collection; real ones hold a dozen. */
  fontCollection: 64,
  /** Dictionaries of one font by its CIDs. */
  fontDicts: 256,
  /** Bytes that are read of one of them; the longest have some hundred. */
  fontDictBytes: 4_096,
  /** Composite glyphs nest in real fonts at most two deep, with a handful of parts; others are broken or hostile. */
  fontCompositeDepth: 8,
  fontComponents: 64,
  /** Parts of one glyph at all depths together, and points of its outline: no field of `maxp` can state more (OpenType 1.9). */
  fontGlyphParts: 1_024,
  fontGlyphPoints: 65_535,
  /** Operators of one glyph with all its subroutines; the most intricate ideographs have some thousand. */
  fontGlyphOperators: 20_000,
  /** Numbers of one glyph with all its subroutines: each operator takes a dozen at most in real fonts. */
  fontGlyphNumbers: 240_000,
  /** Subtables of pairs that GPOS names for kerning; the richest fonts have some hundred. */
  fontKerningTables: 1_024,
  /** Subtables of GPOS that join glyphs or place marks; fonts for Urdu have some hundred. */
  fontPlacingTables: 2_048,
  /** UTF-16 units of a family's name; Windows takes 31 (OpenType 1.9, `name`). */
  fontNameLength: 256,
  /** Bytes of a copied font's name without its ending: file systems take 255, and a part of its hash may come behind it. */
  fontFileNameLength: 240,
  /** Answers that a library keeps: it lives as long as its process, and documents may ask for any name and character. */
  fontAnswers: 20_000,
  /** HarfBuzz's own memory, and what of it holds font files: the largest fonts for Chinese have 20 MB. */
  shaperBytes: 268_435_456,
  shaperFontBytes: 67_108_864,
  /** Fonts that HarfBuzz has at once: small ones hold more beside it than their files have, some 8 KB each. */
  shaperFonts: 256,
  /** Words of one face whose glyphs are kept; a language's running text repeats most of its words. */
  shapedWords: 8_192,
  /** Formulas of one shape; the richest preset of the standard has some hundred. */
  renderShapeGuides: 2_000,
  /** Steps of one outline: a full-page map drawn by hand has some ten thousand. */
  renderPathSteps: 50_000,
  /** Shapes of one drawing, its groups included, and groups inside of groups. */
  renderDrawingShapes: 5_000,
  renderDrawingDepth: 16,
  /** Stops of one gradient; more cannot be told apart. */
  renderGradientStops: 32,
  /** Paragraphs of one text body; a shape with more would not fit on its page. */
  renderShapeParagraphs: 2_000,
  /** Boxes of one diagram that was never drawn; more would be too small to read. */
  renderDiagramNodes: 100,
  /** A lettering with more characters would leave any page. */
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
  /** Ticks of an axis whose steps the document states, and of one with categories: thousands would be a black bar. */
  chartTicks: 1_000,
  chartCategoryTicks: 1_000,
  /** Labels of an axis whose widths are looked at, and names that are broken into lines. */
  chartMeasuredLabels: 500,
  chartBrokenLabels: 100,
  chartLegendEntries: 200,
  /** One title or label: more lines leave any chart, and more characters are not measured. */
  chartTextLines: 40,
  chartTextChars: 400,
  /** A number format, and the decimals that it asks for. */
  chartFormatChars: 255,
  chartFormatDecimals: 20,
  /** How much of a chart its summary tells. */
  chartSummarySeries: 12,
  chartSummaryChars: 500,
  /** Records of one metafile; the richest that we met have some ten thousand. */
  renderMetafileRecords: 100_000,
  /** Characters of one record, saved states inside of each other, and records among which a WMF's window is looked for. */
  renderMetafileChars: 4_000,
  renderMetafileSaved: 256,
  renderMetafilePreamble: 200,
  /** What a worker keeps from one rendering to the next: the pictures, fonts and styles of some hundred templates. */
  renderCacheBytes: 25_165_824,

  // Objects.
  /** One S3 request with its answer; an artifact of 25 MiB over 10 Mbit/s takes 21 s. */
  objectRequestMs: 30_000,
  objectRequestTries: 5,
  objectProbeMs: 3_000,
  /** A bucket that took a write within this time is only read by the next probe: writes are what S3 charges most for. */
  objectProbeWriteMs: 10_000,
  /** About the first pause between two tries; each further one is twice as long. */
  objectRetryMs: 25,
  /** How long an object may be without a row before it is an orphan, and how often a service looks for those. */
  orphanAgeMs: 86_400_000,
  orphanSweepMs: 6 * 3_600_000,
  /** How long the dropped file of a cancelled batch may still be there: several sweeps, and a weekend on which none ran. */
  droppedFileMs: 7 * 86_400_000,
  /** Objects that a sweep looks up with one statement. */
  orphanSweepBatch: 500,
  /**
   * An object of this age is made young again when it is stored again, and so is one that has waited this long for its row.
   * Together with a turn this is far below the age at which objects are removed.
   */
  objectRenewMs: 15_000,
  /** How long one process alone may remove objects; in the second half it begins none, so that each takes effect within its turn. */
  objectTurnMs: 20_000,
  /** One removal with its answer: well within half of a turn. */
  objectRemoveMs: 5_000,
  objectTurnPollMs: 100,
  /** A round that has waited this long for turns in total leaves the rest to the next one. */
  objectTurnPatienceMs: 2_000,
  /** Room that artifacts leave on their disk: the database, often on the same one, must still be able to say so. */
  objectReserveBytes: 67_108_864,
  /** Twice the largest that Quire stores, a batch's file: whatever has more was put there by others, and is not read into memory. */
  objectBytes: 67_108_864,

  // Bus and outbox.
  /** From publish to PUBACK; a broker that takes longer is treated as unreachable. */
  busPublishMs: 5_000,
  busProbeMs: 2_000,
  /** A broker that takes longer to accept a connection is tried again. */
  busConnectMs: 5_000,
  /** A connection that is silent for one and a half of these is closed (MQTT 5.0, 3.1.2.10). */
  busKeepaliveSeconds: 15,
  /** Before the first attempt to connect again, doubled with each one up to the last figure. */
  busReconnectMs: 250,
  busReconnectMaxMs: 5_000,
  /** Messages waiting for PUBACK at once, over all aggregates; mosquitto's default window is 20, aedes' 65,535. */
  relayWindowMessages: 64,
  relayBatchEvents: 512,
  /** Events committed within this time are relayed together, so that marking them costs one commit. */
  relayGatherMs: 20,
  relayPollMs: 1_000,
  relayBackoffMs: 250,
  relayBackoffMaxMs: 5_000,
  relayLeaseMs: 10_000,
  /** How far beyond a whole lease an end must lie to be taken for one from before the clock was set back. */
  leaseMarginMs: 1_000,

  /** One packet to the embedded broker's port: far above the largest event of Quire's own. */
  brokerPacketBytes: 1_048_576,
  /** Connections to that port at once. */
  brokerConnections: 256,
  /** A TLS handshake with the broker; on a slow line it takes two seconds. */
  brokerHandshakeMs: 10_000,
  /** What a subscriber has not read yet, beyond what the system buffers: thousands of events. */
  brokerUnsentBytes: 2_097_152,
  /** What is kept for one session until it acknowledges it, and for all of them: some 10,000 events of Quire's own, 800 bytes each. */
  brokerHeldBytes: 8_388_608,
  brokerAllHeldBytes: 67_108_864,
  /** What a kept message takes beside its topic and payload. */
  brokerMessageOverheadBytes: 300,
  /** Sessions that outlive their connections, and subscriptions of one. */
  brokerSessions: 512,
  brokerSubscriptions: 100,
  /** Wrong credentials from one address before it is refused, for how long after the last, and how many addresses are known. */
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
  /** Turns of the event loop for which a group gathers at most, while each brings more. */
  databaseGatherTurns: 16,
  /**
   * A group of jobs gives up the event loop after this long, so that reads need not wait for the whole group. Each such turn
   * slows intake: turns of 3 ms cost a tenth of it.
   */
  databaseTurnMs: 10,
  /** Jobs of requests in one commit while steps are being made; what steps record goes before the next one. */
  databaseRequestJobs: 32,
  /** How long after a step's job that holds: steps of one execution follow each other within that. */
  databaseStepsMs: 1_000,
  /** Prepared statements that one connection keeps, of all texts those that were used last. */
  databaseStatements: 256,
  /** Connections of one instance, beside the heartbeat's; PostgreSQL's own default allows a hundred in all. */
  databaseConnections: 10,
  /** As long as an answer may take; and the longest pause between two attempts, so that a server is found soon when it is back. */
  databaseConnectSeconds: 2,
  databaseReconnectMaxSeconds: 0.5,
  /** Writers that share one transaction at most: as many as two instances' claimed steps. */
  databaseGroupWriters: 32,
  /** How long such a group waits for what another transaction holds, and the next group for those of one that failed, each alone. */
  databaseGroupWaitMs: 1_000,
  /** How many of those, and of those that wait for another transaction, are under way at once, each on a connection. */
  databaseAloneWriters: 3,
  databasePatientWriters: 2,
  /** After that PostgreSQL ends a transaction that sends nothing: its machine is gone, and it holds rows that others wait for. */
  databaseSilentMs: 30_000,
  /** Tries of one write that PostgreSQL refuses for the sake of another (serialization failure, deadlock). */
  databaseWriteTries: 5,
  /** A log that is followed is written back into its file once it is this long: SQLite's usual 1,000 pages. */
  followedLogBytes: 4_194_304,
  /**
   * One part of a log, and of the pieces that a database's file is copied in: what one request takes, and one
   * comparison.
   */
  replicaPartBytes: 4_194_304,
  replicaPieceBytes: 1_048_576,
  /** How often a replica is brought up to date: two of them are the work that a lost disk may take along. */
  replicaEveryMs: 1_000,
  /** Parts that wait in memory while a replica can't be written; beyond it they stay in the log. */
  replicaWaitingBytes: 33_554_432,
  /** A log that grew to this while the replica can't be written is emptied, and the replica starts over later. */
  replicaLogMaxBytes: 536_870_912,
  replicaBackoffMaxMs: 30_000,
  /** New objects that are copied at once, each whole in memory: one at a time a bucket takes fewer than are made. */
  replicaObjectsAtOnce: 8,
  /** For the last of it, when the service stops: of the ten seconds that all parts have. */
  replicaStopMs: 2_000,
  /** How often the database's file is copied again: a restore reads the log since then. */
  replicaBaseMs: 86_400_000,
  replicaDays: 7,
  replicaDaysMax: 3_650,
  /** How often instances that share a database ask for its time, and from which step of its clock on they say so. */
  clockSampleMs: 5_000,
  clockStepLoggedMs: 1_000,
  /** How often more they ask at first, while an answer takes as long as such a step. */
  clockFirstRepeats: 2,
  /**
   * How often a PostgreSQL server is asked whether it is there, and how long it has: together what a caller waits for a 503. Until the
   * first answer of several servers it is the time of a connection more for each further one.
   */
  databaseHeartbeatMs: 1_000,
  databaseAnswerMs: 2_000,

  // Runner.
  /** Longer than any step may take between two heartbeats; what a killed process held is taken over after it. */
  stepLeaseMs: 15_000,
  stepHeartbeatMs: 5_000,
  stepPollMs: 1_000,
  /** Claimed executions for each worker: one computing, the others storing, recording or about to compute. */
  stepsInHandPerWorker: 4,
  /** Such of them as wait because they take long, beside the others. */
  stepsLongInHand: 64,
  /**
   * From this on a job is long: some 1,300 pages. Of several workers, one takes no long jobs; in a queue a long job
   * lets this many others pass.
   */
  jobLongMs: 2_000,
  jobLongLetsPass: 16,
  /** What a job may read before it counts as long while nothing of its kind was made: the data of a report of some hundred pages. */
  jobUnknownBytes: 131_072,
  /** Documents whose steps take no more than this together are made in one job, which spares round trips, commits and syncs. */
  jobWholeMs: 250,
  /** Kinds of jobs whose time is known: a template's steps each. */
  jobKindsKnown: 1_024,
  /** How many of the longest waiting steps are looked at for turns; the others have their turn a little later. */
  stepTurnWindow: 64,
  /**
   * How many others a repeated job lets go first. Where something else kills process after process, a step that was at
   * work at one of the kills is then seldom at work at the next, and keeps its attempts; and where it is the cause, others
   * are done before it.
   */
  stepRepeatedLetsPass: 16,
  /** Tries to record a result that the database refuses, and the first pause, doubled each time: together 5 s. */
  stepRecordTries: 6,
  stepRecordRetryMs: 200,
  /** While the database is away a result is kept for as long as its step is; the longest pause between two tries. */
  stepRecordRetryMaxMs: 2_000,
  /** Between two probes of an object store for which work is paused: the first pause, doubled up to the last. */
  gateProbeMs: 250,
  gateProbeMaxMs: 5_000,
  /** Probes between two complaints in the log: about five minutes. */
  gateProbesPerComplaint: 60,
  /** Steps whose setbacks are remembered; beyond that their back-off begins again. */
  gateSteps: 10_000,
  /** How often a live trace looks for what other instances committed: while something happens, and when nothing has for a while. */
  traceActivePollMs: 20,
  traceIdlePollMs: 500,
  traceActiveMs: 2_000,
  /** Proxies close connections that say nothing for a minute or less. */
  traceHeartbeatMs: 15_000,
  /** Events of one execution: more than four steps of five attempts each can write. */
  traceEvents: 200,
  /** Between a lease's end and the takeover, by attempts made; the last and one poll are within 5 s of the lease's end. */
  stepTakeoverRestMs: [0, 500, 1_000, 2_000],
  stepBackoffMs: 500,
  stepBackoffMaxMs: 30_000,
  /** How often the queue is counted for submissions: some 10 ms for 100,000 steps. */
  backlogCountMs: 1_000,
  /** Per cent of the limit; below it, Quire forgets who sent how much of the queue. */
  backlogLowPercent: 10,
  /** What `Retry-After` says while the queue is full. */
  backlogRetrySeconds: 5,
  /** Steps in the queue when no limit is set, and the highest limit. */
  queuedSteps: 100_000,
  queuedStepsMax: 10_000_000,
  /** What a worker may take beyond the engine's own bound before it is taken for stuck. */
  workerMarginMs: 5_000,
  /** What an engine process may hold in memory, in bytes: layout's 512 MB, a document's parts and pictures, and 100 MB of its own. */
  engineMemoryBytes: 1_073_741_824,
  /** How often that is looked at while it works; in between it may take some 100 MB more. */
  engineMemoryLookMs: 50,
  /** A worker collects once it has grown by so much, and looks no more often than this: a collection takes some 30 ms. */
  workerGrownBytes: 50_331_648,
  workerGrownLookMs: 1_000,
  /** For `soffice --version`, with a fresh profile on a busy machine. */
  sofficeVersionMs: 20_000,
  /** Compiled schemas, transformers and templates kept by each worker, and sources kept beside the pool. */
  compiledSources: 64,
  sourceCacheBytes: 67_108_864,

  // Settings.
  /** A file with one secret in it: far above any key, password or URL, far below what was named by mistake. */
  secretFileBytes: 65_536,

  // Judging authored content for requests.
  /** One question; the costliest content within the engines' own bounds takes some 6 s on a busy machine. */
  judgeMs: 15_000,
  /** How long others wait behind a question before it is answered beside them, by a process more. */
  judgePatienceMs: 1_000,
  /** How long the judge stays without questions; its start takes some 200 ms, and it holds over 60 MB of memory. */
  judgeIdleMs: 60_000,
  /** Questions that may wait before callers are sent away. */
  judgeWaiting: 64,
  /** How many questions the judge's process holds: the one it answers and the next, so that it never waits for one. */
  judgeSent: 2,
  /** How many a plan asks at a time: what the judge has, and the next. */
  projectQuestionsAtOnce: 3,
  /** Sources whose compiled forms the judge keeps: some hundred documents', at some ten times their bytes of memory. */
  judgedSourceBytes: 4_194_304,
  /** Verdicts on drafts that are about to be frozen. */
  judgedContents: 512,
  /** Verdicts that transactions ask for, and how long a question is answered on the spot: some 7 ms of a thread. */
  judgedQuestions: 4_096,
  judgedOnTheSpotChars: 32_768,
  /** RE2 instructions of all patterns in such a question, at about 3 µs of compiling each. */
  judgedOnTheSpotInstructions: 2_000,
  /** The longest pattern that is compiled there. */
  judgedOnTheSpotPatternChars: 4_096,
  /** Files in the questions of one round: two of the largest templates with what they include, or hundreds of usual ones. */
  judgedTogetherBytes: 67_108_864,
  /** After this long in one turn of the event loop, further questions go to the judge: a model's hundred nodes ask a hundred. */
  judgedOnTheSpotMs: 10,
  /** What all conditions of one submission may take on the thread that serves requests; others are decided by the judge. */
  conditionsMs: 10,
  /** How long a model whose conditions took longer has them decided by the judge at once. */
  conditionsSlowMs: 60_000,
  /** Longer conditions are not even compiled there, at some 2 µs a character. */
  conditionChars: 4_096,
  /** How often a transaction is begun again for further verdicts: for each member of a set (`activationSetMembers`) at worst. */
  judgingRounds: 256,
  /** What `Retry-After` says while too much is at work. */
  busyRetrySeconds: 1,

  // Requests a minute of one user or token, on one instance.
  /** Above what an instance of two cores was seen to answer in all: 7,400 reads and 2,156 submissions a second. */
  rateWindowMs: 60_000,
  readsAMinute: 600_000,
  changesAMinute: 300_000,
  costlyAMinute: 60_000,
  /** The most that can be set. */
  requestsAMinuteMax: 10_000_000,

  // Requests at work.
  /** What reading and hashing large bodies takes of the thread before others get a turn: half a megabyte takes some 100 ms in all. */
  turnMs: 4,
  /** What one body takes before it counts as large: five times what a submission of the usual size does. */
  turnAtOnceMs: 0.5,
  /** Sessions looked up at once; it takes some tenths of a millisecond of the thread. */
  arrivalsAtOnce: 16,
  /** Reads, changes and trials worked on at once: 64 changes share one commit well, and more only wait for each other. */
  readsAtOnce: 32,
  changesAtOnce: 64,
  trialsAtOnce: 16,
  /** Those of each kind that wait for that, and for how long; a trial may take as long as a document. */
  requestsWaiting: 512,
  requestWaitMs: 2_000,
  trialsWaiting: 64,
  trialWaitMs: 10_000,
  /** Bytes of all bodies that are read or worked on at once: eight archives. A body takes a few times as much memory. */
  bodiesAtOnceBytes: 268_435_456,
  /** Bytes of all answers that their clients have not taken yet, and from which size on an answer counts: twenty documents. */
  answersAtOnceBytes: 536_870_912,
  heldAnswerBytes: 262_144,
  /** How much of it one user gets, so that others find room. */
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
  /** Lines of the log about refused rights, and about refused inputs, which anybody may cause: what a person can read in a minute. */
  refusalsToldAMinute: 60,
  /** How long after somebody gave the password they may grant what outlives a stolen session: a short task's time. */
  passwordRecentMs: 10 * 60_000,
  passwordMinChars: 12,
  passwordMaxChars: 128,
  /** argon2id at once, 19 MiB each; and those of one lane that may wait for a turn before callers are sent away. */
  passwordHashesAtOnce: 2,
  passwordHashesWaiting: 64,
  /** Failures within the window that are answered at once; the next one is blocked. An address may be a whole office. */
  throttleAccountFailures: 5,
  throttleAddressFailures: 50,
  throttleWindowMs: 15 * 60_000,
  /** The first block, doubled with every further failure, up to the last figure: no lock is for good. */
  throttleBlockMs: 30_000,
  throttleBlockMaxMs: 300_000,
  /** How long a browser or an address from which an account logged in is spared the blocks others earn for it. */
  throttleKnownMs: 30 * 86_400_000,
  /** Blocks whose refused attempts are counted for the audit trail at one time; attempts of further ones are not. */
  throttleTallies: 1_000,
  /** Lifetime of a token: a year, with a day to renew it in. */
  tokenLifetimeDays: 366,
  tokenLifetimeDefaultDays: 90,
  tokenNameChars: 100,
  /** Families that one token may be limited to, and tokens that one user may have at a time. */
  tokenFamilies: 100,
  tokensPerUser: 100,
  /**
   * How long before its end a user is notified that a token expires, if it lives four times as long: time to plan for.
   */
  tokenReminderMs: 14 * 86_400_000,
  /** Tokens whose expiry is looked at in one sweep, the next to expire first. */
  tokensReminded: 1_000,
  /** Notices that are kept for one user, and for how long: a page, and longer than anybody is on leave. */
  noticesPerUser: 50,
  noticeKeptMs: 90 * 86_400_000,
  /**
   * What is typed and not saved, kept for one user. For each draft: a state a minute for the last hour, then one an
   * hour, up to this many. For all drafts: this many bytes. For two weeks: longer than a holiday weekend, shorter than
   * anybody remembers it.
   */
  unsavedStates: 100,
  unsavedStateMs: 60_000,
  unsavedDenseMs: 3_600_000,
  unsavedBytesPerUser: 8_388_608,
  unsavedKeptMs: 14 * 86_400_000,
  /** A text and the one that it began from, each as large as a contract's schema and written as JSON. */
  unsavedBodyBytes: 4_259_840,
  /** A user is notified of refused attempts once in this time; the audit trail has all of them. */
  noticeAgainMs: 86_400_000,
  /** From the password to the second factor, or to enrolling one: time to find the phone. */
  signInMs: 10 * 60_000,
  /** How long a code of an authenticator app counts, and how many steps a phone's clock may be off (RFC 6238, 5.2). */
  codeStepSeconds: 30,
  codeStepsOff: 1,
  /** Wrong codes in a row after which an authenticator app opens nothing until its user got in otherwise (NIST SP 800-63B, 5.2.2). */
  codeFailures: 100,
  /** A browser's name for itself, kept with its session. */
  browserChars: 300,
  /** Sessions that are listed; somebody who has more can end them all. */
  sessionsListed: 100,
  /** Second factors of one user, and characters of a name for one. */
  factorsPerUser: 10,
  factorNameChars: 60,
  recoveryCodes: 10,
  /** From a passkey's challenge to its answer: as long as browsers wait for one. */
  passkeyMs: 300_000,
  /** A passkey's id, base64url: WebAuthn allows 1,023 bytes. */
  passkeyIdChars: 1_364,
  /** Users that one browser is known for: those of a shared desk; a note of each takes 98 bytes of a cookie. */
  deviceCookieUsers: 4,

  // Sign-in at an OpenID provider.
  /** From the start at the sign-in page to the way back: enough for a second factor, and a forgotten tab is too late. */
  oidcFlowMs: 10 * 60_000,
  /** Sign-ins under way in one browser; more push out the oldest. Each takes up to 1.6 KiB of the cookie's 4. */
  oidcFlows: 2,
  /** The console's address to return to after signing in. */
  oidcReturnChars: 500,
  /** The notes in a device cookie, 98 for each user. */
  oidcDeviceChars: 400,
  /** One request to the provider, and what it may answer: a key set of a large provider has 20 KiB. */
  oidcRequestMs: 10_000,
  oidcAnswerBytes: 512 * 1024,
  /** Sign-ins that ask the provider at one time, and those that wait for a turn. */
  oidcAtOnce: 16,
  oidcWaiting: 64,
  /** How old the provider's description may be, and how soon its keys are asked for again when one is missing. */
  oidcDescriptionMs: 3_600_000,
  oidcKeysMs: 600_000,
  oidcKeysAgainMs: 5_000,
  /** How far the provider's clock may be off. */
  oidcToleranceSeconds: 30,
  /** Age of a logout token, which OpenID Connect Back-Channel Logout 1.0 wants short-lived (2.4). */
  oidcLogoutTokenMs: 120_000,
  oidcTokenChars: 65_536,
  oidcSubjectChars: 255,
  oidcCodeChars: 8_192,
  oidcStateChars: 512,
  /** Groups of one person that are looked at. */
  oidcGroups: 2_000,
  /** Without a sign-in for this long, the tokens of a provider's user stop: the provider may have let the person go. */
  oidcVouchedMs: 30 * 86_400_000,
  /** The longest that a sign-in at the provider may be set to count. */
  oidcMaxAgeSeconds: 30 * 86_400,

  // Audit.
  /** How often the sealer looks: half of the second that a record may stay unsealed. */
  auditSealMs: 500,
  auditSealBatch: 256,
  auditLeaseMs: 10_000,
  /** Records that Quire did not write, and which the log names once each. */
  auditRefusedKept: 1_000,
  /**
   * Tags of earlier keys are taken for this long after the store's newest key was introduced: what was left unsealed, and what
   * instances write that have still to be restarted.
   */
  auditKeyOverlapMs: 86_400_000,
  /** How often, at most, a signed head is published outside of the store. */
  auditAnnounceMs: 60_000,
  /** Records of the audit trail that a proof leads past to its head, some 140 bytes each. */
  proofLinks: 100_000,
  /** How often an export that follows the trail looks for more: as often as records are sealed, and no faster. */
  auditFollowMs: 1_000,
  /** What one batch to a syslog receiver may take, its end included. */
  syslogSendMs: 10_000,
  /** How long a receiver has at least to show that it ends a connection unread, before Quire ends its side. */
  syslogSettleMs: 50,
  /** What a syslog receiver may say, though the protocol has no word for it: a banner. */
  syslogAnswerBytes: 4_096,
  /**
   * Between two tries while a receiver of the trail is away, at first and at most; the log mentions one of so many.
   */
  auditForwardRetryMs: 1_000,
  auditForwardRetryMaxMs: 60_000,
  auditForwardTold: 30,
  /** Longer than a batch takes, so that two instances seldom send the same. */
  auditForwardLeaseMs: 60_000,
  /** Records that one verification reads: some 10 µs each, so about a second. */
  auditVerifyRecords: 50_000,

  // Erasure.
  /** Submissions that one erasure takes, so that no writer waits long for it; the next one takes more. */
  erasureSubmissions: 50,
  /** How often an erasure looks for what is about its object until nothing has come since the look before. */
  erasureLooks: 5,
  erasureReasonChars: 200,
  /** How often what erasures left to be done is looked for. */
  erasureFinishMs: 1_000,
  /** A step may have stored the same bytes just now, and name them in a moment: younger objects wait. */
  erasureObjectAgeMs: 60_000,
  /** A database file up to this size is rewritten after an erasure: it takes half a second, and as much memory. */
  erasureRewriteBytes: 67_108_864,
  /** Erasures that `verify` writes out, one a line; all are counted. */
  erasuresShown: 100,
  /** Files whose holders were looked for once, by their hashes, which are remembered for the next holds. */
  holdLookedFiles: 1_000,

  // Batches.
  /** A year of letters of a small insurer; the rows are counted, not only their bytes. */
  batchRows: 50_000,
  /** As much as a project's archive: it is read into memory once when it is submitted, and once by the feeder. */
  batchFileBytes: 33_554_432,
  batchNameChars: 200,
  /** The transformers' params, as JSON in a form's field. */
  batchParamsChars: 8_192,
  batchPlaceChars: 300,
  /** Depth of `$ref`, `allOf` and their like through which a column's property is looked for. */
  batchSchemaDepth: 16,
  /** Schemas, and choices in them, that are looked at for all columns of one file, at some 0.2 µs each. */
  batchSchemaParts: 1_000_000,
  /** The line of names: it is kept with the batch, and each of the rows repeats it. 1,000 names of 64 characters. */
  batchHeaderChars: 65_536,
  /** Steps in the queue of the whole database, whoever sent them, above which the feeder waits: other submissions find the queue short. */
  batchQueuedSteps: 200,
  /** Rows that one transaction submits: some 10 ms embedded. */
  batchFeedRows: 8,
  /** Submitted rows that one look goes through for those whose executions have ended: some 5 ms. */
  batchSettleRows: 1_000,
  /** How often the feeder looks while a batch runs, and while none does: what other instances took in. */
  batchFeedMs: 100,
  batchIdleMs: 2_000,
  /** Longer than any of its transactions takes, so that two instances seldom read the same rows. */
  batchLeaseMs: 15_000,
  /** Batches that are fed in turns. */
  batchesAtOnce: 8,
  /** What is shown of a row's cause. */
  batchMessageChars: 500,
  /** Causes of one batch that are listed, the most frequent first. */
  batchCauses: 200,
  /** Rows that one request puts back; its answer says how many are left. */
  batchRetryRows: 500,
  /** Rows of a download that are looked up at a time. */
  batchResultRows: 100,
  /** Documents and bytes of one PDF for print: it is made in memory, in a process of its own. */
  batchPrintDocuments: 2_000,
  batchPrintBytes: 134_217_728,
  batchPrintMs: 300_000,
  /** Documents, their copies and the file are in memory at once. */
  batchPrintMemoryBytes: 1_610_612_736,

  // Retention.
  /** Failed executions that one request for many retries looks at, and how many of them one transaction puts back. */
  retryPageRows: 500,
  retryBatch: 20,
  /** Submissions that one transaction removes: the median of a bench is 23 ms embedded, the longest 49 (bench/retention.bench.ts). */
  retentionBatch: 20,
  /** Between two such transactions, so that others write meanwhile. */
  retentionPauseMs: 50,
  retentionEveryMs: 600_000,
  /** Rows of one page of the index that is looked through for what is due. */
  retentionPageRows: 500,
  /** Submissions that were due and at work, which each round looks at again. */
  retentionWaiting: 1_000,
  /** Submissions that a dry run counts; it says where it stopped. */
  retentionPlanSubmissions: 10_000,
  retentionPolicies: 200,
  /** A hundred years. */
  retentionDaysMax: 36_525,
  retentionLeaseMs: 900_000,

  // Webhooks.
  /** Receivers of one store, and of each the connections at one time: a slow one then holds few of them. */
  webhooks: 50,
  webhookWindow: 4,
  webhookNameChars: 100,
  webhookUrlChars: 2_048,
  webhookFamilies: 100,
  /** Events that become deliveries in one transaction. */
  webhookFanOutEvents: 256,
  /** A registration waits this long for what others are writing; only a change of thousands of rows takes longer. */
  webhookRegistrationMs: 10_000,
  webhookRegistrationPollMs: 20,
  /** How often the sender looks: for what other instances committed, and for what is due again. */
  webhookPollMs: 1_000,
  /** Twice a request and its record; who was away for longer has no request under way when another takes over. */
  webhookLeaseMs: 60_000,
  /** Resolving, connecting and the whole answer; Standard Webhooks asks for 15 to 30 s. */
  webhookRequestMs: 15_000,
  /** Interim answers (RFC 9110, 15.2) before the one that counts; servers send one or two. */
  announcedAnswers: 16,
  /** How much of an answer is read, and how much of it is kept to be shown. */
  webhookAnswerBytes: 4_096,
  webhookAnswerChars: 300,
  /** Waits before the next tries of one delivery: the schedule that Standard Webhooks suggests, three and a half days in all. */
  webhookRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** Failures in a row after which a receiver counts as away: then it is asked with one delivery at a time. */
  webhookAwayFailures: 3,
  /** Waits between those, doubled up to the last figure; what `Retry-After` may ask for at most. */
  webhookAwayMs: 5_000,
  webhookAwayMaxMs: 15 * 60_000,
  webhookRetryAfterMs: 3_600_000,
  /** A receiver that has failed this long without one success is disabled. */
  webhookDisableMs: 5 * 86_400_000,
  /** How long the secret before the current one signs as well: a working day in every time zone. */
  webhookSecretOverlapMs: 24 * 3_600_000,
  /** Deliveries are removed this long after their event, even if they wait for a receiver that isn't active. */
  webhookKeptMs: 30 * 86_400_000,
  /** Rows that one statement removes of them, so that no writer waits long. */
  webhookPruneRows: 1_000,

  // Commands at the server's clients and at projects.
  /** How long `quire submit` waits for an execution, unless it is told; a letter takes less than a second, a queue may take minutes. */
  submitWaitSeconds: 300,
  /** The longest that it can be told, and how long `quire logs --follow` waits: nobody watches an execution for longer. */
  followSeconds: 86_400,
  /** How long `quire test --mutate` begins further changes, unless it is told. */
  mutationSeconds: 300,
  /** Results of steps that it keeps because a change can't have touched them. */
  mutationKeptBytes: 67_108_864,
  /** How often a file that changes while it is read is read again, and the pause before: editors write in several steps. */
  projectFileReadings: 3,
  projectFilePauseMs: 20,
  /** Lines of a text that `@quire/testing` puts into a message, so that a long document leaves its reason in sight. */
  testingLinesShown: 30,

  // Commands beside the server.
  /** Commands that one server runs at a time for the command line, and how long one may take to say what it is. */
  controlCommands: 8,
  controlAskMs: 5_000,
  /** A command's arguments: names, scopes and a hundred families. */
  controlAskBytes: 65_536,
  /** How long a stop waits for those under way. */
  controlStopMs: 2_000,

  // Idempotency records.
  idempotencyMs: 7 * 86_400_000,
  /** Rows that one transaction removes of them, so that no writer waits long. */
  idempotencySweepRows: 500,

  // Backup, verify and move.
  /** Rows in one statement: a page of the largest ones, of half a mebibyte each, still fits into memory. */
  tablePageRows: 100,
  /** The same where a row is a hash and a size. */
  tableHashRows: 1_000,
  backupChunkBytes: 1_048_576,
  /** A row with a template is some 35 million characters: no line is longer than this. */
  backupLineChars: 268_435_456,
  /** The manifest names what was erased while it was made: some three million objects. */
  backupManifestBytes: 268_435_456,
  /** The header of an encrypted backup, read whole: some 600 recipients. */
  backupHeaderBytes: 65_536,
  /** What a backup has begun and not written to for this long was left by one that was killed: clocks differ by hours. */
  backupLeftoverMs: 86_400_000,
  /** How long a state of the database is held while it is verified: nothing that was deleted is freed meanwhile. */
  verifyStateMs: 1_000,
  /** What an error says, and what a refused setting holds. */
  shownWordsChars: 4_000,
  /** Problems that are written out, one a line; all are counted. */
  verifyProblemsShown: 100,
  /** Hashes of objects that a backup keeps in memory, 2 MB; more are in 256 files meanwhile. */
  backupHashesInMemory: 65_536,
  backupProblemsShown: 20,

  // The doctor.
  /** For one dependency to answer at all; the database then has this long for all questions, a bucket for its probe. */
  doctorAskMs: 5_000,
  doctorDatabaseMs: 30_000,
  doctorObjectsMs: 15_000,
  /** Reads of what was just written to a bucket. */
  doctorReads: 5,
  /** Syncs that are measured, and how long it may take; three at least. */
  doctorSyncs: 50,
  doctorSyncMs: 1_000,
  /** A disk with power-loss protection takes 20 µs or more, libeatmydata and a disk in memory less than 1. */
  doctorSyncQuickUs: 10,
  /** Then a group of commits is less than twenty a second. */
  doctorSyncSlowUs: 50_000,
  /** Below these a disk is soon full: some 70,000 documents, and as many files. */
  doctorFreeBytes: 1_073_741_824,
  doctorFreeFiles: 10_000,
  /** Memory of the service, and of each worker (docs/operations.md). */
  doctorMemoryBytes: 150_000_000,
  /** What clocks that follow a time server differ by at most, generously. */
  doctorClockMs: 2_000,
  /** Two thirds into the last month of a certificate of 90 days, renewal has failed. */
  doctorCertificateDays: 20,

  // Logs and metrics.
  /** How much of a statement stays in the message of a database's error. */
  loggedStatementChars: 300,
  /** Often enough to see what a single long statement does, seldom enough to cost nothing. */
  lagSampleMs: 100,
  /** Errors that wrap each other in circles end here; drivers wrap a handful at most. */
  errorCauses: 5,
  /** Requests and started steps whose spans are still open: some minutes of a busy instance. */
  telemetryRemembered: 10_000,
  /** An unreachable collector is logged at most this often. */
  telemetryComplaintMs: 60_000,
  /** Requests of one signal under way at a collector that is slow, beside what a stop sends; OpenTelemetry's default. */
  telemetryRequests: 30,

  // Health.
  /** One dependency's probe; a readiness probe of an orchestrator usually allows 1 s more. */
  probeMs: 2_000,
  /** Probes write, so each dependency has one in this time, however many ask. */
  probeFreshMs: 1_000,
  /** Rows that one figure of the operations' status counts: an index finds this many in some 2 ms. */
  statusRows: 10_000,
  /** Rows that a gauge of what waits counts: the embedded database answers nobody meanwhile. */
  gaugeRows: 100_000,
  /** Failed executions whose causes it reads. */
  statusFailures: 500,

  // Search, asked for with every pause in typing.
  searchCharsMin: 1,
  searchCharsMax: 200,
  /** Shorter texts are in most sources. */
  searchContentChars: 3,
  searchResults: 20,
  /** Newest submissions, and executions, looked through for any part: some 40 ms of the thread for both, in turns. */
  searchedRows: 5_000,
  /** Families looked through: by name, and by content the newest of them. */
  searchedFamilies: 10_000,
  searchedContents: 500,
  /** Rows of one statement: 250 take about 1 ms. Contents may have half a megabyte each. */
  searchPageRows: 250,
  searchPageContents: 10,
  /** An instance that shares its database counts as present for this long after it last said so. */
  presenceMs: 60_000,
} as const
