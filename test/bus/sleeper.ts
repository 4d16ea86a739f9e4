import type { Bus } from '../../src/bus/message-bus.ts'
import { until } from '../support/until.ts'

/** A process that subscribes to all of `quire/` and then reads nothing; it says so, and when its connection is closed. */
const sleeper = `
  const { connect } = await import('mqtt')
  const client = connect(process.argv[1], { protocolVersion: 4, reconnectPeriod: 0, keepalive: 0, rejectUnauthorized: false })
  client.on('connect', () => client.subscribe('quire/#', () => console.log('subscribed')))
  client.on('close', () => console.log('closed'))
`

/** Resolves once a subscriber that stopped reading was hung up on, after another has got everything meanwhile. */
export async function hangUpOnSleeper(url: string, bus: Bus, deadlineMs: number): Promise<void> {
  const asleep = Bun.spawn([process.execPath, '-e', sleeper, url], { stdout: 'pipe', cwd: import.meta.dir })
  let told = ''
  const reading = (async () => {
    for await (const text of asleep.stdout.pipeThrough(new TextDecoderStream())) told += text
  })()
  await until('it has subscribed', () => told.includes('subscribed'))
  asleep.kill('SIGSTOP')
  const heard: string[] = []
  await bus.subscribe('quire/v1/sleep/+', (topic) => heard.push(topic))
  // More than it may leave unread and the system's buffers hold.
  const payload = 'x'.repeat(400_000)
  for (let at = 0; at < 50; at++) await bus.publish(`quire/v1/sleep/${at}`, payload, { deadlineMs })
  await until('the other has all', () => heard.length === 50)
  asleep.kill('SIGCONT')
  await until('it was hung up on', () => told.includes('closed'))
  asleep.kill('SIGKILL')
  await reading
}
