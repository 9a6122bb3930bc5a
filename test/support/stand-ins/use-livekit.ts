import { afterAll, beforeEach } from 'vitest'
import type { Provider } from '../../../src/voice/providers/provider.ts'
import { CallbackReceiver, outside, outsideProvider } from './dispatching.ts'
import { LivekitStandIn } from './livekit.ts'

/** Sets LiveKit up for the tests of a file. */
export async function useLivekit() {
  const standIn = await LivekitStandIn.start()
  const receiver = new CallbackReceiver()
  await receiver.listen()

  function providerWith(changes: Record<string, string> = {}, outbound = outside.outbound): Provider {
    const { apiKey: api_key, apiSecret: api_secret, trunkId: sip_trunk_id } = standIn
    const url = standIn.server.url.replace('http', 'ws')
    const credentials = { url, api_key, api_secret, sip_trunk_id, agent_name: 'boiler-agent', ...changes }
    return outsideProvider('livekit', credentials, { ...outside, outbound })
  }
  const provider = providerWith()
  receiver.provider = provider
  standIn.webhookUrl = receiver.url
  beforeEach(() => {
    standIn.calls.reset()
    standIn.rooms.clear()
    standIn.server.requests.length = 0
    receiver.clear()
  })
  afterAll(async () => {
    await standIn.server.close()
    await receiver.close()
  })
  return { standIn, receiver, provider, providerWith, since: new Date() }
}
