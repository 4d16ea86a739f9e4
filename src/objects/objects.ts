import { type ObjectStore, ObjectsUrlInvalid, type OpenObjectsOptions } from './object-store.ts'

/**
 * Opens `file:<directory>` or `s3://bucket/prefix?endpoint=…&region=…&style=path|virtual`; only then imports the S3 client. A
 * missing local directory is created. A missing S3 bucket is not, and shows only at its first use.
 * @throws ObjectsUrlInvalid
 */
export async function openObjectStore(url: string, options: OpenObjectsOptions = {}): Promise<ObjectStore> {
  if (url.startsWith('file:')) {
    const { openDirectoryStore } = await import('./directory.ts')
    return openDirectoryStore(url.slice('file:'.length), options)
  }
  if (url.startsWith('s3:')) {
    const { openS3Store } = await import('./s3.ts')
    return openS3Store(url, options)
  }
  throw new ObjectsUrlInvalid('the object store must be file:<directory> or s3://<bucket>/<prefix>')
}
