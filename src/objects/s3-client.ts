/**
 * The used parts of AWS's client. Imported by name, so that its hundred other operations and their descriptions stay out of the
 * executable.
 */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
