import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/**
 * A private S3 server that enforces signatures and conditional puts: Ceph's gateway over the smallest cluster there is,
 * one monitor and one OSD that keeps everything in memory. Skipped by name where it isn't installed, never in CI.
 */
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'ceph']
export const radosgwAvailable = programs.every((name) => Bun.which(name) !== null)
const packages = 'radosgw ceph-mon ceph-osd ceph-common'
if (!radosgwAvailable && process.env.CI === 'true') throw new Error(`S3 tests need the packages ${packages} in CI`)
if (!radosgwAvailable) process.stderr.write(`SKIPPED: every test on S3 (install the packages ${packages})\n`)

export interface PrivateS3 {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
}

const accessKeyId = 'quiretest'
const secretAccessKey = 'quiretestsecret'

export async function startRadosgw(): Promise<PrivateS3> {
  const folder = temporaryFolder('quire-s3-')
  const monitorPort = await freePort()
  const port = await freePort()
  const configuration = join(folder, 'ceph.conf')
  const fsid = crypto.randomUUID()
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(folder, name))
  const settings = {
    fsid,
    mon_host: `v2:127.0.0.1:${monitorPort}`,
    mon_initial_members: 'a',
    public_addr: '127.0.0.1',
    auth_cluster_required: 'none',
    auth_service_required: 'none',
    auth_client_required: 'none',
    // A host below this one names a bucket, which is the virtual style.
    rgw_dns_name: 'localhost',
    // The gateway asks for an encrypted connection, which there is none without authentication.
    ms_mon_client_mode: 'crc',
    mon_data: join(folder, 'mon'),
    osd_data: join(folder, 'osd'),
    osd_objectstore: 'memstore',
    // Memory is used as it fills. Ten rounds of a replica are 350 MB, and a full one answers nobody.
    memstore_device_bytes: 4_294_967_296,
    osd_pool_default_size: 1,
    osd_pool_default_min_size: 1,
    osd_pool_default_pg_num: 1,
    osd_crush_chooseleaf_type: 0,
    mon_allow_pool_size_one: true,
    mon_data_avail_crit: 1,
    run_dir: join(folder, 'run'),
    admin_socket: join(folder, 'run', '$name.$pid.asok'),
    log_file: join(folder, '$name.log'),
    pid_file: '""',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(configuration, `[global]\n${lines.join('\n')}\n`)

  const run = (program: string, ...options: string[]) => {
    const done = Bun.spawnSync([program, '-c', configuration, ...options], { stderr: 'pipe', timeout: 60_000 })
    if (done.exitCode !== 0) throw new Error(`${program} ${options.join(' ')} failed: ${done.stderr}`)
  }
  const start = (program: string, ...options: string[]) => {
    const daemon = Bun.spawn([program, '-c', configuration, '-f', ...options], { stdout: 'ignore', stderr: 'ignore' })
    onTestsEnd(async () => {
      daemon.kill('SIGKILL')
      await daemon.exited
    })
  }
  const monitorMap = join(folder, 'monmap')
  run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', fsid, monitorMap)
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monitorMap)
  start('ceph-mon', '-i', 'a')
  const osd = crypto.randomUUID()
  run('ceph', '--connect-timeout', '30', 'osd', 'new', osd)
  run('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', osd)
  start('ceph-osd', '-i', '0')
  run(
    'radosgw-admin',
    'user',
    'create',
    '--uid=quire',
    '--display-name=quire',
    `--access-key=${accessKeyId}`,
    `--secret-key=${secretAccessKey}`,
  )
  start('radosgw', '-n', 'client.rgw', `--rgw-frontends=beast endpoint=127.0.0.1:${port}`)
  const endpoint = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(endpoint).then(
      (response) => response.status < 500,
      () => false,
    )
  await until('the S3 server answers', answers, 60_000)
  return { endpoint, accessKeyId, secretAccessKey }
}

export async function makeBucket({ endpoint, accessKeyId, secretAccessKey }: PrivateS3, name: string): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
}
