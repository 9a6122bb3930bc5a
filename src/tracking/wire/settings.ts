/**
 * The settings that analytics-next loads first. It puts this `apiKey` into its events. Without `metrics`, it also reports
 * its own performance to Segment.
 */
export const segmentSettings = (key: string, host: string, protocol: string): object => ({
  integrations: { 'Segment.io': { apiKey: key, apiHost: `${host}/v1`, protocol } },
  metrics: { sampleRate: 0 },
})

/** The configuration that RudderStack's client loads first. */
export const rudderConfig = (writeKeyId: string): object => ({
  source: { id: writeKeyId, config: {}, destinations: [] },
})
