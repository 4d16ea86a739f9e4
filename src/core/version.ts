/** The product's build version and the API description's version. Raised only together with the CHANGELOG. */
export const PRODUCT_VERSION = '0.33.0'
export const API_VERSION = '0.8.0'

/** Defined by scripts/build.ts. */
declare const QUIRE_REVISION: string | undefined

/** The commit the executable was built from. */
export const REVISION = typeof QUIRE_REVISION === 'string' ? QUIRE_REVISION : 'development'
