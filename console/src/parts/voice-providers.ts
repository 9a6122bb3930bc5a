import type { VoiceProvider } from '../../../sdk/src/generated/types.ts'

/** The names of the services that place calls. */
export const voiceProviderNames: Record<VoiceProvider, string> = {
  simulator: 'Simulator',
  livekit: 'LiveKit',
  vapi: 'Vapi',
  twilio: 'Twilio',
}
