import { afterAll, beforeEach } from 'vitest'
import { CallbackReceiver, orderOf, outside, outsideProvider } from './dispatching.ts'
import { TwilioStandIn } from './twilio.ts'

/** Sets Twilio up for the tests of a file. */
export async function useTwilio() {
  const standIn = await TwilioStandIn.start()
  const receiver = new CallbackReceiver()
  await receiver.listen()

  const providerAt = (twilioApiUrl: string, auth_token = standIn.authToken) =>
    outsideProvider('twilio', { account_sid: standIn.accountSid, auth_token }, { ...outside, twilioApiUrl })
  const provider = providerAt(standIn.server.url)
  let since = new Date()
  beforeEach(() => {
    standIn.calls.reset()
    since = new Date(standIn.calls.now)
    receiver.clear()
    receiver.provider = provider
  })
  afterAll(async () => {
    await standIn.server.close()
    await receiver.close()
  })
  return {
    ...{ standIn, receiver, provider, providerAt },
    /** The start of the current test, by the clock of the stand-in. */
    since: () => since,
    withCallback: () => orderOf({ callbackUrl: receiver.url }),
  }
}
