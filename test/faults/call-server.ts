// A server that kills itself at a given step of a call. Each statement has two steps: before it is sent, and before
// its answer is read. Dialing has two named steps.
import { Client } from 'pg'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { providerMakers } from '../../src/voice/providers/providers.ts'
import { testKey } from '../support/database.ts'
import { wayTo } from './call-provider.ts'

const [, , killAt, provider] = process.argv
let step = 0

function reach(name?: string): void {
  if (String(++step) === killAt || name === killAt) process.kill(process.pid, 'SIGKILL')
}

providerMakers.vapi = () => {
  const way = wayTo(provider!)
  return {
    ...way,
    async dispatch(order, timeoutMs) {
      reach('dialing')
      const outcome = await way.dispatch(order, timeoutMs)
      reach('dialed')
      return outcome
    },
  }
}

const { query } = Client.prototype
const send = query as unknown as (this: Client, ...sent: unknown[]) => unknown
let armed = false
Client.prototype.query = function (this: Client, ...sent: unknown[]) {
  // The key cache and other background work are not steps of a call.
  if (!armed || this.user !== 'crosswalk_app') return send.apply(this, sent)
  reach()
  const answer = send.apply(this, sent)
  setImmediate(() => reach())
  return answer
} as never

const config = { ...readConfig(), port: 0, checksDuplicates: false, movesCalls: false }
const app = await startApp(config, createLog('warn'), config.databaseUrl!, testKey)
armed = true
process.stdout.write(`${app.address}\n`)
