/** What is used of AWS's client. Taken by name, the hundred other operations and their descriptions stay out of the executable. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
