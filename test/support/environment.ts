/**
 * Most programs under test live for a second or two, and spent a third of their processor time on compiling code that they then hardly
 * ran: here Bun waits longer before it compiles. Benches start the same programs as they are.
 */
const compileLater: Record<string, string> =
  process.env.NODE_ENV === 'test'
    ? {
        BUN_JSC_thresholdForJITAfterWarmUp: '4000',
        BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
        BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '10000',
        BUN_JSC_thresholdForOptimizeSoon: '10000',
        BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '640000',
        BUN_JSC_thresholdForFTLOptimizeSoon: '64000',
      }
    : {}

/** Nothing else of this process's environment: settings of a developer's machine would change what is tested. */
export const bareEnvironment = { PATH: process.env.PATH ?? '', ...compileLater }
